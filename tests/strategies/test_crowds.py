"""Crowds that are drawn: each worker does something, and nobody sends what another one sends."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.clauses import registered
from storelaw.families import concurrency
from storelaw.families.crowds import drawn
from storelaw.liars.crowd_files import FILED
from storelaw.liars.crowd_tasks import TASKED, AwaitsBetweenReadAndWrite, TaskedMedium
from storelaw.program import Program, entries_of, workers_of
from storelaw.strategies.crowds import PAUSES, STRIDES, WORKERS, crowds
from storelaw.trial import Effort, hold
from storelaw_schemas import problems

LAWS = {
    each.name: each
    for each in registered()
    if each.programs and each.judge.__module__ == concurrency.__name__
}
FEW = Effort("few", 60)

quietly = settings(derandomize=True, max_examples=50, deadline=None, database=None)


@given(st.data())
@quietly
def test_a_drawn_crowd_is_one_whose_appends_can_meet(data: st.DataObject) -> None:
    """Two to four workers, each with an append, at a pace of those that there are."""
    (step,) = data.draw(crowds(("tasks", "threads"))).steps
    workers = workers_of(step)
    assert 2 <= len(workers) <= len(WORKERS)
    assert step["way"] in ("tasks", "threads")
    assert set(step["pauses"] or ()) <= set(PAUSES)
    assert set(step["strides"] or ()) <= set(STRIDES)
    assert all(any(each.do == "append" for each in steps) for steps in workers.values())
    assert all(each.entries or each.do == "load" for steps in workers.values() for each in steps)


@given(st.data())
@quietly
def test_a_drawn_crowd_sends_each_entry_once(data: st.DataObject) -> None:
    """The entries have ids of their own, are valid alike, and go through JSON and back."""
    program = data.draw(crowds(("tasks",)))
    entries = list(entries_of(program.steps))
    assert len({each["id"] for each in entries}) == len(entries)
    assert problems("transcript/entry", entries[0]) == ()
    assert Program.of(program.data()) == program


def test_the_ways_are_those_of_the_manifest() -> None:
    """A store that names one gets no other."""
    ways: set[str] = set()

    @given(drawn(FILED))
    @quietly
    def gather(program: Program) -> None:
        ways.add(program.steps[0]["way"])

    gather()
    assert ways == {"tasks", "threads", "processes"}
    assert TASKED.writers == {"tasks"}


@pytest.mark.parametrize("name", LAWS)
def test_drawn_crowds_are_held_by_an_honest_store(name: str) -> None:
    """And are evidence like those of the battery."""
    verdict = hold(LAWS[name], TaskedMedium, FEW)
    assert verdict.outcome == "held"
    assert verdict.evidence.generated > 0


def test_a_drawn_crowd_shows_a_lost_entry() -> None:
    """Without a battery too."""
    law = LAWS["writers_lose_nothing_of_each_other"]
    alone = replace(law, battery=lambda manifest: (), weight=10 * law.weight)
    verdict = hold(alone, AwaitsBetweenReadAndWrite, "quick")
    assert verdict.outcome == "broken"
    assert verdict.evidence.battery == 0 < verdict.evidence.generated
