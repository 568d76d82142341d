"""``storelaw selftest``: its report and page, and the recorded score that it must not fall below."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import catalogue
from storelaw.matrix import Row
from storelaw.selftest import Selftest, all_liars
from storelaw.verdict import Verdict

Door = Callable[..., Result]
ROOT = Path(__file__).parents[2]
LAW = "entries_load_in_append_order"

ORDER = ("-n", "1", "--family", "order")

#: The family whose selftest takes least.
FAMILY = "log_views"


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Selftest:
    """A selftest that has been conducted: one liar, caught."""
    law = catalogue.law_of(LAW)
    own = Verdict(law.name, law.family, law.requirement, "broken")
    liar = next(each for each in all_liars() if each.name == "SortsById")
    result = Selftest((Row(liar, own, ()),), 2, ())
    monkeypatch.setattr("storelaw.selftest.conducted", lambda *_: result)
    return result


def recorded(file: Path, score: dict[str, Any], **totals: int) -> Path:
    """A recorded score with other totals."""
    file.write_text(json.dumps({**score, "totals": {**score["totals"], **totals}}))
    return file


@pytest.mark.usefixtures("found")
def test_a_report_and_a_page_are_written(storelaw: Door, tmp_path: Path) -> None:
    """The report is valid, has a row for each liar and a search where its law has programs."""
    report, sheet = tmp_path / "score.json", tmp_path / "score.md"
    result = storelaw("selftest", *ORDER, "--report", report, "--page", sheet)
    assert result.exit_code == 0
    score = json.loads(report.read_text(encoding="ascii"))
    assert storelaw_schemas.problems("harness/score", score) == ()
    [row] = score["liars"]
    assert (row["name"], row["programs_alone"]["effort"]) == ("SortsById", "quick")
    assert "Bare" in [each["name"] for each in score["strangers"]]
    assert "# The mutation score" in sheet.read_text(encoding="utf-8")


@pytest.mark.usefixtures("found")
def test_the_kits_of_a_recorded_score_stand_on_the_page(storelaw: Door, tmp_path: Path) -> None:
    """A score that is reached ends with 0, and its kits are told beside what was found."""
    report, sheet = tmp_path / "score.json", tmp_path / "score.md"
    storelaw("selftest", *ORDER, "--report", report)
    kit = json.loads((ROOT / "docs" / "score" / "0.1.0.json").read_bytes())["kits"][0]
    bar = recorded(tmp_path / "bar.json", {**json.loads(report.read_bytes()), "kits": [kit]})
    result = storelaw("selftest", *ORDER, "--at-least", bar, "--page", sheet)
    assert result.exit_code == 0
    assert kit["name"] in sheet.read_text(encoding="utf-8")


@pytest.mark.usefixtures("found")
def test_a_score_of_something_else_is_misuse(storelaw: Door, tmp_path: Path) -> None:
    """Exit 4 before any liar is tried."""
    result = storelaw("selftest", *ORDER, "--at-least", tmp_path / "none.json")
    assert result.exit_code == 4
    assert result.stderr.startswith("configuration: can't read ")
    result = storelaw("selftest", "--report", tmp_path / "score.txt")
    assert (result.exit_code, "should end in .json" in result.stderr) == (4, True)


@pytest.mark.slow
def test_a_selftest_below_the_recorded_score_fails(tmp_path: Path) -> None:
    """From outside: exit 1 where more was recorded, though each liar is caught."""
    whole = json.loads((ROOT / "docs" / "score" / "0.1.0.json").read_bytes())
    file = recorded(tmp_path / "bar.json", {**whole, "family": FAMILY, "mutants": []}, laws=1)
    command = ["-m", "storelaw", "selftest", "-n", "1", "--family", FAMILY, "--at-least", str(file)]
    ended = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ended.returncode == 1, ended.stderr
    *_, problem, ending = ended.stdout.splitlines()
    assert problem.endswith(f"recorded for {whole['kit']}")
    assert "liars are caught, fewer than the " in problem
    assert ending.endswith("; 1 problems")
