"""What is said about a value that is wrong."""

from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from storelaw_schemas import Problem, problems, validator
from storelaw_schemas.problem import path_text, problem_of

HEADER = {"id": "e1", "created_at": "2026-03-01T09:30:00Z"}


def _entry(**message: object) -> dict[str, object]:
    return {"type": "message", **HEADER, "message": {"role": "user", "content": [], **message}}


def _told(name: str, value: object) -> list[str]:
    return [str(problem) for problem in problems(name, value)]


def _told_by(schema: Mapping[str, Any], value: Any) -> list[str]:
    """What the errors of a schema outside the package are told as."""
    return [str(problem_of(error)) for error in Draft202012Validator(schema).iter_errors(value)]


def test_a_problem_has_a_path_a_message_and_the_value() -> None:
    """The path leads to the value that is wrong, through keys and indexes."""
    entry = _entry(content=[{"type": "text"}, {"type": "unknown"}])
    (problem,) = problems("transcript/stored-entry", entry)
    assert problem.path == "$.message.content[1].type"
    assert problem.message.startswith('is "unknown", not one of "text", "thinking"')
    assert problem.value == "unknown"


TOLD = [
    pytest.param("entry", 3, ["$: is of type integer, not object"], id="type"),
    pytest.param(
        "message",
        {"role": "user", "content": "x"},
        ["$.content: is of type string, not array or null"],
        id="types",
    ),
    pytest.param(
        "entry",
        {"type": "custom"},
        ['$: lacks "id", "created_at"', '$: lacks "kind"'],
        id="required",
    ),
    pytest.param(
        "message-entry",
        {**_entry(), "type": "custom"},
        ['$.type: is "custom", not "message"'],
        id="const",
    ),
    pytest.param(
        "entry-header",
        {"type": "custom", "id": "", "created_at": "2026-02-30T00:00:00Z"},
        [
            '$.id: is "", shorter than 1',
            '$.created_at: is "2026-02-30T00:00:00Z", not a real date-time',
        ],
        id="minLength and format",
    ),
    pytest.param(
        "image",
        {"type": "image", "data": "?"},
        ['$.data: is "?", which does not match '],
        id="pattern",
    ),
    pytest.param("usage", {"input": -1}, ["$.input: is -1, less than 0"], id="minimum"),
    pytest.param(
        "file",
        {"type": "file"},
        ['$: needs exactly one of "data", "url", "file_id", and has none'],
        id="none of the keys",
    ),
    pytest.param(
        "file",
        {"type": "file", "url": "u", "file_id": "f"},
        ['$: needs exactly one of "data", "url", "file_id", and has "url", "file_id"'],
        id="two of the keys",
    ),
    pytest.param(
        "tool-call",
        {"type": "tool_call", "id": "c", "name": "n", "output": {}, "server_type": "x"},
        ['$: has "output" and lacks "server"; has "server_type" and lacks "server"'],
        id="dependentRequired",
    ),
    pytest.param(
        "message",
        {"role": "user", "content": [], "tool_name": "x"},
        ["$.tool_name: is not allowed here"],
        id="a key of another role",
    ),
]


@pytest.mark.parametrize(("shape", "value", "told"), TOLD)
def test_a_problem_is_told_in_plain_words(shape: str, value: object, told: list[str]) -> None:
    """Each kind of constraint has its words, with the value and what was wanted."""
    found = _told(f"transcript/{shape}", value)
    assert len(found) == len(told)
    assert all(map(str.startswith, found, told))


def test_only_the_branch_of_the_type_speaks() -> None:
    """A mistake in a tool call says nothing about text, images and files."""
    entry = _entry(content=[{"type": "tool_call", "id": "c1"}])
    assert _told("transcript/entry", entry) == ['$.message.content[0]: lacks "name"']


def test_the_outermost_problem_stands_first() -> None:
    """A missing header is told before what is wrong deep inside."""
    entry = {
        "type": "message",
        "message": {"role": "user", "content": [{"type": "text", "text": 1}]},
    }
    assert [problem.path for problem in problems("transcript/entry", entry)] == [
        "$",
        "$.message.content[0].text",
    ]


def test_the_rules_that_agree_speak_once() -> None:
    """Header and body both ask for an object; the problem is told once."""
    assert len(problems("transcript/stored-entry", [])) == 1


def test_a_long_value_is_clipped() -> None:
    """The message shows the beginning; the problem holds all of it."""
    entry = {"type": "custom", "kind": "k", **HEADER, "created_at": "x" * 10_000}
    told = problems("transcript/entry", entry)
    assert all(len(problem.message) < 300 and problem.value == "x" * 10_000 for problem in told)
    assert told[0].message.startswith(f'is "{"x" * 59}...')


def test_a_message_is_ascii() -> None:
    """A lone surrogate in the value or in a key can't break whoever prints the problem."""
    wrong = "\ud800é"
    assert _told("transcript/injection", {"injected": wrong})[0].isascii()
    (told,) = _told_by({"additionalProperties": False}, {wrong: 1})
    assert told.isascii()


def test_a_deep_value_is_shown_by_its_kind() -> None:
    """Objects and arrays are not written out where a scalar was wanted."""
    assert _told("transcript/injection", {"injected": {"a": 1}}) == [
        '$.injected: is the object, not one of "meta", "ephemeral"'
    ]


def test_a_python_value_that_is_not_json_is_named() -> None:
    """A value that JSON does not have is called by its Python type."""
    assert _told("transcript/injection", {"origin": (1,)}) == [
        "$.origin: is of type tuple, not string"
    ]


def test_a_value_too_deep_to_show_is_still_wrong() -> None:
    """A depth at which the validator gives up is a problem and no crash."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    (problem,) = problems("transcript/text", deep)
    assert problem.path == "$"
    assert "nested too deep" in problem.message


def test_a_failed_choice_speaks_for_the_closest_branch() -> None:
    """Of a choice between shapes, the branch that got furthest is told."""
    choice = {"oneOf": [{"type": "string"}, {"properties": {"a": {"type": "string"}}}]}
    assert _told_by(choice, {"a": 1}) == ["$.a: is of type integer, not string"]


def test_a_choice_that_is_not_between_keys_is_told_by_the_validator() -> None:
    """Where no words of ours fit, the validator's own are given, clipped."""
    (told,) = _told_by(
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]} | {"type": "array"}, []
    )[:1]
    assert told.startswith("$: [] is valid under each of")
    (long,) = _told_by({"uniqueItems": True}, ["x" * 400] * 2)
    assert long.endswith("...")
    assert _told_by({"not": {"type": "string"}}, "x")[0].startswith("$: 'x' should not be valid")


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ((), "$"),
        (("a", 0, "b_1"), "$.a[0].b_1"),
        (("a b", "é", ""), '$["a b"]["\\u00e9"][""]'),
        (("0",), '$["0"]'),
    ],
)
def test_a_path_tells_keys_from_indexes(tokens: tuple[str | int, ...], text: str) -> None:
    """Keys that are no plain names stand in brackets, quoted, in ASCII."""
    assert path_text(tokens) == text


def test_a_validator_is_made_once_and_checks_formats() -> None:
    """The same validator is given out again, and it knows the format that the shapes use."""
    made = validator("transcript/entry-header")
    assert made is validator("transcript/entry-header")
    assert made.format_checker is not None
    assert "date-time" in made.format_checker.checkers


def test_a_problem_prints_its_place_and_message() -> None:
    """The text of a problem is its path and its message."""
    assert str(Problem("$.a", "is wrong", 1)) == "$.a: is wrong"


def test_a_large_file_block_is_checked_quickly() -> None:
    """A megabyte of base64 is one pass, valid or not: the pattern does not run away."""
    data = "QUJD" * 250_000
    assert problems("transcript/image", {"type": "image", "data": data}) == ()
    assert len(problems("transcript/image", {"type": "image", "data": data + "?"})) == 1
