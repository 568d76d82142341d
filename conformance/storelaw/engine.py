"""The default session engine: the reference session over any store, speaking JSON.

It is a subject here, never an oracle: no law takes an expected value from it.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from storelaw.driver import Absent, Driver, Injected
from storelaw.errors import Rejected, SessionExists, SessionNotFound, Stale
from storelaw.values import Entry, copied
from storelaw_reference import transcript

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class EngineStore:
    """A handle as the reference session wants it: sync, explicit creation, three operations."""

    def __init__(self, driver: Driver, handle: object) -> None:
        self._driver, self._handle = driver, handle
        self.failures: list[tuple[str, int]] = []

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Create where the store has ``create``; else refuse an id that holds entries."""
        try:
            if self._driver.has(self._handle, "create"):
                key = self._driver.key(session_id)
                self._driver.call(self._handle, "create", key, parent)
                return
        except Absent:
            pass
        except Exception as error:
            raise self._translated(error, session_id) from error
        if self._holds(session_id):
            raise transcript.SessionExists(session_id)

    def _holds(self, session_id: str) -> bool:
        try:
            return bool(self.load(session_id))
        except transcript.SessionNotFound:
            return False

    def load(self, session_id: str) -> list[Entry]:
        """The stored log; ``SessionNotFound`` where the store answers with nothing."""
        if self._failure(loading=True):
            raise Injected("harness: the store fails to load")
        try:
            answer = self._driver.call(self._handle, "load", self._driver.key(session_id))
        except Exception as error:
            raise self._translated(error, session_id) from error
        if answer is None:
            if self._driver.has(self._handle, "create"):
                raise transcript.SessionNotFound(session_id)
            return []
        return [self._driver.inward(each) for each in answer]

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Append a batch, or fail where a failure was asked for."""
        point, k = self._failure(loading=False) or ("", 0)
        if point == "before-commit":
            raise Injected("harness: the store fails before it commits")
        batch = entries[:k] if point == "item" else entries
        key = self._driver.key(session_id)
        if batch:
            sent = [self._driver.outward(copied(each)) for each in batch]
            self._driver.append(self._handle, key, sent)
        if point:
            raise Injected(f"harness: the store fails at {point}")

    def _failure(self, *, loading: bool) -> tuple[str, int] | None:
        """The next failure that was asked for of a load, or of an append; it is then spent."""
        for index, each in enumerate(self.failures):
            if (each[0] == "load") == loading:
                return self.failures.pop(index)
        return None

    def _translated(self, error: Exception, session_id: str) -> Exception:
        identity = self._driver.identity(error)
        if identity == "SessionNotFound":
            return transcript.SessionNotFound(session_id)
        if identity == "SessionExists":
            return transcript.SessionExists(session_id)
        return error


def numbered_ids() -> Callable[[], str]:
    """Ids of 16 hex characters, the same in every run, whose text order isn't their age."""
    counter = iter(range(2**63))
    return lambda: sha256(f"storelaw-{next(counter)}".encode()).hexdigest()[:16]


def stepped_clock() -> Callable[[], datetime]:
    """A clock that stands still for two readings out of three."""
    counter = iter(range(2**63))
    return lambda: EPOCH + timedelta(milliseconds=next(counter) // 3)


class EngineSession:
    """A reference session behind JSON: what the session door of the port asks for."""

    def __init__(self, session: transcript.Session) -> None:
        self._session = session

    def append(self, entries: list[Entry]) -> list[Entry]:
        """Append drafts; the entries as assigned."""
        return _encoded(self._session.append(_drafts(entries)))

    def entries(self) -> list[Entry]:
        """This instance's log, ephemeral entries included."""
        return _encoded(self._session.entries())

    def messages(self) -> list[Entry]:
        """The history for the model, repaired."""
        return [transcript.encode_message(each) for each in self._session.messages()]

    def transcript(self) -> list[Entry]:
        """What a reader sees."""
        return _encoded(self._session.transcript())

    def leaf(self) -> str:
        """The id of the leaf, empty at the start."""
        return self._session.leaf

    def branch(self, entry_id: str) -> None:
        """Move the leaf; :class:`~storelaw.errors.Rejected` for a bad target."""
        with _errors():
            self._session.branch(entry_id)

    def fork(self, new_id: str) -> "EngineSession":
        """A new session that holds the active path."""
        with _errors():
            return type(self)(self._session.fork(new_id))

    def compact(self, summarize: Callable[[list[Entry]], str], keep_turns: int) -> Entry | None:
        """Compact the path; the new entry, or nothing where there is nothing to compact."""

        def speaking(messages: Iterable[transcript.Message]) -> str:
            return summarize([transcript.encode_message(each) for each in messages])

        with _errors():
            entry = self._session.compact(speaking, keep_turns)
        return None if entry is None else transcript.encode(entry)

    def run(
        self, entries: list[Entry], model: Callable[[list[Entry]], Iterable[Entry]]
    ) -> list[dict[str, Any]]:
        """Run the model over the history and these drafts; the receipts."""

        def speaking(messages: Iterable[transcript.Message]) -> Iterator[transcript.Message]:
            for each in model([transcript.encode_message(one) for one in messages]):
                yield transcript.decode_message(each)

        with _errors():
            receipts = self._session.run(_drafts(entries), speaking)
        return [{"entries": _encoded(each.entries), "leaf": each.leaf} for each in receipts]

    def close(self) -> None:
        """Close the instance; the session can be opened again."""
        self._session.close()


_PORT_NAMES: Final[dict[type[Exception], type[Exception]]] = {
    transcript.Rejected: Rejected,
    transcript.SessionExists: SessionExists,
    transcript.SessionNotFound: SessionNotFound,
    transcript.Stale: Stale,
}


class _errors:
    """Gives the reference's errors the names of the port."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        for theirs, ours in _PORT_NAMES.items():
            if isinstance(error, theirs):
                raise ours(str(error)) from error


def _encoded(entries: Iterable[transcript.Entry]) -> list[Entry]:
    return [transcript.written(each) for each in entries]


def _drafts(entries: Iterable[Entry]) -> list[transcript.Entry]:
    return [transcript.decode_draft(each) for each in entries]


class Engine:
    """Opens reference sessions (or a variant of them) over one handle."""

    def __init__(self, session_class: type[transcript.Session] = transcript.Session) -> None:
        self._session_class = session_class
        self._new_id, self._now = numbered_ids(), stepped_clock()

    def open_session(self, store: transcript.Store, session_id: str) -> EngineSession:
        """Load the session; create it only on not found."""
        with _errors():
            session = self._session_class.open(
                store, session_id, new_id=self._new_id, now=self._now
            )
        return EngineSession(session)
