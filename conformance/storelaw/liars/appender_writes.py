"""Liars about appending turns."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from storelaw.liars.memory_rows import floated
from storelaw.liars.memory_rules import Overwriting
from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, RowKey, Rows, TurnsHonest
from storelaw.values import Entry
from storelaw_reference import turns


class Unpadded(turns.Memory):
    """Stores turns under unpadded ids."""

    def put(self, entry: Mapping[str, Any]) -> Entry:
        _, index, role = str(entry["id"]).split("-", 2)
        return super().put({**entry, "id": f"turn-{int(index)}-{role}"})


@liar(
    "a_turn_lies_under_its_padded_id",
    also=["a_promoted_message_is_marked_at_its_own_index"],
    most=2,
)
class PadsNothing(TurnsHonest):
    """Makes ids without padding."""

    variants: ClassVar[dict[str, Any]] = {"beneath": Unpadded}


class Timed(turns.Appender):
    """Takes the time for a part of the payload."""

    def _check_same(self, held: Mapping[str, Any], fresh: Entry) -> None:
        super()._check_same(held, fresh)
        if held["createdAt"] != fresh["createdAt"]:
            raise turns.IndexConflict(fresh["id"])


@liar("a_turn_may_be_appended_again", kinds=["F26"], most=3)
class ComparesTimes(TurnsHonest):
    """Calls a retry with another time a conflict."""

    variants: ClassVar[dict[str, Any]] = {"appender": Timed}


class Once(turns.Appender):
    """Takes nothing twice."""

    def _check_same(self, held: Mapping[str, Any], fresh: Entry) -> None:
        raise turns.IndexConflict(fresh["id"])


@liar(
    "a_turn_may_be_appended_again",
    kinds=["F26"],
    also=["a_reshaped_retry_is_the_same_turn", "an_append_that_failed_may_be_retried"],
    most=3,
)
class TakesNoRetry(TurnsHonest):
    """Calls every second append to a slot a conflict."""

    variants: ClassVar[dict[str, Any]] = {"appender": Once}


class Rewriting(turns.Appender):
    """Writes every append."""

    def append(self, turn: turns.Turn) -> turns.Turn:
        fresh = turns.turn_to_entry(self._dated(turn), self.scope)
        held = self._held(turn)
        if held is not None:
            self._check_same(held, fresh)
        return turns.entry_to_turn(self._memory.put(fresh))


@liar(
    "a_retry_stores_nothing_new",
    kinds=["F14"],
    also=["a_copy_overwrites_no_turn"],
    most=3,
)
class WritesTheRetry(TurnsHonest):
    """Writes the retry over the first turn."""

    variants: ClassVar[dict[str, Any]] = {"appender": Rewriting, "beneath": Overwriting}


class Moving(turns.Appender):
    """Appends behind what is there."""

    def _check_same(self, held: Mapping[str, Any], fresh: Entry) -> None:
        super()._check_same(held, fresh)
        index = self.read_all().next_index
        super().append(replace(turns.entry_to_turn(fresh), index=index))


@liar(
    "a_retry_stores_nothing_new",
    kinds=["F13"],
    also=["an_append_that_failed_may_be_retried"],
    most=4,
)
class StoresTheRetryBeside(TurnsHonest):
    """Stores a retry as a further turn."""

    variants: ClassVar[dict[str, Any]] = {"appender": Moving}


class ByBytes(turns.Appender):
    """Compares bytes."""

    def _payload(self, entry: Mapping[str, Any]) -> str:
        return json.dumps(entry.get("content"))


@liar("a_reshaped_retry_is_the_same_turn", most=3)
class ComparesPayloadBytes(TurnsHonest):
    """Compares the bytes of two payloads."""

    variants: ClassVar[dict[str, Any]] = {"appender": ByBytes}


class Forgetful(turns.Appender):
    """Leaves a member out of the comparison."""

    forgotten = "author"

    def _payload(self, entry: Mapping[str, Any]) -> str:
        content = {n: each for n, each in entry["content"].items() if n != self.forgotten}
        return super()._payload({**entry, "content": content})


class ForgetsUsage(Forgetful):
    """Leaves out the usage."""

    forgotten = "usage"


class ForgetsRefusal(Forgetful):
    """Leaves out the refusal."""

    forgotten = "refused"


@liar("another_turn_in_a_taken_slot_is_a_conflict", kinds=["F20"], most=3)
class ComparesNoAuthors(TurnsHonest):
    """Takes the turn of another author for a retry."""

    variants: ClassVar[dict[str, Any]] = {"appender": Forgetful}


@liar(
    "another_turn_in_a_taken_slot_is_a_conflict",
    kinds=["F20"],
    also=["numbers_beyond_two_to_the_53_tell_turns_apart"],
    most=3,
)
class ComparesNoUsage(TurnsHonest):
    """Takes a turn with other usage for a retry."""

    variants: ClassVar[dict[str, Any]] = {"appender": ForgetsUsage}


@liar("another_turn_in_a_taken_slot_is_a_conflict", kinds=["F20"], most=3)
class ComparesNoRefusals(TurnsHonest):
    """Takes an answer that was refused for the one that wasn't."""

    variants: ClassVar[dict[str, Any]] = {"appender": ForgetsRefusal}


class Floating(turns.Appender):
    """Compares numbers as floats."""

    def _payload(self, entry: Mapping[str, Any]) -> str:
        return super()._payload(floated(dict(entry)))


@liar("numbers_beyond_two_to_the_53_tell_turns_apart", kinds=["F46"], most=3)
class ComparesTurnsAsFloats(TurnsHonest):
    """Takes 2^53 + 1 for 2^53."""

    variants: ClassVar[dict[str, Any]] = {"appender": Floating}


class WritingFirst(turns.Appender):
    """Writes, and then compares."""

    def append(self, turn: turns.Turn) -> turns.Turn:
        fresh = turns.turn_to_entry(self._dated(turn), self.scope)
        held = self._held(turn)
        if held is None:
            return super().append(turn)
        if self._payload(held) != self._payload(fresh):
            self._memory.put(fresh)
        self._check_same(held, fresh)
        return turns.entry_to_turn(held)


@liar(
    "a_conflict_leaves_the_stored_turn_alone",
    kinds=["F24"],
    also=["a_copy_overwrites_no_turn"],
    most=3,
)
class WritesBeforeItCompares(TurnsHonest):
    """Reports a conflict about a turn that it has overwritten."""

    variants: ClassVar[dict[str, Any]] = {"appender": WritingFirst, "beneath": Overwriting}


class ByIndex(turns.Appender):
    """Keys by the index alone."""

    def _held(self, turn: turns.Turn) -> Mapping[str, Any] | None:
        held = super()._held(turn)
        taken = [each for each in self._rows() if self._index(each) == turn.index]
        return held or (taken[0] if taken else None)

    def _index(self, row: Entry) -> int:
        digits = str(row["id"]).split("-")[1]
        return int(digits) if digits.isdigit() else -1


@liar(
    "roles_of_one_index_lie_side_by_side",
    kinds=["F51"],
    most=3,
)
class KeysTurnsByIndex(TurnsHonest):
    """Has one turn for each index."""

    variants: ClassVar[dict[str, Any]] = {"appender": ByIndex}


class Blind(turns.Appender):
    """Takes a failed look-up for an empty answer."""

    def _held(self, turn: turns.Turn) -> Mapping[str, Any] | None:
        try:
            return super()._held(turn)
        except Exception:
            return None


@liar("a_failed_look_up_stops_an_append", kinds=["F20"], most=3)
class AppendsBlindly(TurnsHonest):
    """Writes where it could not look."""

    variants: ClassVar[dict[str, Any]] = {"appender": Blind}


class CachingBackend(HonestBackend):
    """Finds a write that failed in its cache."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self.cache: dict[RowKey, Entry] = {}

    def put(self, entry: Entry) -> None:
        if self.rows.due and self.rows.due[0] in ("before-commit", "inside"):
            self.cache[self.key(entry["scope"], entry["kind"], entry["id"])] = self.kept(entry)
        super().put(entry)

    def query(self, query: Entry) -> list[Entry]:
        durable = self.rows
        self.rows = Rows({**durable.entries, **self.cache}, durable.due)
        try:
            return super().query(query)
        finally:
            self.rows = durable


@liar("an_append_that_failed_may_be_retried", kinds=["F20"], most=7)
class LeavesTheTurnInItsCache(TurnsHonest):
    """Finds the failed write in its cache, and takes the retry for done."""

    store = CachingBackend


class Resentful(turns.Appender):
    """Remembers what failed."""

    failed: turns.Turn | None = None

    def append(self, turn: turns.Turn) -> turns.Turn:
        if turn == self.failed:
            raise turns.IndexConflict(turn.index)
        self.failed = turn
        stored = super().append(turn)
        self.failed = None
        return stored


@liar("an_append_that_failed_may_be_retried", kinds=["F26"], most=4)
class ConflictsWithItself(TurnsHonest):
    """Takes the retry of what failed for another writer's turn."""

    variants: ClassVar[dict[str, Any]] = {"appender": Resentful}


class Renumbering(turns.Appender):
    """Moves on where an index is taken."""

    def append(self, turn: turns.Turn) -> turns.Turn:
        try:
            return super().append(turn)
        except turns.IndexConflict:
            return super().append(replace(turn, index=self.read_all().next_index))


@liar(
    "of_two_writers_of_a_slot_one_gets_a_conflict",
    kinds=["F24"],
    also=[
        "another_turn_in_a_taken_slot_is_a_conflict",
        "numbers_beyond_two_to_the_53_tell_turns_apart",
    ],
    most=5,
)
class RenumbersTurns(TurnsHonest):
    """Moves a turn on to the next free index."""

    variants: ClassVar[dict[str, Any]] = {"appender": Renumbering}


class Redating(turns.Appender):
    """Dates every turn."""

    def _dated(self, turn: turns.Turn) -> turns.Turn:
        return super()._dated(replace(turn, created_at=""))


@liar("a_turn_is_dated_once", kinds=["F06"], also=["a_retry_stores_nothing_new"], most=2)
class DatesEveryTurn(TurnsHonest):
    """Replaces the time of every turn."""

    variants: ClassVar[dict[str, Any]] = {"appender": Redating}


class FromTheEpoch(turns.Appender):
    """Has zero for now."""

    def _dated(self, turn: turns.Turn) -> turns.Turn:
        dated = super()._dated(turn)
        return dated if dated == turn else replace(turn, created_at="1970-01-01T00:00:00Z")


@liar("a_turn_is_dated_once", kinds=["F06"], most=2)
class DatesFromTheEpoch(TurnsHonest):
    """Has a zero of its own for a turn without a time."""

    variants: ClassVar[dict[str, Any]] = {"appender": FromTheEpoch}


class Filling(turns.Memory):
    """Writes members that are empty."""

    def put(self, entry: Mapping[str, Any]) -> Entry:
        return super().put({**entry, "content": {"via": "", **(entry.get("content") or {})}})


@liar(
    "what_is_empty_is_absent_from_a_stored_turn",
    kinds=["F48"],
    also=["a_copy_keeps_ids_times_tags_and_content"],
    most=2,
)
class WritesEmptyMembers(TurnsHonest):
    """Writes an empty surface where there is none."""

    variants: ClassVar[dict[str, Any]] = {"beneath": Filling}


class Lossy(turns.Appender):
    """Forgets the usage of a turn that it reads."""

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        return replace(super()._decoded(row, ids), usage=None)


@liar("every_part_of_a_turn_comes_back", kinds=["F44"], most=3)
class ForgetsWhatWasUsed(TurnsHonest):
    """Has no usage in what it reads."""

    variants: ClassVar[dict[str, Any]] = {"appender": Lossy}


class Flattening(turns.Appender):
    """Forgets that a result was shown."""

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        turn = super()._decoded(row, ids)
        blocks = tuple(
            replace(each, rendered_live=False) if isinstance(each, turns.ToolResult) else each
            for each in turn.content
        )
        return replace(turn, content=blocks)


@liar("every_part_of_a_turn_comes_back", kinds=["F44"], most=3)
class ForgetsWhatWasShown(TurnsHonest):
    """Has no flag in the results that it reads."""

    variants: ClassVar[dict[str, Any]] = {"appender": Flattening}


class SixDigits(turns.Appender):
    """Reads six digits."""

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        turn = super()._decoded(row, ids)
        if turn.index > 999_999:
            raise turns.InvalidEntry(row["id"], "an index has six digits")
        return turn


@liar("a_wide_index_is_read_or_refused", kinds=["F22"], most=3)
class ReadsSixDigits(TurnsHonest):
    """Writes any index, and reads those of six digits."""

    variants: ClassVar[dict[str, Any]] = {"appender": SixDigits}


class CuttingRoles(turns.Appender):
    """Reads a role up to white space."""

    def append(self, turn: turns.Turn) -> turns.Turn:
        if not turn.role or len(turn.role.split()) == 1:
            return super().append(turn)
        entry = turns.turn_to_entry(self._dated(replace(turn, role="x")), self.scope)
        self._memory.put({**entry, "id": f"turn-{turn.index:06d}-{turn.role}"})
        return replace(turn, role=turn.role.split()[0])

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        return super()._decoded({**row, "id": row["id"].split()[0]}, ids)


@liar(
    "a_role_is_read_whole_or_refused",
    kinds=["F43"],
    also=["an_index_and_a_role_are_read_once"],
    most=3,
)
class CutsRoles(TurnsHonest):
    """Writes a role with white space, and reads its first word."""

    variants: ClassVar[dict[str, Any]] = {"appender": CuttingRoles}
