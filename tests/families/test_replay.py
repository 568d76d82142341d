"""The laws of the log profile's projections: none accuses a right one."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import replay
from storelaw.liars import liars
from storelaw.liars import replay as replay_liars
from storelaw.liars.registry import Liar
from storelaw.liars.replay import ReplayHonest
from storelaw.log_samples import compact, put
from storelaw.media.log_memory import LogMemoryMedium
from storelaw.medium import Medium
from storelaw.model.replays import is_summary, projection, read_of
from storelaw.player import play
from storelaw.program import ask
from storelaw.strategies.replays import entry_lists
from storelaw.trace import Event, Trace
from storelaw.trial import breaks, hold
from storelaw_schemas import problems

LAWS = [each for each in registered() if each.judge.__module__ == replay.__name__]
SUBJECTS = [each for each in liars() if each.medium.__module__ == replay_liars.__name__]
BY_NAME = {each.name: each for each in LAWS}
RIGHT: list[type[Medium]] = [ReplayHonest, LogMemoryMedium]


@pytest.mark.parametrize("liar", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_a_liar_is_honest_about_all_other_lists(liar: Liar) -> None:
    """Each liar breaks its own law and those that it names, no other."""
    broken = {each.name for each in LAWS if breaks(each, liar.medium)}
    assert broken == {liar.breaks, *liar.also}


@pytest.mark.parametrize("medium", RIGHT, ids=[each.manifest.name for each in RIGHT])
def test_no_law_accuses_a_projection_that_is_right(medium: type[Medium]) -> None:
    """All laws are held."""
    verdicts = [hold(each, medium, "quick") for each in LAWS]
    assert [each for each in verdicts if each.outcome != "held"] == []


@pytest.mark.parametrize("answer", [None, [], ["text"], [None], [{}], [{"data": 7}]], ids=repr)
@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_judges_are_total(law: Law, answer: Any) -> None:
    """Odd answers and odd entries never make a judge fail in itself."""
    steps = [step for each in law.battery(ReplayHonest.manifest) for step in each.steps]
    odd = ask("V", "projected", entries=({"type": "compact", "data": 3}, {"type": "input"}))
    events = tuple(
        Event(index, each, value=answer, passed=tuple(each.expanded()))
        for index, each in enumerate([*steps, odd])
    )

    with suppress(Broken):
        assert law.judge(Trace(ReplayHonest.manifest, events)) is None


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(entry_lists())
def test_generated_lists_are_valid(entries: list[dict[str, Any]]) -> None:
    """Every generated entry fits its schema, and ids are unique."""
    assert [each for each in entries if list(problems("log/entry", each))] == []
    assert len({each["id"] for each in entries}) == len(entries)


def test_the_model_reads_the_table_of_the_rule() -> None:
    """Old, kept, a compaction of old, new: the summary, kept, new."""
    told, inputs = read_of(replay.SHORT)

    assert told is not None
    assert (told.covered, told.kept, told.later) == (
        replay.SHORT[:1],
        replay.SHORT[1:2],
        replay.SHORT[3:],
    )
    assert [each["content"] for each in inputs] == ["kept", "new"]
    assert read_of(replay.PLAIN)[0] is None
    assert projection([put("a"), compact("C", "s", "b")]) is not None


def test_the_reference_reads_the_tables_of_the_rules() -> None:
    """The literal tables of the rules, at the door."""
    shown = [
        each.value
        for each in play(
            replay.replayed("projected", replay.SHORT, replay.LOST), LogMemoryMedium
        ).events[1:]
    ]
    told = projection(replay.SHORT)

    assert told is not None
    assert [each["id"] for each in shown[0]] == ["C", "kept", "new"]
    assert [each["id"] for each in shown[1]] == ["C", "new"]
    assert is_summary(shown[0][0]["data"], told)
    assert not is_summary("text", told)
