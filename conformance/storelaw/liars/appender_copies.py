"""Liars about copies and replays."""

from collections.abc import Sequence
from typing import Any, ClassVar

from storelaw.liars.memory_rules import Overwriting
from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.values import Entry
from storelaw_reference import turns


class Exclusive(turns.Prefix):
    """Cuts before the cut."""

    def _within(self, index: int) -> bool:
        return index < self._cut


@liar(
    "a_copy_ends_at_its_cut",
    kinds=["F33"],
    most=5,
)
class CutsBeforeTheCut(TurnsHonest):
    """Leaves the turn of the cut out."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Exclusive}


class TakingAll(turns.Prefix):
    """Takes everything beside the turns along."""

    def _belongs(self, row: Entry) -> bool:
        return row["kind"] != "turn" or super()._belongs(row)


@liar("a_copy_takes_along_what_belongs_to_its_turns", most=5)
class TakesEverythingAlong(TurnsHonest):
    """Copies entries about turns that were cut off."""

    variants: ClassVar[dict[str, Any]] = {"prefix": TakingAll}


class TakingTurns(turns.Prefix):
    """Takes turns alone."""

    def _belongs(self, row: Entry) -> bool:
        return row["kind"] == "turn" and super()._belongs(row)


@liar("a_copy_takes_along_what_belongs_to_its_turns", most=5)
class CopiesTurnsAlone(TurnsHonest):
    """Leaves all entries behind that are no turns."""

    variants: ClassVar[dict[str, Any]] = {"prefix": TakingTurns}


class Untagged(turns.Prefix):
    """Drops tags."""

    def _moved(self, row: Entry, keys: set[turns.Key], scope: turns.Scope) -> Entry:
        moved = super()._moved(row, keys, scope)
        return {name: each for name, each in moved.items() if name != "tags"}


@liar("a_copy_keeps_ids_times_tags_and_content", kinds=["F44"], most=5)
class CopiesWithoutTags(TurnsHonest):
    """Leaves the tags out of a copy."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Untagged}


class Sealed(turns.Prefix):
    """Copies signatures."""

    def copy_to(self, target: turns.Memory, scope: turns.Scope) -> turns.Copied:
        chosen, skipped = self._chosen()
        rows = [target.put({**row, "scope": scope.json()}) for row in chosen]
        return turns.Copied(tuple(rows), skipped)


@liar("a_copy_of_signed_turns_verifies", most=5)
class CopiesSignatures(TurnsHonest):
    """Copies the signature of a turn along with it."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Sealed}


class Redated(turns.Prefix):
    """Dates copies anew."""

    def _moved(self, row: Entry, keys: set[turns.Key], scope: turns.Scope) -> Entry:
        count = len(self._memory.query(turns.Query()).entries)
        moment = f"2026-03-01T00:00:{count % 60:02d}Z"
        return {**super()._moved(row, keys, scope), "createdAt": moment}


@liar(
    "copying_again_changes_nothing",
    kinds=["F26"],
    also=["a_copy_keeps_ids_times_tags_and_content"],
    most=6,
)
class DatesCopiesAnew(TurnsHonest):
    """Dates each copied entry by the copy."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Redated}


@liar(
    "copying_again_changes_nothing",
    kinds=["F14"],
    also=["a_copy_keeps_ids_times_tags_and_content", "a_copy_overwrites_no_turn"],
    most=6,
)
class WritesCopiesAgain(TurnsHonest):
    """Writes each copy anew, over the first."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Redated, "beneath": Overwriting}


@liar(
    "a_copy_overwrites_no_turn",
    kinds=["F24"],
    most=6,
)
class CopiesOverTurns(TurnsHonest):
    """Writes a copy over what the child wrote."""

    variants: ClassVar[dict[str, Any]] = {"beneath": Overwriting}


class Strict(turns.Prefix):
    """Wants every id to parse."""

    def _chosen(self) -> tuple[list[Entry], tuple[turns.Skipped, ...]]:
        chosen, skipped = super()._chosen()
        if skipped:
            raise turns.InvalidEntry(skipped[0].id, "no turn id")
        return chosen, skipped


@liar("a_copy_skips_what_a_reader_skips", kinds=["F17"], most=5)
class FailsOnAMalformedId(TurnsHonest):
    """Fails on a row that every reader skips."""

    variants: ClassVar[dict[str, Any]] = {"prefix": Strict}


class Repairing(turns.Appender):
    """Answers calls that nobody answered, in the log."""

    def read_all(self) -> turns.Reading:
        reading = super().read_all()
        last = reading.turns[-1] if reading.turns else None
        if last is not None and last.calls():
            result = turns.ToolResult(last.calls()[0].id, "interrupted", is_error=True)
            self.append(turns.Turn(last.index + 1, "user", (result,)))
        return super().read_all()


@liar(
    "a_replay_stores_nothing",
    kinds=["F39"],
    most=4,
)
class StoresItsRepair(TurnsHonest):
    """Writes the results that a replay makes up."""

    variants: ClassVar[dict[str, Any]] = {"appender": Repairing}


class BehindTheShown(turns.Replayer):
    """Counts what is shown."""

    def _next_index(self, ordered: Sequence[turns.Turn]) -> int:
        return super()._next_index([each for each in ordered if self._is_spoken(each)])


@liar("a_runner_goes_on_behind_every_turn", most=4)
class GoesOnBehindTheShown(TurnsHonest):
    """Goes on behind the last turn that the model is shown."""

    variants: ClassVar[dict[str, Any]] = {"replayer": BehindTheShown}
