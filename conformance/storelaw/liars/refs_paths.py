"""Sessions that read a branch wrongly."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _Upwards(log.Session):
    def path(self, target: str | None = None) -> list[log.Entry]:
        return super().path(target)[::-1]


@liar("a_path_is_the_walk_by_parents", most=3)
class PathsFromTheLeaf(LogHonest):
    """Gives paths from the target to the root."""

    variants = varying(refs=_Upwards)


class _WholeLog(log.Session):
    def path(self, target: str | None = None) -> list[log.Entry]:
        super().path(target)
        return [each for each in self.entries() if self._is_semantic(each)]


@liar(
    "a_path_is_the_walk_by_parents",
    kinds=["F32"],
    most=4,
)
class PathsOfTheWholeLog(LogHonest):
    """Gives all entries that are nodes, of whatever branch."""

    variants = varying(refs=_WholeLog)


class _Truncating(log.Session):
    def _broken(self, walked: list[log.Entry], at: str, cycle: bool) -> list[log.Entry]:
        return super()._broken(walked, at, cycle) if cycle else walked


@liar("a_missing_parent_is_an_error", kinds=["F29"], most=3)
class CutsTheHistory(LogHonest):
    """Stops at a parent that it can't find, without an error."""

    variants = varying(refs=_Truncating)


class _GoingRound(log.Session):
    def _broken(self, walked: list[log.Entry], at: str, cycle: bool) -> list[log.Entry]:
        return walked * 50 if cycle else super()._broken(walked, at, cycle)


@liar("a_walk_in_a_circle_ends", kinds=["F31"], most=4)
class LoopsOnCycles(LogHonest):
    """Goes round fifty times where parents form a circle (the original never stops)."""

    variants = varying(refs=_GoingRound)


class _AllEvents(log.Session):
    def _belongs(self, each: log.Entry, on_path: set[str]) -> bool:
        return each["type"] == "event" or super()._belongs(each, on_path)


@liar(
    "a_branch_has_the_events_that_hang_off_it",
    also=["a_clone_has_the_events_on_its_paths"],
    kinds=["F30"],
    most=5,
)
class ShowsAllEvents(LogHonest):
    """Shows the events of every branch."""

    variants = varying(refs=_AllEvents)


class _NoEvents(log.Session):
    def _belongs(self, each: log.Entry, on_path: set[str]) -> bool:
        return each["id"] in on_path


@liar(
    "a_branch_has_the_events_that_hang_off_it",
    also=["a_clone_has_the_events_on_its_paths"],
    kinds=["F22"],
    most=3,
)
class ShowsNoEvents(LogHonest):
    """Leaves the events out of the branch path."""

    variants = varying(refs=_NoEvents)


class _HeadOnly(log.Session):
    def build_input(self, target: str | None = None) -> list[log.Input]:
        super().build_input(target)
        return super().build_input(None)


@liar("the_input_is_that_of_the_branch", also=["a_view_of_another_branch_stays"], most=5)
class BuildsTheHeadsInput(LogHonest):
    """Builds the input of the head, whatever it is asked for."""

    variants = varying(refs=_HeadOnly)


class _Compacting(log.Session):
    def build_input(self, target: str | None = None) -> list[log.Input]:
        return log.to_agent_input(log.projected(self.branch_path(target)))


@liar("the_input_is_that_of_the_branch", kinds=["F36"], most=3)
class CompactsTheInput(LogHonest):
    """Puts a summary in the place of what it covers."""

    variants = varying(refs=_Compacting)


class _NewestState(log.Session):
    def build_state(self, target: str | None = None) -> dict[str, Any]:
        super().build_state(target)
        return self._state(self.entries())


@liar("the_state_is_the_last_of_the_branch", kinds=["F32"], most=5)
class TakesTheNewestState(LogHonest):
    """Takes the last state of the raw log, whatever the branch."""

    variants = varying(refs=_NewestState)


class _FirstState(log.Session):
    def _state(self, branch: Sequence[log.Entry]) -> dict[str, Any]:
        return super()._state(branch[::-1])


@liar("the_state_is_the_last_of_the_branch", most=3)
class TakesTheFirstState(LogHonest):
    """Takes the first state of a branch."""

    variants = varying(refs=_FirstState)


class _AllRefs(log.Session):
    def _moved(self, now: log.Snapshot, tail: str | None) -> list[log.Entry]:
        moved = super()._moved(now, tail)
        others = [n for n in now.refs if n != now.head.get("name") and now.target is not None]
        return [*(self._ref(name, tail) for name in others if moved), *moved]


@liar(
    "a_view_of_another_branch_stays",
    also=["a_branch_goes_its_own_way"],
    kinds=["F33"],
    most=7,
)
class MovesAllRefs(LogHonest):
    """Moves every ref along with the head."""

    variants = varying(refs=_AllRefs)
