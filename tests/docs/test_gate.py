"""The page of the gate: its files are those of the example, its tables name what there is."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import storelaw_schemas
from storelaw import config
from storelaw.cli import main
from storelaw.documents import of_toml
from storelaw.formats import FORMATS
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, OFFENCES, USAGE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
ACME = ROOT / "tests" / "adopters" / "acme"


def blocks(language: str) -> list[str]:
    """The blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[2:]]


def test_the_exit_codes_are_all_there() -> None:
    """Each code has its row, in order."""
    codes = [str(each) for each in (CONFORMS, BREAKS, NOTHING, FAULT, USAGE)]
    assert [row[0] for row in rows("Exit codes")] == codes


def test_each_way_in_which_a_waiver_fails_is_told() -> None:
    """The states that fail a run, and the misspelt ones, which are refused before."""
    assert {row[0] for row in rows("Waivers")} == OFFENCES | {"misspelt"}


def test_the_settings_and_the_waiver_are_read(tmp_path: Path) -> None:
    """The table of settings has known keys, and the example of a waiver fits its schema."""
    settings, waiver = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    found = config.read(tmp_path / "pyproject.toml")
    assert found.fixtures == str(tmp_path / "tests" / "fixtures")
    assert set(tomllib.loads(settings)["tool"]["storelaw"]) < set(config.KEYS)
    assert storelaw_schemas.problems("harness/waivers", of_toml(waiver)) == ()


def test_the_tox_file_is_the_examples() -> None:
    """Word for word, so it is run by the tests from outside."""
    (shown,) = blocks("ini")
    assert shown == (ACME / "tox.ini").read_text(encoding="utf-8")


def test_the_workflow_and_the_hooks_are_the_kits() -> None:
    """The call passes inputs that there are; the hooks are those of the example."""
    call, hooks = map(yaml.safe_load, blocks("yaml"))
    workflow: dict[Any, Any] = yaml.safe_load(
        (ROOT / ".github" / "workflows" / "conformance.yml").read_text(encoding="utf-8")
    )
    inputs = workflow[True]["workflow_call"]["inputs"]
    assert set(call["jobs"]["conformance"]["with"]) < set(inputs)
    assert [row[0].strip("`") for row in rows("GitHub Actions")] == list(inputs)
    example = (ACME / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert hooks == yaml.safe_load(example)


def test_what_init_says_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first block is a session with the command in an empty folder."""
    first = blocks("console")[0]
    command, *output = first.splitlines()
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(main, command.split()[2:])
    assert found.output.splitlines() == output


def test_every_command_of_the_page_exists() -> None:
    """Each ``storelaw`` command and its options are known."""
    for line in re.findall(r"storelaw ([a-z]+(?: --?[\w-]+(?: [\w./:]+)?)*)", "\n".join(_said())):
        name, *rest = line.split()
        assert name in main.commands, line
        known = {option for each in main.commands[name].params for option in each.opts}
        assert {each for each in rest if each.startswith("--")} <= known, line


def _said() -> list[str]:
    said = re.findall(r"`(storelaw [^`]+)`", PAGE)
    said += re.findall(r"^\$ (storelaw .+)$", PAGE, re.MULTILINE)
    assert len(said) > 8
    return said


def test_the_formats_are_named() -> None:
    """The last chapter names each kind of file that carries a version."""
    chapter = PAGE.split("## What stays readable\n")[1].lower()
    names = {"fixture": "recordings", "history": "histories"}
    for each in FORMATS:
        assert names.get(each, each) in chapter, json.dumps(each)
