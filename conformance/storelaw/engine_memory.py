"""The default memory door: the reference memory over a medium's rows, speaking JSON.

It is a subject here, never an oracle. What the reference refuses becomes one of the port's
identities, with the name of the refusal in front of the words:

====================================================  =============
IndexConflict, AppendOnlyConflict                      EntryConflict
InvalidEntry, InvalidQuery, AppendOnlyKind,            Rejected
WriteDenied, ProvenanceRequired, BadProvenance
====================================================  =============

Whatever else a backend raises goes through as it is: a fault, worth a retry (OA-Q1).
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from storelaw.driver import Driver
from storelaw.errors import EntryConflict, Rejected
from storelaw.profiles import Opening
from storelaw.values import Entry
from storelaw_reference import turns

#: Query filters that are lists in JSON and tuples in the reference.
_LISTS: Final = ("kinds", "ids", "tags")
_PLAIN: Final = ("since", "until", "order", "limit")


Audit: TypeAlias = Callable[[list[Entry], turns.Verifier], Iterable[turns.Finding]]


class HandleBackend:
    """A handle of the medium as the reference memory wants its backend."""

    def __init__(self, driver: Driver, handle: Any) -> None:
        self._driver, self._handle = driver, handle

    def put(self, entry: Entry) -> None:
        """Keep an entry under its key."""
        self._driver.call(self._handle, "put", entry)

    def get(self, scope: turns.Scope, kind: str, entry_id: str) -> Entry | None:
        """An entry, or ``None``."""
        found: Entry | None = self._driver.call(self._handle, "get", scope.json(), kind, entry_id)
        return found

    def query(self, query: turns.Query) -> Sequence[Entry]:
        """The matching entries, in order."""
        found: Sequence[Entry] = self._driver.call(self._handle, "query", query_json(query))
        return found

    def delete(self, scope: turns.Scope, kind: str, entry_id: str) -> None:
        """Remove an entry."""
        self._driver.call(self._handle, "delete", scope.json(), kind, entry_id)

    def delete_scope(self, scope: turns.Scope) -> None:
        """Remove all entries of a scope."""
        self._driver.call(self._handle, "delete_scope", scope.json())

    def status(self, scope: turns.Scope) -> turns.Status:
        """``live`` or ``unknown``."""
        found: turns.Status = self._driver.call(self._handle, "status", scope.json())
        return found


class AddingBackend(HandleBackend):
    """The same for a handle that can write once by itself."""

    def add(self, entry: Entry) -> Entry | None:
        """Keep an entry if its key is free, or return what holds the key."""
        held: Entry | None = self._driver.call(self._handle, "add", entry)
        return held


def backend_of(opening: Opening) -> HandleBackend:
    """The backend over the handle of an opening."""
    made = AddingBackend if opening.driver.has(opening.handle, "add") else HandleBackend
    return made(opening.driver, opening.handle)


def query_json(query: turns.Query) -> Entry:
    """A query as JSON; what isn't set is left out."""
    told: Entry = {"scope": query.scope.json() if query.scope else None}
    told |= {name: list(getattr(query, name)) for name in _LISTS}
    told |= {name: getattr(query, name) for name in _PLAIN}
    if query.after is not None:
        time, (scope_kind, scope_id, kind, entry_id) = query.after
        scope = {"kind": scope_kind, "id": scope_id}
        told["after"] = {"createdAt": time, "scope": scope, "kind": kind, "id": entry_id}
    return {name: value for name, value in told.items() if value not in (None, [], "")}


def query_of(told: Entry) -> turns.Query:
    """A query from JSON."""
    scope = turns.Scope(**told["scope"]) if told.get("scope") else None
    lists: dict[str, Any] = {name: tuple(told.get(name) or ()) for name in _LISTS}
    plain = {name: told[name] for name in _PLAIN if name in told}
    behind = told.get("after")
    after = turns.position(behind) if behind else None
    return turns.Query(scope=scope, **lists, **plain, after=after)


@contextmanager
def translated() -> Generator[None]:
    """Give the reference's refusals the names of the port."""
    try:
        yield
    except (turns.IndexConflict, turns.AppendOnlyConflict) as error:
        raise EntryConflict(f"{type(error).__name__}: {error}") from error
    except turns.Refusal as error:
        raise Rejected(f"{type(error).__name__}: {error}") from error


class EngineMemory:
    """A reference memory behind JSON: what the memory door of the port asks for.

    ``audit`` is the function that finds what is wrong with the entries of a scope.
    """

    def __init__(self, memory: turns.Memory, keys: turns.HashKeys, audit: Audit) -> None:
        self._memory, self._keys, self._audit = memory, keys, audit

    def put(self, entry: Entry) -> Entry:
        """Keep an entry; as it is stored."""
        with translated():
            return self._memory.put(entry)

    def get(self, scope: Entry, kind: str, entry_id: str) -> Entry | None:
        """An entry, or ``None``."""
        return self._memory.get(turns.Scope(**scope), kind, entry_id)

    def query(self, query: Entry) -> Entry:
        """The matching entries, and whether the limit held some back."""
        with translated():
            page = self._memory.query(query_of(query))
        return {"entries": list(page.entries), "truncated": page.truncated}

    def delete(self, scope: Entry, kind: str, entry_id: str) -> None:
        """Remove an entry of a mutable kind."""
        with translated():
            self._memory.delete(turns.Scope(**scope), kind, entry_id)

    def delete_scope(self, scope: Entry) -> None:
        """Remove the mutable entries of a scope."""
        with translated():
            self._memory.delete_scope(turns.Scope(**scope))

    def status(self, scope: Entry) -> str:
        """``live`` or ``unknown``."""
        return self._memory.status(turns.Scope(**scope))

    def audit(self, scope: Entry) -> list[Entry]:
        """What is wrong with the chains of a scope, each as defect, publisher, first, last."""
        rows = list(self._memory.query(turns.Query(turns.Scope(**scope))).entries)
        return [
            {
                "defect": each.defect,
                "publisher": each.publisher,
                "first": each.first,
                "last": each.last,
            }
            for each in self._audit(rows, self._keys)
        ]


def kinds_of(told: Sequence[Mapping[str, Any]]) -> turns.Kinds:
    """The turn kind, and the kinds that a program describes."""
    return turns.Kinds((turns.TURN, *(turns.Kind(**each) for each in told)))


def key_of(publisher: str) -> turns.HashKey:
    """The one key of a publisher."""
    return turns.HashKey(publisher, f"secret of {publisher}".encode())


def memory_over(opening: Opening, variant: Any = None) -> turns.Memory:
    """The memory (or a variant of it) that an opening asks for.

    ``kinds`` describes further kinds, ``caller`` writes, ``verifies`` the publishers whose
    signatures are demanded, and ``signer`` signs what is appended.
    """
    named = opening.named
    keys = turns.HashKeys(map(key_of, named["verifies"])) if "verifies" in named else None
    given: dict[str, Any] = {"kinds": kinds_of(named.get("kinds", ())), "verifier": keys}
    given["caller"] = named.get("caller", "")
    backend = backend_of(opening)
    if "signer" in named:
        signing = variant if _signs(variant) else turns.SigningMemory
        made: turns.Memory = signing(backend, key_of(named["signer"]), **given)
        return made
    plain = turns.Memory if variant is None or _signs(variant) else variant
    made = plain(backend, **given)
    return made


def _signs(variant: Any) -> bool:
    return isinstance(variant, type) and issubclass(variant, turns.SigningMemory)


def opened(opening: Opening) -> EngineMemory:
    """The memory door over a handle."""
    publishers = opening.named.get("verifies", ())
    if "signer" in opening.named:
        publishers = (*publishers, opening.named["signer"])
    audit = getattr(opening.medium, "variants", {}).get("audit", turns.audit)
    keys = turns.HashKeys(map(key_of, publishers))
    return EngineMemory(memory_over(opening, opening.variant), keys, audit)
