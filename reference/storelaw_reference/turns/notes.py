"""System notes: text blocks that hold JSON for the runner, not for a reader."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.values import frozen, is_array, is_object
from storelaw_reference.turns.records import Turn


@dataclass(frozen=True, slots=True)
class PlanNote:
    """What a note says of a plan: its new snapshot (frozen JSON), or None that it is deleted."""

    name: str
    snapshot: Mapping[str, Any] | None = None


def plan_notes(turn: Turn) -> Iterator[PlanNote]:
    """Read the plan notes of a turn; what is none, or has no name, is ignored. Rule: OA-V11."""
    for note in _notes(turn):
        data = note.get("data")
        if note.get("kind") != "plans" or not is_object(data):
            continue
        plan = data.get("plan")
        if data.get("op") == "delete" and _name(data):
            yield PlanNote(_name(data))
        elif data.get("op") == "upsert" and is_object(plan) and _name(plan):
            yield PlanNote(_name(plan), plan)


def delivered_calls(turn: Turn) -> Iterator[str]:
    """Return the ids of the calls that a turn's notes list as delivered. Rule: OA-S4."""
    for note in _notes(turn):
        listed = note.get("delivered")
        if is_array(listed):
            yield from (call for call in listed if isinstance(call, str))


def _notes(turn: Turn) -> Iterator[Mapping[str, Any]]:
    for text in turn.texts() if turn.role == "system_note" else ():
        note = parsed_object(text)
        if note is not None:
            yield note


def parsed_object(text: str | bytes) -> Mapping[str, Any] | None:
    """Read a JSON object, frozen; None for anything else. Rules: OA-V8, OA-V11."""
    try:
        value = frozen(json.loads(text))
    except (DecodeError, RecursionError, ValueError):
        return None
    return value if is_object(value) else None


def _name(json: Mapping[str, Any]) -> str:
    name = json.get("name")
    return name if isinstance(name, str) else ""
