"""The page about the shapes of the turns profile says what the schemas do."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import storelaw_schemas

PAGE = (Path(__file__).parents[2] / "docs" / "shapes.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## The shapes of the turns profile\n")[2].partition("\n## ")[0]
ROW = re.compile(r"\| (.+?) \| `(turns/.+?)` \| `(.+)` \| (valid|invalid) \| .+ \|")
OPEN_NAMES = {
    *("turns/visible-message", "turns/plan-item", "turns/timeline-item"),
    *("turns/turn-id", "turns/turn-content", "turns/turn"),
    *("turns/system-note", "turns/tool-envelope"),
}
BLANK_OPTIONALS = {"usage": None, "author": "", "via": "", "refused": False, "model": ""}


def _traps() -> Iterator[tuple[str, str, Any, str]]:
    table = SECTION.partition("<!-- turns traps -->")[2].partition("<!-- end -->")[0]
    for line in [line for line in table.splitlines() if line.startswith("|")][2:]:
        row = ROW.fullmatch(line)
        assert row is not None, f"this row can't be read: {line}"
        trap, name, example, verdict = row.groups()
        yield trap, name, json.loads(example), verdict


def _is_turn_id(text: str) -> bool:
    return not storelaw_schemas.problems("turns/turn-id", text)


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
    assert sorted(listed) == [n for n in storelaw_schemas.names() if n.startswith("turns/")]


def test_what_is_ours_is_called_so() -> None:
    """What the source leaves open is a proposal by the schema's own word, and nothing else is."""
    names = [name for name in storelaw_schemas.names() if name.startswith("turns/")]
    comments = {name: storelaw_schemas.schema(name).get("$comment", "") for name in names}
    assert {name for name in names if "proposal of this project" in comments[name]} == OPEN_NAMES


@pytest.mark.parametrize("index", [0, 9, 10, 999_999, 1_000_000, 12_345_678])
@pytest.mark.parametrize("role", ["user", "inbox_done", "side-note"])
def test_a_formatted_id_is_a_turn_id(index: int, role: str) -> None:
    """Index and role, written with at least six digits, are a turn's id at any size (OA-A1)."""
    assert _is_turn_id(f"turn-{index:06}-{role}")


@pytest.mark.parametrize("digits", ["0", "00000", "0000000", "0999999", "1_0000", "\u0660" * 6])
def test_only_one_spelling_of_an_index_is_a_turn_id(digits: str) -> None:
    """Digits that formatting would not give are refused, those of other scripts too (D-OA-3)."""
    assert not _is_turn_id(f"turn-{digits}-user")


@pytest.mark.parametrize("key", sorted(BLANK_OPTIONALS))
def test_an_optional_member_is_left_out_when_empty(key: str) -> None:
    """Each optional member of a turn is refused when it is empty, and by its own path (OA-A9)."""
    content = {"content": None, key: BLANK_OPTIONALS[key]}
    found = storelaw_schemas.problems("turns/turn-content", content)
    assert {problem.path for problem in found} == {f"$.{key}"}


def test_every_optional_member_is_asked() -> None:
    """The members that may be left out of a turn are those that the test above empties."""
    document = storelaw_schemas.schema("turns/turn-content")
    optional = document["properties"].keys() - set(document["required"])
    assert optional == BLANK_OPTIONALS.keys()


def test_the_inside_of_a_system_note_is_text() -> None:
    """A note reaches its entry as the text of a block, and is a note once that is parsed."""
    note = {"kind": "plans", "v": 1, "data": {"op": "delete", "name": "trip"}}
    block = {"type": "text", "text": json.dumps(note)}
    assert not storelaw_schemas.problems("turns/turn-content", {"content": [block]})
    assert not storelaw_schemas.problems("turns/system-note", json.loads(block["text"]))
    assert storelaw_schemas.problems("turns/turn-content", {"content": [note]})
