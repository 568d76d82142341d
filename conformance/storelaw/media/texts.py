"""JSON text that gives back exactly what was put in, or a refusal.

The text is ASCII, one line, and strict: no ``NaN``, no ``Infinity``.
"""

import json
from datetime import UTC, datetime
from typing import Any, Final

from storelaw.errors import EntryConflict, Rejected
from storelaw.values import Entry, is_array, is_object

#: How deep an entry may be. Python's JSON reader has no fixed limit: what it can read
#: depends on how deep the caller's own stack is, so a store draws the line itself.
DEPTH: Final = 200


def text_of(value: object) -> str:
    """The text of a value; :class:`~storelaw.errors.Rejected` where it would come back changed.

    Refused are other types than JSON's, numbers that aren't finite, integers that Python
    can't print, a pair of surrogates (it would come back as one character), and values
    nested deeper than ``DEPTH``.
    """
    try:
        text = json.dumps(value, allow_nan=False)
        if _is_deep(text, value) or json.loads(text) != value:
            raise Rejected("it is no JSON value that comes back equal")
    except (RecursionError, TypeError, ValueError) as error:
        raise Rejected(f"it can't be written as JSON: {error}") from error
    return text


def entry_text(entry: object) -> str:
    """The text of an entry, which must be an object."""
    if not is_object(entry):
        raise Rejected("an entry is a JSON object")
    return text_of(entry)


def id_text(entry: Entry) -> str | None:
    """The text of an entry's id, or ``None`` where it has none."""
    return None if entry.get("id") is None else text_of(entry["id"])


def _is_deep(text: str, value: object) -> bool:
    return text.count("[") + text.count("{") > DEPTH and depth(value) > DEPTH


def depth(value: object) -> int:
    """How many lists and objects lie in each other."""
    levels, level = 0, [value]
    while any(isinstance(each, dict | list) for each in level):
        levels, level = levels + 1, [one for each in level for one in _members(each)]
    return levels


def _members(value: object) -> list[Any]:
    if is_object(value):
        return list(value.values())
    return value if is_array(value) else []


def same_text(left: str, right: str) -> bool:
    """Whether two texts stand for one value: members in any order, ``1`` is not ``1.0``."""
    return left == right or _sorted(left) == _sorted(right)


def _sorted(text: str) -> str:
    return json.dumps(json.loads(text), sort_keys=True)


def repeats(known: str | None, text: str) -> bool:
    """Whether an entry is a retry of the one known under its id.

    Raises :class:`~storelaw.errors.EntryConflict` where another payload has the id.
    """
    if known is None:
        return False
    if not same_text(known, text):
        raise EntryConflict(f"the id is known with another payload: {text[:80]}")
    return True


def now_utc() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)
