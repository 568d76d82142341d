"""The commands of the page on many machines, run as they stand on the README's store."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .test_readme import ROOT, blocks

PAGE = (ROOT / "docs" / "beyond-one-machine.md").read_text()
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)

#: The only command that finds something.
FAILING = "entries_survive_a_reopen"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the README, each under the name in its first line."""
    folder = tmp_path_factory.mktemp("forgetful")
    for each in blocks("python"):
        (folder / each.splitlines()[0].removeprefix("# ")).write_text(each)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_what_the_page_says(command: str, project: Path) -> None:
    """It conforms on the laws that it names, but for the one whose counterexample is saved."""
    quick = ("--effort", "quick") if command.startswith("storelaw") else ("-p", "no:cacheprovider")
    found = subprocess.run(
        [sys.executable, "-m", *command.split(), *quick],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == (1 if FAILING in command else 0), found.stdout


def test_a_saved_counterexample_is_a_file_of_its_own(project: Path) -> None:
    """The file that the page names is there after the command that saves it."""
    subprocess.run(
        [sys.executable, "-m", *COMMANDS[-2].split(), "--effort", "quick"],
        cwd=project,
        capture_output=True,
        check=False,
    )
    assert [each.name for each in (project / "found").iterdir()] == [f"forgetful.{FAILING}.json"]
