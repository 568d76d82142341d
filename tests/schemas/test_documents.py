"""The schemas themselves: valid, named, closed under reference, and described."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

import storelaw_schemas

NAMES = storelaw_schemas.names()
OPEN_NAMES = ("transcript/injection", "transcript/reminder", "transcript/stored-entry")


def _walk(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document, examples left aside."""
    if isinstance(value, dict):
        yield value
        for key, child in value.items():
            if key != "examples":
                yield from _walk(child)
    elif isinstance(value, list):
        for child in value:
            yield from _walk(child)


def _properties(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """The properties that a schema declares, those inside properties too."""
    for key, child in schema.get("properties", {}).items():
        yield f"{path}.{key}", child
        yield from _properties(child, f"{path}.{key}")


def test_the_profile_has_its_shapes() -> None:
    """The shapes that stores and engines exchange are all there."""
    blocks = ("text", "thinking", "image", "file", "tool-call", "reminder")
    entries = ("message-entry", "compaction-entry", "custom-entry", "stored-entry", "draft")
    assert {f"transcript/{stem}" for stem in (*blocks, *entries)} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid(name: str) -> None:
    """Each schema is a valid schema of JSON Schema 2020-12 and says so."""
    document = storelaw_schemas.schema(name)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(document)


@pytest.mark.parametrize("name", NAMES)
def test_an_id_is_the_name(name: str) -> None:
    """The `$id` is the schema's name and no address."""
    assert storelaw_schemas.schema(name)["$id"] == f"storelaw:{name}"


@pytest.mark.parametrize("name", NAMES)
def test_every_reference_resolves(name: str) -> None:
    """Each `$ref` leads to a schema of this package."""
    registry = EMPTY_REGISTRY.with_resources(
        (f"storelaw:{known}", DRAFT202012.create_resource(storelaw_schemas.schema(known)))
        for known in NAMES
    )
    resolver = registry.resolver(f"storelaw:{name}")
    document = storelaw_schemas.schema(name)
    for reference in (part["$ref"] for part in _walk(document) if "$ref" in part):
        assert isinstance(resolver.lookup(reference).contents, dict)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_described(name: str) -> None:
    """A schema and each of its properties have a title and a description, in sentences."""
    document = storelaw_schemas.schema(name)
    for path, part in [("$", document), *_properties(document)]:
        assert part["title"].strip(), path
        assert part["description"].endswith("."), path


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_in_a_schema_are_valid(name: str) -> None:
    """A schema has examples, and each is what it describes."""
    examples = storelaw_schemas.schema(name)["examples"]
    assert examples
    assert [storelaw_schemas.problems(name, example) for example in examples] == [()] * len(
        examples
    )


@pytest.mark.parametrize("name", OPEN_NAMES)
def test_a_proposed_name_is_called_one(name: str) -> None:
    """Where the source leaves a name open, the schema says that the name is ours."""
    assert "proposal of this project" in storelaw_schemas.schema(name)["$comment"]
