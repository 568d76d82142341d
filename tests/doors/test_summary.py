"""What a check prints: one screen, the first failure, the counts."""

from collections.abc import Callable
from typing import Any

import pytest

from storelaw import extensions, facts, hookspecs, sections, summary, terminal
from storelaw.commands import checking
from storelaw.sections import Section

from . import made
from .made import failure

Snapshot = Callable[[str, str], None]

VERSIONS = {"kit": "0.1.0", "spec": "0.1", "hypothesis": "6.130.0", "python": "3.13.1"}


def law(name: str, verdict: str, reason: str = "", **more: Any) -> dict[str, Any]:
    """A law's data."""
    return made.law(name, verdict, reason=reason, **more)


def report(*laws: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A report of one run, by versions that don't change."""
    found = made.report(*laws)
    found["runs"][0] |= more
    return {**found, **VERSIONS}


def printed(made: dict[str, Any], verbose: bool = False) -> str:
    """The output of a check."""
    return "\n\n".join(summary.paragraphs(made, verbose)) + "\n"


WAIVER = {"reason": "known", "link": "l", "until": "2030-01-31", "state": "used"}
GRADES = {
    "core": {"reached": True, "held": 9, "of": 9, "missing": [], "reason": ""},
    "durable": {
        "reached": False,
        "held": 3,
        "of": 5,
        "missing": ["b_breaks", "h_stopped"],
        "reason": "1 broken, 1 not evaluated",
    },
    "concurrent": {"reached": False, "held": 0, "of": 4, "missing": [], "reason": "no writers"},
    "crash-safe": {"reached": False, "held": 0, "of": 4, "missing": [], "reason": "no writers"},
}


def everything() -> dict[str, Any]:
    """A report in which there is one of each."""
    text = "acme broke a law: {}\n\n    ..."
    return report(
        law("a_holds", "held", notes=["medium: left 1 thread behind"]),
        law(
            *("b_breaks", "broken"),
            failure={**failure("it is lost", text.format("b_breaks")), "saved": "out/b.json"},
        ),
        law(
            *("b_breaks_too", "broken"),
            failure={**failure("it is found", text.format("b_breaks_too")), "saved": "out/c.json"},
        ),
        law("c_is_known", "waived", "known (l)", waiver=WAIVER),
        law("d_was_known", "held", waiver={**WAIVER, "state": "stale"}),
        law("e_is_out", "not applicable", "the store has no fork"),
        law("f_is_out_too", "not applicable", "the store has no fork"),
        law("f_is_out_alone", "not applicable", "the store has no clear", family="window"),
        law("g_has_no_power", "not evaluated", "the medium has no power crash, files"),
        law("g_saw_nothing", "not evaluated", "no run was seen \ud800"),
        law("h_stopped", "not evaluated", "medium: acme hung", fault="medium"),
        law("i_stopped", "not evaluated", "medium: acme hung", fault="medium"),
        vectors=["a.json", "b.json"],
        grades=GRADES,
    )


def test_the_whole_output(matches: Snapshot) -> None:
    """A table, what else is known, the broken laws by name, the first failure, the counts."""
    matches("summary", printed(everything()))


def test_the_whole_output_verbose(matches: Snapshot) -> None:
    """Every reason with its laws, and every failure, the first one last."""
    matches("summary-verbose", printed(everything(), verbose=True))


def test_as_little_as_there_can_be(matches: Snapshot) -> None:
    """A run in which all is well says so in a few lines."""
    matches("summary-short", printed(report(law("a_holds", "held"))))


def test_nothing_at_all_is_told_too() -> None:
    """A run without laws has no table, and the sentence says that nothing is known."""
    text = printed(report(law("a", "held"), laws=[], exit_code=2))
    assert text.startswith("rests on ")
    assert text.endswith("acme nothing is known: no MUST was evaluated\n")


def crowded() -> dict[str, Any]:
    """A report with far more of everything than a screen has lines."""
    reason = "the medium has no power " + ", ".join(["fail_next"] * 20)
    laws = [law("x" * 80, "held", family=f"family_{index}") for index in range(40)]
    laws += [law(f"broken_{index}" * 9, "broken") for index in range(40)]
    laws += [law(f"out_{index}", "not applicable", f"{index} {'y' * 40}") for index in range(40)]
    laws += [law(f"no_{index}", "not evaluated", f"{reason}{index}") for index in range(40)]
    laws += [law(f"known_{index}", "waived", "z" * 90, waiver=WAIVER) for index in range(40)]
    laws += [law(f"noted_{index}", "held", notes=[f"note {index}"]) for index in range(40)]
    for index, each in enumerate(laws):
        each["evidence"] = {**each["evidence"], "seen": {f"overlaps {index}": 1}}
    grades = {
        f"{name}-{n}": {**each, "reason": f"reason {n}"}
        for name, each in GRADES.items()
        for n in range(9)
    }
    return report(*laws, grades=grades, vectors=["v.json"] * 40)


def test_the_summary_fits_on_a_screen() -> None:
    """However much there is to tell, what stands beside the first failure has 40 short lines."""
    lines = printed(crowded()).splitlines()
    lines.remove("acme broke a law")
    assert len(lines) <= 40
    assert max(map(len, lines[:-2])) <= 100


def test_the_first_failure_is_the_last_of_the_details() -> None:
    """Under the counts that end a check stands nothing, above them the first failure."""
    for verbose in (False, True):
        *_, failed, ending = summary.paragraphs(everything(), verbose)
        assert failed.endswith("acme broke a law: b_breaks\n\n    ...")
        assert ending.splitlines()[-1] == "acme does not conform"


def test_what_is_not_scored_comes_last_and_says_so() -> None:
    """A law of a later version counts nowhere, and its failure stands behind those that do."""
    later = law("a_breaks_later", "broken", scored=False)
    counting = law("b_breaks", "broken", failure=failure(text="acme broke a law: b_breaks"))
    both = printed(report(later, counting))
    assert "order              -       1  " in both
    assert "                order/a_breaks_later (not scored)\n" in both
    assert facts.UNSCORED not in both
    assert "; 1 not scored (effort" in both
    alone = printed(report(later))
    assert f"acme broke a law\n{facts.UNSCORED}\n" in alone


def test_what_was_seen_is_counted_over_all_laws() -> None:
    """By the words for it; a law that sees nothing special adds nothing."""
    seen = [{"overlaps of threads": 2, "overlaps of tasks": 1}, {"overlaps of threads": 40}, {}]
    made = report(*(law(f"a{n}", "held", evidence={"seen": each}) for n, each in enumerate(seen)))
    assert facts.seen(made["runs"][0]) == ["1 overlaps of tasks", "42 overlaps of threads"]


def test_a_cut_run_is_told_as_one() -> None:
    """Where nothing is broken the sentence says what happened; a broken law says more."""
    cut = {"manifest": {"name": "acme"}, "ended": False}
    assert summary.sentence({**cut, "exit_code": 3}).endswith("the run was cut short")
    assert summary.sentence({**cut, "exit_code": 1}) == "acme does not conform"
    assert summary.sentence({**cut, "exit_code": 0, "ended": True}) == "acme conforms"


class Sectioned:
    """A plugin with sections."""

    def __init__(self, answer: sections.Given | None) -> None:
        self.answer = answer

    @hookspecs.hookimpl
    def storelaw_report_section(self, report: dict[str, Any]) -> sections.Given | None:
        """What it was given."""
        return self.answer


@pytest.mark.parametrize(
    ("answer", "paragraphs"),
    [
        (None, []),
        ("more", ["more"]),
        (Section("title", "short", "long"), ["short"]),
        (["more", Section("title", "and more")], ["more", "and more"]),
    ],
)
def test_extensions_add_paragraphs(
    monkeypatch: pytest.MonkeyPatch, answer: sections.Given | None, paragraphs: list[str]
) -> None:
    """A text, a section, several or none, between the kit's facts and its verdict."""
    monkeypatch.setattr(extensions, "installed", lambda: extensions.assembled(Sectioned(answer)))
    _, _, *told, _ = summary.paragraphs(report(law("a_holds", "held")))
    assert told == paragraphs


def test_a_section_may_stand_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its place it comes first, or joins the kit's own."""
    first = Section("first", "above all", place=sections.FAMILIES - 1)
    beside = Section("beside", "a fact", place=sections.FACTS)
    manager = extensions.assembled(Sectioned([first, beside]))
    monkeypatch.setattr(extensions, "installed", lambda: manager)
    top, _, facts, _ = summary.paragraphs(report(law("a_holds", "held")))
    assert top == "above all"
    assert "a fact" in facts.splitlines()


def test_the_first_and_the_last_line_have_the_colour(monkeypatch: Any) -> None:
    """A broken law's first line is red; the last line is green where the store conforms."""
    monkeypatch.setattr(terminal, "painted", lambda words, colour: f"<{colour}>{words}")
    run = report(law("a_holds", "held"))["runs"][0]
    assert checking._coloured("acme broke a law: x\nmore", run) == "<red>acme broke a law: x\nmore"
    assert checking._coloured("counts\nacme conforms", run) == "counts\n<green>acme conforms"
    assert checking._coloured("noted: a note", run) == "noted: a note"
    failed = {**run, "exit_code": 1}
    assert checking._coloured("counts\nacme does not", failed) == "counts\n<red>acme does not"
