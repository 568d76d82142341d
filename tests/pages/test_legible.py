"""Text that a page may show."""

import pytest
from markupsafe import Markup

from storelaw.pages.legible import finalized, legible
from storelaw.pages.svg import element, fitting, label

from .sample import HOSTILE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain caf\u00e9 \u6f22", "plain caf\u00e9 \u6f22"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x00\x1b", "\\x00\\x1b"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("\ud800", "\\ud800"),
        ("a\u200bb\ufeff\u2028", "a\\u200bb\\ufeff\\u2028"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    """Controls, characters that turn or hide text and lone surrogates are written as escapes."""
    assert legible(text) == shown


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_can_be_written(text: str) -> None:
    """Whatever a store answers can be encoded, and stands on the line on which it was put."""
    legible(text).encode("utf-8")
    assert "\u202e" not in legible(text)


def test_markup_and_numbers_stay_as_they_are() -> None:
    """Only words are looked at."""
    made = Markup("<b>\u200b</b>")
    assert finalized(made) is made
    assert finalized(7) == 7
    assert finalized("\x00") == "\\x00"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_gets_out_of_an_element(text: str) -> None:
    """Words and attributes of a drawing are escaped."""
    made = element("text", label(1, 2, text), title=text)
    assert made.count("<") == 4
    assert made.count('"') == 2 * 5


def test_a_long_text_is_cut_where_it_can_be_seen() -> None:
    """What is cut ends in dots, and an escape counts as long as it is written."""
    assert fitting("abcdef", 6) == "abcdef"
    assert fitting("abcdefg", 6) == "abcde\u2026"
    assert fitting("\ud800", 6) == "\\ud800"
