"""What a runner gives back, and what an agent knows of the turn that it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from storelaw_reference.log.inputs import Input


@dataclass(frozen=True, slots=True)
class Answer:
    """The outputs of one call of a runner, and what the context took, in tokens."""

    outputs: Iterable[Input]
    total_tokens: int = 0


Runner = Callable[[list[Input]], Iterable[Input] | Answer]
"""Reads the model's inputs; answers, or raises, `Aborted` to give the turn up."""


@dataclass(slots=True)
class Run:
    """The turn under way: inputs that wait to be drained, and whether it was given up."""

    id: str
    live: list[Input]
    pending: list[Input] = field(default_factory=list[Input])
    total_tokens: int = 0
    aborted: bool = False
    bounded: bool = False
    closed: bool = False
    resets: bool = False
    reason: str = ""
