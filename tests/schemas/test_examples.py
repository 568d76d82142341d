"""Every constraint of every schema is shown by one value that keeps it and one that breaks it.

The examples lie beside the schemas, in `examples/<shape>.json`: a list of valid values, and a
list of invalid ones in which `breaks` names the one constraint that the value breaks.
"""

import copy
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY, SchemaRegistry

import storelaw_schemas

Pointer = tuple[str | int, ...]

CONSTRAINTS = {
    *("type", "enum", "const", "pattern", "format", "$ref", "oneOf", "anyOf", "not", "contains"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minProperties", "maxProperties"),
}
SCHEMA_MAPS = {"properties", "patternProperties", "dependentSchemas", "$defs"}
SCHEMA_LISTS = {"allOf", "prefixItems"}
SCHEMAS = {"items", "then", "else", "additionalProperties", "propertyNames"}
ANNOTATIONS = {
    *("$schema", "$id", "$comment", "title", "description", "examples", "default"),
    *("contentEncoding", "if"),
}


def _schemas(schema: Any, here: Pointer = ()) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """A schema and those inside it that a value must satisfy, with their places."""
    if not isinstance(schema, dict):
        return
    yield here, schema
    for keyword, value in schema.items():
        for inner, child in _children(keyword, value):
            yield from _schemas(child, (*here, keyword, *inner))


def _children(keyword: str, value: Any) -> Iterator[tuple[Pointer, Any]]:
    if keyword in SCHEMA_MAPS:
        yield from (((key,), child) for key, child in value.items())
    elif keyword in SCHEMA_LISTS:
        yield from (((index,), child) for index, child in enumerate(value))
    elif keyword in SCHEMAS:
        yield (), value


def _constraints(schema: dict[str, Any]) -> Iterator[Pointer]:
    """The constraints that stand in one schema; a list of keys is one for each key."""
    for keyword, value in schema.items():
        if keyword == "required":
            yield from ((keyword, key) for key in value)
        elif keyword == "dependentRequired":
            yield from ((keyword, key, need) for key, needs in value.items() for need in needs)
        elif keyword in CONSTRAINTS or value is False:
            yield (keyword,)
        else:
            known = ANNOTATIONS | SCHEMA_MAPS | SCHEMA_LISTS | SCHEMAS
            assert keyword in known, f"the walk does not know {keyword}"


def _text(pointer: Pointer) -> str:
    return "".join(f"/{token}" for token in pointer)


def _all_constraints(document: dict[str, Any]) -> set[str]:
    return {
        _text((*place, *constraint))
        for place, schema in _schemas(document)
        for constraint in _constraints(schema)
        if not str(schema.get("$ref", "")).startswith("#") or constraint != ("$ref",)
    }


def _registry() -> SchemaRegistry:
    documents = map(storelaw_schemas.schema, storelaw_schemas.names())
    return EMPTY_REGISTRY.with_resources(
        (document["$id"], DRAFT202012.create_resource(document)) for document in documents
    )


def _whole_ref(
    validator: Any, ref: str, instance: object, schema: Any
) -> Iterator[ValidationError]:
    """A reference to another file fails as one constraint; a local one is looked through."""
    errors = list(Draft202012Validator.VALIDATORS["$ref"](validator, ref, instance, schema))
    if ref.startswith("#"):
        yield from errors
    elif errors:
        yield ValidationError(f"is not {ref}")


REGISTRY = _registry()
Closed: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"$ref": _whole_ref}
)


def _validator(document: dict[str, Any]) -> Draft202012Validator:
    checker = Draft202012Validator.FORMAT_CHECKER
    return Closed(document, registry=REGISTRY, format_checker=checker)


def _broken(document: dict[str, Any], value: Any) -> set[str]:
    """The constraints of `document` that `value` breaks."""
    places = {id(schema): place for place, schema in _schemas(document)}
    return {
        _text((*places[id(error.schema)], *constraint))
        for error in _validator(document).iter_errors(value)
        for constraint in _constraints_of(error)
    }


def _constraints_of(error: Any) -> Iterator[Pointer]:
    if error.validator == "required":
        yield from ((error.validator, key) for key in _lacking(error, error.validator_value))
    elif error.validator == "dependentRequired":
        for key, needs in error.validator_value.items():
            if key in error.instance:
                yield from ((error.validator, key, need) for need in _lacking(error, needs))
    else:
        yield (error.validator,)


def _lacking(error: Any, wanted: list[str]) -> list[str]:
    return [key for key in wanted if key not in error.instance]


def _refusing(document: dict[str, Any], place: Pointer) -> dict[str, Any]:
    """`document`, in which the schema at `place` refuses everything."""
    changed = copy.deepcopy(document)
    target: Any = changed
    for token in place:
        target = target[token]
    target["not"] = {}
    return changed


def _held_to(document: dict[str, Any]) -> Iterator[Pointer]:
    """The places of the schemas that hold a value to constraints, branches of a choice too.

    Nothing can be held to the schema that refuses everything.
    """
    for place, schema in _schemas(document):
        if schema != {"not": {}} and any(_constraints(schema)):
            yield place
        for choice in {"oneOf", "anyOf"} & schema.keys():
            yield from ((*place, choice, index) for index in range(len(schema[choice])))


def _examples(name: str) -> dict[str, list[dict[str, Any]]]:
    folder, _, stem = name.rpartition("/")
    file = files("storelaw_schemas") / folder / "examples" / f"{stem}.json"
    document: dict[str, list[dict[str, Any]]] = json.loads(file.read_text(encoding="utf-8"))
    return document


NAMES = storelaw_schemas.names()
EXAMPLES = {name: _examples(name) for name in NAMES}
VALID = [
    pytest.param(name, example["value"], id=f"{name}: {example['why']}")
    for name in NAMES
    for example in EXAMPLES[name]["valid"]
]
INVALID = [
    pytest.param(name, example["breaks"], example["value"], id=f"{name}: {example['why']}")
    for name in NAMES
    for example in EXAMPLES[name]["invalid"]
]
HELD_TO = [
    pytest.param(name, place, id=f"{name}: {_text(place) or '/'}")
    for name in NAMES
    for place in _held_to(storelaw_schemas.schema(name))
]


@pytest.mark.parametrize(("name", "value"), VALID)
def test_a_valid_example_is_valid(name: str, value: object) -> None:
    """What the examples call valid has no problem."""
    assert storelaw_schemas.problems(name, value) == ()


@pytest.mark.parametrize(("name", "breaks", "value"), INVALID)
def test_an_invalid_example_breaks_just_what_it_names(
    name: str, breaks: str, value: object
) -> None:
    """What the examples call invalid fails at the constraint it names and at no other."""
    assert _broken(storelaw_schemas.schema(name), value) == {breaks}
    assert storelaw_schemas.problems(name, value)


@pytest.mark.parametrize("name", NAMES)
def test_every_constraint_has_an_invalid_example(name: str) -> None:
    """No constraint stands in a schema without a value that breaks it, and none is made up."""
    named = {example["breaks"] for example in EXAMPLES[name]["invalid"]}
    assert named == _all_constraints(storelaw_schemas.schema(name))


@pytest.mark.parametrize(("name", "place"), HELD_TO)
def test_every_constraint_has_a_valid_example(name: str, place: Pointer) -> None:
    """Some valid value is held to each constraint: it fails once that part refuses all."""
    validator = _validator(_refusing(storelaw_schemas.schema(name), place))
    assert not all(validator.is_valid(example["value"]) for example in EXAMPLES[name]["valid"])


DEEP: dict[str, Any] = {
    "$defs": {"x": {"minItems": 1, "items": {"anyOf": [True]}}},
    "allOf": [{"if": {"type": "array"}, "then": {"$ref": "#/$defs/x"}}],
    "additionalProperties": False,
    "dependentRequired": {"a": ["b", "c"]},
    "required": ["a", "b"],
}


def test_the_walk_sees_what_lies_deep() -> None:
    """The walk enters maps, lists, branches and local definitions, and names each key."""
    assert _all_constraints(DEEP) == {
        "/$defs/x/minItems",
        "/$defs/x/items/anyOf",
        "/additionalProperties",
        "/dependentRequired/a/b",
        "/dependentRequired/a/c",
        "/required/a",
        "/required/b",
    }
    assert ("$defs", "x", "items", "anyOf", 0) in set(_held_to(DEEP))


def test_a_value_is_told_each_constraint_it_breaks() -> None:
    """Errors are traced through local references and split by key."""
    assert _broken(DEEP, []) == {"/$defs/x/minItems"}
    assert _broken(DEEP, {"a": 1}) == {
        *("/additionalProperties", "/dependentRequired/a/b", "/dependentRequired/a/c"),
        "/required/b",
    }


def test_the_walk_refuses_a_keyword_it_does_not_know() -> None:
    """A keyword that the walk can't enumerate fails the suite instead of going unproved."""
    with pytest.raises(AssertionError, match="unevaluatedItems"):
        list(_constraints({"unevaluatedItems": True}))
