"""The page of a check, and that of a saved report."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Door = Callable[..., Result]
LAW = "entries_load_in_append_order"
QUICK = ("--law", LAW, "--effort", "quick")


def test_a_check_writes_its_page(storelaw: Door, project: Path) -> None:
    """--html writes the page with the broken law; the exit code stays that of the check."""
    result = storelaw("check", "shop:Backwards", *QUICK, "--html", "out/page.html")
    page = (project / "out/page.html").read_text(encoding="utf-8")
    assert result.exit_code == 1
    assert "backwards does not conform" in page
    assert f'id="law-{LAW}"' in page
    assert f"storelaw check shop:Backwards --law {LAW} --seed 0" in page
    assert "Expected and observed, item by item" in page


def test_the_page_may_be_named_in_the_project(storelaw: Door, project: Path) -> None:
    """A path in [tool.storelaw] is relative to its folder."""
    table = '[tool.storelaw]\ntarget = "shop:Good"\nhtml = "page.html"\n'
    (project / "pyproject.toml").write_text(table, encoding="utf-8")
    assert storelaw("check", *QUICK).exit_code == 0
    assert "good conforms" in (project / "page.html").read_text(encoding="utf-8")


def test_a_saved_report_gives_the_same_page(storelaw: Door, project: Path) -> None:
    """Nothing is on the page that the report doesn't say."""
    files = ("--json", "report.json", "--html", "page.html")
    storelaw("check", "shop:Backwards", *QUICK, *files)
    assert storelaw("html", "report.json", "again.html").exit_code == 0
    again = (project / "again.html").read_text(encoding="utf-8")
    assert again == (project / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "configuration: can't read report.json: "),
        ("{", "configuration: report.json is no JSON: "),
        ("7", "configuration: report.json is no report: $"),
        (json.dumps({"storelaw": 2}), "configuration: report.json has version 2 of the format"),
    ],
)
def test_what_is_no_report_is_refused(
    storelaw: Door, project: Path, text: str | None, words: str
) -> None:
    """The message names the file and what is wrong with it, and the exit code is 4."""
    if text is not None:
        (project / "report.json").write_text(text, encoding="utf-8")
    result = storelaw("html", "report.json", "page.html")
    assert result.exit_code == 4
    assert result.stderr.startswith(words)
    assert not (project / "page.html").exists()


def test_events_give_the_same_page(storelaw: Door, project: Path) -> None:
    """The report is a view of them."""
    storelaw("check", "shop:Backwards", *QUICK, "--events", "e.ndjson", "--html", "page.html")
    assert storelaw("html", "e.ndjson", "again.html").exit_code == 0
    again = (project / "again.html").read_text(encoding="utf-8")
    assert again == (project / "page.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_a_misuse(storelaw: Door, project: Path) -> None:
    """The message names the file."""
    result = storelaw("check", "shop:Good", *QUICK, "--html", ".")
    assert result.exit_code == 4
    assert "can't write" in result.stderr
