"""The page of a report in a real browser: at two widths, in light and dark, without scripts."""

from pathlib import Path
from typing import Any

import pytest

from storelaw import pages

from ..pages import sample
from .conftest import Tab

REPORTS = {"everything": sample.everything(), "hostile": sample.hostile()}
PHONE, DESK = 360, 1280


@pytest.fixture(scope="module", params=REPORTS)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a report."""
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    pages.written(REPORTS[request.param], path)
    return path


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_lies_beside_the_page(tab: Tab, file: Path, width: int, scheme: str) -> None:
    """Without scripts, and with everything unfolded, nobody has to scroll sideways."""
    with tab(file, width, scheme, java_script_enabled=False) as page:
        for each in page.locator("summary").all():
            each.click()
        assert page.locator("details:not([open])").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible(tab: Tab, file: Path, width: int, scheme: str) -> None:
    """axe finds nothing: contrast, names, roles, headings, landmarks, tables."""
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright")
    with tab(file, width, scheme, bypass_csp=True) as page:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_a_page_asks_for_nothing_but_itself(tab: Tab, file: Path) -> None:
    """It fetches nothing, and no text of a store has acted."""
    with tab(file) as page:
        assert page.asked == [file.as_uri()]
        assert page.title().endswith("storelaw report")


def test_the_keyboard_is_enough(tab: Tab, file: Path) -> None:
    """The first stop leads past the head; a fold opens on Enter; the focus can be seen."""
    with tab(file, java_script_enabled=False) as page:
        page.keyboard.press("Tab")
        skip = page.locator("a.skip")
        assert skip.evaluate("each => each === document.activeElement")
        assert skip.bounding_box()["x"] >= 0
        outline = skip.evaluate("each => getComputedStyle(each).outlineStyle")
        assert outline == "solid"
        page.keyboard.press("Enter")
        assert page.url.endswith("#content")
        fold = page.locator("details").first
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        assert fold.get_attribute("open") is not None


def test_every_cell_leads_to_its_law(tab: Tab, file: Path) -> None:
    """Also to one that lies in a fold, which then opens."""
    with tab(file, java_script_enabled=False) as page:
        for each in page.locator("a.cell").all():
            each.click()
            target = page.url.partition("#")[2]
            assert page.locator(f"[id='{target}']").is_visible()
            assert page.locator(f"[id='{target}']:target").count() == 1


def test_the_schemes_differ(tab: Tab, file: Path) -> None:
    """A reader who asks for dark gets dark."""
    grounds: list[str] = []
    for scheme in ("light", "dark"):
        with tab(file, scheme=scheme) as page:
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    light, dark = (sum(map(int, each[4:-1].split(","))) for each in grounds)
    assert light > 700
    assert dark < 100


def test_drawings_can_be_read_on_a_phone(tab: Tab, file: Path) -> None:
    """They are hardly smaller than they are on a desk."""
    with tab(file, PHONE) as page:
        for each in page.locator("svg.drawing").all():
            box = each.bounding_box()
            assert box["width"] >= 0.85 * float(each.get_attribute("width"))
