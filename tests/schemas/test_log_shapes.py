"""The page about the shapes of the log profile says what the schemas do."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import storelaw_schemas

PAGE = (Path(__file__).parents[2] / "docs" / "shapes.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## The shapes of the log profile\n")[2].partition("\n## ")[0]
ROW = re.compile(r"\| (.+?) \| `(log/.+?)` \| `(.+)` \| (valid|invalid) \| .+ \|")
OPEN_NAMES = ("log/function-call-output", "log/reasoning", "log/item-reference")
CORE_EVENTS = (
    *("turn.queued", "turn.start", "turn.input_queued", "turn.input_drained"),
    *("turn.done", "turn.failed", "turn.aborted", "agent.reset"),
)


def _traps() -> Iterator[tuple[str, str, Any, str]]:
    table = SECTION.partition("<!-- log traps -->")[2].partition("<!-- end -->")[0]
    for line in [line for line in table.splitlines() if line.startswith("|")][2:]:
        row = ROW.fullmatch(line)
        assert row is not None, f"this row can't be read: {line}"
        trap, name, example, verdict = row.groups()
        yield trap, name, json.loads(example), verdict


def _layout(language: str) -> str:
    """The first block of the section that is written in `language`."""
    return SECTION.partition(f"```{language}\n")[2].partition("\n```")[0]


def _pairs() -> dict[str, str]:
    pairs = (line.partition(" = ") for line in _layout("text").splitlines())
    return {key: value for key, _, value in pairs}


@pytest.mark.parametrize(
    ("name", "value", "verdict"), [pytest.param(*rest, id=trap) for trap, *rest in _traps()]
)
def test_a_trap_is_decided_as_the_table_says(name: str, value: object, verdict: str) -> None:
    """Each row's example gets the verdict that the row gives it."""
    found = storelaw_schemas.problems(name, value)
    assert ("invalid" if found else "valid") == verdict


def test_the_shapes_are_all_listed() -> None:
    """The section lists each schema of the profile once, and no other."""
    listed = re.findall(r"^\| `(.+?)` \|", SECTION, flags=re.MULTILINE)
    assert sorted(listed) == [n for n in storelaw_schemas.names() if n.startswith("log/")]


@pytest.mark.parametrize("name", OPEN_NAMES)
def test_what_is_ours_is_called_so(name: str) -> None:
    """What the source leaves open is a proposal by the schema's own word, and the page's."""
    assert "proposal of this project" in storelaw_schemas.schema(name)["$comment"]
    assert f"`{name}`" in SECTION.partition("$comment")[2].partition("\n")[0]


def test_no_other_shape_is_called_ours() -> None:
    """The page names every shape of the profile that settles something by itself."""
    names = (name for name in storelaw_schemas.names() if name.startswith("log/"))
    ours = {name for name in names if "$comment" in storelaw_schemas.schema(name)}
    assert ours == set(OPEN_NAMES)


def test_the_layouts_hold_the_same_valid_entries() -> None:
    """One log as lines, as an array and as segments: the entries are valid, and the same."""
    entries = [json.loads(line) for line in _layout("jsonl").splitlines()]
    pairs = _pairs()
    segments = [json.loads(pairs[key]) for key in sorted(pairs) if ":seg:" in key]
    assert entries == json.loads(_layout("json")) == [e for segment in segments for e in segment]
    assert [storelaw_schemas.problems("log/entry", entry) for entry in entries] == [()] * 4


def test_the_array_is_written_as_the_page_says() -> None:
    """The array has two spaces of indentation."""
    text = _layout("json")
    assert text == json.dumps(json.loads(text), indent=2)


def test_the_head_counts_the_segments() -> None:
    """The head is the number of the last segment, and segments count from 1 in seven digits."""
    pairs = _pairs()
    head = int(pairs.pop("apeira:head"))
    assert sorted(pairs) == [f"apeira:seg:{number:07}" for number in range(1, head + 1)]


@pytest.mark.parametrize("event", CORE_EVENTS)
def test_the_core_events_are_told_and_taken(event: str) -> None:
    """Each event that the core stores is named in the schema, and valid with what it carries."""
    document = storelaw_schemas.schema("log/event")
    assert f"`{event}`" in document["properties"]["type"]["description"]
    assert event in {example["type"] for example in document["examples"]}
