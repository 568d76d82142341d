"""Sessions whose busy guard is wrong."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log as reference


class _Unguarded(reference.Session):
    def _open_turns(self, log: Sequence[reference.Entry]) -> list[str]:
        return []


@liar("no_branch_moves_while_a_turn_runs", kinds=["F28"], most=3)
class NeverBusy(LogHonest):
    """Moves branches while a turn runs."""

    variants = varying(refs=_Unguarded)


class _AnyEnd(reference.Session):
    def _open_turns(self, log: Sequence[reference.Entry]) -> list[str]:
        kinds = [reference.turn_event(each)[0] for each in log]
        last = [each for each in kinds if each.startswith("turn.")][-1:]
        return ["a turn"] if last == ["turn.start"] else []


@liar("no_branch_moves_while_a_turn_runs", kinds=["F28"], most=4)
class AnyEndFrees(LogHonest):
    """Takes the end of any turn for the end of all."""

    variants = varying(refs=_AnyEnd)


class _SuccessOnly(reference.Session):
    def _open_turns(self, log: Sequence[reference.Entry]) -> list[str]:
        told = [reference.turn_event(each) for each in log]
        done = {turn for kind, turn in told if kind == "turn.done"}
        return [turn for kind, turn in told if kind == "turn.start" and turn not in done]


@liar("the_end_of_a_turn_frees_the_session", kinds=["F26"], most=4)
class WaitsForSuccess(LogHonest):
    """Takes a turn that failed for one that runs."""

    variants = varying(refs=_SuccessOnly)


class _Stumbling(reference.Session):
    def _open_turns(self, log: Sequence[reference.Entry]) -> list[str]:
        events = [each["data"] for each in log if each["type"] == "event"]
        begun = [data["turnId"] for data in events if data["type"] == "turn.start"]
        ended = [d["turnId"] for d in events if d["type"] in ("turn.done", "turn.failed")]
        ended += [d["turnId"] for d in events if d["type"] == "turn.aborted"]
        return [str(each) for each in begun if each not in ended]


@liar("malformed_events_block_nothing", kinds=["F26"], most=3)
class StumblesOverEvents(LogHonest):
    """Reads the data of every event as if it were well-formed."""

    variants = varying(refs=_Stumbling)


class _Guarded(reference.Session):
    def append(self, *entries: Any) -> list[reference.Entry]:
        self._idle()
        return super().append(*entries)


@liar("a_running_turn_blocks_no_append", kinds=["F26"], most=3)
class GuardsAppends(LogHonest):
    """Takes nothing while a turn runs."""

    variants = varying(refs=_Guarded)


class _NoWayOut(reference.Session):
    def recover(self) -> list[reference.Entry]:
        now = self._replayed(self._ready())
        batch = self._moved(now, self._adopted(now))
        self._write(batch)
        return batch


@liar("recovery_ends_the_turns_of_a_crash", kinds=["F28"], most=3)
class BusyForEver(LogHonest):
    """Leaves the turns of a crash open (D-AP-2)."""

    variants = varying(refs=_NoWayOut)


class _Repeating(reference.Session):
    def recover(self) -> list[reference.Entry]:
        done = super().recover()
        return done or [self.event({"type": "turn.aborted", "turnId": "t1", "reason": "recovered"})]


@liar("recovery_of_a_sound_log_changes_nothing", kinds=["F38"], most=4)
class RecoversAgainAndAgain(LogHonest):
    """Writes an end on each recovery."""

    variants = varying(refs=_Repeating)
