"""What the site is put together from: Markdown, words of schemas, drawings and links."""

import re
import sys
from pathlib import Path
from runpy import run_module
from typing import Any

import pytest

from storelaw_pages import links
from storelaw_pages.conditions import bounds, conditions, kind
from storelaw_pages.drawings import drawn
from storelaw_pages.markdown import anchored, code, described, plain

DOCS = Path(__file__).parents[2] / "docs"
DRAWINGS = sorted((DOCS / "_static").glob("*.svg"))


def test_text_means_nothing_to_markdown_but_its_code() -> None:
    """What looks like markup is escaped, unless it stands between backticks."""
    assert plain("a < b * [c] in `x[0] < {}`\nand so on") == (
        r"a \< b \* \[c\] in `x[0] < {}` and so on"
    )


def test_code_may_hold_backticks() -> None:
    """The fence is longer than any in the text."""
    assert code("a") == "`a`"
    assert code("a `b` ``c``") == "``` a `b` ``c`` ```"


def test_an_anchor_has_no_odd_characters() -> None:
    """Whatever a name has in it, its anchor has letters, digits and hyphens."""
    assert anchored("schema", "log/entry") == "schema-log-entry"
    assert anchored("law", "a_law.of 2") == "law-a-law-of-2"


def test_a_description_keeps_its_blocks_together() -> None:
    """What belongs to a term is indented under it."""
    assert described([("`a`", ["first", "second"]), ("`b`", ["third"])]) == (
        "`a`\n: first\n\n  second\n\n`b`\n: third\n\n"
    )


@pytest.mark.parametrize(
    ("each", "words"),
    [
        ({"const": "x"}, '`"x"`'),
        ({"enum": [1, 2]}, "`1` or `2`"),
        ({"$ref": "storelaw:log/entry"}, "[`log/entry`](#schema-log-entry)"),
        (
            {"$ref": "storelaw:log/entry#/properties/id"},
            "as `id` of [`log/entry`](#schema-log-entry)",
        ),
        (
            {"$ref": "storelaw:harness/report#/$defs/law"},
            "as `law` of [`harness/report`](#schema-harness-report)",
        ),
        ({"$ref": "#/$defs/step"}, "the step that the schema defines"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"type": ["string", "null"]}, "string or null"),
        ({}, "any JSON"),
    ],
)
def test_a_type_has_words(each: dict[str, Any], words: str) -> None:
    """A constant, a choice, another schema, a list, several types, or anything."""
    assert kind(each) == words


def test_bounds_have_words() -> None:
    """Each bound comes after a comma."""
    assert bounds({"minimum": 0, "format": "date"}) == ", at least 0, a real `date`"


@pytest.mark.parametrize(
    ("each", "words"),
    [
        ({"dependentRequired": {"a": ["b"]}}, "`a` stands only beside `b`."),
        (
            {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b", "c"]}},
            "Where `a` is `1`: it has `b`, `c`.",
        ),
        (
            {"if": {"required": ["a"]}, "then": {"properties": {"b": {"not": {}}}}},
            "Where `a` is there: `b` is absent.",
        ),
        (
            {
                "if": {"properties": {"a": {"pattern": "x"}}},
                "then": {"properties": {"b": {"pattern": "y"}, "c": {"minItems": 1}}},
            },
            (
                'Where `a` is such that `{"pattern": "x"}`: '
                '`b` is any JSON, matching `y`; `c` fits `{"minItems": 1}`.'
            ),
        ),
        ({"if": {"type": "object"}, "then": {"$ref": "storelaw:log/part"}}, None),
        ({"allOf": [{"properties": {"a": {"not": {}}}}]}, "It always holds: `a` is absent."),
        ({"allOf": [{"minLength": 2}]}, 'It always holds: `{"minLength": 2}`.'),
        (
            {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            "It must fit at least one of these members: `a`, `b`.",
        ),
        ({"oneOf": [{"type": "null"}]}, 'It must fit one of: `{"type": "null"}`.'),
        ({"not": {"const": 1}}, 'It must not be `{"const": 1}`.'),
    ],
)
def test_a_condition_has_words(each: dict[str, Any], words: str | None) -> None:
    """What has no words of its own is shown as it stands in the schema."""
    linked = 'Where it fits `{"type": "object"}`: it is [`log/part`](#schema-log-part).'
    assert list(conditions(each)) == [words or linked]


def test_an_else_has_words() -> None:
    """Both ways are told, and a choice of members within one of them."""
    choice = {"oneOf": [{"required": ["b"]}, {"required": ["c"]}]}
    each = {"if": {"required": ["a"]}, "then": choice, "else": {"required": ["d"]}}
    assert list(conditions(each)) == [
        "Where `a` is there: it fits one of these members: `b`, `c`.",
        "Otherwise: it has `d`.",
    ]


@pytest.mark.parametrize("file", DRAWINGS, ids=lambda each: each.stem)
def test_a_drawing_speaks_and_fits_both_themes(file: Path) -> None:
    """It has a title and a description, and its text has the colour of the page."""
    text = drawn(f"![words]({file.name})", file.parent)
    assert re.search(r"<title>.+</title>\n  <desc>.+</desc>", text)
    assert "<style>" not in text
    assert set(re.findall(r'<text [^>]*fill="([^"]+)"', text)) == {"currentColor"}


def test_only_drawings_on_a_line_of_their_own_are_taken_in(tmp_path: Path) -> None:
    """An image within a sentence and a photograph stay what they are."""
    text = "see ![a](a.svg) here\n\n![b](b.png)\n"
    assert drawn(text, tmp_path) == text


def site(folder: Path, **pages: str) -> Path:
    """A site of these pages."""
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(body, encoding="utf-8")
    return folder


def test_links_that_lead_somewhere_are_alive(tmp_path: Path) -> None:
    """To a page, to an anchor here or there, to another host; with what browsers unquote."""
    site(
        tmp_path,
        a='<h1 id="here">A</h1><a href="b.html#there%20too">b</a><a href="#here">a</a>'
        '<a href="https://example.org/none">out</a><a href="#">top</a><img src="b.html">',
        b='<h1 id="there too">B</h1>',
    )
    assert list(links.dead(tmp_path)) == []


def test_links_that_lead_nowhere_are_told(tmp_path: Path) -> None:
    """Each once, with its page and what is missing."""
    site(
        tmp_path,
        a='<a href="c.html">c</a><a href="c.html">c</a><a href="b.html#none">b</a>',
        b='<script src="lost.js"></script><a name id>odd</a>',
    )
    assert list(links.dead(tmp_path)) == [
        "a.html: c.html leads to no file",
        "a.html: b.html#none leads to no such anchor",
        "b.html: lost.js leads to no file",
    ]


@pytest.mark.parametrize(
    ("pages", "code", "ending"),
    [
        ({"a": "<p>"}, 0, "1 pages, 0 dead links\n"),
        ({"a": '<a href="x">'}, 1, "1 pages, 1 dead links\n"),
        ({}, 1, "0 pages, 0 dead links\n"),
    ],
)
def test_the_check_of_links_ends_with_its_verdict(
    pages: dict[str, str],
    code: int,
    ending: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A dead link fails it, and so does a site without pages."""
    monkeypatch.setattr(sys, "argv", ["links", str(site(tmp_path, **pages))])
    with pytest.raises(SystemExit) as ended:
        run_module("storelaw_pages")
    assert ended.value.code == code
    assert capsys.readouterr().out.endswith(ending)
