"""Turns: the records of a transcript. Their shapes are the schemas'."""

from __future__ import annotations

from dataclasses import dataclass

from storelaw_reference.turns.blocks import Block, Text, ToolUse


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one assistant turn."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; (index, role) is its identity.

    Roles in use: user, assistant, system_note, inbox, inbox_done.
    `created_at` is RFC 3339 text, empty where it was never set. `author` is
    the text of a `Subject`, `via` the URN of a surface, each empty for none.
    No content and empty content are the same.
    """

    index: int
    role: str
    content: tuple[Block, ...] = ()
    created_at: str = ""
    usage: Usage | None = None
    author: str = ""
    via: str = ""
    refused: bool = False
    model: str = ""

    def texts(self) -> tuple[str, ...]:
        """Return the words of the text blocks, one by one."""
        return tuple(block.text for block in self.content if isinstance(block, Text))

    def calls(self) -> tuple[ToolUse, ...]:
        """Return the calls that the turn makes."""
        return tuple(block for block in self.content if isinstance(block, ToolUse))


def turn_order(turn: Turn) -> tuple[int, str]:
    """Return the sort key of a turn: index, then role bytewise. Rules: OA-A2, OA-R1."""
    return turn.index, turn.role
