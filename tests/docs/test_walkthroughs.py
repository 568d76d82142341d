"""The pages that a reader works through are true, to the last line that they show."""

import os
from pathlib import Path

import pytest

from .walkthrough import Walk, fits

DOCS = Path(__file__).parents[2] / "docs"

#: Pages whose commands are done in a moment.
SHORT = ("async-stores.md", "servers.md")

#: Pages that hold all laws against a store, or start processes: the environment ``docs`` does so.
LONG = ("ci.md", "extending.md", "quick-start.md", "tutorial.md", "waivers.md")


@pytest.mark.parametrize("page", SHORT)
def test_a_page_is_true(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page asks for can be done, and gives what it shows."""
    Walk(tmp_path, monkeypatch).through(DOCS / page)


@pytest.mark.skipif("STORELAW_PAGES" not in os.environ, reason="set STORELAW_PAGES=1 to try them")
@pytest.mark.parametrize("page", LONG)
def test_a_long_page_is_true(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page asks for can be done, and gives what it shows."""
    Walk(tmp_path, monkeypatch).through(DOCS / page)


def test_dots_stand_for_any_lines() -> None:
    """None, one or several; within a line for a part of it; and nothing else leaves a line out."""
    assert fits("7 held, 0 broken\n", "... held, 0 broken\n")
    assert fits("a\nb\nc\n", "a\n...\nc\n")
    assert fits("a\nc\n", "a\n...\nc\n")
    assert fits("a\nb\n", "a\n...\n")
    assert not fits("a\nb\nc\n", "a\nc\n")
    assert not fits("a\nb\n", "...\na\n")


def test_a_change_needs_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are taken out and put in where the rest fits, and nowhere else."""
    walk = Walk(tmp_path, monkeypatch)
    walk.done("python", "# a.py\none = 1\ntwo = 2\n")
    walk.done("diff", "--- a.py\n one = 1\n-two = 2\n+two = 3\n")
    assert (tmp_path / "a.py").read_text() == "# a.py\none = 1\ntwo = 3\n"
    with pytest.raises(AssertionError, match="has not one place"):
        walk.done("diff", "--- a.py\n-two = 2\n+two = 4\n")


def test_what_is_not_printed_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that shows something else than its command prints is not true."""
    walk = Walk(tmp_path, monkeypatch)
    walk.done("console", "$ printf 'a\\nb\\n'\na\nb\n$ echo $?\n0\n")
    with pytest.raises(AssertionError, match="printf"):
        walk.done("console", "$ printf 'a\\n'\nb\n")
