"""What is wrong with a value, in words and with the place where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from jsonschema import ValidationError

_LONGEST = 60
#: The pattern of a text that has to say something: any character but blanks.
_SOMETHING = "\\S"
_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a value.

    `path` is where, from the root `$`; `message` says what; `value` is what stands there.
    """

    path: str
    message: str
    value: object

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def path_text(tokens: Iterable[str | int]) -> str:
    """The path of keys and indexes as text: `$.message.content[0].type`."""
    return "$" + "".join(map(_step, tokens))


def _step(token: str | int) -> str:
    if isinstance(token, str) and token.isidentifier() and token.isascii():
        return f".{token}"
    return f"[{json.dumps(token)}]"


def _kind(value: object) -> str:
    return _KINDS.get(type(value), type(value).__name__)


def _show(value: object) -> str:
    """A scalar as ASCII JSON, clipped; anything deeper by its kind alone."""
    if _kind(value) not in {"null", "boolean", "integer", "number", "string"}:
        return f"the {_kind(value)}"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _quoted(values: Iterable[object], joint: str = ", ") -> str:
    return joint.join(json.dumps(value) for value in values)


def _listed(kinds: str | list[str]) -> str:
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _required(error: ValidationError, wanted: Any) -> str:
    instance: Any = error.instance
    return f"lacks {_quoted(key for key in wanted if key not in instance)}"


def _dependent(error: ValidationError, wanted: Any) -> str:
    instance: Any = error.instance
    lacking = [
        f"has {json.dumps(key)} and lacks {_quoted(missing)}"
        for key, needs in wanted.items()
        if key in instance and (missing := [need for need in needs if need not in instance])
    ]
    return "; ".join(lacking)


def _one_of(error: ValidationError, wanted: Any) -> str:
    """Name the keys where the choice is between keys; fall back to the validator's words."""
    instance: Any = error.instance
    if _kind(instance) != "object" or not all(map(_is_a_key, wanted)):
        return _other(error, wanted)
    keys = [key for branch in wanted for key in branch["required"]]
    present = _quoted(key for key in keys if key in instance)
    return f"needs exactly one of {_quoted(keys)}, and has {present or 'none'}"


def _is_a_key(branch: object) -> bool:
    return isinstance(branch, dict) and branch.keys() == {"required"}


def _not(error: ValidationError, wanted: Any) -> str:
    return _other(error, wanted) if wanted else "is not allowed here"


def _pattern(error: ValidationError, wanted: Any) -> str:
    shown = _show(error.instance)
    return (
        f"is {shown}, which says nothing"
        if wanted == _SOMETHING
        else (f"is {shown}, which does not match {wanted}")
    )


def _other(error: ValidationError, _: Any) -> str:
    text = error.message.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= 4 * _LONGEST else f"{text[: 4 * _LONGEST]}..."


_WORDS: dict[str, Callable[[ValidationError, Any], str]] = {
    "const": lambda error, wanted: f"is {_show(error.instance)}, not {_quoted([wanted])}",
    "dependentRequired": _dependent,
    "enum": lambda error, wanted: f"is {_show(error.instance)}, not one of {_quoted(wanted)}",
    "format": lambda error, wanted: f"is {_show(error.instance)}, not a real {wanted}",
    "minLength": lambda error, wanted: f"is {_show(error.instance)}, shorter than {wanted}",
    "minimum": lambda error, wanted: f"is {_show(error.instance)}, less than {wanted}",
    "not": _not,
    "oneOf": _one_of,
    "pattern": _pattern,
    "required": _required,
    "type": lambda error, wanted: f"is of type {_kind(error.instance)}, not {_listed(wanted)}",
}


def problem_of(error: ValidationError) -> Problem:
    """The problem that a validator's error stands for: of a failed choice, the closest branch."""
    from jsonschema.exceptions import (
        best_match,  # pyright: ignore[reportUnknownVariableType]
    )

    closest = cast("ValidationError", best_match(iter([error])))
    words = _WORDS.get(str(closest.validator), _other)
    message = words(closest, closest.validator_value)
    return Problem(path_text(closest.absolute_path), message, closest.instance)
