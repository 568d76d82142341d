"""What a check prints."""

from collections.abc import Callable
from typing import Any

from storelaw import summary, terminal
from storelaw.commands import checking

Snapshot = Callable[[str, str], None]


def law(name: str, verdict: str, reason: str = "", **more: Any) -> dict[str, Any]:
    """A law's data, as far as a summary reads it."""
    return {"name": name, "verdict": verdict, "reason": reason, "fault": "", "notes": [], **more}


def report(*laws: dict[str, Any], code: int = 1, **more: Any) -> dict[str, Any]:
    """A report of one run."""
    totals = dict.fromkeys(("held", "broken", "waived", "not applicable", "not evaluated"), 0)
    for each in laws:
        totals[each["verdict"]] += 1
    run = {
        "manifest": {"name": "acme"},
        "effort": "quick",
        "seed": 7,
        "vectors": [],
        "totals": totals,
        "exit_code": code,
        "laws": list(laws),
        **more,
    }
    versions = {"kit": "0.1.0", "spec": "0.1", "hypothesis": "6.130.0", "python": "3.13.1"}
    return {**versions, "runs": [run]}


def printed(made: dict[str, Any]) -> str:
    """The output of a check."""
    return "\n\n".join(summary.paragraphs(made, made["runs"][0])) + "\n"


def test_the_whole_output(matches: Snapshot) -> None:
    """Broken laws first, then all that was not judged and why, and the counts last."""
    waiver = {"reason": "known", "link": "l", "until": "2030-01-31", "state": "used"}
    made = report(
        law("a_holds", "held", notes=["medium: left 1 thread behind"]),
        law(
            *("b_breaks", "broken"),
            failure={"text": "acme broke a law: b_breaks\n\n    ...", "saved": "out/b.json"},
        ),
        law("c_is_known", "waived", "known (l)", waiver=waiver),
        law("d_was_known", "held", waiver={**waiver, "state": "stale"}),
        law("e_is_out", "not applicable", "the store has no fork"),
        law("f_is_out_too", "not applicable", "the store has no fork"),
        law("g_has_no_power", "not evaluated", "the medium has no power \ud800"),
        law("h_stopped", "not evaluated", "medium: acme hung", fault="medium"),
        law("i_stopped", "not evaluated", "medium: acme hung", fault="medium"),
        vectors=["a.json", "b.json"],
    )
    matches("summary", printed(made))


def test_what_was_seen_is_counted_over_all_laws() -> None:
    """By the words for it; a law that sees nothing special adds nothing."""
    made = report(
        law("a", "held", evidence={"seen": {"overlaps of threads": 2, "overlaps of tasks": 1}}),
        law("b", "held", evidence={"seen": {"overlaps of threads": 40}}),
        law("c", "held", evidence={"seen": {}}),
        code=0,
    )
    assert printed(made).splitlines()[0] == "seen: 1 overlaps of tasks, 42 overlaps of threads"


def test_as_little_as_there_can_be(matches: Snapshot) -> None:
    """A run in which all is well says so in three lines."""
    matches("summary-short", printed(report(law("a_holds", "held"), code=0)))


def test_the_first_and_the_last_line_have_the_colour(monkeypatch: Any) -> None:
    """A broken law's first line is red; the last line is green where the store conforms."""
    monkeypatch.setattr(terminal, "painted", lambda words, colour: f"<{colour}>{words}")
    run = report(law("a_holds", "held"), code=0)["runs"][0]
    assert checking._coloured("acme broke a law: x\nmore", run) == "<red>acme broke a law: x\nmore"
    assert checking._coloured("counts\nacme conforms", run) == "counts\n<green>acme conforms"
    assert checking._coloured("noted: a note", run) == "noted: a note"
    failed = {**run, "exit_code": 1}
    assert checking._coloured("counts\nacme does not", failed) == "counts\n<red>acme does not"
