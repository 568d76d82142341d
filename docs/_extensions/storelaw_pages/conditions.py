"""What a schema asks of a value, in words; what has no words of its own is shown as JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from storelaw_pages.markdown import anchored, code, link, listed

Schema = Mapping[str, Any]

_BOUNDS: Final = {
    "minLength": "at least {} long",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "at least {} of them",
    "pattern": "matching `{}`",
    "format": "a real `{}`",
    "contentEncoding": "in `{}`",
    "uniqueItems": "none of them twice",
}


def kind(each: Schema) -> str:
    """The type of a value, with a link where it is a schema of its own."""
    if "const" in each:
        return code(json.dumps(each["const"]))
    if "enum" in each:
        return " or ".join(code(json.dumps(one)) for one in each["enum"])
    if "$ref" in each:
        return _referred(each["$ref"])
    if "items" in each:
        return f"list of {kind(each['items'])}"
    kinds = each.get("type", "any JSON")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _referred(target: str) -> str:
    if target.startswith("#/$defs/"):
        return f"the {target.removeprefix('#/$defs/')} that the schema defines"
    name, _, place = target.removeprefix("storelaw:").partition("#")
    found = link(code(name), anchored("schema", name))
    return f"as {code(place.rpartition('/')[2])} of {found}" if place else found


def bounds(each: Schema) -> str:
    """The bounds of a value, each after a comma."""
    found = (words.format(each[key]) for key, words in _BOUNDS.items() if key in each)
    return "".join(f", {one}" for one in found)


def conditions(each: Schema) -> Iterator[str]:
    """What else a value must keep to, as sentences."""
    for key, needed in each.get("dependentRequired", {}).items():
        yield f"{code(key)} stands only beside {listed(map(code, needed))}."
    for part in (each, *each.get("allOf", ())):
        if "if" in part:
            yield f"Where {_premise(part['if'])}: {_consequence(part['then'])}."
        if "else" in part:
            yield f"Otherwise: {_consequence(part['else'])}."
    for part in each.get("allOf", ()):
        if "if" not in part:
            yield f"It always holds: {_consequence(part)}."
    for choice in ("anyOf", "oneOf"):
        if choice in each:
            yield f"It must fit {_choice(choice, each[choice])}."
    if "not" in each:
        yield f"It must not be {_json(each['not'])}."


def _premise(part: Schema) -> str:
    fixed = part.get("properties", {})
    if fixed:
        return " and ".join(f"{code(name)} is {_value(one)}" for name, one in fixed.items())
    if "required" in part:
        return f"{listed(map(code, part['required']))} is there"
    return f"it fits {_json(part)}"


def _value(one: Schema) -> str:
    return kind(one) if {"const", "enum"} & one.keys() else f"such that {_json(one)}"


def _consequence(part: Schema) -> str:
    if "$ref" in part:
        return f"it is {kind(part)}"
    said = [f"{code(name)} {_claim(one)}" for name, one in part.get("properties", {}).items()]
    if "required" in part:
        said.insert(0, f"it has {listed(map(code, part['required']))}")
    if "oneOf" in part:
        said.append(f"it fits {_choice('oneOf', part['oneOf'])}")
    return "; ".join(said) or _json(part)


def _claim(one: Schema) -> str:
    if one.get("not") == {}:
        return "is absent"
    return f"is {kind(one)}{bounds(one)}" if _typed(one) else f"fits {_json(one)}"


def _typed(one: Schema) -> bool:
    return bool({"$ref", "const", "enum", "type", "pattern"} & one.keys())


def _choice(word: str, options: list[Schema]) -> str:
    how = "one" if word == "oneOf" else "at least one"
    if all(set(each) == {"required"} for each in options):
        keys = [code(key) for each in options for key in each["required"]]
        return f"{how} of these members: {listed(keys)}"
    return f"{how} of: {'; '.join(map(_json, options))}"


def _json(part: object) -> str:
    return code(json.dumps(part))
