"""JSON values: strict comparison, the first difference, and short text.

Python's ``==`` hides three classes of loss (``True == 1``, ``1 == 1.0``,
``-0.0 == 0.0``), so nothing in this kit compares JSON with it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias, TypeGuard

Json: TypeAlias = Any
Entry: TypeAlias = dict[str, Any]

ABSENT: Final = "nothing"

#: The types that a copy goes into; a tuple, since a union is slower to ask.
NESTING: Final = (dict, list)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a tuple."""
    return isinstance(value, tuple)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, list)


EXACT: Final[frozenset[str]] = frozenset()


def same(left: object, right: object, losses: frozenset[str] = EXACT) -> bool:
    """Whether two JSON values are equal in type and value, up to declared losses.

    Losses: ``numbers`` (1 and 1.0 and -0.0 compare by value), ``times`` (RFC 3339
    strings compare as instants cut to microseconds), ``empties`` (null, empty text,
    list and object members may be absent).
    """
    if not losses:
        try:
            return _identical(left, right)
        except RecursionError:
            pass
    return next(differences(left, right, losses), None) is None


def _identical(left: object, right: object) -> bool:
    """Strict equality without a path, several times faster than the walk that finds one."""
    if type(left) is not type(right):
        return False
    if is_object(left) and is_object(right):
        return len(left) == len(right) and all(
            key in right and _identical(each, right[key]) for key, each in left.items()
        )
    if is_array(left) and is_array(right):
        return len(left) == len(right) and all(map(_identical, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return left.hex() == right.hex()
    return left == right


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same_scalar(left: object, right: object, losses: frozenset[str]) -> bool:
    if "numbers" in losses and _number(left) and _number(right):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return left.hex() == right.hex()
    if left == right:
        return True
    return (
        "times" in losses
        and isinstance(left, str)
        and isinstance(right, str)
        and _instant(left) is not None
        and _instant(left) == _instant(right)
    )


def _instant(text: str) -> datetime | None:
    """The instant that a text names; a time without an offset names none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.tzinfo is None else moment


def _empty(value: object) -> bool:
    return value is None or value == "" or value == [] or value == {}


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two values first differ: a path such as ``$[0].id``, and both sides."""

    path: str
    expected: object
    observed: object

    def __str__(self) -> str:
        return f"{self.path}: {brief(self.expected)} became {brief(self.observed)}"


class _Absent:
    """The side of a difference that has no value."""

    def __repr__(self) -> str:
        return ABSENT


absent: Final = _Absent()


def step(path: str, key: object) -> str:
    """The path one member or index further down; a broken store may give any key."""
    if isinstance(key, str) and key.isidentifier() and key.isascii():
        return f"{path}.{key}"
    return f"{path}[{brief(key)}]"


def differences(
    left: object, right: object, losses: frozenset[str] = EXACT, path: str = "$"
) -> Iterator[Difference]:
    """Every place where two JSON values differ, outermost first.

    Walks with a stack of its own, so depth is limited by memory alone.
    """
    stack: list[tuple[object, object, str]] = [(left, right, path)]
    while stack:
        a, b, here = stack.pop()
        if is_object(a) and is_object(b):
            stack.extend(reversed(list(_members(a, b, losses, here))))
        elif is_array(a) and is_array(b):
            stack.extend(reversed(list(_items(a, b, here))))
        elif not _same_scalar(a, b, losses):
            yield Difference(here, a, b)


def _members(
    left: dict[str, Any], right: dict[str, Any], losses: frozenset[str], path: str
) -> Iterator[tuple[object, object, str]]:
    for key in [*left, *(k for k in right if k not in left)]:
        a, b = left.get(key, absent), right.get(key, absent)
        lost = "empties" in losses and (a is absent or b is absent)
        if not (lost and _empty(b if a is absent else a)):
            yield a, b, step(path, key)


def _items(
    left: Sequence[object], right: Sequence[object], path: str
) -> Iterator[tuple[object, object, str]]:
    for index in range(max(len(left), len(right))):
        a = left[index] if index < len(left) else absent
        b = right[index] if index < len(right) else absent
        yield a, b, step(path, index)


def first_difference(
    left: object, right: object, losses: frozenset[str] = EXACT
) -> Difference | None:
    """The first place where two JSON values differ, or ``None``."""
    return next(differences(left, right, losses), None)


def copied(value: Json) -> Json:
    """A copy of a JSON value that shares no list or object with it.

    Members of other types (what a broken store may return) are kept as they are.
    """
    if is_object(value):
        return {
            key: copied(each) if isinstance(each, NESTING) else each for key, each in value.items()
        }
    if is_array(value):
        return [copied(each) if isinstance(each, NESTING) else each for each in value]
    return value


def brief(value: object, width: int = 72) -> str:
    """A short ASCII text for a value: JSON where it is JSON, cut in the middle."""
    text = _text(value)
    if len(text) <= width:
        return text
    half = (width - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def _text(value: object) -> str:
    if isinstance(value, _Absent):
        return ABSENT
    try:
        return json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError):
        return _python_text(value)


def _python_text(value: object) -> str:
    """What Python says of a value; a number too long for decimals is told in hex."""
    if isinstance(value, int):
        return hex(value)
    if is_object(value) or is_array(value):
        return f"<{_kind(value)}>"
    try:
        return ascii(value)
    except Exception:
        return f"<{_kind(value)}>"


def _kind(value: object) -> str:
    return type(value).__name__
