"""The figures of failures: what is drawn, and the sentences that say the same."""

from collections.abc import Mapping
from typing import Any

import pytest

import storelaw_schemas
from storelaw.pages.figures import FIGURES, figure_of
from storelaw.pages.trees import placed

from .outline import Outline, outlined
from .sample import DRAWINGS


def drawn(drawing: Mapping[str, Any], panel: int = -1) -> Outline:
    """The outline of a figure's panel."""
    assert storelaw_schemas.problems("harness/drawing", dict(drawing)) == ()
    return outlined(figure_of(drawing).panels[panel].drawing)


def classes(outline: Outline, tag: str) -> list[str]:
    """The styles of all elements of a kind."""
    return [each.get("class", "") for each in outline.all(tag)]


def node(name: str, parent: str = "", mark: str = "path", **more: Any) -> dict[str, Any]:
    """A node of a tree."""
    return {"id": name, "parent": parent, "name": name, "says": "user", "mark": mark, **more}


def tree(*observed: dict[str, Any], expected: Any = None) -> dict[str, Any]:
    """The drawing of a tree."""
    should = {} if expected is None else {"expected": expected}
    return {"kind": "tree", **should, "observed": list(observed)}


def test_each_kind_of_the_schema_has_a_figure() -> None:
    """No report that keeps to its schema is at a loss for a drawing."""
    kinds = storelaw_schemas.schema("harness/drawing")["properties"]["kind"]["enum"]
    assert list(FIGURES) == kinds == list(DRAWINGS)


@pytest.mark.parametrize("kind", DRAWINGS)
def test_a_drawing_is_one_picture_with_a_title(kind: str) -> None:
    """It fits its frame, and says what it shows to those who can't see it."""
    figure = figure_of(DRAWINGS[kind])
    assert figure.sentences
    for panel in figure.panels:
        outline = outlined(panel.drawing)
        (picture,) = outline.all("svg")
        assert picture["role"] == "img"
        assert len(outline.all("title")) == 1
        assert outline.unbalanced == []
        width = float(picture["width"])
        assert width <= 344
        assert all(0 <= float(each["x"]) <= width for each in outline.all("rect"))


# ---------------------------------------------------------------------- trees


def test_the_path_is_drawn_twice() -> None:
    """As it should be, and as it was: with a hollow entry for one that is missing."""
    figure = figure_of(DRAWINGS["tree"])
    assert [each.title for each in figure.panels] == ["As it should be", "As it was"]
    assert classes(drawn(DRAWINGS["tree"], 0), "circle") == ["node path"] * 2 + ["node off"]
    observed = drawn(DRAWINGS["tree"])
    assert classes(observed, "circle") == ["node path", "node missing"]
    assert classes(observed, "rect") == ["node extra"]
    assert figure.sentences == (
        "It should be: a, b.",
        "It was: a, c.",
        "Missing: b.",
        "Should not be here: c.",
    )


def test_an_entry_that_hangs_elsewhere_is_told_with_both_places() -> None:
    """The line to the parent is lit on one side, and wrong on the other."""
    expected = [node("a", mark="off"), node("b", "a")]
    moved = tree(node("a", mark="off"), node("b", "", "moved"), expected=expected)
    assert figure_of(moved).sentences == ("b should hang off a; it hangs at the root.",)
    assert classes(drawn(moved, 0), "line") == ["edge on"]
    astray = tree(node("a", mark="off"), node("b", "gone", "moved"), expected=expected)
    assert figure_of(astray).sentences == ("b should hang off a; it hangs off gone.",)
    assert classes(drawn(astray), "line") == ["edge wrong stub"]


def test_what_was_observed_is_drawn_alone_where_nothing_is_to_compare_it_with() -> None:
    """One panel, and no word of what would be right."""
    figure = figure_of(tree(node("a", mark="off"), node("b", "a", "seen")))
    assert [each.title for each in figure.panels] == ["As it was"]
    assert figure.sentences == ("Observed: b.",)


def test_a_tree_of_nothing_says_so() -> None:
    """A path without entries has a place too."""
    empty = tree(expected=[])
    assert "no entry" in drawn(empty).words
    assert figure_of(tree(node("a", mark="extra"), expected=[])).sentences[:2] == (
        "Should not be here: a.",
    )


def test_branches_have_lanes_that_end_with_them() -> None:
    """The first child goes on below its parent; a lane is free below the last of its children."""
    nodes = [
        *(node("a"), node("b", "a"), node("c", "a"), node("r", "a", ephemeral=True)),
        *(node("d", "b"), node("root"), node("e", "c", before=3)),
    ]
    assert {each.node["id"]: (each.row, each.lane) for each in placed(nodes)} == {
        "a": (0, 0),
        "b": (1, 0),
        "c": (2, 1),
        "r": (3, 2),
        "d": (4, 0),
        "root": (5, 0),
        "e": (7, 1),
    }
    roots = [node(str(each)) for each in range(12)]
    assert {each.lane for each in placed(roots)} == {0}
    wide = [*roots, *(node(f"{each}-", str(each), ephemeral=True) for each in range(12))]
    assert max(each.lane for each in placed(wide)) == 7


def test_an_edge_is_drawn_to_wherever_the_parent_is() -> None:
    """Above, below, on another lane, left out or nowhere."""
    nodes = (node("x"), node("b", "a"), node("y", "x"), node("a"), node("c", "a"), node("d", "?"))
    outline = drawn(tree(*nodes, node("e", "a")))
    assert len(outline.all("path")) == 2
    assert classes(outline, "line") == ["edge  stub", "edge on", "edge on"]
    aside = drawn(tree(node("a"), node("r", "a", "extra", ephemeral=True)))
    assert classes(aside, "path") == ["edge on aside"]
    assert "\u2026 3 more" in drawn(tree(node("a", before=3))).words


# ---------------------------------------------------------------------- lists


def test_items_are_joined_to_what_stands_for_them() -> None:
    """What is lost has no line; what is left out at either end is counted."""
    outline = drawn(DRAWINGS["lists"])
    assert classes(outline, "rect") == ["box same", "box lost", "box same"]
    assert classes(outline, "line") == ["link same"]
    assert {"\u2026 2 alike before", "\u2026 4 more"} <= set(outline.words)
    assert figure_of(DRAWINGS["lists"]).sentences == ("\u2212 Lost: b.",)


def test_a_list_of_nothing_says_so() -> None:
    """An item without a name goes by what it says."""
    extra = {"name": "", "says": "7", "mark": "repeated"}
    empty = {"kind": "lists", "before": 0, "expected": [], "observed": [extra]}
    drawing = {**empty, "after": {"expected": 0, "observed": 0}}
    assert "nothing" in drawn(drawing).words
    assert figure_of(drawing).sentences == ("\u00d72 Repeated: 7.",)


def test_two_objects_are_a_table() -> None:
    """There is no picture of them, and words only where there is more."""
    figure = figure_of(DRAWINGS["members"])
    assert (len(figure.rows), figure.panels) == (1, ())
    assert figure.sentences == ("There are more.",)
    assert figure_of({**DRAWINGS["members"], "more": False}).sentences == ()


# ---------------------------------------------------------------------- lanes


def test_each_writer_has_a_lane_and_the_contradiction_is_marked() -> None:
    """An act lasts from its begin to its end; one without an end stays open."""
    outline = drawn(DRAWINGS["lanes"])
    assert classes(outline, "rect") == ["act", "act accused open"]
    assert {"\u2717 a1 is missing", "\u2717 saw nothing", "append a1"} <= set(outline.words)
    assert figure_of(DRAWINGS["lanes"]).sentences == (
        "A on handle 1, from moment 1 to 2: append a1, ok.",
        "after on handle 0, from moment 3, with no end seen: load, saw nothing.",
        "The contradiction: a1 is missing.",
    )


# ---------------------------------------------------------------------- bytes


def test_the_bytes_before_in_and_behind_a_cut_are_drawn() -> None:
    """What can be read is shown as it is, and the rest in hex."""
    outline = drawn(DRAWINGS["bytes"])
    assert classes(outline, "rect") == ["byte near"] * 3 + ["byte left"] * 3 + ["byte lost"] * 2
    assert classes(outline, "line") == ["cut"]
    assert "0a" in outline.words
    assert "before the write, the last 3 of 3 bytes" in outline.words
    assert "written, 3 of 5 bytes, then NUL bytes" in outline.words
    figure = figure_of(DRAWINGS["bytes"])
    assert figure.sentences == (
        (
            "The write to sessions/s.jsonl began at byte 3; "
            "3 of 5 bytes of it are there, then NUL bytes."
        ),
        "The other files are as before the write.",
        'Left at the end: {"i',
        "Cut off: d\\n",
    )
    assert [each["ok"] for each in figure.steps] == [True, False]


def test_a_cut_that_left_or_took_nothing_has_no_bytes_for_it() -> None:
    """A file that didn't begin has nothing before, and long parts are cut at their far end."""
    bare = {**DRAWINGS["bytes"], "near": "", "left": "", "lost": "ff" * 64, "others": "new"}
    outline = drawn(bare)
    assert classes(outline, "rect") == ["byte lost"] * 32
    assert outline.words.count("ff") == 32
    empty = {**bare, "lost": "", "tail": ""}
    assert drawn(empty).all("rect") == []
    assert len(figure_of(empty).sentences) == 1


# ----------------------------------------------------------------- aftermaths


def test_what_was_found_after_a_kill_is_told_in_steps() -> None:
    """There is nothing to draw but their order."""
    figure = figure_of(DRAWINGS["aftermath"])
    assert (figure.title, figure.panels) == ("After the kill", ())
    assert figure.sentences == ('It was killed inside operation 1 of a process on "s".',)
    cut = {**DRAWINGS["aftermath"], "how": "cut"}
    assert figure_of(cut).title == "After the cut"
