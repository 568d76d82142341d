"""The table of decisions in the documentation says what the schemas do."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import storelaw_schemas

SHAPES = Path(__file__).parents[2] / "docs" / "shapes.md"
ROW = re.compile(r"\| (.+?) \| `(.+?)` \| `(.+)` \| (valid|invalid) \| .+ \|")


def _table() -> list[str]:
    text = SHAPES.read_text(encoding="utf-8")
    table = text.partition("<!-- traps -->")[2].partition("<!-- end -->")[0]
    return [line for line in table.splitlines() if line.startswith("|")][2:]


def _traps() -> Iterator[tuple[str, str, object, str]]:
    for line in _table():
        row = ROW.fullmatch(line)
        assert row is not None, f"this row can't be read: {line}"
        trap, name, example, verdict = row.groups()
        yield trap, name, json.loads(example), verdict


TRAPS = [pytest.param(*rest, id=trap) for trap, *rest in _traps()]


@pytest.mark.parametrize(("name", "value", "verdict"), TRAPS)
def test_a_trap_is_decided_as_the_table_says(name: str, value: object, verdict: str) -> None:
    """Each row's example gets the verdict that the row gives it."""
    found = storelaw_schemas.problems(name, value)
    assert ("invalid" if found else "valid") == verdict


def test_the_shapes_are_all_listed() -> None:
    """The page lists each schema of the profile once, and no other."""
    text = SHAPES.read_text(encoding="utf-8").partition("## Whom")[0]
    listed = re.findall(r"^\| `(transcript/.+?)` \|", text, flags=re.MULTILINE)
    assert sorted(listed) == [n for n in storelaw_schemas.names() if n.startswith("transcript/")]


def test_the_example_in_python_prints_what_it_says() -> None:
    """The page's example gives the problem that its comment shows."""
    (found,) = storelaw_schemas.problems("transcript/text", {"type": "text", "text": 7})
    assert f"# {found}\n" in SHAPES.read_text(encoding="utf-8")
