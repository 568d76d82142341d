"""JSON values, which are copied and never shared: in at append, out at read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn, TypeGuard, TypeVar

from storelaw_reference.log.errors import Rejected

_Json = TypeVar("_Json")


def is_object(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Tell whether a value is a JSON object, or would be one but for its keys."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether a value is a JSON array."""
    return isinstance(value, list | tuple)


def normal(value: object) -> Any:
    """Return a deep copy of a value as plain JSON: dicts and lists all the way down.

    Mappings become dicts and tuples lists, so that every storage gives back
    the same. Raises `Rejected` for what JSON can't say: another type, a key
    that is no string, a number that is not finite.
    Rules: AP-A12, D-AP-9, D-AP-10, D-AP-20.
    """
    return json.loads(text(value))


def copied(value: _Json) -> _Json:
    """Return a deep copy of a value that is JSON already. Rule: D-AP-10."""
    copy: _Json = json.loads(line_of(value))
    return copy


def line_of(value: object) -> str:
    """Return a value that is JSON already as one line of ASCII."""
    return json.dumps(value, allow_nan=False)


def text(value: object) -> str:
    """Return a value as one line of ASCII JSON, or raise `Rejected`. Rule: AP-A12."""
    try:
        return line_of(_plain(value))
    except (RecursionError, ValueError) as error:
        raise Rejected(f"no JSON value: {error}") from error


def parsed(line: str | bytes) -> Any:
    """Return the JSON value in a text; `ValueError` where there is none. Rule: AP-A6."""
    try:
        return json.loads(line, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _plain(value: object) -> object:
    if is_object(value):
        return {_key(key): _plain(item) for key, item in value.items()}
    if is_array(value):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    raise Rejected(f"no JSON value: {value!r}")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise Rejected(f"the key of a JSON object is a string: {key!r}")
    return key


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
