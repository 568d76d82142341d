"""Liars about what is popped, replaced or taken out."""

from typing import Any, ClassVar

from storelaw.liars.honest import (
    MANIFEST,
    HonestMedium,
    HonestStore,
    Log,
    claiming,
)
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("pop_takes_the_newest_entry_and_returns_it", kinds=["F03", "F10"], most=2)
class PopsTheOldest(HonestMedium):
    """Takes from the wrong end."""

    class store(HonestStore):
        def pop(self, session: Any) -> Entry | None:
            self.usable()
            log = self.found(session)
            return log.entries.pop(0) if log is not None and log.entries else None


@liar("pop_takes_the_newest_entry_and_returns_it", kinds=["F10"], most=2)
class RemovesBeforeItReads(HonestMedium):
    """Removes the row before it has read it, and says that there was none."""

    class store(HonestStore):
        def pop(self, session: Any) -> Entry | None:
            super().pop(session)
            return None


@liar("pop_on_an_empty_session_gives_nothing", kinds=["F08", "F10"], most=1)
class PopFromEmptyList(HonestMedium):
    """Lets the error of its list out."""

    class store(HonestStore):
        def pop(self, session: Any) -> Entry | None:
            self.usable()
            log = self.found(session)
            empty: list[Entry] = []
            return (log.entries if log is not None else empty).pop()


@liar("an_append_after_a_pop_follows_what_is_left", kinds=["F58"], most=4)
class AppendBringsThePoppedBack(HonestMedium):
    """Marks the popped entry; the next append takes the mark away."""

    class store(HonestStore):
        def pop(self, session: Any) -> Entry | None:
            popped = super().pop(session)
            log = self.found(session)
            if log is not None and popped is not None:
                log.record["popped"] = popped
            return popped

        def stored(self, log: Log, entries: list[Entry]) -> None:
            popped = log.record.pop("popped", None)
            super().stored(log, entries if popped is None else [popped, *entries])


@liar("an_append_after_a_pop_follows_what_is_left", kinds=["F02"], most=5)
class CountsFromTheFreedPlace(HonestMedium):
    """Gives the place of a popped entry away twice."""

    class store(HonestStore):
        def pop(self, session: Any) -> Entry | None:
            popped = super().pop(session)
            log = self.found(session)
            if log is not None:
                log.record["place"] = len(log.entries)
            return popped

        def stored(self, log: Log, entries: list[Entry]) -> None:
            place = log.record.get("place", len(log.entries))
            log.entries[place:place] = entries


@liar("a_replace_leaves_exactly_the_new_entries", kinds=["F14"], most=3)
class WritesOver(HonestMedium):
    """Writes the new entries over the first of the old ones."""

    class store(HonestStore):
        def replace(self, session: Any, entries: list[Entry]) -> None:
            log = self.found(session)
            rest = list(log.entries[len(entries) :]) if log is not None else []
            super().replace(session, entries)
            if log is not None:
                log.entries.extend(rest)


@liar("a_replace_stores_all_of_the_new_entries", kinds=["F20"], most=3)
class CutsToTheOldLength(HonestMedium):
    """Updates the rows that are there, and no others."""

    class store(HonestStore):
        def replace(self, session: Any, entries: list[Entry]) -> None:
            log = self.found(session)
            length = len(log.entries) if log is not None else len(entries)
            super().replace(session, entries)
            if log is not None:
                del log.entries[length:]


@liar("a_replace_of_an_unknown_session_is_answered_as_an_append", most=2)
class ReplaceWantsASession(HonestMedium):
    """Creates a session for an append, and wants one for a replace."""

    class store(HonestStore):
        def replace(self, session: Any, entries: list[Entry]) -> None:
            self.known(session)
            super().replace(session, entries)


@liar("delete_entry_takes_exactly_one", kinds=["F07"], most=5)
class SwapsTheLastIn(HonestMedium):
    """Fills the gap with the last entry."""

    class store(HonestStore):
        def delete_entry(self, session: Any, which: Any) -> None:
            self.usable()
            log = self.found(session)
            places = [i for i, e in enumerate(log.entries if log else ()) if e.get("id") == which]
            if log is not None and places:
                log.entries[places[0]] = log.entries[-1]
                log.entries.pop()


class IndexStore(HonestStore):
    """A store that deletes entries by index."""

    def delete_entry(self, session: Any, which: Any) -> None:
        """Take one entry out."""
        self.usable()
        log = self.found(session)
        del (log.entries if log is not None else [])[which : which + 1]


class HonestIndex(HonestMedium):
    """An honest store that deletes entries by index."""

    manifest = claiming(MANIFEST, name="honest-index", options={"delete_by": "index"})
    store: ClassVar[type[HonestStore]] = IndexStore


@liar("delete_entry_takes_exactly_one", kinds=["F07"], most=5)
class CountsFromOne(HonestIndex):
    """Takes index 1 for the first entry."""

    class store(IndexStore):
        def delete_entry(self, session: Any, which: Any) -> None:
            super().delete_entry(session, max(which - 1, 0))


@liar("deleting_an_unknown_entry_changes_nothing", kinds=["F08"], most=4)
class MinusOneIsTheLast(HonestMedium):
    """Finds an unknown entry at -1, and deletes there."""

    class store(HonestStore):
        def delete_entry(self, session: Any, which: Any) -> None:
            log = self.found(session)
            ids = [each.get("id") for each in log.entries] if log else []
            super().delete_entry(session, which if which in ids else (ids or [which])[-1])
