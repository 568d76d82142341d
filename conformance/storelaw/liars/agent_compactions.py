"""Liars about when an agent compacts, what a summary is made of, and who reads it."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference.log import Agent, Compactor, Entry, Run, projected, to_agent_input

ROOM = "a_context_with_room_is_not_compacted"
FULL = "a_full_context_is_compacted_once"
WORDS = "the_last_inputs_stay_word_for_word"
COUNT = "no_more_inputs_stay_than_were_asked_for"
PAIR = "a_compaction_never_parts_a_call_from_its_output"
COVERS = "a_summary_is_made_of_what_it_covers"
LATER = "a_later_summary_is_made_of_the_earlier_one"
FAILED = "a_failed_summary_stores_no_compaction"
THIRD = "the_third_failed_summary_gives_up"
OVER = "an_agent_reads_the_same_over_a_session"
NEXT = "the_next_turn_reads_the_compaction"


class _Early(Compactor):
    def due(self, total_tokens: int, state: dict[str, Any]) -> bool:
        return total_tokens > 0


@liar(ROOM, most=4)
class CompactsEarly(LogHonest):
    """Compacts whenever it hears of tokens."""

    variants = varying(compactor=_Early)


class _Late(Compactor):
    def due(self, total_tokens: int, state: dict[str, Any]) -> bool:
        return total_tokens > self._context_length


@liar(FULL, most=5)
class CompactsLate(LogHonest):
    """Waits until the context is over."""

    variants = varying(compactor=_Late)


class _Twice(Agent):
    def _store(self, batch: Sequence[Entry]) -> None:
        again = [{**e, "id": self._new_id()} for e in batch if e["type"] == "compact"]
        super()._store([*batch, *again])


@liar(FULL, also=[THIRD, LATER], most=4)
class CompactsTwice(LogHonest):
    """Stores each compaction twice."""

    variants = varying(agent=_Twice)


class _Always(Agent):
    def _finished(self, run: Run) -> None:
        super()._finished(run)
        if not run.total_tokens and self._compactor:
            self._store([self._made("compact", {"summary": "clean-up"})])

    def _lost(self, run: Run, error: Exception) -> None:
        super()._lost(run, error)
        run.total_tokens = 0

    def _compact(self, run: Run) -> None:
        super()._compact(run)
        run.total_tokens += 1


@liar("a_failed_turn_compacts_nothing", most=4)
class CompactsInItsCleanUp(LogHonest):
    """Compacts after a turn that failed."""

    variants = varying(agent=_Always)


class _Deleting(Agent):
    def _compacted(self, compactor: Compactor) -> None:
        held = self._entries()
        super()._compacted(compactor)
        made, ids = self._entries()[len(held) :], [each["id"] for each in held]
        covered = sum(ids.index(each["data"]["lastEntryId"]) for each in made)
        self.storage.clear()
        self._store([*held[covered:], *made])


@liar("a_compaction_keeps_what_it_covers_in_the_log", also=[COVERS, OVER], most=5)
class DeletesWhatIsCovered(LogHonest):
    """Takes out of the log what it has summarized."""

    variants = varying(agent=_Deleting)


class _Covering(Compactor):
    def _preserved(self, view: Sequence[Entry]) -> int:
        return len(view)


@liar(WORDS, most=4)
class KeepsNothing(LogHonest):
    """Covers everything, whatever was to stay."""

    variants = varying(compactor=_Covering)


class _Turns(Compactor):
    def _preserved(self, view: Sequence[Entry]) -> int:
        self._preserve *= 2
        try:
            return super()._preserved(view)
        finally:
            self._preserve //= 2


@liar(COUNT, also=[FULL], most=5)
class KeepsTurns(LogHonest):
    """Counts turns, of two inputs each."""

    variants = varying(compactor=_Turns)


class _Parting(Compactor):
    def _paired(self, view: Sequence[Entry], cut: int) -> int:
        return cut


@liar(PAIR, most=5)
class PartsCallsFromOutputs(LogHonest):
    """Cuts where the count says."""

    variants = varying(compactor=_Parting)


class _Shown(Compactor):
    """Shows its summarizer something else than it covers."""

    def compacted(self, entries: Sequence[Entry]) -> Entry | None:
        self._all = entries
        return super().compacted(entries)

    def _tried(self, inputs: list[dict[str, Any]]) -> str | None:
        return super()._tried(self.shown(inputs))

    def shown(self, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What the summarizer reads."""
        return inputs


class _ShowsAll(_Shown):
    def shown(self, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return to_agent_input(projected(self._all))


@liar(COVERS, most=4)
class SummarizesWhatItKeeps(LogHonest):
    """Shows its summarizer the kept inputs too."""

    variants = varying(compactor=_ShowsAll)


class _Raw(_Shown):
    def shown(self, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        raw = to_agent_input(self._all)
        return [*raw[: len(raw) - self._preserve]] if len(raw) > len(inputs) else inputs


@liar(LATER, most=6)
class SummarizesTheLogAgain(LogHonest):
    """Starts from the raw log with each summary."""

    variants = varying(compactor=_Raw)


class _Forgetful(_Shown):
    def shown(self, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [each for each in super().shown(inputs) if "context_summary" not in str(each)]


@liar(LATER, most=6)
class ForgetsTheFirstSummary(LogHonest):
    """Shows its summarizer what came after the last summary only."""

    variants = varying(compactor=_Forgetful)


class _Empty(Compactor):
    def _is_summary(self, summary: str | None) -> bool:
        return summary is not None


@liar(FAILED, also=[THIRD], most=4)
class StoresEmptySummaries(LogHonest):
    """Takes an empty answer for a summary."""

    variants = varying(compactor=_Empty)


class _Hasty(Compactor):
    def _given_up(self) -> str | None:
        return "nothing"


@liar(FAILED, most=4)
class GivesUpAtOnce(LogHonest):
    """Stores a fixed summary at the first failure."""

    variants = varying(compactor=_Hasty)


class _Patient(Compactor):
    def _given_up(self) -> str | None:
        return None


@liar(THIRD, most=6)
class NeverGivesUp(LogHonest):
    """Tries again for ever."""

    variants = varying(compactor=_Patient)


class _Blind(Agent):
    def _history(self) -> list[dict[str, Any]]:
        return to_agent_input(self._entries())


@liar(NEXT, most=5)
class ReadsTheRawLog(LogHonest):
    """Never reads what it has compacted."""

    variants = varying(agent=_Blind)


class _Behind(Agent):
    def _history(self) -> list[dict[str, Any]]:
        stale = getattr(self, "_stale", None)
        entries = self._entries()
        self._stale: int | None = sum(each["type"] == "compact" for each in entries)
        if stale is not None and stale < self._stale:
            return to_agent_input(entries)
        return super()._history()


@liar(NEXT, most=5)
class CompactsBehindTheNextTurn(LogHonest):
    """Lets the next turn begin before the compaction is there."""

    variants = varying(agent=_Behind)


class _Plain(Agent):
    def _history(self) -> list[dict[str, Any]]:
        over_session = hasattr(self.storage, "checkout")
        return to_agent_input(self._entries()) if over_session else super()._history()


@liar(OVER, most=8)
class LosesCompactionsOverASession(LogHonest):
    """Reads the branch of a session without its compactions."""

    variants = varying(agent=_Plain)
