"""Session programs: what is generated is valid, and hits what is there."""

from collections import Counter

import pytest
from hypothesis import given, settings

from storelaw.liars.honest import HonestMedium
from storelaw.player import play
from storelaw.program import Program, entries_of
from storelaw.strategies.turns import MOVES, PICKS, Script, programs, written
from storelaw_schemas import problems

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None, database=None)


@SETTINGS
@given(programs())
def test_every_generated_draft_is_valid(program: Program) -> None:
    """What a program hands to a session fits the schema of drafts."""
    for entry in entries_of(program.steps):
        assert not list(problems("transcript/draft", entry))


@SETTINGS
@given(programs())
def test_labels_are_used_once(program: Program) -> None:
    """A label stands for one draft, so that later steps mean one thing."""
    drafts = [each for step in program.steps for each in (*step.drafts(), *(step["answer"] or ()))]
    labels = Counter(each.label for each in drafts)

    assert set(labels.values()) <= {1}


@pytest.mark.parametrize("name", MOVES)
def test_a_move_can_be_carried_out_for_every_number(name: str) -> None:
    """On a store that is right, no step of a move is a call that can't be made."""
    for pick in PICKS:
        program = written([("run", 3), ("say", 1), (name, pick), ("say", 0)])
        for event in play(program, HonestMedium).events:
            assert event.outcome != "skipped", (name, pick, event)
            assert event.error in (None, "unknown", "Rejected"), (name, pick, event)


def test_a_branch_in_an_empty_session_is_left_out() -> None:
    """There is nothing to branch to before the first entry."""
    assert len(written([("branch", 0)])) == 1


def test_a_restart_opens_every_session_again() -> None:
    """After a restart each key has a session object, and the current key is current."""
    script = Script()
    script.move("say", 0)
    script.move("fork", 1)
    key = script.now.key
    script.move("reopen", 0)

    assert {each.key for each in script.sessions} == {"s", key}
    assert script.now.key == key


def test_an_ending_is_written_last() -> None:
    """A law can end each program with steps of its own."""
    program = written([("say", 0)], lambda script: script.read("messages", "leaf"))

    assert [each.do for each in program.steps[-2:]] == ["messages", "leaf"]
