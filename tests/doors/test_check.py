"""``storelaw check``: what it prints, what it writes, and what it ends with."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import catalogue, inspection, terminal
from storelaw.commands import checking
from storelaw.selftest import all_liars
from storelaw.suite import PROPERTY

Door = Callable[..., Result]
LAW = "entries_load_in_append_order"


def test_a_store_that_holds_the_laws_conforms(storelaw: Door, project: Path) -> None:
    """Exit 0, and the last lines give all five counts and the sentence."""
    result = storelaw("check", "shop:Good", "--law", "order", "--effort", "quick")
    assert result.exit_code == 0
    held, last = result.output.splitlines()[-2:]
    assert held.startswith("good: ")
    assert all(
        f" {each}" in held for each in ("held", "broken", "waived", "not applicable", "evaluated")
    )
    assert last == "good conforms"


def test_a_broken_law_is_told_with_its_program(storelaw: Door, project: Path) -> None:
    """Exit 1, and the text says who broke what, by which program, and how to run it again."""
    result = storelaw("check", "shop:Backwards", "--law", LAW, "--seed", "7")
    assert result.exit_code == 1
    assert f"\n\nbackwards broke a law: {LAW}\n" in result.output
    assert 'store.append("s", [a])' in result.output
    assert f"rerun     storelaw check shop:Backwards --law {LAW} --seed 7" in result.output
    assert result.output.endswith("backwards does not conform\n")


def test_a_medium_that_cant_be_driven_is_a_fault(storelaw: Door, project: Path) -> None:
    """Exit 3, and what went wrong is told once, as the medium's."""
    result = storelaw("check", "shop:Down", "--law", "order")
    assert result.exit_code == 3
    assert result.output.count("medium: down raised in open(): OSError: no server") == 1
    assert "was not judged to the end" in result.output


def test_nothing_evaluated_is_no_success(storelaw: Door, project: Path) -> None:
    """Exit 2 where every chosen law is out of the store's reach, each with its reason."""
    views = next(each.name for each in catalogue.all_laws() if each.door == "views")
    result = storelaw("check", "shop:Good", "--law", views)
    assert result.exit_code == 2
    assert "not applicable  1: the medium brings no views door" in result.output
    assert "nothing is known" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shop:Missing"], "module 'shop' has no 'Missing'"),
        (["shop:NoMedium"], "no medium; subclass storelaw.Medium"),
        (["shop:Nameless"], "has no manifest"),
        (["nowhere.at.all:Thing"], "can't import 'nowhere.at.all': ModuleNotFoundError"),
        (["faulty:Acme"], "manifest field 'batch' has 'all'; allowed: prefix, atomic, one"),
        (["refrence"], "did you mean 'reference'?"),
        (["reference:other"], "no medium is called 'reference:other'"),
        (["shop:Good", "--law", "entries_load_in_apend_order"], f"near it: {LAW}"),
        (["shop:Good", "--effort", "huge"], "'huge' is not one of"),
        (["shop:Good", "--law", "order", "--vectors", "none"], "there is no folder none"),
        (["shop:Good", "--law", "order", "--waivers", "none"], "can't read waivers from none"),
        (["shop:Good", "--today", "tomorrow"], "'tomorrow' is no date"),
        ([], "no TARGET; name a medium or module:Class"),
    ],
)
def test_misuse_is_told_and_ends_with_4(
    storelaw: Door, project: Path, arguments: list[str], words: str
) -> None:
    """Whatever is misused ends with 4 and a sentence that helps, never with a traceback."""
    (project / "faulty.py").write_text(
        "import storelaw\n"
        "class Acme(storelaw.Medium):\n"
        "    manifest = storelaw.Manifest(name='acme', batch='all')\n",
        encoding="utf-8",
    )
    result = storelaw("check", *arguments)
    assert result.exit_code == 4
    assert words in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", ["claude", "openai", "postgres", "redis"])
def test_a_missing_extra_is_named(
    storelaw: Door, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its package a bundled medium says what to install."""
    monkeypatch.setattr("storelaw.catalogue.find_spec", lambda _: None)
    result = storelaw("check", name)
    assert result.exit_code == 4
    assert f"pip install 'storelaw[{name}]'" in result.stderr


def test_the_report_is_written_and_valid(storelaw: Door, project: Path) -> None:
    """--json writes what the schema describes, with the failure's fields."""
    result = storelaw(
        *("check", "shop:Backwards", "--law", LAW, "--effort", "quick"),
        *("--json", "out/report.json", "--save", "saved"),
    )
    assert result.exit_code == 1
    report = json.loads((project / "out/report.json").read_text(encoding="ascii"))
    assert storelaw_schemas.problems("harness/report", report) == ()
    run = report["runs"][0]
    assert (run["target"], run["effort"], run["seed"]) == ("shop:Backwards", "quick", 0)
    failure = run["laws"][0]["failure"]
    assert failure["differs"].startswith("$[0].")
    assert failure["saved"] == f"saved/backwards.{LAW}.json"
    assert f"saved           saved/backwards.{LAW}.json\n" in result.output


def test_a_saved_program_is_a_vector(storelaw: Door, project: Path) -> None:
    """--save and --vectors agree: what one writes the other replays, and the report says so."""
    storelaw("check", "shop:Backwards", "--law", LAW, "--save", "vectors")
    result = storelaw(
        *("check", "shop:Good", "--law", LAW, "--effort", "quick"),
        *("--vectors", "vectors", "--json", "report.json"),
    )
    assert result.exit_code == 0
    run = json.loads((project / "report.json").read_text(encoding="ascii"))["runs"][0]
    assert run["vectors"] == [f"backwards.{LAW}.json"]
    assert run["laws"][0]["evidence"]["vectors"] == 1
    assert f"vectors backwards.{LAW}.json\n" in result.output


@pytest.mark.parametrize("workers", [0, 1])
def test_a_check_writes_junit(storelaw: Door, project: Path, workers: int) -> None:
    """--junit is pytest's own XML, with the medium as the class of each case.

    Also where the verdicts come from another process, the record that is not for people and
    their viewers stays out.
    """
    result = storelaw(
        *("check", "shop:Backwards", "--law", LAW, "--effort", "quick"),
        *("--junit", "out/junit.xml", "-n", workers),
    )
    (suite,) = ElementTree.parse(project / "out/junit.xml").iter("testsuite")
    (case,) = suite.iter("testcase")
    told = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert result.exit_code == 1
    assert (suite.get("name"), suite.get("failures")) == ("storelaw", "1")
    assert case.get("classname") == "backwards.items"
    assert (told["law"], told["verdict"], told["requirement"]) == (LAW, "broken", "MUST")
    assert PROPERTY not in told


def test_verbose_tells_every_failure(storelaw: Door, project: Path) -> None:
    """-v prints the text of each broken law, where else the first one stands alone."""
    arguments = ("check", "shop:Backwards", "--law", "order", "--effort", "quick")
    brief, whole = storelaw(*arguments).output, storelaw(*arguments, "-v").output
    count = int(brief.splitlines()[-2].split(" broken")[0].split()[-1])
    assert count > 1
    assert brief.count(" broke a law: ") == 1
    assert whole.count(" broke a law: ") == count


def test_the_project_sets_what_is_not_given(storelaw: Door, project: Path) -> None:
    """[tool.storelaw] gives the target, the laws and the seed; the command line goes before."""
    (project / "pyproject.toml").write_text(
        '[tool.storelaw]\ntarget = "shop:Good"\nlaw = ["order"]\nseed = 5\neffort = "quick"\n',
        encoding="utf-8",
    )
    assert "(effort quick, seed 5)" in storelaw("check").output
    assert "(effort quick, seed 6)" in storelaw("check", "--seed", "6").output


def test_deep_draws_a_seed_and_prints_it(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deep run without a seed takes one from the system's entropy; others take 0."""
    monkeypatch.setattr(os, "urandom", lambda count: b"\x00" * (count - 1) + b"\x2a")
    fixed = next(each.name for each in catalogue.all_laws() if each.programs is None)
    result = storelaw("check", "shop:Good", "--law", fixed, "--effort", "deep")
    assert "(effort deep, seed 42)" in result.output
    assert checking._seed(3, "deep") == 3
    assert checking._seed(None, "quick") == 0


HOSTILE = """
[tool.pytest.ini_options]
addopts = "--no-such-option -k nothing"
filterwarnings = ["error"]
python_functions = "nothing"
"""
SABOTAGE = """
import pytest


def pytest_collection_modifyitems(items):
    items.clear()


def pytest_runtest_call(item):
    pytest.fail("sabotage")
"""


def test_a_hostile_project_changes_no_verdict(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """addopts, filters, conftests, plugins and variables of the project don't reach a check."""
    arguments = ("check", "shop:Backwards", "--law", "order", "--effort", "quick")
    before = storelaw(*arguments)
    (project / "pyproject.toml").write_text(HOSTILE, encoding="utf-8")
    (project / "conftest.py").write_text(SABOTAGE, encoding="utf-8")
    (project / "sabotage.py").write_text(SABOTAGE, encoding="utf-8")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    monkeypatch.setenv("PYTEST_PLUGINS", "sabotage")
    after = storelaw(*arguments)
    assert (after.exit_code, after.output) == (before.exit_code, before.output)
    assert os.environ["PYTEST_ADDOPTS"] == "-k nothing"


@pytest.mark.slow
def test_workers_report_surrogates_and_do_not_crash(storelaw: Door, project: Path) -> None:
    """Under -n the liar about lone surrogates is reported as it is without."""
    law = "lone_surrogates_are_kept_or_refused"
    medium = next(each.medium for each in all_liars() if each.breaks == law)
    target = f"{medium.__module__}:{medium.__qualname__}"
    arguments = ("check", target, "--law", law, "--effort", "quick", "--json", "report.json")
    alone, shared = storelaw(*arguments), storelaw(*arguments, "-n", 2)
    assert shared.exit_code == alone.exit_code == 1
    assert shared.output == alone.output
    assert "\\ud" in (project / "report.json").read_text(encoding="ascii")


def test_workers_need_xdist(storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pytest-xdist -n says what to install."""
    monkeypatch.setattr(inspection, "find_spec", lambda _: None)
    result = storelaw("check", "shop:Good", "-n", 2)
    assert result.exit_code == 4
    assert "pip install 'storelaw[xdist]'" in result.stderr


def test_colours_need_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are coloured on a terminal only, and not under NO_COLOR."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal.painted("x", "red") == "x"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert terminal.painted("x", "red") == "\x1b[31m\x1b[1mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.painted("x", "red") == "x"


def test_an_interrupted_check_says_so(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends with 130 and no traceback."""
    monkeypatch.setattr(pytest, "main", lambda *_, **__: pytest.ExitCode.INTERRUPTED)
    result = storelaw("check", "shop:Good", "--law", "order")
    assert (result.exit_code, result.stderr) == (130, "\ninterrupted\n")


def test_a_failure_of_pytest_is_the_harness(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An internal error ends with 3 and asks for a report."""
    monkeypatch.setattr(pytest, "main", lambda *_, **__: pytest.ExitCode.INTERNAL_ERROR)
    result = storelaw("check", "shop:Good", "--law", "order")
    assert result.exit_code == 3
    assert result.stderr.startswith("harness: ")


def test_a_law_without_a_verdict_is_no_success(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A law of which no verdict came back is told as the harness's fault, and ends with 3."""
    monkeypatch.setattr(pytest, "main", lambda *_, **__: pytest.ExitCode.OK)
    result = storelaw("check", "shop:Good", "--law", LAW)
    assert result.exit_code == 3
    assert "harness: no verdict came back" in result.output.replace('"', "")


def test_an_item_that_fails_without_a_verdict_is_told(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What kept an item, or all of them, from a verdict stands in the reason."""

    def stumbles(*_: object) -> None:
        raise ZeroDivisionError("a stumble")

    monkeypatch.setattr("storelaw.items.judged", stumbles)
    result = storelaw("check", "shop:Good", "--law", LAW)
    assert (result.exit_code, "a stumble" in result.output) == (3, True)
    monkeypatch.setattr("storelaw.plan.Plan.terms", stumbles_once())
    result = storelaw("check", "shop:Good", "--law", LAW)
    assert (result.exit_code, "a late stumble" in result.output) == (3, True)


def stumbles_once() -> Callable[..., object]:
    """``Plan.terms``, which fails at its third call: when the items are made."""
    from storelaw.suite import Terms

    calls: list[int] = []

    def terms(_: object) -> Terms:
        calls.append(1)
        if len(calls) == 3:
            raise ZeroDivisionError("a late stumble")
        return Terms()

    return terms
