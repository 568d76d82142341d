"""What a session tells: receipts to the caller of a run, events to its publisher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from storelaw_reference.transcript.entries import Entry


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof that entries are stored, and the leaf behind them. Rules: PI-X1, PI-E7."""

    entries: tuple[Entry, ...]
    leaf: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a session, told after it was stored (PI-X3).

    What doesn't apply to a type is empty.
    """

    type: Literal[
        "session_init", "session_branched", "session_forked", "session_compacted", "agent"
    ]
    session_id: str
    parent_id: str = ""
    from_leaf_id: str = ""
    leaf_id: str = ""
    entries: tuple[Entry, ...] = ()


Publish = Callable[[Event], object]


def unheard(event: Event) -> None:
    """Publish to nobody."""
