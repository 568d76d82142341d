"""The documentation in a real browser, opened from its folder: its search, its width, its colours."""

import os
from pathlib import Path
from typing import Any

import pytest

from .conftest import Tab

#: Where the built site lies, if anybody has built it: ``tox run -e docs`` does.
SITE = "STORELAW_SITE"

PAGES = (
    "index.html",
    "tutorial.html",
    "gate.html",
    "specification/transcript.html",
    "laws/order.html",
    "schemas/turns.html",
    "score.html",
)


@pytest.fixture(scope="module")
def site() -> Path:
    """The folder of the site; skips where there is none."""
    folder = Path(os.environ.get(SITE, "nowhere"))
    if not (folder / "index.html").exists():
        pytest.skip(f"set {SITE} to the folder of a built site; `tox run -e docs` builds one")
    return folder.resolve()


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("every_stored_parent_is_stored", "every_stored_parent_is_stored"),
        ("no_call_brings_an_ephemeral_entry_into_the_store", "The transcript profile"),
        ("PushesBatchesInReverse", "The family order"),
        ("first_kept_id", "Schemas of the transcript profile"),
        ("waiver", "The gate"),
    ],
)
def test_one_search_finds_everything_without_a_network(
    tab: Tab, site: Path, words: str, title: str
) -> None:
    """A law, a clause, a liar, a member of a schema and a word, from the first page on."""
    faults: list[str] = []
    with tab(site / "index.html", offline=True) as page:
        page.on("pageerror", lambda each: faults.append(str(each)))
        page.fill("input[name=q]", words)
        page.press("input[name=q]", "Enter")
        page.wait_for_selector("#search-results li")
        page.locator(f"#search-results li:has-text('{title}')").first.wait_for()
        assert faults == []
        assert [each for each in page.asked if not each.startswith("file:")] == []


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_nobody_scrolls_sideways(tab: Tab, site: Path, name: str, width: int) -> None:
    """With everything unfolded a page is as wide as the screen, and asks for files only."""
    with tab(site / name, width) as page:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [each for each in page.asked if not each.startswith("file:")] == []


def test_a_wide_block_of_code_is_scrolled_by_the_keyboard(tab: Tab, site: Path) -> None:
    """It takes the focus, and the arrow moves what is in it."""
    with tab(site / "tutorial.html", 360) as page:
        block = page.locator("pre").filter(has_text="class Diary").first
        block.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.activeElement.scrollLeft > 0")


def shade(page: Any, selector: str, of: str) -> int:
    """How light a colour is, from 0 to 765."""
    colour: str = page.locator(selector).first.evaluate(f"each => getComputedStyle(each).{of}")
    return sum(map(int, colour[4:-1].split(",")))


def test_drawings_have_the_colours_of_their_page(tab: Tab, site: Path) -> None:
    """Their text is dark on light and light on dark."""
    file = site / "specification" / "transcript.html"
    with tab(file, scheme="light") as page:
        assert shade(page, "figure.drawing text", "fill") < 100
    with tab(file, scheme="dark") as page:
        assert shade(page, "figure.drawing text", "fill") > 500
