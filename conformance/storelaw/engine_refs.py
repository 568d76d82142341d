"""The default refs door: the reference session of the log profile over any handle, in JSON.

It is a subject here, never an oracle: no law takes an expected value from it. What it
refuses has an identity of the port, and its own code at the beginning of the message:

=================  ======================
``not_found``      ``SessionNotFound``
``conflict``       ``EntryConflict``
``busy``           ``Stale``
``invalid_ref``    ``Rejected``
``invalid_rebase`` ``Rejected``
no entry at all    ``Rejected``
``storage``        none (``unknown``)
=================  ======================
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final
from weakref import WeakKeyDictionary

from storelaw.driver import Absent, Driver, Injected
from storelaw.errors import EntryConflict, Rejected, SessionNotFound, Stale, StorelawError
from storelaw.profiles import Opening
from storelaw.program import Key
from storelaw.values import Entry, copied
from storelaw_reference import log

#: A day after the time of the entries in programs, so that what the engine makes is newer.
EPOCH: Final = 1_767_312_000_000

_IDENTITIES: Final[dict[str, type[Exception]]] = {
    "not_found": SessionNotFound,
    "conflict": EntryConflict,
    "busy": Stale,
    "invalid_ref": Rejected,
    "invalid_rebase": Rejected,
}


class HandleStorage:
    """One session key of a handle, as a storage of the log profile.

    It keeps nothing itself. A session that the store doesn't know is an empty log, and is
    created before the first append where the store wants that.
    """

    def __init__(self, driver: Driver, handle: object, key: Key, place: object) -> None:
        self._driver, self._handle, self._key = driver, handle, driver.key(key)
        self.place = place
        self._before_failure: int | None = None

    def append(self, *entries: Entry) -> None:
        """Hand a batch to the store in one call, unless a failure was asked for."""
        self._fail_if_asked()
        sent = [self._driver.outward(copied(each)) for each in entries]
        try:
            self._driver.append(self._handle, self._key, sent)
        except Exception as error:
            if not self._creatable(error):
                raise
            self._driver.call(self._handle, "create", self._key)
            self._driver.append(self._handle, self._key, sent)

    def read(self) -> list[Any]:
        """All that the store holds under the key."""
        try:
            answer = self._driver.call(self._handle, "load", self._key)
        except Exception as error:
            if self._driver.identity(error) != "SessionNotFound":
                raise
            return []
        return [self._driver.inward(each) for each in answer or ()]

    def clear(self) -> None:
        """Empty the log by the store's own ``clear``."""
        self._driver.call(self._handle, "clear", self._key)

    def fail_after(self, appends: int) -> None:
        """Let the append after so many further ones fail, before it writes anything."""
        self._before_failure = appends

    def _fail_if_asked(self) -> None:
        if self._before_failure == 0:
            self._before_failure = None
            raise Injected("harness: the storage fails before it writes")
        if self._before_failure is not None:
            self._before_failure -= 1

    def _creatable(self, error: Exception) -> bool:
        unknown = self._driver.identity(error) == "SessionNotFound"
        return unknown and self._driver.has(self._handle, "create")


@contextmanager
def _named() -> Generator[None, None, None]:
    """Give the reference's refusals the names of the port; the kit's own errors pass."""
    try:
        yield
    except log.SessionError as error:
        if isinstance(error.__cause__, StorelawError | Absent):
            raise error.__cause__ from None
        if error.code not in _IDENTITIES:
            raise
        raise _IDENTITIES[error.code](str(error)) from error
    except log.Rejected as error:
        raise Rejected(str(error)) from error


class RefsDoor:
    """A reference session behind JSON: what the refs door of the port asks for."""

    def __init__(
        self, session: log.Session, storage: HandleStorage, stored: Callable[[Key], HandleStorage]
    ) -> None:
        self._session, self._storage, self._stored = session, storage, stored

    def append(self, entries: Sequence[Entry]) -> list[Entry]:
        """Take entries in at the head; the entries as stored."""
        with _named():
            return self._session.append(*entries)

    def event(self, data: Any, parent_id: str | None = None) -> Entry:
        """Record an event; its entry."""
        with _named():
            return self._session.event(data, parent_id)

    def entries(self) -> list[Entry]:
        """The raw log."""
        with _named():
            return self._session.entries()

    def read(self) -> list[Entry]:
        """The branch path of the head."""
        with _named():
            return self._session.read()

    def head(self) -> dict[str, Any]:
        """The head: ``{type: ref, name}`` or ``{type: detached, targetId?}``."""
        with _named():
            return self._session.head()

    def refs(self) -> dict[str, str | None]:
        """The target of each ref."""
        with _named():
            return self._session.refs()

    def snapshot(self) -> dict[str, Any]:
        """``entries``, ``head``, ``refs`` and ``target`` of one reading."""
        with _named():
            seen = self._session.snapshot()
        told = {"entries": list(seen.entries), "head": dict(seen.head), "refs": dict(seen.refs)}
        return {**told, "target": seen.target}

    def path(self, target: str | None = None) -> list[Entry]:
        """The entries from the root to a target."""
        with _named():
            return self._session.path(target)

    def branch_path(self, target: str | None = None) -> list[Entry]:
        """The path with the events that hang off it, in raw order."""
        with _named():
            return self._session.branch_path(target)

    def build_input(self, target: str | None = None) -> list[Entry]:
        """The input items of a branch."""
        with _named():
            return self._session.build_input(target)

    def build_state(self, target: str | None = None) -> Entry:
        """The last state of a branch."""
        with _named():
            return self._session.build_state(target)

    def checkout(self, target: str | None = None) -> None:
        """Attach the head to a ref, or detach it at an entry or at nothing."""
        with _named():
            self._session.checkout(target)

    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        """A ref at the head or at a target."""
        with _named():
            self._session.fork(name, at, checkout)

    def rebase(self, name: str, onto: str | None = None) -> dict[str, Any]:
        """Copies of a ref's entries on top of a target; what went where."""
        with _named():
            return self._session.rebase(name, onto)

    def clone(self, new_key: Key, refs: Any = None, at: str | None = None) -> "RefsDoor":
        """A session under another key with the paths of some refs."""
        storage = self._stored(new_key)
        with _named():
            session = self._session.clone(storage, refs, at)
        return RefsDoor(session, storage, self._stored)

    def clear(self) -> None:
        """Check out nothing."""
        with _named():
            self._session.clear()

    def reset(self) -> None:
        """Let the active ref begin anew."""
        with _named():
            self._session.reset()

    def recover(self) -> list[Entry]:
        """Take up the log after a crash; what was written for it."""
        with _named():
            return self._session.recover()

    def orphans(self) -> list[Entry]:
        """What an append has left of which only a part was stored."""
        with _named():
            return self._session.orphans()

    def fail_next(self, after: int = 0) -> None:
        """Let a physical append fail: the next one, or the one after so many."""
        self._storage.fail_after(after)


class _Source:
    """Where the sessions of one performance get their ids and times from."""

    def __init__(self) -> None:
        self._ids, self._times = iter(range(2**63)), iter(range(2**63))

    def new_id(self) -> str:
        """An id of 16 hex characters, the same in every run."""
        return sha256(f"storelaw-refs-{next(self._ids)}".encode()).hexdigest()[:16]

    def now(self) -> int:
        """Milliseconds of a clock that stands still for two readings out of three."""
        return EPOCH + next(self._times) // 3


_SOURCES: WeakKeyDictionary[Driver, _Source] = WeakKeyDictionary()


def opened(opening: Opening) -> RefsDoor:
    """The reference session (or a medium's variant of it) over the key of an opening.

    ``default_ref`` among the named arguments is the session's default ref.
    """
    source = _SOURCES.setdefault(opening.driver, _Source())

    def stored(key: Key) -> HandleStorage:
        place = ("storelaw", getattr(opening.medium, "name", ""), key)
        return HandleStorage(opening.driver, opening.handle, key, place)

    storage = stored(opening.key)
    variant: type[log.Session] = opening.variant or log.Session
    session = variant(
        storage, opening.named.get("default_ref"), new_id=source.new_id, now=source.now
    )
    return RefsDoor(session, storage, stored)
