"""The honest store that liars vary: small, in memory, right, with every operation.

Each rule sits in one method, so that a liar overrides one method.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final

from storelaw.errors import EntryConflict, Rejected, SessionExists, SessionNotFound
from storelaw.manifest import FILTERS, Manifest
from storelaw.medium import Medium
from storelaw.values import Entry, copied, is_array, is_object, is_tuple, same

#: What an honest store declares: everything.
OPTIONS = {
    "reappend": "idempotent-or-conflict",
    "id_scope": "session",
    "ids": "optional",
    "create": "implicit",
    "unknown_session": "empty",
    "unknown_delete": "ignore",
    "empty_append": "ignored",
    "delete_by": "id",
    "negative_count": "nothing",
}

MANIFEST = Manifest(
    name="honest",
    durable=True,
    batch="atomic",
    closed_is_final=True,
    filters=frozenset(FILTERS),
    options=OPTIONS,
    without=frozenset({"create", "record"}),
)

EXPLICIT = replace(
    MANIFEST,
    name="honest-explicit",
    without=frozenset[str](),
    options={
        **OPTIONS,
        "create": "explicit",
        "unknown_session": "raise",
        "unknown_delete": "raise",
    },
)


def claiming(base: Manifest = MANIFEST, **changes: Any) -> Manifest:
    """A manifest with other claims; ``options`` are merged."""
    options = {**base.options, **changes.pop("options", {})}
    return replace(base, options={k: v for k, v in options.items() if v is not None}, **changes)


_SCALARS: Final = frozenset({str, int, bool, type(None)})


@dataclass
class Log:
    """What the medium keeps of one session."""

    entries: list[Entry] = field(default_factory=list[Entry])
    record: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass
class Data:
    """What the medium keeps: the logs by session id, and the clock that dates them."""

    logs: dict[Any, Log] = field(default_factory=dict[Any, Log])
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


class HonestStore:
    """One handle. ``data`` is shared by all handles of a medium."""

    def __init__(self, data: Data, manifest: Manifest) -> None:
        self.data, self.manifest = data, manifest
        self.is_closed = False

    # ---------------------------------------------------------------- hooks

    def key(self, session: Any) -> Any:
        """The key under which a session lies."""
        return session

    def kept(self, entry: Entry) -> Entry:
        """What is stored of an entry."""
        stored: Entry = copied(entry)
        return stored

    def given(self, entry: Entry) -> Entry:
        """What is given back of a stored entry."""
        returned: Entry = copied(entry)
        return returned

    def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
        """The entries of a batch that are new to a log; a conflict raises."""
        known = list(log.entries)
        ids = {each.get("id") for each in known}
        for each in entries:
            fresh = self.by_id() and each.get("id") not in ids
            twin = None if fresh else self.twin(known, each)
            ids.add(each.get("id"))
            if twin is None:
                known.append(each)
            else:
                self.repeated(log, twin, each)
        return known[len(log.entries) :]

    def by_id(self) -> bool:
        """Whether twins are those of the same id, so that an unknown id has none."""
        return type(self).twin is HonestStore.twin

    def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
        """The stored entry with the same id, if there is one."""
        wanted = entry.get("id")
        if wanted is None:
            return None
        for each in entries:
            if each.get("id") == wanted:
                return each
        return None

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        """An entry whose id is known: nothing for an equal payload, else a conflict."""
        if not same(twin, entry):
            raise EntryConflict(f"{entry['id']!r} is known with another payload")

    def checked(self, entries: list[Entry]) -> list[Entry]:
        """The batch, or :class:`Rejected` where an entry is no JSON object."""
        for each in entries:
            if not is_json(each):
                raise Rejected(f"no JSON object: {each!r}")
        return entries

    def stored(self, log: Log, entries: list[Entry]) -> None:
        """Put accepted entries at the end of a log."""
        log.entries.extend(entries)

    def ordered(self, entries: list[Entry]) -> list[Entry]:
        """The order in which a log is read."""
        return entries

    def unknown(self, session: Any) -> list[Entry]:
        """The answer for a session that was never written."""
        if self.manifest.contract.unknown_session == "raise":
            raise SessionNotFound(repr(session))
        return []

    def usable(self) -> None:
        """Refuse work after close."""
        if self.is_closed:
            raise RuntimeError("the handle is closed")

    def implicit(self) -> bool:
        """Whether an append creates its session."""
        return "create" in self.manifest.without

    def found(self, session: Any) -> Log | None:
        """The log of a session, if it exists."""
        return self.data.logs.get(self.key(session))

    def writable(self, session: Any, entries: list[Entry]) -> Log:
        """The log that an append goes to."""
        log = self.found(session)
        if log is not None:
            return log
        if not self.implicit():
            raise SessionNotFound(repr(session))
        made = Log()
        if entries:
            self.data.logs[self.key(session)] = made
        return made

    # ----------------------------------------------------------- operations

    def append(self, session: Any, entries: list[Entry]) -> None:
        """All of the batch, or nothing."""
        self.usable()
        batch = self.checked([self.kept(each) for each in self.taken(entries)])
        log = self.writable(session, batch)
        self.stored(log, self.accepted(log, batch))

    def taken(self, entries: list[Entry]) -> list[Entry]:
        """The batch as the caller gave it."""
        return entries

    def load(
        self,
        session: Any,
        *,
        last: int | None = None,
        first: int | None = None,
        after: str | None = None,
        before: str | None = None,
        since: str | None = None,
    ) -> list[Entry]:
        """The log, or a slice of it: bounds first, then counts."""
        self.usable()
        log = self.found(session)
        if log is None:
            return self.unknown(session)
        entries = self.ordered(list(log.entries))
        entries = self.bounded(entries, after, before)
        entries = self.recent(entries, since)
        entries = self.counted(entries, first, last)
        return self.answered(log, [self.given(each) for each in entries])

    def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
        """The list that load gives."""
        return entries

    def bounded(self, entries: list[Entry], after: str | None, before: str | None) -> list[Entry]:
        """The entries strictly between two ids; an unknown id bounds nothing."""
        ids = [each.get("id") for each in entries]
        start = ids.index(after) + 1 if after is not None and after in ids else 0
        end = ids.index(before) if before is not None and before in ids else len(entries)
        return entries[start:end]

    def recent(self, entries: list[Entry], since: str | None) -> list[Entry]:
        """The entries created at a time or later."""
        if since is None:
            return entries
        return [
            each
            for each in entries
            if datetime.fromisoformat(each["created_at"]) >= datetime.fromisoformat(since)
        ]

    def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
        """The first or last so many; a count below one gives nothing."""
        if first is not None:
            entries = entries[: max(first, 0)]
        if last is not None:
            entries = entries[-last:] if last > 0 else []
        return entries

    def create(self, session: Any, parent: Any = None) -> None:
        """A new empty session."""
        self.usable()
        if self.found(session) is not None:
            raise SessionExists(repr(session))
        now = self.data.now().isoformat()
        record = {"id": session, "created_at": now}
        if parent is not None:
            record["parent"] = parent
        self.data.logs[self.key(session)] = Log(record=record)

    def record(self, session: Any) -> dict[str, Any]:
        """The record, written once by create."""
        record: dict[str, Any] = copied(self.known(session).record)
        return record

    def known(self, session: Any) -> Log:
        """The log of a session that must exist."""
        self.usable()
        log = self.found(session)
        if log is None:
            raise SessionNotFound(repr(session))
        return log

    def list_sessions(self, *prefix: str) -> list[Any]:
        """The ids of the sessions that load, under a prefix of their parts."""
        self.usable()
        return [
            each
            for each in self.data.logs
            if not prefix or (isinstance(each, tuple) and each[: len(prefix)] == prefix)
        ]

    def delete(self, session: Any) -> None:
        """Forget a session and what lies under it."""
        self.usable()
        if self.found(session) is None and self.manifest.contract.unknown_delete == "raise":
            raise SessionNotFound(repr(session))
        for each in self.doomed(session):
            del self.data.logs[each]

    def doomed(self, session: Any) -> list[Any]:
        """The keys that go when a session is deleted."""
        key = self.key(session)
        return [
            each
            for each in self.data.logs
            if each == key or (is_tuple(key) and is_tuple(each) and each[: len(key)] == key)
        ]

    def clear(self, session: Any) -> None:
        """Empty a session."""
        self.usable()
        log = self.found(session)
        if log is not None:
            log.entries.clear()

    def pop(self, session: Any) -> Entry | None:
        """Take the newest entry off, or nothing."""
        self.usable()
        log = self.found(session)
        return log.entries.pop() if log is not None and log.entries else None

    def replace(self, session: Any, entries: list[Entry]) -> None:
        """Other entries in place of the log, all or nothing."""
        self.usable()
        batch = self.checked([self.kept(each) for each in entries])
        self.writable(session, batch).entries[:] = batch

    def delete_entry(self, session: Any, which: Any) -> None:
        """Take one entry out; the rest keeps its order."""
        self.usable()
        log = self.found(session)
        if log is not None:
            log.entries[:] = [each for each in log.entries if each.get("id") != which]

    def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
        """A new session with the log up to and including an entry."""
        log = self.known(session)
        if self.found(new) is not None:
            raise SessionExists(repr(new))
        ids = [each.get("id") for each in log.entries]
        if at is not None and at not in ids:
            raise Rejected(f"no entry {at!r}")
        end = len(ids) if at is None else ids.index(at) + 1
        record = {"id": new, "parent": session, "created_at": self.data.now().isoformat()}
        self.data.logs[self.key(new)] = Log(self.branch_of(log, end), record)
        return new

    def branch_of(self, log: Log, end: int) -> list[Entry]:
        """The entries that a fork starts with."""
        return [copied(each) for each in log.entries[:end]]

    def headers(self, session: Any) -> list[Entry]:
        """What the store itself keeps of each entry."""
        self.usable()
        log = self.found(session)
        if log is None:
            return self.unknown(session)
        names = ("id", "parent_id", "created_at", "type")
        return [{name: each[name] for name in names if name in each} for each in log.entries]

    def close(self) -> None:
        """No work after this."""
        self.is_closed = True


def is_json(value: Any) -> bool:
    """Whether a value is a JSON object with finite numbers all the way down."""
    return is_object(value) and _plain(value)


def _plain(value: Any) -> bool:
    if type(value) in _SCALARS:
        return True
    if is_object(value):
        keys: list[object] = list(value)
        return all(isinstance(each, str) for each in keys) and all(map(_plain, value.values()))
    if is_array(value):
        return all(map(_plain, value))
    if isinstance(value, float):
        return value - value == 0
    return isinstance(value, int | str)


class HonestMedium(Medium):
    """The medium of :class:`HonestStore`; liars name another store class or manifest."""

    manifest: ClassVar[Manifest] = MANIFEST
    store: ClassVar[type[HonestStore]] = HonestStore
    needs_directory: ClassVar[bool] = False
    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = Data()

    def open(self) -> Any:
        """A handle on the shared data."""
        return self.store(self.data, self.manifest)

    def clock(self, fn: Callable[[], datetime]) -> None:
        """Read the time from a function."""
        self.data.now = fn


class HonestExplicit(HonestMedium):
    """The same store with explicit creation and a record."""

    manifest = EXPLICIT
