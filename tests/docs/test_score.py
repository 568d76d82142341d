"""The page of the score, and the score that the release recorded."""

import json
import re
from typing import Any

import pytest

import storelaw_schemas
from storelaw import release
from storelaw.liars.mutants import MUTANTS
from storelaw.score import page

from .conftest import DOCS

Score = dict[str, Any]


@pytest.fixture(scope="module")
def recorded() -> Score:
    """The score of the release."""
    score: Score = json.loads((DOCS / "score" / f"{release.__version__}.json").read_bytes())
    return score


def test_the_release_records_its_score(recorded: Score) -> None:
    """It is valid, of all families, whole, and without the rows that a command rebuilds."""
    assert storelaw_schemas.problems("harness/score", recorded) == ()
    assert (recorded["kit"], recorded["family"]) == (release.__version__, None)
    assert not {"liars", "laws", "strangers"} & set(recorded)


def test_every_liar_and_every_mutant_is_caught_in_it(recorded: Score) -> None:
    """No release goes out with a liar that got away or with an accused stranger."""
    totals = recorded["totals"]
    assert totals["caught"] == totals["liars"]
    assert (totals["accusations"], totals["problems"]) == (0, 0)
    assert [each["name"] for each in recorded["mutants"] if each["caught"]] == list(MUTANTS)


def test_the_page_has_the_kits_as_they_were_measured(recorded: Score) -> None:
    """Its table has each kit with its version and the four figures of the recorded score."""
    text = (DOCS / "score.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` (\S+) \| .+ \| (\d+) \| (.+) \| (\d+) \|$", text, re.MULTILINE)
    assert rows == [
        (
            each["name"],
            each["version"],
            str(len(each["caught"])),
            f"{each['published']['caught']} of {each['published']['of']}",
            str(len(each["ours"])),
        )
        for each in recorded["kits"]
    ]


def test_the_recorded_score_makes_a_page(recorded: Score) -> None:
    """Each mutant and each kit stands on it."""
    text = page(recorded)
    assert all(each["name"] in text for each in recorded["kits"])
    assert text.count("| caught |") >= len(MUTANTS)
