"""The page on reports: its commands do what they say, and its tables are the kit's."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import storelaw_schemas
from storelaw import catalogue, comparison, extensions, saved, sections, summary, trial
from storelaw.cli import main

from .test_readme import ROOT

PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ storelaw (.+)$", PAGE, re.MULTILINE)
(SUITE,) = re.findall(r"^\$ pytest (.+)$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def project(forgetful: Path) -> Iterator[Path]:
    """The files of the README, and what the commands of the page wrote."""
    with pytest.MonkeyPatch.context() as patch:
        catalogue.importable(forgetful)
        patch.setattr(trial, "EFFORTS", {**trial.EFFORTS, "standard": trial.EFFORTS["quick"]})
        yield forgetful


@pytest.fixture(scope="module")
def ran(project: Path) -> dict[str, Result]:
    """How each command ended, in the order of the page."""
    return {each: CliRunner().invoke(main, each.split()) for each in COMMANDS}


def test_the_commands_end_as_the_page_says(ran: dict[str, Result]) -> None:
    """A check fails where the store forgets, and so does the comparison of the two."""
    codes = {each: result.exit_code for each, result in ran.items()}
    assert [each for each, code in codes.items() if code == 1] == [
        "check testing:ForgetfulMedium --law entries_survive_a_reopen",
        "check testing:ForgetfulMedium --law entries_survive_a_reopen --json new.json",
    ]
    assert set(codes.values()) == {0, 1}


def test_the_files_are_views_of_one_stream(project: Path, ran: dict[str, Result]) -> None:
    """Events and report say the same of the laws, but for the time that each took."""
    reports = [saved.read(project / name) for name in ("order.ndjson", "order.json")]
    for each in reports:
        for law in each["runs"][0]["laws"]:
            law["seconds"] = 0
    assert reports[0] == reports[1]
    assert (project / "badge.svg").exists()
    assert (project / "junit.xml").exists()


def test_pytest_writes_events_too(project: Path) -> None:
    """The option of the plugin leaves a stream."""
    apart = ["-c/dev/null", f"--rootdir={project}", "--disable-plugin-autoload", "-pstorelaw"]
    quiet = ["-pno:cacheprovider", "-pno:faulthandler", "--import-mode=importlib"]
    assert pytest.main([*SUITE.split(), *apart, *quiet]) == pytest.ExitCode.OK
    (run,) = saved.read(project / "session.ndjson")["runs"]
    assert run["manifest"]["name"] == "forgetful"


def cells(heading: str) -> list[str]:
    """The names in the first column of the table under a heading."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?`) \|", part, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_the_tables_name_what_there_is() -> None:
    """Each event, each property and each kind of change, and no other."""
    assert (
        cells("Events") == storelaw_schemas.schema("harness/event")["properties"]["event"]["enum"]
    )
    assert sorted(cells("What changed")) == sorted(comparison.KINDS)
    assert set(comparison.FAILING) == set(cells("What changed")[: len(comparison.FAILING)])


def test_the_properties_are_those_of_junit(project: Path, ran: dict[str, Result]) -> None:
    """Each that a case may have is explained."""
    found = re.findall(r'<property name="(\w+)"', (project / "junit.xml").read_text())
    assert set(cells("JUnit")) == set(found)


def test_the_places_are_the_kits() -> None:
    """The page gives the place of each of the kit's sections."""
    told = [int(each) for each in re.findall(r"at (\d+)", PAGE.split("through the same hook")[1])]
    kits = (sections.FAMILIES, sections.FACTS, sections.FAULTS, sections.BROKEN)
    assert told == [*kits, sections.FAILURES, sections.ENDING]


def test_a_section_of_ones_own_is_told(
    project: Path, ran: dict[str, Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hook on the page adds a line to the facts."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (project / "slowest.py").write_text(code)
    manager = extensions.assembled(import_module("slowest"))
    monkeypatch.setattr(extensions, "installed", lambda: manager)
    facts = list(summary.paragraphs(saved.read(project / "order.json")))[1]
    assert any(each.startswith("slowest  ") for each in facts.splitlines())
