"""Messages: what a model reads and writes. Their shapes are the schemas'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from storelaw_reference.transcript.blocks import Block, Text, ToolCall

Injected = Literal["meta", "ephemeral"]
"""The two lifetimes of injected context: stored, or for one run only."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Prices in USD, by the categories of `Usage`."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    reasoning: float = 0
    input_audio: float = 0
    output_audio: float = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts; the categories are disjoint, `input` holds uncached tokens only."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    input_audio: int = 0
    output_audio: int = 0
    cost: Cost = Cost()

    def total(self) -> int:
        """Return the number of tokens in all categories."""
        cached = self.cache_read + self.cache_write
        audio = self.input_audio + self.output_audio
        return self.input + self.output + cached + self.reasoning + audio


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `content` is None where its writer had none (JSON null).

    `injected` says that a harness put it there, and for how long (PI-E10);
    `origin` names that harness. `timestamp` is RFC 3339 text or empty.
    """

    role: str
    content: tuple[Block, ...] | None = None
    injected: Injected | None = None
    origin: str = ""
    api: str = ""
    provider: str = ""
    model: str = ""
    error: str = ""
    usage: Usage = Usage()
    stop_reason: str = ""
    tool_call_id: str = ""
    tool_name: str = ""
    is_error: bool = False
    timestamp: str = ""

    def client_calls(self) -> tuple[ToolCall, ...]:
        """Return the calls that a `tool_result` must answer. Rules: PI-S2, PI-S3."""
        if self.role != "assistant":
            return ()
        calls = (block for block in self.content or () if isinstance(block, ToolCall))
        return tuple(call for call in calls if not call.server)


def user_message(words: str) -> Message:
    """Return an ordinary user message of one text block."""
    return Message("user", (Text(words),))
