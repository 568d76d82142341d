"""Which turns of a raw log have begun, and not ended (AP-B1)."""

from __future__ import annotations

from collections.abc import Iterable

from storelaw_reference.log.entries import Entry
from storelaw_reference.log.values import is_object

ENDS = frozenset({"turn.done", "turn.failed", "turn.aborted"})
"""The types of the events that end a turn."""


def open_turns(entries: Iterable[Entry]) -> list[str]:
    """Return the ids of turns that have a start and no end, in order; bad data is skipped.

    Rule: AP-B1.
    """
    started: dict[str, None] = {}
    ended: set[str] = set()
    for each in entries:
        kind, turn = turn_event(each)
        if turn and kind == "turn.start":
            started[turn] = None
        elif turn and kind in ENDS:
            ended.add(turn)
    return [turn for turn in started if turn not in ended]


def turn_event(each: Entry) -> tuple[str, str]:
    """Return an event's type and turn id, both empty where they can't be told."""
    data: object = each["data"] if each["type"] == "event" else None
    if not is_object(data):
        return "", ""
    kind, turn = data.get("type"), data.get("turnId")
    return (kind, turn) if isinstance(kind, str) and isinstance(turn, str) else ("", "")
