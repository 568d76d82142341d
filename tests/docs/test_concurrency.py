"""The page of several writers: its store fails as shown, and its words are the kit's."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.history import terms
from storelaw.manifest import Manifest
from storelaw.narrative import text
from storelaw.program import at_once, workers_of
from storelaw.summary import own
from storelaw.trial import hold

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "concurrency.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def loaded(code: str, folder: Path) -> Any:
    """A module of this source."""
    path = folder / "notes.py"
    path.write_text(code)
    spec = spec_from_file_location("notes", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def medium(tmp_path: Path) -> Any:
    """The medium of the page."""
    (code,) = blocks(PAGE, "python")
    return loaded(code, tmp_path).NotesMedium


def test_the_store_fails_as_shown(medium: Any) -> None:
    """The text on the page is what a check prints, to its last letter, and each time."""
    shown, _ = blocks(PAGE, "text")
    law = catalogue.law_of("writers_lose_nothing_of_each_other")
    for _ in range(2):
        verdict = hold(law, medium, target="notes:NotesMedium")
        assert verdict.failure is not None
        assert verdict.failure.replays == (3, 3)
        assert text(verdict.failure) + "\n" == shown


def test_the_line_of_what_was_seen_is_the_summarys() -> None:
    """In its form, whatever the numbers."""
    _, shown = blocks(PAGE, "text")
    counts = {"overlaps of threads": 410, "overlaps of tasks": 16}
    law: dict[str, Any] = {"family": "concurrency", "name": "x", "verdict": "held", "notes": []}
    run = {
        "laws": [{**law, "reason": "", "fault": "", "evidence": {"seen": counts}}],
        "vectors": [],
        "exit_code": 0,
        "effort": "quick",
        "seed": 0,
        "manifest": {"name": "notes"},
        "totals": dict.fromkeys(("held", "broken", "waived", "not applicable", "not evaluated"), 0),
    }
    report = {"kit": "1", "spec": "1", "hypothesis": "1", "python": "1", "runs": [run]}
    (line,) = (each.text for each in own(report) if each.title == "seen")
    assert line + "\n" == shown


def test_the_page_has_the_models_and_the_outcomes() -> None:
    """In the words of the manifest, each in the order from the weakest on."""
    cells = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert cells == ["ok", "failed", "unknown", *terms.CONSISTENCIES]
    assert [Manifest(name="x", consistency=each).consistency for each in cells[3:]] == cells[3:]


def test_the_page_has_every_way_of_working() -> None:
    """As the manifest names them."""
    ways = re.findall(r"^\* `([a-z]+)` ", PAGE, re.MULTILINE)
    for way in ways:
        assert Manifest(name="x", writers=frozenset({way})).writers == {way}
    assert ways == ["tasks", "threads", "processes"]


def test_the_crowd_of_the_page_on_laws_is_one(tmp_path: Path) -> None:
    """The block on ``at_once`` runs after the imports of the first one, and gives a step."""
    first, crowd, *_ = blocks((DOCS / "writing-a-law.md").read_text(encoding="utf-8"), "python")
    imports = [each for each in first.splitlines() if each.startswith("from storelaw")]
    made = loaded("\n".join((*imports, crowd)), tmp_path).crowd
    workers = workers_of(made)
    assert made == at_once("s", "threads", A=workers["A"], B=workers["B"])


def test_every_link_leads_somewhere() -> None:
    """No page that these pages name is missing."""
    for page in ("concurrency.md", "media.md", "manifest.md", "writing-a-law.md"):
        links = re.findall(r"\]\(([^)#]+)\)", (DOCS / page).read_text(encoding="utf-8"))
        assert [each for each in links if not (DOCS / each).exists()] == []
