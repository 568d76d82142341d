"""The schema reference: each schema with its members, its conditions, examples and its text."""

from collections.abc import Iterator, Mapping
from typing import Any

from storelaw_pages.conditions import bounds, conditions, kind
from storelaw_pages.markdown import (
    anchored,
    bulleted,
    code,
    described,
    document,
    folded,
    heading,
    plain,
)
from storelaw_schemas import names, schema


def written(folder: str) -> str:
    """The schemas of one folder (``transcript``, ``log``, ``turns``, ``harness``)."""
    return "\n".join(_section(each) for each in names() if each.startswith(f"{folder}/"))


def _section(name: str) -> str:
    whole = schema(name)
    return "\n".join(
        [
            heading(2, code(name), anchored("schema", name)),
            f"{plain(whole['title'])}.\n{plain(whole['description'])}\n",
            bulleted(facts(whole)),
            described(members(whole)),
            folded("Examples", "\n".join(map(document, whole.get("examples", ())))),
            folded("The schema as JSON", document(whole)),
        ]
    )


def facts(whole: Mapping[str, Any]) -> Iterator[str]:
    """What holds for the value as a whole, as sentences."""
    of = kind({key: whole[key] for key in whole if key != "properties"})
    yield f"It is of the type {of}{bounds(whole)}."
    if whole.get("additionalProperties") is False:
        yield "It has no members but these."
    yield from conditions(whole)


def members(whole: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each member with its type, what it means, and what its value must keep to."""
    required = whole.get("required", ())
    for name, each in whole.get("properties", {}).items():
        need = ", required" if name in required else ""
        yield f"{code(name)} ({kind(each)}{bounds(each)}{need})", tuple(_told(each))


def _told(each: Mapping[str, Any]) -> Iterator[str]:
    yield plain(each.get("description", "As its type says."))
    if told := bulleted(conditions(each)):
        yield told
    inner = each if "properties" in each else each.get("items", {})
    if "properties" in inner:
        yield described(members(inner))
