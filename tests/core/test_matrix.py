"""The kill matrix on toy laws and toy liars."""

from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from storelaw import clauses, trial
from storelaw.clauses import Law
from storelaw.judging import judge_kept, judge_order
from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, claiming
from storelaw.liars.registry import Liar
from storelaw.matrix import Batteries, Row, accusations, problems, row
from storelaw.player import play
from storelaw.program import Program, append, load, program
from storelaw.samples import said
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw.verdict import Verdict

STEPS = program(append("s", said("1"), said("0")), load("s"))


def order(trace: Trace) -> str | None:
    """In order."""
    judge_order(trace, "in order.")
    return None


def kept(trace: Trace) -> str | None:
    """Kept."""
    judge_kept(trace, "kept.")
    return None


ORDER = Law("order", "In order.", "order", order, lambda manifest: [STEPS])
KEPT = Law("kept", "Kept.", "fidelity", kept, lambda manifest: [STEPS])
LAWS = (ORDER, KEPT)


class Sorting(HonestMedium):
    """Sorts by id."""

    class store(HonestStore):
        """The store."""

        def ordered(self, entries: list[Entry]) -> list[Entry]:
            """Sort."""
            return sorted(entries, key=lambda each: str(each["id"]))


class Dropping(HonestMedium):
    """Gives the oldest last, and one entry less."""

    class store(HonestStore):
        """The store."""

        def ordered(self, entries: list[Entry]) -> list[Entry]:
            """Drop."""
            return entries[:1]


class Unopened(HonestMedium):
    """Can't be opened."""

    def open(self) -> HonestStore:
        """Fail."""
        raise OSError("no")


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """No laws but those of the test."""
    monkeypatch.setattr(clauses, "_REGISTRY", {})


def test_a_liar_is_caught_by_its_own_law_alone() -> None:
    """The row has the verdict of that law, and no other broke."""
    found = row(Liar("Sorting", Sorting, "order"), LAWS)
    assert found.caught
    assert found.own is not None
    assert found.own.failure is not None
    assert (found.others, found.stray, found.idle) == ((), (), ())
    assert (found.steps, found.lines) == (2, 12)
    assert list(problems([found], [ORDER])) == []


def test_a_fault_that_breaks_more_stands_in_the_also_list() -> None:
    """Laws that broke unlisted are stray, listed ones that held are idle."""
    stray = row(Liar("Dropping", Dropping, "order"), LAWS)
    assert stray.others == ("kept",)
    assert stray.stray == ("kept",)
    assert not stray.caught
    listed = row(Liar("Dropping", Dropping, "kept", also=("order",)), LAWS)
    assert listed.caught
    assert listed.idle == ("order",)


def test_a_fault_that_may_break_more_need_not() -> None:
    """What it breaks where workers meet at the right moment is neither stray nor idle."""
    breaks = row(Liar("Dropping", Dropping, "order", perhaps=("kept", "other")), LAWS)
    assert (breaks.others, breaks.stray, breaks.idle) == (("kept",), (), ())


def test_each_problem_is_one_sentence() -> None:
    """Not caught, unknown, stray, idle, and laws without a liar."""
    rows = [
        row(Liar("Dropping", Dropping, "order", also=("other",)), LAWS),
        row(Liar("Sorting", Sorting, "nothing"), [KEPT]),
        Row(
            Liar("Sorting", Sorting, "order", most=3),
            Verdict("order", "order", "MUST", "broken"),
            (),
            steps=4,
            lines=41,
        ),
    ]
    assert list(problems(rows, LAWS)) == [
        "Dropping isn't caught by order: held",
        "Dropping also breaks kept, which is not in its also list",
        "Dropping lists other in also, but doesn't break it",
        "Sorting isn't caught by nothing: unknown law",
        "Sorting takes 4 steps to show, more than 3",
        "Sorting takes 41 lines to tell, more than 40",
        "kept has no liar",
    ]


def test_a_false_accusation_is_a_broken_law_or_a_fault() -> None:
    """An honest stranger breaks nothing; each accusation names the medium and the verdict."""
    found = list(accusations([HonestMedium, Sorting, Unopened], iter(LAWS), "battery"))
    assert [(medium, verdict.law, verdict.outcome) for medium, verdict in found] == [
        (Sorting, "order", "broken"),
        (Unopened, "order", "not evaluated"),
        (Unopened, "kept", "not evaluated"),
    ]


def test_equal_programs_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batteries are kept by what a manifest claims, and laws share the traces of a program."""
    batteries = Batteries()
    copy = replace(KEPT, name="copy", battery=lambda manifest: [Program(STEPS.steps)])
    other = replace(HonestMedium.manifest, name="another name")
    assert batteries.of(ORDER, HonestMedium.manifest) is batteries.of(ORDER, other)
    assert batteries.of(ORDER, HonestMedium.manifest)[0] is batteries.of(copy, other)[0]
    played: list[Program] = []

    def counted(program: Program, *rest: Any) -> Trace:
        played.append(program)
        return play(program, *rest)

    monkeypatch.setattr(trial, "play", counted)
    found = row(Liar("Dropping", Dropping, "nothing"), (ORDER, KEPT, copy), batteries)
    assert found.others == ("kept", "copy")
    assert len(played) == 1


class _Hanging(HonestStore):
    """Hangs in its second load."""

    loads = 0

    def load(self, session: str, **filters: Any) -> list[Entry]:
        """Wait for nothing."""
        _Hanging.loads += 1
        if _Hanging.loads > 1:
            Event().wait()
        return super().load(session, **filters)


class Hanging(HonestMedium):
    """A medium on which an operation never ends."""

    manifest = claiming(MANIFEST, name="hanging", operation_timeout=0.05)
    store = _Hanging


def test_a_liar_that_hangs_is_left_law_by_law() -> None:
    """The laws that broke before it hung can't be told; the run goes on."""
    found = row(Liar("Hanging", Hanging, "nothing"), (ORDER, KEPT, replace(KEPT, name="third")))
    assert found.others == ()


def test_a_law_out_of_reach_is_not_broken() -> None:
    """It is not tried; without a battery of its own the law's is played."""
    far = replace(KEPT, operations=frozenset({"levitate"}))
    assert not trial.breaks(far, Dropping)
    assert trial.breaks(KEPT, Dropping)
