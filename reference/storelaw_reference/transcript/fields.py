"""Readers of one member of a JSON object.

A member that is absent or null reads as its zero value; one of another type
is a `DecodeError` that names the member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.values import NOTHING, frozen, is_object


def string(json: Mapping[str, Any], name: str) -> str:
    """Read a string; absent is empty."""
    value = json.get(name)
    return "" if value is None else _checked(name, value, isinstance(value, str))


def boolean(json: Mapping[str, Any], name: str) -> bool:
    """Read a boolean; absent is false."""
    value = json.get(name)
    return False if value is None else _checked(name, value, isinstance(value, bool))


def integer(json: Mapping[str, Any], name: str) -> int:
    """Read an integer; absent is 0."""
    value = json.get(name)
    return 0 if value is None else _checked(name, value, type(value) is int)


def number(json: Mapping[str, Any], name: str) -> float:
    """Read a number, as the integer or float that it is; absent is 0."""
    value = json.get(name)
    return 0 if value is None else frozen(_checked(name, value, type(value) in (int, float)))


def mapping(json: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Read an object, read-only; absent is empty."""
    value = json.get(name)
    return NOTHING if value is None else frozen(_checked(name, value, is_object(value)))


def anything(json: Mapping[str, Any], name: str) -> Any:
    """Read any JSON value, read-only; absent is None."""
    return frozen(json.get(name))


def needed(json: Mapping[str, Any], name: str) -> str:
    """Read a string that may be empty but not absent."""
    value = json.get(name)
    text: str = _checked(name, value, isinstance(value, str))
    return text


def _checked(name: str, value: Any, right: bool) -> Any:
    if not right:
        raise DecodeError(value, f"as the value of {name!r}")
    return value
