"""The commands of the page on many machines, run as they stand on the README's store."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from storelaw.cli import main

from .test_readme import ROOT

PAGE = (ROOT / "docs" / "beyond-one-machine.md").read_text()
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)

#: The only command that finds something.
FAILING = "entries_survive_a_reopen"


def ran(command: str) -> tuple[int, str]:
    """How a command ended, and what it printed; one that shares no work needs no process."""
    name, *arguments = command.split()
    if name == "storelaw" and "-n" not in arguments:
        here = CliRunner().invoke(main, [*arguments, "--effort", "quick"])
        return here.exit_code, here.output
    quick = ("--effort", "quick") if name == "storelaw" else ("-p", "no:cacheprovider")
    process = [sys.executable, "-m", name, *arguments, *quick]
    found = subprocess.run(process, capture_output=True, text=True, check=False)
    return found.returncode, found.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_what_the_page_says(command: str) -> None:
    """It conforms on the laws that it names, but for the one whose counterexample is saved."""
    code, printed = ran(command)
    assert code == (1 if FAILING in command else 0), printed


def test_a_saved_counterexample_is_a_file_of_its_own(forgetful: Path) -> None:
    """The file that the page names is there after the command that saves it."""
    ran(COMMANDS[-2])
    assert [each.name for each in (forgetful / "found").iterdir()] == [f"forgetful.{FAILING}.json"]
