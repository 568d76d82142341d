"""The replay: a transcript as a model reads it.

Each rule sits in one small method of `Replayer`. Nothing that is made up here
is ever stored (OA-S5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from storelaw_reference.turns.blocks import Attachment, Block, Text, ToolResult, ToolUse
from storelaw_reference.turns.notes import delivered_calls
from storelaw_reference.turns.records import Turn, turn_order
from storelaw_reference.turns.surfaces import Surface

INTERRUPTED = "interrupted before a result was recorded; it may or may not have run"
DELIVERED = "the user has received this; do not send it again"
ADVISORY = "The last answer was refused and withheld; take another way."
EMPTY = "(nothing that can be shown)"


@dataclass(frozen=True, slots=True)
class Message:
    """One message for the model."""

    role: Literal["user", "assistant"]
    content: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What the model reads, and the index at which the runner goes on."""

    messages: tuple[Message, ...]
    next_index: int


class Replayer:
    """How turns become messages for a model; pure (OA-S5)."""

    def replay(self, turns: Iterable[Turn]) -> Replay:
        """Return the messages, with one result for each call. Rules: OA-S1 to OA-S7."""
        ordered = sorted(turns, key=turn_order)
        delivered = self._delivered(ordered)
        spoken = [turn for turn in ordered if self._is_spoken(turn)]
        messages = [self._message(turn) for turn in spoken if not self._is_hidden(turn)]
        answered = self._answered(messages, delivered)
        if spoken and self._is_hidden(spoken[-1]):
            answered = self._advised(answered)
        return Replay(tuple(answered), self._next_index(ordered))

    def _delivered(self, turns: Iterable[Turn]) -> set[str]:
        """The calls that notes list as delivered. Rule: OA-S4."""
        return {call for turn in turns for call in delivered_calls(turn)}

    def _is_spoken(self, turn: Turn) -> bool:
        """Users and the assistant speak; notes, inbox and markers don't. Rule: OA-S1."""
        return turn.role in ("user", "assistant")

    def _is_hidden(self, turn: Turn) -> bool:
        """A refused answer is not shown to the model. Rule: OA-S1."""
        return turn.role == "assistant" and turn.refused

    def _next_index(self, ordered: Sequence[Turn]) -> int:
        """Every turn counts, shown or not. Rule: OA-S1."""
        return ordered[-1].index + 1 if ordered else 0

    def _message(self, turn: Turn) -> Message:
        blocks = self._known(turn.content)
        if turn.role != "user":
            return Message("assistant", blocks)
        results = tuple(block for block in blocks if isinstance(block, ToolResult))
        others = tuple(block for block in blocks if not isinstance(block, ToolResult))
        return Message("user", (*results, *self._preface(turn), *others))

    def _known(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """The blocks that a provider can render, or one in their place. Rule: OA-S7."""
        kinds = (Text, ToolUse, ToolResult, Attachment)
        return tuple(each for each in blocks if isinstance(each, kinds)) or (Text(EMPTY),)

    def _preface(self, turn: Turn) -> tuple[Block, ...]:
        """A block that names the surface the user spoke from. Rule: OA-S2."""
        surface = Surface.parse(turn.via)
        return () if surface is None else (Text(f"[sent from: {surface}]"),)

    def _answered(self, messages: Sequence[Message], delivered: set[str]) -> list[Message]:
        """Put what is made up at the front of the next user message, or into a new one.

        Rule: OA-S3.
        """
        answered: list[Message] = []
        owed: tuple[Block, ...] = ()
        for place, message in enumerate(messages):
            if owed and message.role == "assistant":
                answered.append(Message("user", owed))
            front = owed if message.role == "user" else ()
            answered.append(replace(message, content=(*front, *message.content)))
            owed = self._owed(message, messages[place + 1 : place + 2], delivered)
        return [*answered, Message("user", owed)] if owed else answered

    def _owed(
        self, message: Message, following: Sequence[Message], delivered: set[str]
    ) -> tuple[Block, ...]:
        """Results for the calls that the next user message doesn't answer. Rule: OA-S3."""
        results = {
            block.tool_use_id
            for reply in following
            if reply.role == "user"
            for block in reply.content
            if isinstance(block, ToolResult)
        }
        calls = [block.id for block in message.content if isinstance(block, ToolUse)]
        return tuple(
            self._made_up(call, call in delivered)
            for call in dict.fromkeys(calls)
            if call not in results
        )

    def _made_up(self, call: str, delivered: bool) -> ToolResult:
        """An error, unless a note says that the call reached the user. Rules: OA-S3, OA-S4."""
        return ToolResult(call, DELIVERED if delivered else INTERRUPTED, is_error=not delivered)

    def _advised(self, messages: list[Message]) -> list[Message]:
        """Words for this once, behind the user's last message. Rule: OA-S6."""
        if messages and messages[-1].role == "user":
            last = messages[-1]
            return [*messages[:-1], replace(last, content=(*last.content, Text(ADVISORY)))]
        return [*messages, Message("user", (Text(ADVISORY),))]


def replayed(turns: Iterable[Turn]) -> Replay:
    """Return what a model reads of a transcript. Rules: OA-S1 to OA-S7."""
    return Replayer().replay(turns)
