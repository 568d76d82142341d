"""The laws of the appender: none accuses a transcript that is right."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from storelaw.clauses import registered
from storelaw.failures import Broken
from storelaw.families import (
    appender_contents,
    appender_copies,
    appender_inbox,
    appender_reads,
    appender_writes,
)
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.media.turns_memory import TurnsMemoryMedium
from storelaw.medium import Medium
from storelaw.model.turns import alike, is_turn, payload
from storelaw.player import play
from storelaw.program import Program, ask, door, failing, program
from storelaw.strangers.turns import ReshapesEntries
from storelaw.strategies.turns_appended import appended, retried, turns
from storelaw.strategies.turns_drained import drained
from storelaw.trial import hold
from storelaw.turn_samples import user
from storelaw.values import Entry
from storelaw_schemas import problems

FAMILIES = (appender_writes, appender_contents, appender_reads, appender_inbox, appender_copies)
LAWS = [e for e in registered() if e.judge.__module__ in {each.__name__ for each in FAMILIES}]
BY_NAME = {each.name: each for each in LAWS}


@pytest.mark.parametrize("medium", [TurnsHonest, TurnsMemoryMedium, ReshapesEntries])
def test_no_law_accuses_a_transcript_that_is_right(medium: type[Medium]) -> None:
    """Every law holds on stores that do what they say."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [(each.law, each.reason) for each in verdicts if each.outcome != "held"] == []


def _broken(law: str, *steps: Any, medium: type[Medium] = TurnsHonest) -> Broken | None:
    try:
        BY_NAME[law].judge(play(program(door("appender", "A", "n/one"), *steps), medium))
    except Broken as broken:
        return broken
    return None


def _added(entry: Entry) -> Any:
    return ask("A", "append", entries=(entry,), one=True)


def test_a_turn_that_failed_is_not_demanded() -> None:
    """A turn whose append failed may be there or not, until it was retried."""
    steps = (failing("after-commit", door="store"), _added(user(0)), ask("A", "read_all"))

    assert _broken("every_part_of_a_turn_comes_back", *steps) is None
    assert _broken("an_append_that_failed_may_be_retried", *steps) is None


def test_a_retry_may_fail_too() -> None:
    """A retry that fails again is no more than a first try."""
    fails = failing("before-commit", door="store")
    steps = (fails, fails, *(_added(user(0)) for _ in range(3)), ask("A", "read_all"))

    assert _broken("an_append_that_failed_may_be_retried", *steps) is None


def test_two_replays_must_be_equal() -> None:
    """A replay that differs from the one before it is no mere reading."""
    steps = (door("appender", "A", "n/one"), ask("A", "replay"), ask("A", "replay"))
    trace = play(program(*steps), TurnsHonest)
    other = replace(trace.events[-1], value={"messages": [], "next_index": 7})

    with pytest.raises(Broken):
        BY_NAME["a_replay_stores_nothing"].judge(replace(trace, events=(*trace.events[:-1], other)))


def test_what_is_followed_no_more_is_not_judged() -> None:
    """After a drain the model of the transcript is given up."""
    steps = (ask("A", "receive", "hi"), ask("A", "drain_inbox", 1), ask("A", "read_all"))

    assert _broken("turns_are_read_by_index_and_role", *steps) is None


@pytest.mark.parametrize("name", ["appended", "retried", "drained"])
def test_programs_of_turns_break_nothing(name: str) -> None:
    """Generated programs hold on the honest rows, and open the door first."""
    made = {"appended": appended, "retried": retried, "drained": drained}[name]()

    @settings(derandomize=True, max_examples=30, deadline=None, database=None)
    @given(made)
    def each(each: Program) -> None:
        trace = play(each, TurnsHonest)
        assert each.steps[0].do == "open_door"
        assert [one.name for one in LAWS if one.judge(trace)] == []

    each()


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(turns())
def test_generated_turns_are_valid(turn: Entry) -> None:
    """Each turn that a strategy makes is valid under ``turns/turn``, and a turn to the model."""
    assert list(problems("turns/turn", turn)) == []
    assert is_turn(turn)


@pytest.mark.parametrize(
    "change",
    [
        {"index": -1},
        {"index": 2**63},
        {"index": "0"},
        {"role": ""},
        {"role": "a b"},
        {"role": None},
        {"content": "text"},
        {"content": [{}]},
        {"content": [{"type": "tool_use"}]},
        {"content": [{"type": "tool_use", "toolUse": {"id": "c"}}]},
    ],
    ids=str,
)
def test_what_does_not_read_back_is_no_turn(change: Entry) -> None:
    """An index, a role or a block out of form makes no turn of which a law demands anything."""
    assert not is_turn({**user(0), **change})


def test_payloads_are_compared_by_what_they_say() -> None:
    """Empty members, key order and the time don't count; large numbers do."""
    one = user(0, {"type": "chart", "n": 2**53})

    assert alike(one, {**one, "createdAt": "", "via": ""})
    assert not alike(one, user(0, {"type": "chart", "n": 2**53 + 1}))
    assert payload({"content": None, "refused": False, "model": "m"}) == {"model": "m"}
