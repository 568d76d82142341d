"""Checking files: what is wrong, on which line, at which path."""

import json
from pathlib import Path

import pytest

from storelaw.documents import problems_of
from storelaw.errors import Misconfigured
from storelaw.places import lines_of

RECORD = '{"type": "session_init", "id": "s", "created_at": "2026-01-01T00:00:00Z"}'


def told(folder: Path, name: str, text: str, kind: str | None = None) -> list[str]:
    """The problems of a text in a file."""
    (folder / name).write_text(text, encoding="utf-8")
    return list(problems_of(folder / name, kind))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"steps": 7, "entries": [],\n"storelaw": 1}', "line 1: $.steps: is of type integer"),
        ('{"runs":\n[]}', 'line 1: $: lacks "storelaw", "kit"'),
        ('{"acts":\n{}, "storelaw": 1}', "line 2: $.acts: is of type object, not array"),
        ('{"event":\n"stop", "run": 1}', "line 2: $.event: "),
        ('{"changes":\n7, "storelaw": 1}', 'line 1: $: lacks "worse", "terms"'),
        ('{"schemaVersion":\n7}', 'line 1: $: lacks "label", "message", "color"'),
        ('{"spec": "0.1",\n"grades":\n7}', 'line 1: $: lacks "storelaw", "clauses", "laws"'),
        ('{"role": "user",\n"content":\n7}', "line 3: $.content: is of type integer"),
        ('{"type": "nope",\n"id": "1", "created_at": "2026-01-01T00:00:00Z"}', "line 1: $.type: "),
        ('{"runs": [], "storelaw": 2, "kit": "9"}', "line 1: $.storelaw: has version 2 of the fo"),
        ('{"name":\n7}', "line 2: $.name: is of type integer, not string"),
        ('{"name":\n,}', "line 2: $: is not JSON: Expecting value at column 1"),
        ("[" * 100_000, "line 1: $: is nested too deep to be read"),
    ],
    ids=lambda each: each[:24],
)
def test_a_document_is_recognised_and_checked(tmp_path: Path, text: str, problem: str) -> None:
    """The keys of a document say what it is; problems have the line and the path."""
    assert told(tmp_path, "x.json", text)[0].startswith(problem)


def test_each_line_of_a_stream_is_an_event(tmp_path: Path) -> None:
    """An .ndjson file is the stream of a check, where nothing else is said."""
    text = '{"event": "law", "run": 1}\n{"event": "end", "run": 1}\n'
    problems = told(tmp_path, "x.ndjson", text)
    assert [each.split(" lacks ")[0] for each in problems] == ["line 1: $:", "line 2: $:"]
    assert told(tmp_path, "x.ndjson", "7\n", "harness/diff")[0].startswith("line 1: $: is of type")


def test_a_valid_document_has_no_problem(tmp_path: Path) -> None:
    """What is valid is silent."""
    assert told(tmp_path, "x.json", '{"name": "acme"}') == []


@pytest.mark.parametrize("text", ["[]", '{"else": 1}', "7"])
def test_an_unclear_document_asks_for_as(tmp_path: Path, text: str) -> None:
    """Where the keys say nothing, the user has to."""
    with pytest.raises(Misconfigured, match="say so by --as, with one of harness/badge"):
        told(tmp_path, "x.json", text)


def test_a_log_is_checked_by_lines(tmp_path: Path) -> None:
    """A .jsonl file is a session log; with a schema named, each line is one value."""
    log = f'{RECORD}\n{{"type": "custom"}}\n'
    assert told(tmp_path, "x.jsonl", log)[0].startswith("line 2: $: lacks ")
    found = told(tmp_path, "x.jsonl", '{"name": "a"}\n\n{"name": 7}\n', "harness/manifest")
    assert found == ["line 3: $.name: is of type integer, not string"]


def test_separators_inside_text_are_no_lines(tmp_path: Path) -> None:
    """Only a line feed ends a line of a log."""
    entry = '{"type": "custom", "id": "1", "created_at": "2026-01-01T00:00:00Z", "kind": "\u2028"}'
    assert told(tmp_path, "x.jsonl", f"{RECORD}\n{entry}\n") == []
    assert told(tmp_path, "x.jsonl", f"{RECORD}\n{entry}")[0].startswith("line 2: $: is torn")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 can't be checked."""
    (tmp_path / "x.json").write_bytes(b"\xff")
    with pytest.raises(Misconfigured, match="can't read"):
        problems_of(tmp_path / "x.json")


def test_each_value_has_its_line() -> None:
    """Members, items, keys with escapes and brackets in text are all placed."""
    value: dict[str, object] = {
        "a": [1, {"b": 'x]\\"{'}, []],
        "odd key": {},
        "\u00e9": None,
        "c": [[2], "y"],
    }
    lines = lines_of(json.dumps(value, indent=1))
    assert lines == {
        "$": 1,
        "$.a": 2,
        "$.a[0]": 3,
        "$.a[1]": 4,
        "$.a[1].b": 5,
        "$.a[2]": 7,
        '$["odd key"]': 9,
        '$["\\u00e9"]': 10,
        "$.c": 11,
        "$.c[0]": 12,
        "$.c[0][0]": 13,
        "$.c[1]": 15,
    }
