"""The inbox: messages that arrive while the agent is at work, and their promotion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from storelaw_reference.transcript.times import utc_now
from storelaw_reference.turns.appender import Appender
from storelaw_reference.turns.blocks import Text
from storelaw_reference.turns.entries import Scope
from storelaw_reference.turns.memory import Memory
from storelaw_reference.turns.records import Turn


@dataclass(frozen=True, slots=True)
class Drained:
    """The user turns that a drain placed, and the runner's next index."""

    turns: tuple[Turn, ...]
    next_index: int


class Inbox:
    """The inbox of one transcript, drained by its one runner."""

    def __init__(self, appender: Appender) -> None:
        self._appender = appender

    def drain(self, next_index: int) -> Drained:
        """Promote each pending message, in order, from `next_index` on.

        The inbox turns stay. A failure between promotion and marker leaves
        the message pending: it is placed again, and never lost.
        Raises `IndexConflict` where an index is taken by another turn.
        Rules: OA-I2, OA-I3, OA-I4, OA-I5.
        """
        placed: list[Turn] = []
        for message in self._pending(self._appender.read_all().turns):
            placed.append(self._settle(message, next_index + len(placed)))
        return Drained(tuple(placed), next_index + len(placed))

    def _pending(self, turns: Iterable[Turn]) -> list[Turn]:
        """Inbox turns without a marker at their own index, in order. Rules: OA-I2, OA-I3."""
        ordered = list(turns)
        done = {turn.index for turn in ordered if turn.role == "inbox_done"}
        return [turn for turn in ordered if turn.role == "inbox" and turn.index not in done]

    def _settle(self, message: Turn, index: int) -> Turn:
        """First the promoted turn, then the marker. Rule: OA-I2."""
        promoted = self._promote(message, index)
        self._mark(message)
        return promoted

    def _promote(self, message: Turn, index: int) -> Turn:
        turn = Turn(index, "user", message.content, author=message.author, via=message.via)
        return self._appender.append(turn)

    def _mark(self, message: Turn) -> None:
        self._appender.append(Turn(message.index, "inbox_done"))


def drain_inbox(appender: Appender, next_index: int) -> Drained:
    """Promote the pending messages of a transcript. Rules: OA-I2 to OA-I5."""
    return Inbox(appender).drain(next_index)


def record_inbox(
    memory: Memory,
    scope: Scope,
    index: int,
    words: str,
    author: str = "",
    *,
    now: Callable[[], datetime] = utc_now,
) -> Turn:
    """Write an inbox turn at a given index; an empty author is nobody's.

    Raises `IndexConflict`. Rules: OA-I1, OA-A12.
    """
    turn = Turn(index, "inbox", (Text(words),), author=author)
    return Appender(memory, scope, now=now).append(turn)
