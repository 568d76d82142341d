"""Strangers with other names: keys of several parts, other members for the header."""

from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, claiming
from storelaw.values import Entry

#: The members of an entry as this store calls them.
NAMES = {"id": "uuid", "parent_id": "parentUuid", "created_at": "timestamp"}


class TupleKeys(HonestMedium):
    """A session is named by project, thread and, optionally, a branch of the thread."""

    manifest = claiming(
        name="tuple keys", key_parts=("project", "thread", "branch"), optional_parts=1
    )


def renamed(entry: Entry, names: dict[str, str]) -> Entry:
    """An entry with other names for some members."""
    return {names.get(name, name): value for name, value in entry.items()}


class RenamedStore(HonestStore):
    """Is the honest store inside, and speaks of uuids and timestamps."""

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


class RenamedFields(HonestMedium):
    """``uuid``, ``parentUuid`` and ``timestamp`` for id, parent and time."""

    manifest = claiming(
        name="renamed fields",
        entry_id="uuid",
        fields={"parent_id": "parentUuid", "created_at": "timestamp"},
    )
    store = RenamedStore
