"""The honest backend that liars of the turns profile vary: rows in a dict, one hook for each rule.

It speaks JSON, knows nothing of the reference, and can be told to fail.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from storelaw.driver import Injected
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.moments import nanoseconds
from storelaw.values import Entry, copied

MANIFEST = Manifest(
    name="turns-honest",
    profile="turns",
    doors=frozenset({"backend", "memory", "appender"}),
    durable=True,
    options={"reappend": "idempotent-or-conflict", "create": "implicit"},
)

#: Scope kind, scope id, kind and id of an entry.
RowKey = tuple[str, str, str, str]


@dataclass
class Rows:
    """What the medium keeps: entries by key, and the failures that are due."""

    entries: dict[RowKey, Entry] = field(default_factory=dict[RowKey, Entry])
    due: list[str] = field(default_factory=list[str])


class HonestBackend:
    """One handle. ``rows`` is shared by all handles of a medium."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    # ---------------------------------------------------------------- hooks

    def key(self, scope: Entry, kind: str, entry_id: str) -> RowKey:
        """The key under which an entry lies."""
        return scope["kind"], scope["id"], kind, entry_id

    def kept(self, entry: Entry) -> Entry:
        """What is stored of an entry."""
        stored: Entry = copied(entry)
        return stored

    def given(self, entry: Entry) -> Entry:
        """What is given back of a stored entry."""
        returned: Entry = copied(entry)
        return returned

    def written(self, key: RowKey, entry: Entry) -> None:
        """Put a row in place; the last write wins."""
        self.rows.entries[key] = entry

    def missing(self, key: RowKey) -> Any:
        """The answer for an entry that isn't there."""
        return None

    def absent(self, key: RowKey) -> None:
        """The deletion of an entry that isn't there."""

    def within(self, entry: Entry, scope: Entry) -> bool:
        """Whether an entry lies in a scope."""
        return bool(entry["scope"] == scope)

    def tagged(self, entry: Entry, tags: list[str]) -> bool:
        """Whether an entry has all of these tags."""
        return set(tags) <= set(entry.get("tags") or ())

    def recent(self, entry: Entry, since: str) -> bool:
        """Whether an entry was made at a time or later."""
        return nanoseconds(entry["createdAt"]) >= nanoseconds(since)

    def earlier(self, entry: Entry, until: str) -> bool:
        """Whether an entry was made before a time."""
        return nanoseconds(entry["createdAt"]) < nanoseconds(until)

    def matches(self, entry: Entry, query: Entry) -> bool:
        """Whether an entry passes all filters that a query sets."""
        return (
            ("scope" not in query or self.within(entry, query["scope"]))
            and self.named(entry, "kind", query.get("kinds"))
            and self.named(entry, "id", query.get("ids"))
            and self.tagged(entry, query.get("tags") or [])
            and (not query.get("since") or self.recent(entry, query["since"]))
            and (not query.get("until") or self.earlier(entry, query["until"]))
        )

    def named(self, entry: Entry, member: str, names: list[str] | None) -> bool:
        """Whether a member of an entry is one of the names asked for."""
        return not names or entry[member] in names

    def ordered(self, entries: list[Entry], newest: bool) -> list[Entry]:
        """Entries by time, ties by scope, kind and id."""
        return sorted(entries, key=lambda each: _rank(each, newest))

    def newest_first(self, query: Entry) -> bool:
        """Whether a query wants the newest first: said so, or limited without an order."""
        order = query.get("order")
        return order == "newest" or (order is None and query.get("limit") is not None)

    def limited(self, entries: list[Entry], limit: int | None) -> list[Entry]:
        """The first so many."""
        return entries if limit is None else entries[:limit]

    def beyond(self, entries: list[Entry], after: Entry | None, newest: bool) -> list[Entry]:
        """The entries behind a row in the order of the query."""
        if not after:
            return entries
        rank = _rank(after, newest)
        return [each for each in entries if _rank(each, newest) > rank]

    def failing(self, *points: str) -> None:
        """Fail, if one of these points is the next failure that is due."""
        if self.rows.due and self.rows.due[0] in points:
            raise Injected(f"the backend fails at {self.rows.due.pop(0)}")

    # ----------------------------------------------------------- operations

    def put(self, entry: Entry) -> None:
        """Keep an entry under its key."""
        self.failing("before-commit", "inside", "item")
        kept = self.kept(entry)
        self.written(self.key(kept["scope"], kept["kind"], kept["id"]), kept)
        self.failing("after-commit")

    def get(self, scope: Entry, kind: str, entry_id: str) -> Any:
        """An entry, or ``None``."""
        self.failing("load")
        key = self.key(scope, kind, entry_id)
        found = self.rows.entries.get(key)
        return self.missing(key) if found is None else self.given(found)

    def query(self, query: Entry) -> list[Entry]:
        """The matching entries: filters first, then order, then ``after`` and ``limit``."""
        self.failing("load")
        newest = self.newest_first(query)
        found = [each for each in self.rows.entries.values() if self.matches(each, query)]
        ordered = self.beyond(self.ordered(found, newest), query.get("after"), newest)
        return [self.given(each) for each in self.limited(ordered, query.get("limit"))]

    def delete(self, scope: Entry, kind: str, entry_id: str) -> None:
        """Remove an entry, if it is there."""
        key = self.key(scope, kind, entry_id)
        if key in self.rows.entries:
            del self.rows.entries[key]
        else:
            self.absent(key)

    def delete_scope(self, scope: Entry) -> None:
        """Remove all entries of a scope."""
        for key in [key for key, each in self.rows.entries.items() if self.doomed(each, scope)]:
            del self.rows.entries[key]

    def doomed(self, entry: Entry, scope: Entry) -> bool:
        """Whether an entry goes with a scope."""
        return bool(entry["scope"] == scope)

    def status(self, scope: Entry) -> str:
        """``live`` with entries, ``unknown`` without."""
        found = any(self.within(each, scope) for each in self.rows.entries.values())
        return "live" if found else "unknown"

    def close(self) -> None:
        """Let go of the handle; the rows stay."""


def _key_of(entry: Entry) -> RowKey:
    return entry["scope"]["kind"], entry["scope"]["id"], entry["kind"], entry["id"]


def _rank(entry: Entry, newest: bool) -> tuple[int, RowKey]:
    place = nanoseconds(entry["createdAt"])
    return -place if newest else place, _key_of(entry)


class TurnsHonest(Medium):
    """The medium of :class:`HonestBackend`; liars name another backend, or ``variants``."""

    manifest: ClassVar[Manifest] = MANIFEST
    store: ClassVar[type[HonestBackend]] = HonestBackend
    needs_directory: ClassVar[bool] = False
    #: Classes in place of the default engine's: memory and audit; appender, the memory beneath
    #: it, inbox, opening, prefix, replayer.
    variants: ClassVar[dict[str, Any]] = {}

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.rows = Rows()

    def open(self) -> HonestBackend:
        """A handle on the shared rows."""
        return self.store(self.rows)

    def fail_next(self, point: str, k: int = 0) -> None:
        """Let the next put fail before or after its commit, or (``load``) the next read."""
        self.rows.due.append(point)
