"""JSON values that nobody can change: objects as read-only mappings, arrays as tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeGuard

from storelaw_reference.transcript.errors import DecodeError

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The empty JSON object."""


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether a value is a JSON object, frozen or not."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether a value is a JSON array, frozen or not."""
    return isinstance(value, list | tuple)


def frozen(value: Any) -> Any:
    """Return a deep, read-only copy of a JSON value.

    Raises `DecodeError` for anything that JSON can't say: a key that is no
    string, a number that is not finite, a foreign type.
    Rules: PI-R2, D-PI-4, D-PI-9.
    """
    if value is None or isinstance(value, str | int) or _finite(value):
        return value
    if is_object(value):
        return MappingProxyType({_key(key): frozen(item) for key, item in value.items()})
    if is_array(value):
        return tuple(frozen(item) for item in value)
    raise DecodeError(value, "no JSON value")


def thawed(value: Any) -> Any:
    """Return a fresh copy of a frozen JSON value, in dicts and lists. Rule: PI-R2."""
    if isinstance(value, str):
        return value
    if is_object(value):
        return {key: thawed(item) for key, item in value.items()}
    if is_array(value):
        return [thawed(item) for item in value]
    return value


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise DecodeError(key, "the key of a JSON object is a string")
    return key


def _finite(value: object) -> bool:
    return isinstance(value, float) and isfinite(value)
