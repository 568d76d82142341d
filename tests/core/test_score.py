"""The score: what is counted, what the page says, which liars programs alone catch, the bar."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies

import storelaw_schemas
from storelaw import catalogue
from storelaw.clauses import Law
from storelaw.errors import Misconfigured
from storelaw.judging import judge_order
from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.mutants import MUTANTS
from storelaw.liars.registry import Liar
from storelaw.matrix import Row
from storelaw.program import Program, append, load, program
from storelaw.samples import said
from storelaw.score import (
    Papers,
    Search,
    document,
    page,
    recorded,
    release_of,
    searches,
    shortfalls,
)
from storelaw.selftest import Accusation, Selftest
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw.verdict import Evidence, Verdict

Score = dict[str, Any]


def order(trace: Trace) -> None:
    """In order."""
    judge_order(trace, "in order.")


LAW = Law("in_order", "In order.", "order", order, lambda _: [])
OTHER = replace(LAW, name="other")
GENERATED = replace(LAW, name="generated", programs=lambda _: strategies.nothing(), weight=1)
ENTRIES = Evidence(battery=3, generated=4)

KIT: Score = {
    "name": "another-kit",
    "version": "1.0",
    "zoo": "mutants",
    "of": [MUTANTS[0], MUTANTS[1]],
    "caught": [MUTANTS[1]],
    "ours": [MUTANTS[0], MUTANTS[1]],
    "published": {"caught": 5, "of": 44},
    "note": "it compares loosely.",
}


def liar(name: str, breaks: str, **more: Any) -> Liar:
    """A liar on paper."""
    return Liar(name, HonestMedium, breaks, **more)


def caught(law: Law, evidence: Evidence = Evidence(battery=2)) -> Verdict:  # noqa: B008
    """The verdict on a liar that was caught."""
    return Verdict(law.name, law.family, "MUST", "broken", evidence=evidence, seconds=0.25)


ROWS = (
    Row(liar("First", "in_order", mutants=(MUTANTS[0],)), caught(LAW), ("other", "generated")),
    Row(liar("Second", "in_order"), caught(LAW), ("other",)),
    Row(liar("Third", "other", perhaps=("in_order",)), caught(OTHER), ("in_order",)),
    Row(liar("Fourth", "generated"), caught(GENERATED, ENTRIES), ()),
    Row(liar("Fifth", "nowhere", mutants=(MUTANTS[1],)), None, ()),
)
ACCUSED = Accusation("Bare", "other", "bare broke a law: other\n\n    store = ...")
RESULT = Selftest(ROWS, 2, ("Fifth isn't caught", str(ACCUSED)), (ACCUSED,))
FOUND = (Search("Fourth", "standard", 7, 0.5), Search("Third", "", 300, 1.5))


@pytest.fixture
def score() -> Score:
    """The score of a selftest of three laws, five liars and two strangers."""
    return document(RESULT, [LAW, OTHER, GENERATED], ["Bare", "Odd"], FOUND, kits=[KIT])


def test_a_score_is_what_its_schema_says(score: Score) -> None:
    """The document has no problem, nor has the part that a release records."""
    assert storelaw_schemas.problems("harness/score", score) == ()
    assert storelaw_schemas.problems("harness/score", release_of(score)) == ()
    assert set(score) - set(release_of(score)) == {"liars", "laws", "strangers"}


def test_all_is_counted(score: Score) -> None:
    """Liars, accusations and problems; of a whole run all published mutants."""
    assert score["totals"] == {
        "laws": 3,
        "liars": 5,
        "caught": 4,
        "strangers": 2,
        "accusations": 1,
        "mutants": len(MUTANTS),
        "mutants_caught": 1,
        "problems": 2,
    }
    assert score["mutants"][0] == {"name": MUTANTS[0], "liars": ["First"], "caught": True}
    assert score["mutants"][1] == {"name": MUTANTS[1], "liars": ["Fifth"], "caught": False}


def test_a_family_is_asked_for_its_own_mutants() -> None:
    """Mutants for which no row stands say nothing of a family."""
    found = document(RESULT, [LAW], [], family="order")
    assert [each["name"] for each in found["mutants"]] == [MUTANTS[0], MUTANTS[1]]
    assert found["family"] == "order"


def test_a_row_says_what_caught_its_liar(score: Score) -> None:
    """By a program of the battery or a generated one, after how many; or not at all."""
    rows = {each["name"]: each for each in score["liars"]}
    first, fourth, fifth = rows["First"], rows["Fourth"], rows["Fifth"]
    assert (first["caught_by"], first["examples"], first["seconds"]) == ("battery", 2, 0.25)
    assert (fourth["caught_by"], fourth["examples"]) == ("programs", 7)
    assert fourth["programs_alone"] == {"effort": "standard", "programs": 7, "seconds": 0.5}
    assert (fifth["caught"], fifth["caught_by"], fifth["family"]) == (False, "", "")
    assert score["only_by_programs"] == ["Fourth"]


def test_what_programs_catch_alone_is_counted_by_effort(score: Score) -> None:
    """Each liar under the first effort that caught it, and those that none did by name."""
    assert score["programs_alone"] == {
        "liars": 2,
        "quick": 0,
        "standard": 1,
        "deep": 0,
        "missed": ["Third"],
    }


def test_a_law_that_never_fails_alone_is_known(score: Score) -> None:
    """Each of its liars breaks another law each time; what may break beside it doesn't count."""
    laws = {each["name"]: each for each in score["laws"]}
    assert score["never_alone"] == ["in_order"]
    assert (laws["in_order"]["beside"], laws["in_order"]["alone"]) == (["other"], 0)
    assert laws["other"]["alone"] == laws["generated"]["alone"] == 1
    third = score["liars"][2]
    assert (third["others"], third["at_times"]) == ([], ["in_order"])


def test_the_page_tells_all_of_it(score: Score) -> None:
    """Each section says what it found, rows and all."""
    text = page(score)
    for words in (
        "4 of 5 liars are caught by the 3 laws.",
        f"1 of {len(MUTANTS)} published mutants",
        "no battery does: `Fourth`.",
        "alone catch 1 of the 2 liars whose law has them: 0 at quick effort, 1 more at standard",
        "which only a battery catches: `Third`.",
        "| `in_order` | `other` |",
        "| `Bare` | `other` | bare broke a law: other |",
        f"| {MUTANTS[0]} | `First` | caught | missed |",
        "| another-kit | 1.0 | 2 | 1 | 5 of 44 | 2 |",
        "* another-kit: it compares loosely.",
        "| `First` | `in_order` | battery | 2 | 0.25 | - | `other`, `generated` |",
        "| `Third` | `other` | battery | 2 | 0.25 | missed by 300 | `in_order` at times |",
        "| `Fourth` | `generated` | programs | 7 | 0.25 | standard, after 7 | - |",
        "| `Fifth` | `nowhere` | **not caught** | 0 | 0.00 | - | - |",
        "### unknown laws",
    ):
        assert words in text


def test_the_page_of_a_release_has_no_rows(score: Score) -> None:
    """What a release doesn't record is left out, and the laws are a list."""
    text = page(release_of(score))
    assert "* `in_order`" in text
    assert "Honest strangers" not in text
    assert "which liar" not in text
    assert f"| {MUTANTS[0]} | `First` | caught | missed |" in text


def test_the_page_of_a_clean_family_says_that_nothing_is_wrong() -> None:
    """No liar needs generated programs, each law fails alone, nobody is accused, no kit is told."""
    clean = Selftest((Row(liar("Second", "in_order"), caught(LAW), ()),), 1, ())
    text = page(document(clean, [LAW], ["Odd"], family="order"))
    for words in (
        "1 of 1 liars are caught by the 1 laws of the family `order`.",
        "Each liar is caught by a battery",
        "Each law has a liar that breaks it and nothing else.",
        "Nothing was held against any of them.",
    ):
        assert words in text
    for words in ("Without any battery", "## The published kits"):
        assert words not in text


def test_words_that_markdown_would_read_are_escaped(score: Score) -> None:
    """A failure in words breaks no table."""
    accused = {"law": "other", "words": "a|b *c*"}
    score["strangers"] = [{"name": "Bare", "against": [accused]}]
    assert "| `Bare` | `other` | a\\|b \\*c\\* |" in page(score)


class Sorting(HonestMedium):
    """Sorts by id."""

    class store(HonestStore):
        """The store."""

        def ordered(self, entries: list[Entry]) -> list[Entry]:
            """Sort."""
            return sorted(entries, key=lambda each: str(each["id"]))


class Unopened(HonestMedium):
    """Can't be opened."""

    def open(self) -> HonestStore:
        """Fail."""
        raise OSError("no")


def pair(number: int) -> Program:
    """Two entries, out of order only at a number that is drawn late."""
    first = "2" if number > 90 else "0"
    return program(append("s", said(first), said("1")), load("s"))


@pytest.fixture
def laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law whose programs show something now and then, one without programs."""
    numbers = strategies.integers(0, 99)
    rare = replace(LAW, name="rare", programs=lambda _: numbers.map(pair), weight=10)
    known = {each.name: each for each in (LAW, rare)}
    monkeypatch.setattr(catalogue, "all_laws", lambda: tuple(known.values()))
    monkeypatch.setattr(catalogue, "law_of", known.__getitem__)


@pytest.mark.usefixtures("laws")
def test_programs_are_tried_effort_after_effort() -> None:
    """The first effort that catches a liar is told with its programs; others are left."""
    told: list[str] = []
    tried = [
        Liar("Sorting", Sorting, "rare"),
        Liar("Honest", HonestMedium, "rare"),
        Liar("Unopened", Unopened, "rare"),
        Liar("Battery", Sorting, "in_order"),
        Liar("Unknown", Sorting, "nowhere"),
    ]
    found = {each.liar: each for each in searches(tried, 1, told.append)}
    assert set(found) == {"Sorting", "Honest", "Unopened"}
    assert found["Sorting"].effort
    assert found["Sorting"].programs > 0
    assert (found["Honest"].effort, found["Unopened"].effort) == ("", "")
    assert told == [f"generated programs: {each}" for each in found]


def test_no_work_is_shared_where_there_is_none() -> None:
    """Without liars nothing is searched."""
    assert searches([], 2, lambda _: None) == ()


def written(folder: Path, score: Score) -> Path:
    """A recorded score."""
    file = folder / "0.1.0.json"
    file.write_text(json.dumps(release_of(score)), encoding="ascii")
    return file


def test_a_score_is_not_below_itself(score: Score, tmp_path: Path) -> None:
    """What was recorded is read back, and the same run keeps it."""
    bar = recorded(written(tmp_path, score), None)
    assert bar == release_of(score)
    assert list(shortfalls(score, bar)) == []


def test_each_shortfall_is_one_sentence(score: Score) -> None:
    """Fewer laws, fewer liars caught, a mutant that got away; more of each is none."""
    less = json.loads(json.dumps(score))
    less["totals"] |= {"laws": 2, "caught": 3}
    less["mutants"][0]["caught"] = False
    assert list(shortfalls(less, score)) == [
        f"2 laws are tried, fewer than the 3 recorded for {score['kit']}",
        f"3 liars are caught, fewer than the 4 recorded for {score['kit']}",
        f"the mutant {MUTANTS[0]!r} is no longer caught",
    ]
    assert list(shortfalls(score, less)) == []


def test_what_is_no_score_is_refused(score: Score, tmp_path: Path) -> None:
    """A file of another shape, one of another family, and one that isn't there."""
    with pytest.raises(Misconfigured, match="give the same --family"):
        recorded(written(tmp_path, score), "order")
    with pytest.raises(Misconfigured, match="of the family 'order', and this run is about all"):
        recorded(written(tmp_path, {**score, "family": "order"}), None)
    with pytest.raises(Misconfigured, match=r'is no score: .*lacks "kit"'):
        recorded(written(tmp_path, {k: v for k, v in score.items() if k != "kit"}), None)
    with pytest.raises(Misconfigured, match="can't read"):
        recorded(tmp_path / "none.json", None)


def test_papers_are_written_where_they_are_wanted(score: Score, tmp_path: Path) -> None:
    """The document in ASCII, the page in Markdown, each alone or nowhere."""
    report, sheet = tmp_path / "a.json", tmp_path / "a.md"
    Papers().write(score)
    assert not Papers.at(None, None).wanted
    Papers.at(str(report), None).write(score)
    assert json.loads(report.read_bytes().decode("ascii")) == score
    assert not sheet.exists()
    papers = Papers.at(None, str(sheet))
    papers.write(score)
    assert papers.wanted
    assert sheet.read_text(encoding="utf-8") == page(score)


@pytest.mark.parametrize(
    ("name", "words"),
    [("score.txt", "should end in .json"), ("none/score.json", "no such folder")],
)
def test_a_paper_that_cant_be_written_is_refused_at_once(
    name: str, words: str, tmp_path: Path
) -> None:
    """Before any work is done, with what is wrong."""
    with pytest.raises(Misconfigured, match=words):
        Papers.at(str(tmp_path / name), None)
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(Misconfigured, match="can't be written"):
        Papers.at(None, str(tmp_path / "folder.md"))
