"""Strangers under the log profile: other names, nothing for an unknown log, one entry at a time."""

from typing import Any

from storelaw.liars.honest import HonestStore, claiming
from storelaw.liars.log_honest import LogHonest
from storelaw.strangers.answers import NoneStore, ReorderingStore
from storelaw.strangers.names import renamed
from storelaw.strangers.shapes import Later, OneByOneStore
from storelaw.values import Entry

#: The members of an entry as this store calls them.
NAMES = {"id": "uuid", "type": "entryType"}


class RenamedLogStore(HonestStore):
    """Is the honest store inside, and speaks of uuids and entry types."""

    def kept(self, entry: Entry) -> Entry:
        """The entry under the inner names."""
        return renamed(super().kept(entry), {theirs: ours for ours, theirs in NAMES.items()})

    def given(self, entry: Entry) -> Entry:
        """The entry under the outer names."""
        return renamed(super().given(entry), NAMES)

    def headers(self, session: Any) -> list[Entry]:
        """Headers under the outer names."""
        return [renamed(each, NAMES) for each in super().headers(session)]

    def pop(self, session: Any) -> Entry | None:
        """The newest entry under the outer names."""
        popped = super().pop(session)
        return None if popped is None else renamed(popped, NAMES)


class RenamedLogs(LogHonest):
    """``uuid`` and ``entryType`` for id and type."""

    manifest = claiming(
        LogHonest.manifest, name="renamed logs", entry_id="uuid", fields={"type": "entryType"}
    )
    store = RenamedLogStore


class UnknownLogs(LogHonest):
    """``None`` for a log that was never written."""

    manifest = claiming(
        LogHonest.manifest, name="unknown logs", options={"unknown_session": "none"}
    )
    store = NoneStore


class ReorderedLogs(LogHonest):
    """Gives the members of an entry in an order of its own."""

    manifest = claiming(LogHonest.manifest, name="reordered logs")
    store = ReorderingStore


class SingleLogs(LogHonest):
    """No batches: ``append_one`` stands in for ``append``."""

    manifest = claiming(LogHonest.manifest, name="single logs", batch="one")

    def open(self) -> OneByOneStore:
        """A handle without batches."""
        return OneByOneStore(super().open())


class LaterLogs(LogHonest):
    """All of it is awaited."""

    manifest = claiming(LogHonest.manifest, name="later logs")

    async def open(self) -> Later:
        """A handle of coroutines."""
        return Later(super().open())


class ExplicitLogs(LogHonest):
    """A log has to be created before its first entry."""

    manifest = claiming(
        LogHonest.manifest,
        name="explicit logs",
        without=frozenset[str](),
        options={"create": "explicit", "unknown_session": "raise", "unknown_delete": "raise"},
    )


def log_strangers() -> tuple[type[LogHonest], ...]:
    """All of them."""
    return (RenamedLogs, UnknownLogs, ReorderedLogs, SingleLogs, LaterLogs, ExplicitLogs)
