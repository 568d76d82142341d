"""Liars about retention."""

from typing import Any

from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, Log, claiming
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry


def keeping(name: str, unit: str = "entries") -> Manifest:
    """The claims of a store that keeps three units of each session."""
    return claiming(MANIFEST, name=name, keep=3, keep_unit=unit)


class KeepingStore(HonestStore):
    """Keeps the newest units of each session."""

    def stored(self, log: Log, entries: list[Entry]) -> None:
        super().stored(log, entries)
        log.entries[:] = self.remaining(log.entries)

    def remaining(self, entries: list[Entry]) -> list[Entry]:
        """What is kept of a log."""
        starts = [index for index, each in enumerate(entries) if self.begins(each)]
        keep = self.manifest.keep or 0
        return entries[starts[-keep] :] if len(starts) > keep else entries

    def begins(self, entry: Entry) -> bool:
        """Whether an entry begins a unit."""
        return (
            self.manifest.keep_unit == "entries" or entry.get("message", {}).get("role") == "user"
        )


@liar(
    "retention_keeps_exactly_the_newest",
    also=["related_entry_ids_are_different_entries"],
    kinds=["F60"],
    most=2,
)
class KeepsOneLess(HonestMedium):
    """Makes room before it knows whether room is needed."""

    manifest = keeping("keeps-one-less")

    class store(KeepingStore):
        def remaining(self, entries: list[Entry]) -> list[Entry]:
            return super().remaining(entries)[1:] if len(entries) > 3 else entries


@liar("retention_keeps_exactly_the_newest", kinds=["F60"], most=2)
class KeepsOneMore(HonestMedium):
    """Prunes what was there before, and then writes."""

    manifest = keeping("keeps-one-more")

    class store(KeepingStore):
        def remaining(self, entries: list[Entry]) -> list[Entry]:
            return entries[-4:]


@liar("retention_keeps_exactly_the_newest", kinds=["F60"], most=2)
class KeepsTheOldest(HonestMedium):
    """Drops the newest."""

    manifest = keeping("keeps-the-oldest")

    class store(KeepingStore):
        def remaining(self, entries: list[Entry]) -> list[Entry]:
            return entries[:3]


@liar(
    "retention_keeps_pairs_and_turns_whole",
    also=["retention_keeps_exactly_the_newest"],
    kinds=["F60"],
    most=2,
)
class CutsPairs(HonestMedium):
    """Counts entries where it promised pairs."""

    manifest = keeping("cuts-pairs", "pairs")

    class store(KeepingStore):
        def remaining(self, entries: list[Entry]) -> list[Entry]:
            return entries[-5:]


@liar(
    "retention_keeps_pairs_and_turns_whole",
    also=["retention_keeps_exactly_the_newest"],
    kinds=["F35", "F60"],
    most=2,
)
class CutsTurns(HonestMedium):
    """Takes every answer for the begin of a turn."""

    manifest = keeping("cuts-turns", "turns")

    class store(KeepingStore):
        def begins(self, entry: Entry) -> bool:
            return bool(entry.get("message", {}).get("role") == "assistant")


@liar("retention_leaves_other_sessions_alone", kinds=["F60"], most=4)
class PrunesTheTable(HonestMedium):
    """Prunes other sessions when one outgrows the limit."""

    manifest = keeping("prunes-the-table")

    class store(KeepingStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            known = self.found(session)
            before = len(known.entries) if known else 0
            super().append(session, entries)
            if before + len(entries) > 3:
                for key, log in self.data.logs.items():
                    if key != session:
                        log.entries.clear()
