"""Driving a handle: sync and async alike, under the names that the manifest gives.

A driver translates between programs, which speak of ``id``, ``parent_id``, ``created_at``
and ``type``, and a store, which may call them otherwise; it maps session ids to keys, and
exceptions to the five identities. It neither sorts nor repairs, and retries only what the
store calls stale, once, after its ``refresh``.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any, cast

from storelaw.errors import IDENTITIES, Misconfigured
from storelaw.manifest import Manifest
from storelaw.program import Key, nested
from storelaw.trace import UNKNOWN
from storelaw.values import Entry
from storelaw.worker import Worker

#: What stands for the leading key parts where a program names only the last one.
LEADING = "storelaw"


class Absent(Exception):
    """The handle does not have the operation."""

    def __init__(self, operation: str) -> None:
        super().__init__(operation)
        self.operation = operation


class Driver:
    """Calls operations of handles for one program, on the worker's thread."""

    def __init__(self, manifest: Manifest, worker: Worker) -> None:
        self.manifest, self._worker = manifest, worker
        self._outward = dict(manifest.fields)
        if manifest.entry_id and manifest.entry_id != "id":
            self._outward["id"] = manifest.entry_id
        self._inward = {theirs: ours for ours, theirs in self._outward.items()}
        self._identities = _identities_of(manifest)

    def resolved(self, doing: str, call: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """The answer of a call, awaited where it is awaitable.

        :class:`Absent` for an awaitable inside another one: the loop can't drive it.
        """
        self._worker.beat(doing)
        answer = call(*args, **named)
        if self._worker.is_nested(answer):
            raise Absent(doing)
        return self._worker.resolved(answer)

    def has(self, handle: object, operation: str) -> bool:
        """Whether a handle offers an operation that the manifest doesn't leave out."""
        if operation in self.manifest.without:
            return False
        return callable(getattr(handle, operation, None))

    def call(self, handle: object, operation: str, *args: Any, **named: Any) -> Any:
        """The answer of an operation; :class:`Absent` where the handle does not have it."""
        if not self.has(handle, operation):
            raise Absent(operation)
        try:
            return self.resolved(f"{operation}()", getattr(handle, operation), *args, **named)
        except NotImplementedError:
            raise Absent(operation) from None
        except Exception as error:
            if self.identity(error) != "Stale" or not self.has(handle, "refresh"):
                raise
        self.resolved("refresh()", self._refresh(handle), *args[:1])
        return self.resolved(f"{operation}()", getattr(handle, operation), *args, **named)

    @staticmethod
    def _refresh(handle: Any) -> Callable[..., Any]:
        refresh: Callable[..., Any] = handle.refresh
        return refresh

    def append(self, handle: object, session: Any, entries: list[Entry]) -> Any:
        """Append a batch, or entry by entry where the store has only ``append_one``."""
        if self.has(handle, "append") or not self.has(handle, "append_one"):
            return self.call(handle, "append", session, entries)
        return [self.call(handle, "append_one", session, each) for each in entries] or None

    def key(self, session: Key) -> Any:
        """The session id as the store takes it."""
        parts = self.manifest.key_parts
        if not parts:
            return session
        if isinstance(session, tuple):
            return session
        needed = len(parts) - self.manifest.optional_parts
        return (*(LEADING for _ in range(needed - 1)), session)

    def session_of(self, key: Any) -> Any:
        """The session id of a program, from the key as the store gives it."""
        if not self.manifest.key_parts or not isinstance(key, tuple | list):
            return key
        parts = tuple(cast("Iterable[str]", key))
        needed = len(self.manifest.key_parts) - self.manifest.optional_parts
        leading = (LEADING,) * (needed - 1)
        return parts[-1] if parts[:-1] == leading and len(parts) == needed else parts

    def outward(self, entry: Entry) -> Entry:
        """An entry under the store's names."""
        return _renamed(entry, self._outward) if self._outward else entry

    def inward(self, entry: Any) -> Any:
        """An entry of the store under our names."""
        if not self._inward or not isinstance(entry, dict):
            return entry
        return _renamed(cast(Entry, entry), self._inward)

    def identity(self, error: BaseException) -> str:
        """The identity of what an operation raised."""
        for name, classes in self._identities.items():
            if isinstance(error, classes):
                return name
        return UNKNOWN


def _renamed(entry: Entry, names: Mapping[str, str]) -> Entry:
    return {names.get(name, name): value for name, value in entry.items()}


_IDENTITIES: dict[int, tuple[Manifest, dict[str, tuple[type[BaseException], ...]]]] = {}


def _identities_of(manifest: Manifest) -> dict[str, tuple[type[BaseException], ...]]:
    """The identities of a manifest, found once; a manifest that is kept keeps its ``id``."""
    if id(manifest) not in _IDENTITIES:
        _IDENTITIES[id(manifest)] = (manifest, identities(manifest))
    return _IDENTITIES[id(manifest)][1]


def identities(manifest: Manifest) -> dict[str, tuple[type[BaseException], ...]]:
    """For each identity the exception types that stand for it, late imports resolved."""
    found: dict[str, tuple[type[BaseException], ...]] = {}
    for name, ours in IDENTITIES.items():
        theirs = nested(manifest.errors.get(name, ()))
        found[name] = (ours, *(_exception(name, each) for each in theirs))
    return found


def _exception(name: str, each: Any) -> type[BaseException]:
    kind = _imported(name, each) if isinstance(each, str) else each
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return kind
    raise Misconfigured(
        f"configuration: manifest field 'errors' maps {name} to {each!r}, "
        "which is no exception type; give a class, or 'module:Class'"
    )


def _imported(name: str, dotted: str) -> object:
    module, _, attribute = dotted.rpartition(":" if ":" in dotted else ".")
    try:
        found: object = attrgetter(attribute)(import_module(module))
        return found
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise Misconfigured(
            f"configuration: manifest field 'errors' maps {name} to {dotted!r}, "
            f"which can't be imported: {error}"
        ) from error


class Injected(Exception):
    """A failure that the kit makes on purpose, to see what a session does with it."""
