"""Liars about order."""

from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from storelaw.liars.honest import Data, HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry


def identity(entry: Entry) -> str:
    """The id of an entry as text."""
    return str(entry.get("id"))


def stamp(entry: Entry) -> str:
    """The time stamp of an entry as text, early where there is none."""
    return str(entry.get("created_at", "0001-01-01T00:00:00Z"))


def instant(entry: Entry) -> datetime:
    """The time of an entry."""
    return datetime.fromisoformat(stamp(entry))


def linked(entries: list[Entry]) -> bool:
    """Whether some entries name a parent."""
    return any("parent_id" in each for each in entries)


class Sorting(HonestStore):
    """Follows parent links, and orders what has none by a key; subclasses say which."""

    def sort_key(self, entry: Entry) -> Any:
        """What the read is ordered by."""

    def ordered(self, entries: list[Entry]) -> list[Entry]:
        return entries if linked(entries) else sorted(entries, key=self.sort_key)


@liar(
    "entries_load_in_append_order",
    kinds=["F02"],
    also=[
        "equal_time_stamps_leave_the_order_alone",
        "ids_made_from_clocks_leave_the_order_alone",
        "the_tenth_entry_does_not_come_second",
    ],
    most=3,
)
class SortsById(HonestMedium):
    """Reads in the order of the primary key."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            return identity(entry)


@liar(
    "a_batch_loads_in_its_own_order",
    kinds=["F03"],
    also=[
        "a_batch_stays_together_when_sessions_take_turns",
        "pop_takes_the_newest_entry_and_returns_it",
        "the_tenth_entry_does_not_come_second",
    ],
    most=2,
)
class PushesBatchesInReverse(HonestMedium):
    """Pushes the entries of a batch one by one at the wrong end."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries if linked(entries) else entries[::-1])


@liar(
    "equal_time_stamps_leave_the_order_alone",
    kinds=["F01"],
    mutants=["order by (timestamp, uuid), missing equal"],
    also=[
        "a_clock_that_steps_back_leaves_the_order_alone",
        "entries_without_time_stamps_keep_their_place",
        "the_tenth_entry_does_not_come_second",
    ],
    most=3,
)
class SortsByTimeAndId(HonestMedium):
    """Orders by the time stamp, then the id."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            return instant(entry), identity(entry)


@liar(
    "a_clock_that_steps_back_leaves_the_order_alone",
    kinds=["F04"],
    mutants=["stable order by entry timestamp"],
    also=["entries_without_time_stamps_keep_their_place"],
    most=3,
)
class OrdersByTime(HonestMedium):
    """Orders by the time stamp, and keeps the order of equal ones."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            return instant(entry) if "created_at" in entry else datetime.max.replace(tzinfo=UTC)


@liar(
    "zones_and_digits_of_time_stamps_leave_the_order_alone",
    kinds=["F47"],
    also=[
        "a_clock_that_steps_back_leaves_the_order_alone",
        "entries_without_time_stamps_keep_their_place",
    ],
    most=3,
)
class SortsByTimeAsText(HonestMedium):
    """Orders by the text of the time stamp."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            return stamp(entry)


@liar("entries_without_time_stamps_keep_their_place", kinds=["F01"], most=3)
class UntimedFirst(HonestMedium):
    """Reads a missing time as the earliest."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            return "created_at" in entry


@liar("ids_made_from_clocks_leave_the_order_alone", kinds=["F04"], most=3)
class SortsClockedIds(HonestMedium):
    """Trusts ids that look like times."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            name = identity(entry)
            return name if len(name) in (16, 26, 36) else ""


@liar("the_tenth_entry_does_not_come_second", kinds=["F02"], most=12)
class NumbersAsText(HonestMedium):
    """Keeps each entry under its number, and lists the numbers as texts."""

    class store(HonestStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            return [entries[int(each)] for each in sorted(map(str, range(len(entries))))]


@liar("the_tenth_entry_does_not_come_second", kinds=["F02"], most=2)
class TwoDigits(HonestMedium):
    """Lists the numbers as texts, with room for two digits."""

    class store(HonestStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            names = sorted(f"{index:02d}" for index in range(len(entries)))
            return [entries[int(each)] for each in names]


@liar(
    "reading_again_gives_the_same_order",
    kinds=["F02"],
    also=["a_fork_holds_the_log_up_to_its_entry"],
    most=5,
)
class TurnsAround(HonestMedium):
    """Reads from a replica with another plan every third time."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.reads = 0

        def load(self, session: Any, **filters: Any) -> list[Entry]:
            entries = super().load(session, **filters)
            self.reads += session == "s"
            turned = self.reads % 3 == 0 and not filters and not linked(entries)
            return entries[::-1] if turned else entries


class Numbers(Data):
    """The data of a medium, with the number of each stored entry by its identity."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[int, int] = {}


class Numbering(HonestStore):
    """Gives each entry a number and reads by it; the count starts at zero."""

    def __init__(self, data: Data, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        self.next = 0

    def stored(self, log: Log, entries: list[Entry]) -> None:
        super().stored(log, entries)
        for each in entries:
            self.numbers[id(each)] = self.next
            self.next += 1

    @property
    def numbers(self) -> dict[int, int]:
        """The numbers of all entries."""
        return self.data.numbers if isinstance(self.data, Numbers) else {}

    def ordered(self, entries: list[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda each: self.numbers.get(id(each), self.next))


class NumberedMedium(HonestMedium):
    """A medium whose entries are numbered."""

    store = Numbering

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = Numbers()


@liar("deletes_elsewhere_leave_the_order_alone", kinds=["F02"], most=5)
class FillsTheRoomOfSessions(HonestMedium):
    """Writes in the room that a deleted session has left, which lies before."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.free = 0

        def delete(self, session: Any) -> None:
            self.free += len(self.data.logs) > 1
            super().delete(session)

        def stored(self, log: Log, entries: list[Entry]) -> None:
            if self.free and log.entries:
                self.free -= 1
                log.entries[:0] = entries
            else:
                super().stored(log, entries)


@liar("a_removed_entry_leaves_no_place_to_fill", kinds=["F07"], most=5)
class FillsThePlaceOfEntries(HonestMedium):
    """Writes the next entry in the place of the one that was taken out."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.place: int | None = None

        def delete_entry(self, session: Any, which: Any) -> None:
            log = self.found(session)
            ids = [identity(each) for each in log.entries] if log else []
            self.place = ids.index(which) if which in ids else None
            super().delete_entry(session, which)

        def stored(self, log: Log, entries: list[Entry]) -> None:
            place = len(log.entries) if self.place is None else self.place
            self.place = None
            log.entries[place:place] = entries


@liar(
    "a_batch_stays_together_when_sessions_take_turns",
    kinds=["F05"],
    most=4,
)
class CountsFromTheLastWrite(NumberedMedium):
    """Counts on from the length of the log that was written last."""

    class store(Numbering):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.next = len(self.numbers)

        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries)
            self.next = len(log.entries)


@liar("headers_come_in_append_order", kinds=["F11"], most=3)
class HeadersByKey(HonestMedium):
    """Reads headers from a table with another key."""

    class store(HonestStore):
        def headers(self, session: Any) -> list[Entry]:
            return sorted(super().headers(session), key=identity)


@liar("entries_without_ids_load_in_append_order", kinds=["F02"], most=3)
class RandomKeys(HonestMedium):
    """Orders by a key that it makes up where the entry has no id."""

    class store(Sorting):
        def sort_key(self, entry: Entry) -> Any:
            made: Callable[[bytes], Any] = sha256
            return "" if "id" in entry else made(repr(entry).encode()).hexdigest()
