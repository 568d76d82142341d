"""Strangers that differ in what an append of a known id does; each says which it does."""

from storelaw.errors import EntryConflict
from storelaw.liars.honest import HonestMedium, HonestStore, Log, claiming
from storelaw.values import Entry


class DuplicateStore(HonestStore):
    """Looks at no id."""

    def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
        """All of the batch."""
        return entries


class Duplicates(HonestMedium):
    """An entry that is appended twice is there twice."""

    manifest = claiming(name="duplicates", options={"reappend": "duplicate"})
    store = DuplicateStore


class FirstWinsStore(HonestStore):
    """Ignores an id that it knows."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        """Nothing."""


class FirstWins(HonestMedium):
    """The first entry under an id stays."""

    manifest = claiming(name="first wins", options={"reappend": "first-wins"})
    store = FirstWinsStore


class LastWinsStore(HonestStore):
    """Puts the new payload in the place of the old."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        """The known entry takes the new value, where it stands."""
        twin.clear()
        twin.update(entry)


class LastWins(HonestMedium):
    """The last payload under an id stays, in the first one's place."""

    manifest = claiming(name="last wins", options={"reappend": "last-wins"})
    store = LastWinsStore


class RejectingStore(HonestStore):
    """Takes each id once."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        """Refuse, even an equal payload."""
        raise EntryConflict(f"{entry['id']!r} is known")


class Rejects(HonestMedium):
    """A known id is a conflict, whatever comes with it."""

    manifest = claiming(name="rejects", options={"reappend": "reject"})
    store = RejectingStore
