"""Turn ids: `turn-<index>-<role>`, one spelling for each turn, and one older one that is read."""

from __future__ import annotations

import re

from storelaw_reference.turns.errors import InvalidEntry

PREFIX = "turn-"
MAX_INDEX = 2**63 - 1

_SPELLING = re.compile(r"turn-([0-9]{1,19})-(\S+)")
_ROLE = re.compile(r"[^\s\x00-\x1f\x7f\ud800-\udfff]+")


def entry_id(index: int, role: str) -> str:
    """Return the id of a turn: the index padded to six digits, or wider where it needs more.

    Raises `InvalidEntry` for a negative index or one beyond 64 bits, and for
    a role that is empty or holds white space or controls.
    Rules: OA-A1, OA-A2, D-OA-1, D-OA-2, D-OA-3.
    """
    if type(index) is not int or not 0 <= index <= MAX_INDEX:
        raise InvalidEntry(index, "an index is an integer from 0 to 2^63 - 1")
    if not _ROLE.fullmatch(role):
        raise InvalidEntry(role, "a role is one word")
    return f"{PREFIX}{index:06d}-{role}"


def legacy_id(index: int, role: str) -> str:
    """Return the unpadded id under which older logs hold a turn. Rule: OA-G1."""
    return f"{PREFIX}{index}-{role}"


def parsed_id(text: str) -> tuple[int, str]:
    """Return the index and role of an id, read to its end and at any width.

    What `entry_id` writes is read, and so is the unpadded legacy spelling;
    `turn-00-user`, `turn-+5-user` and the like name no turn.
    Raises `InvalidEntry`. Rules: OA-A2, OA-G1, D-OA-1, D-OA-2, D-OA-3.
    """
    match = _SPELLING.fullmatch(text)
    if match is None:
        raise InvalidEntry(text, "no turn id")
    index, role = int(match[1]), match[2]
    if text not in (entry_id(index, role), legacy_id(index, role)):
        raise InvalidEntry(text, "not the spelling of a turn id")
    return index, role
