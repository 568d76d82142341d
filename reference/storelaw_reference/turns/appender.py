"""The appender: one session's transcript, through a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from storelaw_reference.transcript.times import stamp, utc_now
from storelaw_reference.transcript.values import is_object
from storelaw_reference.turns.backends import Query
from storelaw_reference.turns.blocks import Text
from storelaw_reference.turns.codec import entry_to_turn, turn_to_entry
from storelaw_reference.turns.entries import Json, Scope, publisher_of
from storelaw_reference.turns.equality import canonical
from storelaw_reference.turns.errors import AppendOnlyConflict, IndexConflict, InvalidEntry
from storelaw_reference.turns.ids import entry_id, legacy_id, parsed_id
from storelaw_reference.turns.memory import Memory
from storelaw_reference.turns.moments import is_zero
from storelaw_reference.turns.records import Turn, turn_order


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry that a read left out: its id, who published it, and why. Rule: OA-R3."""

    id: str
    publisher: str
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The turns of a read in order, what was skipped, and the first index that is free."""

    turns: tuple[Turn, ...]
    skipped: tuple[Skipped, ...] = ()
    next_index: int = 0


class Appender:
    """Reads and appends the turns of one scope.

    Each rule sits in one small method. `now` gives aware datetimes.
    """

    def __init__(
        self, memory: Memory, scope: Scope, *, now: Callable[[], datetime] = utc_now
    ) -> None:
        self.scope = scope
        self._memory = memory
        self._now = now

    def append(self, turn: Turn) -> Turn:
        """Write a turn, and return it as it is stored.

        The same payload under the same index and role is a no-op, whatever
        its time; another is an `IndexConflict`, also where another writer got
        in between. A look-up that fails propagates, and nothing is written.
        Raises `InvalidEntry` for an index or role that would not read back.
        Rules: OA-A3 to OA-A9, OA-N2, D-OA-1, D-OA-2, D-OA-15.
        """
        fresh = turn_to_entry(self._dated(turn), self.scope)
        held = self._held(turn)
        if held is None:
            try:
                return entry_to_turn(self._memory.put(fresh))
            except AppendOnlyConflict as conflict:
                held = conflict.stored
        self._check_same(held, fresh)
        return entry_to_turn(held)

    def read_all(self) -> Reading:
        """Return all turns by (index, role), and a report of what does not decode.

        An entry under the legacy spelling is skipped where the turn is there
        under its own. Rules: OA-R1, OA-R3, OA-R5, D-OA-3.
        """
        rows = self._rows()
        ids = {row["id"] for row in rows}
        turns: list[Turn] = []
        skipped: list[Skipped] = []
        for row in rows:
            try:
                turns.append(self._decoded(row, ids))
            except InvalidEntry as error:
                self._skip(row, error, skipped)
        return Reading(self._ordered(turns), tuple(skipped), _next_index(ids))

    def read_after(self, index: int) -> Reading:
        """Return the turns whose index is greater. Rule: OA-R2."""
        reading = self.read_all()
        return replace(reading, turns=tuple(t for t in reading.turns if self._is_after(t, index)))

    def receive(self, words: str, *, author: str = "", via: str = "") -> Turn:
        """Write a human message as an inbox turn behind the last index.

        Whoever loses a race for the index gets an `IndexConflict`.
        Rules: OA-I1, OA-A12.
        """
        index = self.read_all().next_index
        return self.append(Turn(index, "inbox", (Text(words),), author=author, via=via))

    # Appending

    def _dated(self, turn: Turn) -> Turn:
        """A time that was never set is now. Rule: OA-A8."""
        return replace(turn, created_at=stamp(self._now())) if is_zero(turn.created_at) else turn

    def _held(self, turn: Turn) -> Mapping[str, Any] | None:
        """What holds the turn's place, under either spelling."""
        ids = entry_id(turn.index, turn.role), legacy_id(turn.index, turn.role)
        page = self._memory.query(Query(self.scope, ("turn",), ids, order="oldest"))
        held = {row["id"]: row for row in page.entries}
        return next((held[name] for name in ids if name in held), None)

    def _check_same(self, held: Mapping[str, Any], fresh: Json) -> None:
        if self._payload(held) != self._payload(fresh):
            raise IndexConflict(fresh["id"])

    def _payload(self, entry: Mapping[str, Any]) -> str:
        """All that makes two writes of a turn the same one: its content, and not its time."""
        content: object = entry.get("content")
        if not is_object(content):
            return canonical(content)
        return canonical({name: value for name, value in content.items() if value})

    # Reading

    def _rows(self) -> tuple[Json, ...]:
        return self._memory.query(Query(self.scope, ("turn",))).entries

    def _decoded(self, row: Json, ids: set[str]) -> Turn:
        turn = entry_to_turn(row)
        own = entry_id(turn.index, turn.role)
        if row["id"] != own and own in ids:
            raise InvalidEntry(row["id"], f"the turn is there as {own}")
        return turn

    def _skip(self, row: Json, error: InvalidEntry, skipped: list[Skipped]) -> None:
        skipped.append(Skipped(row["id"], publisher_of(row), str(error)))

    def _ordered(self, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        return tuple(sorted(turns, key=turn_order))

    def _is_after(self, turn: Turn, index: int) -> bool:
        return turn.index > index


def read_all(memory: Memory, scope: Scope) -> Reading:
    """Return all turns of a scope. Rules: OA-R1, OA-R3."""
    return Appender(memory, scope).read_all()


def has_opening_turn(turns: Iterable[Turn]) -> bool:
    """Tell whether a user turn stands at index 0, wherever it is in the list. Rule: OA-L6."""
    return any(turn.index == 0 and turn.role == "user" for turn in turns)


def _next_index(ids: Iterable[str]) -> int:
    """One more than the highest index of any id that names a turn, readable or not."""
    highest = -1
    for name in ids:
        try:
            highest = max(highest, parsed_id(name)[0])
        except InvalidEntry:
            continue
    return highest + 1
