"""Liars about where a compaction cuts and what it appends."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from storelaw.driver import Injected
from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.values import Entry as Json
from storelaw_reference.transcript import (
    CompactionEntry,
    Entry,
    MessageEntry,
    Session,
    user_message,
)
from storelaw_reference.transcript.sessions import Summarize

TURNS = "a_compaction_keeps_the_last_turns"


def _is_message(entry: Entry, role: str = "") -> bool:
    return isinstance(entry, MessageEntry) and role in ("", entry.message.role)


@liar(
    "a_compaction_appends_one_entry_at_the_leaf",
    also=["a_compaction_stays_on_the_path_that_it_summarizes"],
    most=4,
)
class HangsTheSummaryOffTheRoot(HonestMedium):
    """Puts the summary where what it stands for begins."""

    class session_class(Session):
        def _parent_of(self, draft: Entry, leaf: str) -> str:
            return "" if isinstance(draft, CompactionEntry) else super()._parent_of(draft, leaf)


@liar("a_compaction_appends_one_entry_at_the_leaf", most=4)
class TellsItsReaders(HonestMedium):
    """Adds a message that says what was done."""

    class session_class(Session):
        def compact(self, summarize: Summarize, keep_turns: int) -> CompactionEntry | None:
            made = super().compact(summarize, keep_turns)
            if made is not None:
                self.append([MessageEntry(replace(user_message("compacted"), role="assistant"))])
            return made


@liar(
    "a_compaction_removes_nothing_from_the_log",
    also=[
        "the_summary_takes_the_place_of_what_it_covers",
        "the_summarizer_reads_the_earlier_summary",
        "a_compaction_stays_on_the_path_that_it_summarizes",
        "a_session_only_adds_to_its_stored_log",
    ],
    kinds=["F36"],
    most=4,
)
class OverwritesTheLog(HonestMedium):
    """Keeps no more than the model still reads."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Json]) -> None:
            leaf = [each.get("id") for each in log.entries[-1:]]
            if [e.get("parent_id") for e in entries if e.get("type") == "compaction"] == leaf:
                log.entries[:] = log.entries[-1:]
            super().stored(log, entries)


@liar(TURNS, also=["a_compaction_never_cuts_inside_a_turn"], kinds=["F35"], most=4)
class CountsMessages(HonestMedium):
    """Keeps so many messages instead of turns."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            cut = super()._first_kept(path, keep_turns)
            if cut is None or not keep_turns:
                return cut
            return [at for at, each in enumerate(path) if _is_message(each)][-keep_turns]


@liar(TURNS, most=4)
class KeepsOneTurnMore(HonestMedium):
    """Keeps a turn more than it was told, to be safe."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            cut, turns = super()._first_kept(path, keep_turns), self._turns(path)
            more = turns[-keep_turns - 1 :] if keep_turns else []
            return more[0] if cut is not None and len(more) > keep_turns else cut


@liar("a_compaction_that_keeps_no_turn_names_no_entry", most=3)
class KeepsATurnAnyway(HonestMedium):
    """Takes 0 for "not given"."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            cut = super()._first_kept(path, keep_turns)
            return self._turns(path)[-1] if cut is not None and not keep_turns else cut


@liar("meta_messages_begin_no_turn", most=4)
class CountsMetaMessages(HonestMedium):
    """Takes every user message for the begin of a turn."""

    class session_class(Session):
        def _turns(self, path: Sequence[Entry]) -> list[int]:
            return [at for at, each in enumerate(path) if _is_message(each, "user")]


@liar("a_legacy_meta_entry_begins_a_turn", most=3)
class SkipsLegacyTurns(HonestMedium):
    """Still takes an entry with the old flag for injected."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Sequence[Any], **more: Any) -> None:
            super().__init__(store, session_id, log, **more)
            self._old = {each["id"] for each in log if each.get("meta") is True}

        def _turns(self, path: Sequence[Entry]) -> list[int]:
            return [at for at in super()._turns(path) if path[at].header.id not in self._old]


@liar("a_compaction_of_too_few_turns_stores_nothing", most=3)
class CompactsNothing(HonestMedium):
    """Stores a summary of nothing where there is nothing to summarize."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            cut = super()._first_kept(path, keep_turns)
            return 0 if cut is None else cut


@liar("a_compaction_of_too_few_turns_stores_nothing", most=4)
class CompactsTheLastTurn(HonestMedium):
    """Compacts when there are exactly as many turns as it should keep."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            turns = self._turns(path)
            exactly = len(turns) == keep_turns and keep_turns > 0
            return turns[0] if exactly else super()._first_kept(path, keep_turns)


@liar("a_compaction_never_cuts_inside_a_turn", kinds=["F35"], most=4)
class CutsAtTheLastResult(HonestMedium):
    """Begins the kept part with the newest tool result."""

    class session_class(Session):
        def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
            cut = super()._first_kept(path, keep_turns)
            results = [at for at, each in enumerate(path) if _is_message(each, "tool_result")]
            return results[-1] if cut is not None and results else cut


@liar("a_failed_summary_stores_nothing", kinds=["F36", "F19"], most=4)
class StoresTheBoundaryFirst(HonestMedium):
    """Stores the boundary, then asks for the summary."""

    class session_class(Session):
        def compact(self, summarize: Summarize, keep_turns: int) -> CompactionEntry | None:
            try:
                return super().compact(summarize, keep_turns)
            except Injected:
                self.append([CompactionEntry("", "")])
                raise


@liar("a_compaction_stays_on_the_path_that_it_summarizes", kinds=["F36"], most=4)
class CompactsWhereverTheLeafIs(HonestMedium):
    """Appends the summary at whatever the leaf is by then."""

    class session_class(Session):
        def _require_leaf(self, leaf: str) -> None:
            pass
