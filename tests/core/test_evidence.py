"""On what a verdict rests: notes, counts, runs that say nothing, stores that fail sometimes."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from storelaw import clauses
from storelaw.abilities import abilities
from storelaw.clauses import Law
from storelaw.failures import unseen
from storelaw.liars.honest import HonestMedium, HonestStore, claiming
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.program import (
    Program,
    append,
    at_once,
    load,
    program,
)
from storelaw.samples import said
from storelaw.trace import Trace
from storelaw.trial import breaks, hold

from .tried import GENERATED, LAW, PLAIN, Losing


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Law]:
    """A registry in which the toy law stands alone, so that it gets the whole effort."""
    fresh = {"exact": GENERATED}
    monkeypatch.setattr(clauses, "_REGISTRY", fresh)
    return fresh


def test_notes_are_kept_each_once() -> None:
    """What a judge says, and what the medium left behind."""
    gate = threading.Event()

    class Leaving(HonestMedium):
        """Leaves a thread."""

        def open(self) -> Any:
            """Start it."""
            threading.Thread(target=gate.wait, daemon=True).start()
            return super().open()

    law = replace(LAW, judge=lambda trace: "seen", battery=lambda manifest: [PLAIN, PLAIN])
    verdict = hold(law, Leaving)
    gate.set()
    assert verdict.notes == ("seen", "medium: left threads behind")


def test_counts_of_what_was_seen_are_evidence() -> None:
    """Added up over all programs, in the order of their words; a note is none of it."""
    counts = iter(({"overlaps": 2}, {"cuts": 1, "overlaps": 3}, None, "seen"))
    law = replace(
        LAW, judge=lambda trace: next(counts), battery=lambda manifest: [PLAIN, PLAIN, PLAIN, PLAIN]
    )
    verdict = hold(law, HonestMedium)
    assert (verdict.outcome, verdict.notes) == ("held", ("seen",))
    assert list(verdict.evidence.seen.items()) == [("cuts", 1), ("overlaps", 5)]


def seeing(*reasons: tuple[str, bool] | None) -> Law:
    """A law to which each program in turn is no evidence for a reason, or is one."""
    left = iter(reasons)

    def judge(trace: Trace) -> None:
        reason = next(left)
        if reason is not None:
            unseen(reason[0], applicable=reason[1])

    return replace(LAW, judge=judge, battery=lambda manifest: [PLAIN for _ in reasons])


@pytest.mark.parametrize(
    ("reasons", "outcome", "reason"),
    [
        ((None, None), "held", ""),
        ((("never meets", False), None), "held", ""),
        ((("never meets", False),), "not applicable", "never meets"),
        ((("too busy", True), None, ("busy again", True)), "not evaluated", "too busy"),
        ((("never meets", False), ("too busy", True)), "not evaluated", "too busy"),
    ],
)
def test_what_was_not_seen_is_no_evidence(
    reasons: tuple[tuple[str, bool] | None, ...], outcome: str, reason: str
) -> None:
    """Nothing holds that may have been broken unseen, but for what can't happen at all."""
    verdict = hold(seeing(*reasons), HonestMedium)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert not breaks(seeing(*reasons), HonestMedium)


def test_what_some_runs_saw_is_evidence_enough() -> None:
    """A run that missed it says nothing, and takes nothing away from the others."""
    ways = iter(("threads", None, "threads", "processes", None))

    def judge(trace: Trace) -> dict[str, int]:
        way = next(ways)
        if way is not None:
            unseen(f"no {way} met", about=f"overlaps of {way}")
        return {"overlaps of threads": 1}

    law = replace(LAW, judge=judge, battery=lambda manifest: [PLAIN, PLAIN, PLAIN])
    assert hold(law, HonestMedium).outcome == "held"
    both = replace(law, battery=lambda manifest: [PLAIN, PLAIN])
    verdict = hold(both, HonestMedium)
    assert (verdict.outcome, verdict.reason) == ("not evaluated", "no processes met")


# ----------------------------------------------------------------- flaky stores


def flaky(*fails: bool) -> type[Medium]:
    """A medium that loses an entry in those of its programs that are told so."""
    runs: Iterator[bool] = iter(fails)

    class Flaky(HonestMedium):
        """The medium."""

        manifest = claiming(name="flaky")

        def __init__(self, workdir: Any) -> None:
            super().__init__(workdir)
            self.loses = next(runs, False)

        def open(self) -> Any:
            """A losing handle, or an honest one."""
            store = Losing.store if self.loses else HonestStore
            return store(self.data, self.manifest)

    abilities(Flaky)
    return Flaky


@pytest.mark.parametrize(
    ("again", "replays", "count"),
    [
        (False, (False, False, False), 0),
        (True, (False, False, False), 0),
        (True, (False, True, False), 1),
        (False, (True, False, True), 2),
    ],
)
def test_a_store_that_fails_sometimes_is_broken(
    again: bool, replays: tuple[bool, ...], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure says in how many replays it came back, and keeps what was seen."""
    monkeypatch.setattr("storelaw.trial.reduced", lambda steps, broken: steps)
    probing = (False, False)
    verdict = hold(LAW, flaky(*probing, True, again, *replays))
    failure = verdict.failure
    assert verdict.outcome == "broken"
    assert failure is not None
    assert failure.replays == (count, 3)
    assert [each["id"] for each in failure.observed] == ["1"]
    assert f"flaky     it failed {count} of 3 replays" in text(failure).splitlines()


@pytest.mark.parametrize("way", ["tasks", "threads"])
def test_what_hangs_on_timing_is_tried_again_before_it_is_reduced(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three times; a smaller program counts if it breaks three times out of three."""
    asked: list[bool] = []

    def reducing(steps: Program, broken: Any) -> Program:
        asked.append(broken(steps))
        return steps

    monkeypatch.setattr("storelaw.trial.reduced", reducing)
    crowded = replace(
        LAW,
        battery=lambda manifest: [
            program(append("s", said("1"), said("2")), load("s"), at_once("t", way, A=(load("t"),)))
        ],
    )
    probing, again, smaller = (False, False), (False, False, True), (True, True, False)
    verdict = hold(crowded, flaky(*probing, True, *again, *smaller, True, True, True))
    failure = verdict.failure
    assert failure is not None
    assert asked == ([False] if way == "threads" else [])
    assert failure.replays == ((3, 3) if way == "threads" else (2, 3))
