"""Checking a value against a schema by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .catalogue import names, schema
from .problem import Problem, problem_of

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from referencing.jsonschema import SchemaRegistry


@cache
def _registry() -> SchemaRegistry:
    from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

    resources = map(DRAFT202012.create_resource, map(schema, names()))
    return EMPTY_REGISTRY.with_resources((resource.id() or "", resource) for resource in resources)


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of the schema called `name`: made once, formats checked.

    Raises `UnknownSchema`.
    """
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        schema(name),
        registry=_registry(),
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


def problems(name: str, value: Any) -> tuple[Problem, ...]:
    """What keeps `value` from being what the schema called `name` describes.

    Empty when the value is valid; otherwise the outermost problem stands first.
    A problem that several rules find is told once.
    Raises `UnknownSchema`.
    """
    errors = validator(name).iter_errors(value)  # pyright: ignore[reportUnknownMemberType]
    try:
        outermost_first = sorted(errors, key=lambda error: len(error.absolute_path))
    except RecursionError:
        return (Problem("$", "is wrong, and nested too deep to say where", value),)
    told = {(found.path, found.message): found for found in map(problem_of, outermost_first)}
    return tuple(told.values())
