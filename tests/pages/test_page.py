"""The page of a report: whole, self-contained, in order, and safe."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import storelaw_schemas
from storelaw import catalogue, extensions, pages, specification
from storelaw.errors import Misconfigured
from storelaw.medium import POWERS as ALL_POWERS
from storelaw.pages.openings import POWERS, opening
from storelaw.pages.page import linked
from storelaw.sections import Section

from . import sample
from .outline import Outline, outlined

MADE = {
    "everything": sample.everything(),
    "hostile": sample.hostile(),
    "nothing": sample.reported(),
    "held": sample.reported(sample.judged("held")),
    "two": {
        **sample.everything(),
        "runs": [*sample.everything()["runs"], *sample.everything()["runs"]],
    },
}
PAGES = {name: pages.rendered(report) for name, report in MADE.items()}
OUTLINES = {name: outlined(page) for name, page in PAGES.items()}


def words(outline: Outline) -> str:
    """The words of a page, blanks between them as one."""
    return " ".join(" ".join(outline.words).split())


@pytest.mark.parametrize("name", MADE)
def test_the_reports_of_these_tests_are_reports(name: str) -> None:
    """What the pages are made of keeps to its schema, but for what other parts add."""
    report = json.loads(json.dumps(MADE[name]))
    assert storelaw_schemas.problems("harness/report", report) == ()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fetches_nothing(name: str) -> None:
    """No script, no image, no font, no frame: what is seen is in the file."""
    outline, page = OUTLINES[name], PAGES[name]
    assert outline.fetched == []
    assert outline.all("script") == outline.all("img") == outline.all("iframe") == []
    assert not re.search(r"url\(|@import|@font-face|javascript:", page.split("</style>")[0])
    policy = next(each["content"] for each in outline.all("meta") if "http-equiv" in each)
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_formed(name: str) -> None:
    """Every element ends, every id is one, and every link on the page leads somewhere."""
    outline = OUTLINES[name]
    assert outline.unbalanced == []
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.targets <= set(outline.ids)


@pytest.mark.parametrize("name", PAGES)
def test_headings_are_in_order(name: str) -> None:
    """One of the first level, and none that leaves a level out on the way down."""
    levels = [level for level, _ in OUTLINES[name].headings]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(now <= before + 1 for before, now in pairwise(levels))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_used_by_keyboard_and_screen_reader(name: str) -> None:
    """Landmarks, a skip link that is first, a language, captions and scopes."""
    outline = OUTLINES[name]
    (html,) = outline.all("html")
    assert html["lang"] == "en"
    assert len(outline.all("main")) == len(outline.all("header")) == len(outline.all("footer")) == 1
    first = next(given for tag, given in outline.elements if tag == "a")
    assert first == {"class": "skip", "href": "#content"}
    assert len(outline.all("caption")) == len(outline.all("table"))
    assert all(each.get("scope") in ("col", "row") for each in outline.all("th"))


def test_every_law_has_a_cell_that_leads_to_it() -> None:
    """The cell says the verdict in words and by a sign, and not by its colour alone."""
    outline = OUTLINES["everything"]
    run = MADE["everything"]["runs"][0]
    cells = {each["href"]: each for each in outline.all("a") if "cell" in each.get("class", "")}
    assert set(cells) == {f"#law-{each['name']}" for each in run["laws"]}
    for each in run["laws"]:
        cell = cells[f"#law-{each['name']}"]
        assert cell["title"] == cell["aria-label"] == f"{each['name']}: {each['verdict']}"


def test_every_broken_law_is_told_whole() -> None:
    """Its claim, why it matters, the program, both sides drawn, and the line that reruns it."""
    outline = OUTLINES["everything"]
    told = words(outline)
    articles = [each["id"] for each in outline.all("article")]
    assert articles == [f"law-{each}" for each in _with_failures(MADE["everything"])]
    for law in map(catalogue.law_of, sample.LAWS):
        assert " ".join(law.doc.split("\n\n")[1].split()) in told
        assert all(each.text in told for each in specification.cited_by(law))
        assert all(specification.incident_of(each).title in told for each in law.incidents)
    assert told.count("store.append(") == 7
    assert told.count("storelaw check acme.testing:AcmeMedium --law") == 7
    assert len(outline.all("figure")) == 6


def _with_failures(report: dict[str, Any]) -> list[str]:
    families = dict.fromkeys(each["family"] for each in report["runs"][0]["laws"])
    laws = [e for family in families for e in report["runs"][0]["laws"] if e["family"] == family]
    return [each["name"] for each in laws if "failure" in each]


@pytest.mark.parametrize(
    "sentence",
    [
        "does not conform",
        "core \u2713 reached 8 of 8 held",
        "durable \u2013 not reached 3 of 4 held 1 broken",
        "Reached: core",
        "waived , flaky: it failed 1 of 3 replays",
        "Give the medium fail_next(), which lets the store's next write fail",
        "medium: no server",
        "saw reappend: reject",
        "22 fixed programs, 33 generated programs, 11 saved programs",
        "132 overlaps of threads",
        "the store has no pop (1 law)",
    ],
)
def test_a_page_says_all_that_the_report_does(sentence: str) -> None:
    """Grades, flaky laws, what would open others, faults, notes, evidence, what is outside."""
    told = words(OUTLINES["everything"]).replace("fixed programs ,", "fixed programs,")
    assert sentence in re.sub(r" ([,.)])", r"\1", told).replace("waived,", "waived ,")


def test_a_waiver_has_its_end_and_its_link() -> None:
    """What is wrong with it is told; an address that is no web page is no link."""
    links = [each["href"] for each in OUTLINES["everything"].all("a")]
    assert "https://example.org/1" in links
    assert "expired waiver: the waiver of" in words(OUTLINES["hostile"])
    assert "<a" not in linked("javascript:alert(1)")
    assert linked('https://x/"><b>').count("<") == 2


def test_a_run_that_says_little_has_a_short_page() -> None:
    """Parts of which there is nothing are left out."""
    assert [text for level, text in OUTLINES["held"].headings if level == 3] == [
        "Grades",
        "Families by laws",
        "Evidence",
        "All laws",
    ]
    assert "No law was held" in words(OUTLINES["nothing"])
    bare = sample.judged("held")
    bare["evidence"] = {"battery": 0, "generated": 0, "vectors": 0}
    assert "No program was run." in pages.rendered(sample.reported(bare))


def test_a_grade_that_was_required_and_is_not_reached_is_told_first() -> None:
    """The run holds what was judged; the laws in the way are named."""
    made = sample.reported(sample.judged("held"), grades=sample.GRADES, require="durable")
    made["runs"][0]["exit_code"] = 1
    told = words(outlined(pages.rendered(made)))
    assert "holds what was judged, but lacks a grade that was required" in told
    assert f"It lacks the grade durable: 1 broken ({sample.LAWS[0]})." in told
    made["runs"][0]["totals"]["broken"] = 1
    assert "does not conform" in words(outlined(pages.rendered(made)))


def test_a_run_that_was_cut_short_says_so() -> None:
    """It names how many laws are missing from it."""
    made = sample.reported(sample.judged("held"), ended=False, planned={"order": 3}, exit_code=3)
    told = words(outlined(pages.rendered(made)))
    assert "the run was cut short" in told
    assert "2 more laws were to be judged." in told


def test_a_waiver_of_a_flaky_law_and_one_of_no_law_are_told() -> None:
    """The kind of the first, and what is wrong with the second."""
    flaky = sample.judged("held", waiver=sample.waiver(kind="flaky"))
    told = words(outlined(pages.rendered(sample.reported(flaky, unheld=["no_such_law"]))))
    assert "flaky: known" in told
    assert "no_such_law is none of the laws that this store is held to" in told
    alone = sample.reported(sample.judged("held"), unheld=["no_such_law"])
    assert len(outlined(pages.rendered(alone)).all("table")) == 3


def test_extensions_have_their_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sections stand behind the kit's own, whole, and as text."""
    given = ["plain <b>words</b>", Section("A title", "short", "the whole of it")]
    monkeypatch.setattr(extensions, "called", lambda *_, **__: [given])
    outline = outlined(pages.rendered(MADE["held"]))
    told = words(outline)
    assert "plain <b>words</b>" in told
    assert "the whole of it" in told
    assert (3, "A title") in outline.headings


def test_a_law_that_is_not_scored_says_so() -> None:
    """In the matrix, on its card, and among all laws."""
    laws = [
        {**sample.judged("held"), "scored": False},
        {**sample.judged("broken", sample.failure([1], []), name=sample.HELD), "scored": False},
    ]
    told = words(outline := outlined(pages.rendered(sample.reported(*laws))))
    assert "of a later version than the store is held to" in told
    labels = [each["title"] for each in outline.all("a") if "title" in each]
    assert labels == [f"{sample.LAW}: held, not scored", f"{sample.HELD}: broken, not scored"]


@pytest.mark.parametrize(
    ("code", "state"), [(0, "good"), (1, "bad"), (2, "unknown"), (3, "failed")]
)
def test_each_exit_code_has_a_seal(code: int, state: str) -> None:
    """What a run came to is seen at once."""
    page = pages.rendered(sample.reported(sample.judged("held"), exit_code=code))
    assert outlined(page).all("section")[0]["class"] == state


def test_hostile_texts_stay_texts() -> None:
    """Nothing that a store answers becomes an element, an attribute, a link or a template."""
    outline, page = OUTLINES["hostile"], PAGES["hostile"]
    attributes = {name for _, given in outline.elements for name in given}
    assert not {each for each in attributes if each.startswith("on")}
    assert all(
        each["href"].startswith(("#", "https://", "data:,"))
        for tag, each in outline.elements
        if "href" in each
    )
    assert "{{ 7 * 7 }}" in page
    assert not set("\x00\x07\x1b\u202e\u2066\u200b\ufeff") & set(page)
    assert "\\u202egnirts" in page


def test_a_law_that_this_kit_does_not_know_is_told_as_far_as_the_report_goes() -> None:
    """A report may have been made with extensions that are not installed here."""
    law = {**sample.judged("broken", sample.failure([1], [])), "name": "nobody_knows_this_law"}
    outline = outlined(pages.rendered(sample.reported(law)))
    assert "law-nobody_knows_this_law" in outline.ids
    assert "Why it matters" not in words(outline)


def test_a_text_without_sides_and_a_failure_without_a_drawing_are_fine() -> None:
    """An older or a foreign report may say less."""
    law = sample.judged("broken", sample.failure({"a": 1}, "x", target=""))
    law["failure"]["text"] = ""
    law["failure"]["saved"] = "out/a.json"
    outline = outlined(pages.rendered(sample.reported(law)))
    assert outline.all("figure") == []
    assert "Run it again" not in words(outline)
    assert "out/a.json" in words(outline)


def test_what_was_raised_is_told() -> None:
    """The words of an error stand beside both sides."""
    law = sample.judged("broken", sample.failure([], "x", text_of_error="OSError: full"))
    assert "OSError: full" in words(outlined(pages.rendered(sample.reported(law))))


def test_a_huge_value_is_cut_and_counted() -> None:
    """The report keeps it; a page that nobody can scroll helps nobody."""
    law = sample.judged("broken", sample.failure(["x" * 100_000], []))
    page = pages.rendered(sample.reported(law))
    assert len(page) < 70_000
    assert "more characters" in page


def test_a_page_is_written_with_its_folders(tmp_path: Path) -> None:
    """Where that can't be, the message names the file and the reason."""
    pages.written(MADE["hostile"], tmp_path / "a" / "b.html")
    assert (tmp_path / "a" / "b.html").read_text(encoding="utf-8") == PAGES["hostile"]
    with pytest.raises(Misconfigured, match=r"^configuration: can't write .*a: "):
        pages.written(MADE["held"], tmp_path / "a")


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("the medium has no power crash, files", "Give the medium crash(), which abandons"),
        ("the medium has no power novel", "Give the medium novel(), which is a power."),
        ("the store has no pop, clear", "Give the handle pop, clear"),
        ("the medium brings no views door", "Name the views door"),
        ("durable is not promised", "Promise it in the manifest (durable=True)"),
        ("option reappend is undeclared, not reject", 'options={"reappend": ...}'),
        ("manifest field max_id is undeclared", "Declare it in the manifest: max_id=..."),
        ("manifest field keep is None", "Declare it in the manifest: keep=..."),
        ("no filter since", "Name it in the manifest's filters (since)"),
        ("no program got as far as a successful fork", "Each fork that was tried failed"),
        ("no two operations of threads overlapped; try again", "on a quieter machine"),
    ],
)
def test_a_reason_says_what_would_open_the_law(reason: str, words: str) -> None:
    """A power, an operation, a door, a promise, an option: each with what to write."""
    assert words in opening(reason)


def test_a_reason_that_nobody_can_open_says_nothing_more() -> None:
    """Such as a choice that the store has made."""
    assert opening("option reappend is duplicate, not reject") == ""
    assert set(POWERS) == set(ALL_POWERS)
