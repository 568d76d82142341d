"""The gate from outside: a store's own repository, its tox, its CI and its hooks, by their commands.

The project is ``tests/adopters/acme``, copied, and held to two families instead of all.
"""

import configparser
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from storelaw.commands.checking import check

ROOT = Path(__file__).parents[2]
ACME = ROOT / "tests" / "adopters" / "acme"
WORKFLOW = ROOT / ".github" / "workflows" / "conformance.yml"

LISTED = "the_list_names_exactly_the_sessions_that_load"
ORDERED = "entries_load_in_append_order"
VIEW = "calls_and_results_stay_together_in_the_model_view"

#: Where the tests of an environment find the commands of the same environment.
COMMANDS = str(Path(sys.executable).parent)


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a store, and beside it a medium that can't be driven."""
    folder = tmp_path_factory.mktemp("acme") / "acme"
    shutil.copytree(ACME, folder)
    settings = (folder / "pyproject.toml").read_text(encoding="utf-8")
    part = f'waivers = "waivers.toml"\neffort = "quick"\nlaw = ["{LISTED}", "{ORDERED}"]\n'
    settings = settings.replace('waivers = "waivers.toml"\n', part)
    (folder / "pyproject.toml").write_text(settings, encoding="utf-8")
    (folder / "down.py").write_text(
        "from acme.testing import AcmeMedium\n\n\nclass Down(AcmeMedium):\n"
        "    def open(self):\n        raise OSError('no disk')\n",
        encoding="utf-8",
    )
    return folder


def run(
    command: Sequence[str], project: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a project whose package is installed."""
    path = f"{variables.pop('PATH', '')}:{COMMANDS}:{os.environ['PATH']}"
    env = {**os.environ, "PYTHONPATH": str(project / "src"), **variables, "PATH": path}
    env.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        command, cwd=project, env=env, capture_output=True, text=True, check=False
    )


# -------------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(
            *(["--law", VIEW], 2, "acme nothing is known: no MUST was evaluated"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *(["down:Down", "--law", ORDERED], 3, "acme raised in open(): OSError: no disk"),
            marks=pytest.mark.slow,
        ),
        (["--law", "entries_load"], 4, "no law or family is called 'entries_load'; near it: "),
    ],
)
def test_the_exit_code_says_why_the_gate_is_shut(
    acme: Path, arguments: list[str], code: int, words: str
) -> None:
    """2 nothing evaluated, 3 medium or kit, 4 misused; tox ends with 0, the workflow with 1."""
    found = run(["storelaw", "check", *arguments], acme)
    assert found.returncode == code, found.stdout + found.stderr
    assert words in found.stdout + found.stderr
    assert "Traceback" not in found.stderr


# --------------------------------------------------------------------------- tox


def commands_of_tox() -> dict[str, list[str]]:
    """The command of each environment, with what it runs where nothing is asked for."""
    tox = configparser.ConfigParser()
    tox.read(ACME / "tox.ini", encoding="utf-8")
    found = {name: each["commands"] for name, each in tox.items() if "commands" in each}
    return {
        name: re.sub(r"{posargs:?([^}]*)}", r"\1", each).split() for name, each in found.items()
    }


@pytest.mark.slow
def test_tox_holds_the_laws(acme: Path) -> None:
    """The environment of the laws ends with 0: one law is waived, and the summary says so."""
    found = run(commands_of_tox()["testenv:laws"], acme)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "acme: 1 held, 0 broken, 1 waived, 0 not applicable, 0 not evaluated" in found.stdout


@pytest.mark.slow
def test_tox_runs_the_stores_own_tests(acme: Path) -> None:
    """A waived law is an expected failure there, and any other an ordinary item."""
    command = [*commands_of_tox()["testenv"], "-q", "-k", f"{LISTED} or {ORDERED}"]
    found = run(command, acme)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 passed" in found.stdout
    assert "1 xfailed" in found.stdout


# ---------------------------------------------------------------------- workflow


def workflow() -> dict[Any, Any]:
    """The reusable workflow; YAML takes its key ``on`` for a truth value."""
    found: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return found


def given(inputs: Mapping[str, str], step: Mapping[str, Any]) -> dict[str, str]:
    """The variables of a step, with the inputs of a call in their places."""
    defaults = {name: each["default"] for name, each in _inputs().items()}
    values = {**defaults, **inputs}
    found = {}
    for name, text in step.get("env", {}).items():
        found[name] = re.sub(r"\${{ inputs\.([\w-]+) }}", lambda m: values[m.group(1)], text)
    return found


def _inputs() -> dict[str, Any]:
    inputs: dict[str, Any] = workflow()[True]["workflow_call"]["inputs"]
    return inputs


def steps() -> list[dict[str, Any]]:
    """The steps of its one job."""
    (job,) = workflow()["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def step_named(name: str) -> dict[str, Any]:
    """A step by its name."""
    return next(each for each in steps() if each.get("name") == name)


BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]


def test_the_workflow_installs_what_it_is_told(acme: Path, tmp_path: Path) -> None:
    """pip gets the kit and each word of yours."""
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\nprintf "%s|" "$@"\n', encoding="utf-8")
    fake.chmod(0o755)
    step = step_named("Install")
    inputs = {"install": ". redis", "storelaw": "storelaw[redis] >= 0.1"}
    found = run([*BASH, step["run"]], acme, PATH=str(tmp_path), **given(inputs, step))
    assert found.stdout == "-m|pip|install|storelaw[redis] >= 0.1|.|redis|"


@pytest.mark.slow
def test_the_workflow_holds_the_laws_and_keeps_all_reports(acme: Path, tmp_path: Path) -> None:
    """Its step ends with the code of the check, and leaves what the next one uploads."""
    (acme / "none.toml").write_text("waivers = []\n", encoding="utf-8")
    step = step_named("Hold the laws")
    out, summary = tmp_path / "output", tmp_path / "summary"
    variables = given({"effort": "quick", "waivers": "none.toml"}, step)
    variables |= {"GITHUB_OUTPUT": str(out), "GITHUB_STEP_SUMMARY": str(summary)}
    found = run([*BASH, step["run"]], acme, **variables)
    assert found.returncode == 1, found.stdout + found.stderr
    assert out.read_text() == "code=1\n"
    assert f"acme broke a law: {LISTED}" in summary.read_text()
    kept = {each.name for each in (acme / "storelaw-report").iterdir()}
    reports = {"report.json", "events.ndjson", "junit.xml", "report.html", "badge.svg"}
    assert kept == {*reports, "summary.txt"}


def test_every_option_of_the_workflow_exists() -> None:
    """What it passes on are options of check, and each input reaches a step."""
    text = WORKFLOW.read_text(encoding="utf-8")
    known = {option for each in check.params for option in each.opts}
    assert set(re.findall(r"(--[a-z]+) [\"$]", text)) <= known
    for name in _inputs():
        assert f"inputs.{name} " in text, name


def test_the_workflow_asks_for_the_exit_codes_that_there_are() -> None:
    """Nothing that a step needs is undefined: each expression names an input or a step."""
    text = WORKFLOW.read_text(encoding="utf-8")
    named = {f"inputs.{each}" for each in _inputs()}
    named |= {"steps.check.outputs.code", "jobs.laws.outputs.code"}
    found = set(re.findall(r"\${{ ([\w.-]+) }}", text))
    assert found <= named
    assert step_named("Hold the laws")["id"] == "check"


# ------------------------------------------------------------------------- hooks


def hooks() -> dict[str, dict[str, Any]]:
    """The hooks that the kit offers, by their ids."""
    found = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return {each["id"]: each for each in found}


def test_the_store_asks_for_the_hooks_that_there_are() -> None:
    """The example names each of them, and the first is a check that takes no files."""
    config = yaml.safe_load((ACME / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {each["id"] for repo in config["repos"] for each in repo["hooks"]} == set(hooks())
    first = hooks()["storelaw"]
    assert (first["entry"], first["pass_filenames"]) == (f"storelaw {check.name}", False)
    assert check.make_context("check", first["args"]).params["effort"] == "quick"


@pytest.mark.slow
def test_the_hook_of_waivers_checks_the_file(acme: Path) -> None:
    """It is given the file that its pattern finds."""
    hook = hooks()["storelaw-waivers"]
    assert re.search(hook["files"], "waivers.toml")
    found = run([*hook["entry"].split(), "waivers.toml"], acme)
    assert (found.returncode, found.stdout) == (0, "waivers.toml: valid\n")
