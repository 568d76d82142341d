"""What a session keeps under a retention limit: the newest entries, pairs or turns."""

from typing import Any

from storelaw.values import Entry, is_object


def role(entry: Any) -> str:
    """The role of a message entry, or an empty text."""
    body = entry.get("message") if is_object(entry) else None
    named = body.get("role") if is_object(body) else None
    return named if isinstance(named, str) else ""


def units(entries: list[Entry], unit: str) -> list[list[Entry]] | None:
    """A log in units of retention, or ``None`` where it doesn't consist of whole ones.

    A pair is a user message and its answer; a turn goes from a user message up to the
    next, and ends with an answer.
    """
    if unit == "entries":
        return [[each] for each in entries]
    found: list[list[Entry]] = []
    for each in entries:
        if role(each) == "user":
            found.append([])
        if not found:
            return None
        found[-1].append(each)
    return found if all(_whole(each, unit) for each in found) else None


def _whole(entries: list[Entry], unit: str) -> bool:
    answered = len(entries) > 1 and role(entries[-1]) == "assistant"
    return answered and (unit == "turns" or len(entries) == 2)
