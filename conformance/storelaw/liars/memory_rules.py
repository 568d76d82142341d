"""Liars about the rules of a memory."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from storelaw.errors import Rejected
from storelaw.liars.memory_rows import floated
from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, TurnsHonest
from storelaw.values import Entry
from storelaw_reference import turns


class Deleting(turns.Memory):
    """Deletes whatever it is asked to."""

    def _check_deletable(self, kind: turns.Kind) -> None:
        pass


@liar("a_turn_is_never_deleted", most=2)
class DeletesTurns(TurnsHonest):
    """Deletes an entry of an append-only kind."""

    variants: ClassVar[dict[str, Any]] = {"memory": Deleting}


class Sweeping(turns.Memory):
    """Hands the deletion of a scope on."""

    def delete_scope(self, scope: turns.Scope) -> None:
        self._backend.delete_scope(scope)


@liar("deleting_a_scope_keeps_its_turns", kinds=["F57"], most=3)
class ErasesTheLogWithItsScope(TurnsHonest):
    """Erases turns with their scope."""

    variants: ClassVar[dict[str, Any]] = {"memory": Sweeping}


class Keeping(turns.Memory):
    """Keeps all entries of a scope."""

    def _outlives_scope(self, kind: turns.Kind) -> bool:
        return True


@liar("deleting_a_scope_keeps_its_turns", kinds=["F57"], most=3)
class LeavesMutableEntriesBehind(TurnsHonest):
    """Deletes nothing of a scope."""

    variants: ClassVar[dict[str, Any]] = {"memory": Keeping}


class TakingAnyId(turns.Memory):
    """Checks no prefix."""

    def _check_id(self, entry: Entry, kind: turns.Kind) -> None:
        pass


@liar("an_entry_of_no_known_form_is_refused", most=2)
class TakesAnyId(TurnsHonest):
    """Takes ids without their kind's prefix."""

    variants: ClassVar[dict[str, Any]] = {"memory": TakingAnyId}


class TakingAnyLink(turns.Memory):
    """Checks no links."""

    def _check_links(self, entry: Entry) -> None:
        pass


@liar("an_entry_of_no_known_form_is_refused", most=2)
class TakesAnyLink(TurnsHonest):
    """Takes links to kinds that nobody registered."""

    variants: ClassVar[dict[str, Any]] = {"memory": TakingAnyLink}


class Strict(turns.Memory):
    """Wants a turn to read as one."""

    def _check_id(self, entry: Entry, kind: turns.Kind) -> None:
        super()._check_id(entry, kind)
        if "content" in entry:
            turns.entry_to_turn(entry)


@liar("an_entry_of_a_known_form_is_taken", most=2)
class ChecksContent(TurnsHonest):
    """Refuses an entry that it can't decode as a turn."""

    variants: ClassVar[dict[str, Any]] = {"memory": Strict}


class ByBytes(turns.Memory):
    """Compares bytes."""

    def _is_same(self, held: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
        return json.dumps(held) == json.dumps(fresh)


@liar(
    "an_equivalent_put_changes_nothing",
    kinds=["F26"],
    most=3,
)
class ComparesEntryBytes(TurnsHonest):
    """Compares the bytes of two entries."""

    variants: ClassVar[dict[str, Any]] = {"memory": ByBytes}


class Echoing(turns.Memory):
    """Answers with what it was given."""

    def _write_once(self, fresh: Entry, kind: turns.Kind) -> Entry:
        super()._write_once(fresh, kind)
        return fresh


@liar("an_equivalent_put_gives_what_is_stored", most=3)
class AnswersWithTheRetry(TurnsHonest):
    """Gives the caller's own entry back."""

    variants: ClassVar[dict[str, Any]] = {"memory": Echoing}


class Timeless(turns.Memory):
    """Compares no times."""

    def _is_same(self, held: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
        return super()._is_same({**held, "createdAt": fresh["createdAt"]}, dict(fresh))


@liar("another_entry_under_a_written_id_is_a_conflict", kinds=["F15"], most=3)
class IgnoresTheTime(TurnsHonest):
    """Takes an entry with another time for the same one."""

    variants: ClassVar[dict[str, Any]] = {"memory": Timeless}


class Floating(turns.Memory):
    """Compares numbers as floats."""

    def _is_same(self, held: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
        return super()._is_same(floated(dict(held)), floated(dict(fresh)))


@liar("another_entry_under_a_written_id_is_a_conflict", kinds=["F46"], most=3)
class ComparesEntriesAsFloats(TurnsHonest):
    """Takes 2^53 + 1 for 2^53."""

    variants: ClassVar[dict[str, Any]] = {"memory": Floating}


class Lenient(turns.Memory):
    """Knows no conflict."""

    def _is_same(self, held: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
        return True


@liar("another_entry_under_a_written_id_is_a_conflict", kinds=["F20"], most=3)
class DropsTheSecondInSilence(TurnsHonest):
    """Keeps the first, and says nothing of the second."""

    variants: ClassVar[dict[str, Any]] = {"memory": Lenient}


class Overwriting(turns.Memory):
    """Writes whatever comes."""

    def _write_once(self, fresh: Entry, kind: turns.Kind) -> Entry:
        self._backend.put(fresh)
        return fresh


@liar(
    "what_is_written_once_is_never_overwritten",
    kinds=["F24"],
    also=[
        "another_entry_under_a_written_id_is_a_conflict",
    ],
    most=3,
)
class OverwritesTurns(TurnsHonest):
    """Takes the last write under an append-only id."""

    variants: ClassVar[dict[str, Any]] = {"memory": Overwriting}


class WritingFirst(turns.Memory):
    """Writes, and then looks."""

    def _write_once(self, fresh: Entry, kind: turns.Kind) -> Entry:
        held = self._backend.get(turns.scope_of(fresh), fresh["kind"], fresh["id"])
        self._backend.put(fresh)
        if held is not None and not self._is_same(held, fresh):
            raise turns.AppendOnlyConflict(fresh["id"], held)
        return fresh if held is None else held


@liar(
    "what_is_written_once_is_never_overwritten",
    kinds=["F24"],
    also=["an_equivalent_put_gives_what_is_stored"],
    most=3,
)
class WritesBeforeItLooks(TurnsHonest):
    """Says that there is a conflict, and has written already."""

    variants: ClassVar[dict[str, Any]] = {"memory": WritingFirst}


class Blind(turns.Memory):
    """Takes a failed look-up for an empty answer."""

    def _add(self, fresh: Entry) -> Entry | None:
        try:
            return super()._add(fresh)
        except Exception:
            self._backend.put(fresh)
            return None


@liar(
    "a_failed_look_up_is_no_refusal",
    kinds=["F20"],
    most=3,
)
class PutsBlindly(TurnsHonest):
    """Writes where it could not look."""

    variants: ClassVar[dict[str, Any]] = {"memory": Blind}


class Refusing(turns.Memory):
    """Calls every failure a bad request."""

    def _add(self, fresh: Entry) -> Entry | None:
        try:
            return super()._add(fresh)
        except Exception as error:
            raise Rejected(str(error)) from error


@liar("a_failed_look_up_is_no_refusal", most=3)
class CallsAFailureARefusal(TurnsHonest):
    """Answers a fault of its store with a permanent refusal."""

    variants: ClassVar[dict[str, Any]] = {"memory": Refusing}


class Unchecked(turns.Memory):
    """Checks no times."""

    def put(self, entry: Mapping[str, Any]) -> Entry:
        if not str(entry.get("createdAt")).startswith("0001"):
            return super().put(entry)
        self._backend.put({**entry, "createdAt": "1754-08-30T22:43:41.128654848Z"})
        return dict(entry)


@liar("a_zero_time_never_becomes_another", most=2)
class TurnsZeroInto1754(TurnsHonest):
    """Counts nanoseconds in 64 bits."""

    store = HonestBackend
    variants: ClassVar[dict[str, Any]] = {"memory": Unchecked}
