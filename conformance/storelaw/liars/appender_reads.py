"""Liars about reading a transcript."""

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.values import Entry
from storelaw_reference import turns


class AsFound(turns.Appender):
    """Sorts nothing."""

    def _ordered(self, turns: Iterable[turns.Turn]) -> tuple[turns.Turn, ...]:
        return tuple(turns)


@liar("turns_are_read_by_index_and_role", kinds=["F02"], most=4)
class ReadsTurnsByTime(TurnsHonest):
    """Reads turns in the order of their times."""

    variants: ClassVar[dict[str, Any]] = {"appender": AsFound}


class ByText(turns.Appender):
    """Sorts indexes as texts."""

    def _ordered(self, turns: Iterable[turns.Turn]) -> tuple[turns.Turn, ...]:
        return tuple(sorted(turns, key=lambda each: (str(each.index), each.role)))


@liar("turns_are_read_by_index_and_role", kinds=["F02"], most=4)
class ReadsTenBeforeTwo(TurnsHonest):
    """Sorts indexes as texts."""

    variants: ClassVar[dict[str, Any]] = {"appender": ByText}


class Inclusive(turns.Appender):
    """Includes the bound."""

    def _is_after(self, turn: turns.Turn, index: int) -> bool:
        return turn.index >= index


@liar("reading_after_an_index_is_strict", kinds=["F08"], most=3)
class IncludesTheIndex(TurnsHonest):
    """Reads from an index, and not after it."""

    variants: ClassVar[dict[str, Any]] = {"appender": Inclusive}


class Failing(turns.Appender):
    """Reads all or nothing."""

    def _skip(self, row: Entry, error: turns.InvalidEntry, skipped: list[turns.Skipped]) -> None:
        raise error


@liar(
    "an_unreadable_entry_hides_no_turn",
    kinds=["F17"],
    most=4,
)
class FailsOnOneBadRow(TurnsHonest):
    """Fails on the first entry that it can't read."""

    variants: ClassVar[dict[str, Any]] = {"appender": Failing}


class Silent(turns.Appender):
    """Says nothing."""

    def _skip(self, row: Entry, error: turns.InvalidEntry, skipped: list[turns.Skipped]) -> None:
        pass


@liar("what_a_reading_leaves_out_it_reports", kinds=["F10"], most=4)
class SkipsInSilence(TurnsHonest):
    """Leaves out what it can't read, and tells nobody."""

    variants: ClassVar[dict[str, Any]] = {"appender": Silent}


class Scanning(turns.Appender):
    """Scans for a number and a word."""

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        found = re.match(r"turn-\s*\+?(\d+)-(\S+)", row["id"])
        if found is None:
            return super()._decoded(row, ids)
        name = turns.entry_id(int(found[1]), found[2])
        return turns.entry_to_turn({**row, "id": name})


@liar(
    "an_index_and_a_role_are_read_once",
    kinds=["F43"],
    also=["what_a_reading_leaves_out_it_reports"],
    most=5,
)
class ScansIds(TurnsHonest):
    """Reads many spellings of one id."""

    variants: ClassVar[dict[str, Any]] = {"appender": Scanning}


class Strict(turns.Appender):
    """Reads what it writes."""

    def _decoded(self, row: Entry, ids: set[str]) -> turns.Turn:
        turn = super()._decoded(row, ids)
        if row["id"] != turns.entry_id(turn.index, turn.role):
            raise turns.InvalidEntry(row["id"], "not padded")
        return turn


@liar(
    "an_older_entry_is_read",
    kinds=["F49"],
    most=4,
)
class ReadsPaddedIdsOnly(TurnsHonest):
    """Skips the ids of older writers."""

    variants: ClassVar[dict[str, Any]] = {"appender": Strict}


class Capped(turns.Appender):
    """Reads eight rows."""

    def _rows(self) -> tuple[Entry, ...]:
        return super()._rows()[:8]


@liar("a_transcript_is_read_whole", kinds=["F09"], most=11)
class ReadsEightTurns(TurnsHonest):
    """Takes the cap of its store for the end of the transcript."""

    variants: ClassVar[dict[str, Any]] = {"appender": Capped}


def first_is_a_user(read: Iterable[turns.Turn]) -> bool:
    """Whether the first turn is a user's."""
    listed = list(read)
    return bool(listed) and listed[0].role == "user"


@liar("the_opening_turn_is_the_users_at_index_0", most=4)
class LooksAtTheFirstRole(TurnsHonest):
    """Looks at the role of the first turn."""

    variants: ClassVar[dict[str, Any]] = {"opening": first_is_a_user}


def is_not_empty(read: Iterable[turns.Turn]) -> bool:
    """Whether there is a turn."""
    return bool(list(read))


@liar("the_opening_turn_is_the_users_at_index_0", most=3)
class TakesAnyTurnForAnOpening(TurnsHonest):
    """Takes any turn for the opening one."""

    variants: ClassVar[dict[str, Any]] = {"opening": is_not_empty}
