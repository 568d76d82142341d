"""The README's blocks are true: its store fails as shown, its commands are the project's own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from storelaw.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """The files of the README, each under the name in its first line; forgotten afterwards."""
    for each in blocks("python"):
        name = each.splitlines()[0].removeprefix("# ")
        (tmp_path / name).write_text(each)
    yield tmp_path
    for file in tmp_path.glob("*.py"):
        sys.modules.pop(file.stem, None)


def storelaw(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the kit in a project."""
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True, check=False
    )


def test_the_medium_is_at_most_twelve_lines() -> None:
    """A newcomer writes no more than that."""
    medium = next(each for each in blocks("python") if "storelaw.Medium" in each)
    assert len(medium.strip().splitlines()) <= 12


def test_the_store_fails_as_shown(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text in the README is what the command prints, and the exit code says broken."""
    (shown,) = blocks("text")
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "path", list(sys.path))
    options = ("--law", "entries_survive_a_reopen", "--effort", "quick")
    found = CliRunner().invoke(main, ["check", "testing:ForgetfulMedium", *options])
    assert f"\n\n{shown}\n" in found.stdout
    assert found.exit_code == 1


@pytest.mark.slow
def test_the_test_file_has_an_item_for_each_law(project: Path) -> None:
    """One line gives items that pytest can select, and the broken law fails."""
    found = storelaw(
        project,
        *("pytest", "-q", "-p", "no:cacheprovider", "test_forgetful.py"),
        *("-k", "entries_survive_a_reopen or entries_load_in_append_order"),
    )
    assert "1 failed, 1 passed" in found.stdout
    assert "test_forgetful[resume/entries_survive_a_reopen]" in found.stdout


@pytest.mark.slow
def test_the_first_command_is_a_check_that_conforms(project: Path) -> None:
    """What the first command runs after its set-up exits with 0 on the bundled store."""
    first, _ = blocks("console")
    command = first.strip().split("&& .venv/bin/")[-1]
    assert command == "storelaw check sqlite"
    found = storelaw(project, *command.split(), "--effort", "quick", "--law", "order")
    assert found.returncode == 0, found.stdout


def test_the_second_command_is_what_the_gate_runs() -> None:
    """The gate calls tox as the README does, and tox is configured here."""
    _, second = blocks("console")
    command = second.strip().split("&& .venv/bin/")[-1]
    assert command == "tox run-parallel"
    assert "-m tox run-parallel" in (ROOT / ".ci" / "run").read_text()
    assert "env_list" in (ROOT / "tox.ini").read_text()


def test_every_link_leads_somewhere() -> None:
    """No page that the README names is missing."""
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [each for each in links if not (ROOT / each).exists()] == []
