"""Grades and versions as a project meets them: ``--require``, ``--spec`` and the table's keys."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw.specification import versions
from storelaw.specification.versions import Frozen

Door = Callable[..., Result]
LAW = "entries_load_in_append_order"
LATER = "later"

#: A store that is right, and an extension with laws of a version that isn't there yet.
ACME = '''
import storelaw
from storelaw.failures import broken
from storelaw.liars.honest import HonestMedium, claiming
from storelaw.program import append, load, program


class Acme(HonestMedium):
    manifest = claiming(name="acme")


later = storelaw.law(
    family="later",
    since="9.9",
    source=["ours"],
    battery=[program(append("s", {"type": "custom", "kind": "k", "id": "1"}), load("s"))],
)


@later
def stores_are_there(trace):
    """A store is there."""


@later
def stores_are_kind(trace):
    """A store is kind."""
    broken(None, expected="kind", observed="unkind", because="a store is kind.")


@storelaw.hookimpl
def storelaw_laws():
    return [stores_are_there, stores_are_kind]
'''


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project, in which the extension is installed."""
    folder = tmp_path_factory.mktemp("acme")
    (folder / "acme.py").write_text(ACME, encoding="utf-8")
    info = folder / "acme-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[storelaw]\nacme = acme\n", encoding="ascii")
    return folder


def outside(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python on a project, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def check(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A quick check of the project's store by a law of the kit, and those of the extension."""
    laws = ("--law", LAW, "--law", LATER, "--effort", "quick")
    return outside(folder, "storelaw", "check", "acme:Acme", *laws, *options)


@pytest.mark.slow
def test_a_law_of_a_later_version_counts_for_nothing(acme: Path) -> None:
    """It runs and is shown; the run conforms, and the report says that it isn't scored."""
    found = check(acme, "--spec", "0.1", "--json", "report.json")
    assert (found.returncode, found.stderr) == (0, "")
    assert "acme broke a law: stores_are_kind\n" in found.stdout
    assert "\nnot scored  the law is of a later version" in found.stdout
    assert "1 held, 0 broken, 0 waived" in found.stdout
    assert "0 not evaluated; 2 not scored (effort quick" in found.stdout
    assert found.stdout.endswith("\nacme conforms\n")
    report = json.loads((acme / "report.json").read_text(encoding="ascii"))
    assert storelaw_schemas.problems("harness/report", report) == ()
    run = report["runs"][0]
    assert (report["spec"], run["spec"]) == ("0.1", "0.1")
    assert {each["name"]: each["scored"] for each in run["laws"]} == {
        LAW: True,
        "stores_are_kind": False,
        "stores_are_there": False,
    }
    clauses = [each["clauses"] for each in run["laws"] if each["scored"]]
    assert clauses == [["entries_are_read_in_the_order_of_their_appends"]]


@pytest.mark.slow
def test_a_required_grade_that_is_not_reached_fails(acme: Path) -> None:
    """Exit 1, and the last line says what is missing; a narrowed run reaches no grade."""
    found = check(acme, "--require", "core")
    assert found.returncode == 1
    last = found.stdout.splitlines()[-1]
    assert last.startswith("acme holds what was judged, but lacks the grade core: not all of ")
    assert last.endswith(" more)")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--spec", "0.9"], "no version of the specification is called '0.9'"),
        (["--require", "gold"], "no grade is called 'gold'; known: concurrent, core"),
    ],
)
def test_what_does_not_exist_is_refused(
    storelaw: Door, project: Path, options: list[str], words: str
) -> None:
    """Exit 4, with what there is."""
    result = storelaw("check", "shop:Good", "--law", LAW, *options)
    assert result.exit_code == 4
    assert words in result.stderr


def small(spec: str) -> Frozen:
    """A version whose core is one law."""
    sets = {"core": (LAW,), "durable": (), "concurrent": (), "crash-safe": ()}
    return Frozen(spec, {}, {LAW: "MUST"}, {"transcript": sets})


def test_a_required_grade_that_is_reached_conforms(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 0, by the keys of the project's table; the summary has a line for the grades."""
    monkeypatch.setattr("storelaw.grades.frozen", small)
    (project / "pyproject.toml").write_text(
        f'[tool.storelaw]\ntarget = "shop:Good"\nlaw = ["{LAW}"]\nrequire = "core"\nspec = "0.1"\n'
    )
    result = storelaw("check", "--effort", "quick")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    at = lines.index("grades          core reached")
    assert lines[at + 1].startswith(
        "                not durable, concurrent, crash-safe: the profile"
    )
    assert lines[-1] == "good conforms"
    result = storelaw("check", "--effort", "quick", "--require", "durable")
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == (
        "good holds what was judged, but lacks the grade durable: "
        "the profile transcript has no laws of this grade"
    )


def test_a_broken_law_is_told_before_the_grade(storelaw: Door, project: Path) -> None:
    """Where a law is broken the last line says that first."""
    result = storelaw("check", "shop:Backwards", "--law", LAW, "--require", "core")
    assert result.exit_code == 1
    last = result.output.splitlines()[-1]
    assert last.startswith("backwards does not conform, and lacks the grade core: not all of")


SUITE = """
import storelaw
from acme import Acme

test_acme = storelaw.laws(Acme, select=["{law}", "{later}"], spec="0.1", effort="battery")
"""


@pytest.mark.slow
def test_an_unscored_law_is_an_expected_failure(acme: Path) -> None:
    """Under pytest it neither fails the run nor passes in silence."""
    (acme / "test_acme.py").write_text(SUITE.format(law=LAW, later=LATER), encoding="utf-8")
    found = outside(acme, "pytest", "-rx", "-p", "no:cacheprovider", "test_acme.py")
    assert found.returncode == 0, found.stdout
    assert "2 passed, 1 xfailed" in found.stdout
    assert "broken, not scored: there since 9.9, after 0.1" in found.stdout
    assert "acme: 1 held, 0 broken" in found.stdout


def test_laws_refuses_an_unknown_version() -> None:
    """When the module is collected, with what there is."""
    import storelaw as kit
    from storelaw.media.reference import ReferenceMedium

    with pytest.raises(kit.Misconfigured, match=r"'9\.9'.*known: 0\.1"):
        kit.laws(ReferenceMedium, spec="9.9")
    assert versions.known() == ("0.1",)
