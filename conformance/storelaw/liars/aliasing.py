"""Liars that share values with their callers."""

from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("changing_an_appended_entry_changes_nothing_stored", kinds=["F50"], most=3)
class KeepsWhatItIsGiven(HonestMedium):
    """Keeps the objects that it is given, and gives out copies."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return entry


@liar("changing_an_appended_entry_changes_nothing_stored", kinds=["F50"], most=3)
class KeepsNestedValues(HonestMedium):
    """Keeps a copy that is one level deep."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return dict(entry)


@liar(
    "changing_a_loaded_entry_changes_nothing_stored",
    also=["changing_an_appended_entry_changes_nothing_stored"],
    kinds=["F50"],
    mutants=["shares mutable state in and out"],
    most=4,
)
class SharesAll(HonestMedium):
    """Keeps what it is given and gives out what it keeps."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return entry

        def given(self, entry: Entry) -> Entry:
            return entry


@liar("changing_a_loaded_entry_changes_nothing_stored", kinds=["F50"], most=4)
class GivesNestedValues(HonestMedium):
    """Gives out copies that are one level deep."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            return dict(entry)


@liar(
    "a_loaded_list_is_the_callers",
    also=[
        "changing_a_loaded_entry_changes_nothing_stored",
        "a_loaded_list_does_not_change_afterwards",
    ],
    kinds=["F50"],
    most=4,
)
class GivesItsList(HonestMedium):
    """Gives out the list that it keeps."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            return log.entries if len(entries) == len(log.entries) else entries


@liar("a_loaded_list_does_not_change_afterwards", kinds=["F50"], most=4)
class GoesOnWriting(HonestMedium):
    """Tells its readers of each new entry by adding it to the list that they got."""

    class store(HonestStore):
        lent: "list[Entry] | None" = None

        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            self.lent = entries
            return entries

        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries)
            if self.lent is not None:
                self.lent.extend(self.given(each) for each in entries)


@liar(
    "append_leaves_the_callers_entries_alone",
    kinds=["F50"],
    mutants=["append changes the caller's dictionaries"],
    most=1,
)
class FillsIn(HonestMedium):
    """Fills in a member in the objects that it is given."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            for each in entries:
                each["stored"] = True


@liar("append_leaves_the_callers_entries_alone", kinds=["F50"], most=1)
class EmptiesTheBatch(HonestMedium):
    """Takes the entries out of the caller's list."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            entries.clear()
