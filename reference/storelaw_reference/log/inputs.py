"""Input items: what a model reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from storelaw_reference.log.entries import Entry

Input = dict[str, Any]


def to_agent_input(entries: Iterable[Entry]) -> list[Input]:
    """Return the data of the `input` entries, in order; all other types are skipped.

    Rule: AP-V1.
    """
    return [each["data"] for each in entries if each["type"] == "input"]


def user(content: str) -> Input:
    """Return a user message."""
    return _message("user", content)


def system(content: str) -> Input:
    """Return a system message."""
    return _message("system", content)


def developer(content: str) -> Input:
    """Return a developer message."""
    return _message("developer", content)


def assistant(content: str) -> Input:
    """Return an assistant message of one text part."""
    return _message("assistant", [{"type": "output_text", "text": content}])


def _message(role: str, content: object) -> Input:
    return {"type": "message", "role": role, "content": content}
