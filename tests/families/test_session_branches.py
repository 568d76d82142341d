"""Turns that no battery takes: what a session law leaves alone, and a session liar does right."""

from pathlib import Path
from typing import Any

import pytest

from storelaw.failures import Broken
from storelaw.families import (
    branches,
    chain,
    drafts,
    openings,
    resume,
    runs,
    session_forks,
)
from storelaw.families.restarts import restarts
from storelaw.liars import branches as branch_liars
from storelaw.liars import chain as chain_liars
from storelaw.liars import openings as opening_liars
from storelaw.liars import repairs as repair_liars
from storelaw.liars import restarts as restart_liars
from storelaw.liars import runs as run_liars
from storelaw.liars.honest import MANIFEST, Data, HonestMedium
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import (
    Step,
    act,
    add,
    append,
    call,
    failing,
    load,
    program,
    reopened,
    run,
    session,
)
from storelaw.samples import assistant, calls, ephemeral, is_ephemeral, result, said, user
from storelaw.trace import Event, Trace
from storelaw.values import Entry

BARE = Manifest(name="bare")
ONE, TWO = said("1"), said("2", parent="1")
LOG: dict[Any, list[Entry] | None] = {"s": [ONE, TWO]}


def traced(*events: Event, **labels: Entry) -> Trace:
    """A trace of the sessions A and B on one log."""
    return Trace(BARE, events, labels, {"A": "s", "B": "s"})


def played(medium: type[Medium], *steps: Step) -> Trace:
    """What becomes of a session on a medium."""
    return play(program(session("s"), *steps), medium)


def outcomes(trace: Trace) -> list[str]:
    """How each step ended."""
    return [each.outcome for each in trace.events]


# ---------------------------------------------------------------------- judges


def test_a_branch_to_a_stored_entry_is_nobodys_fault() -> None:
    """The laws of refused branches look at ephemeral, unknown and empty targets only."""
    trace = traced(
        Event(0, session("s"), logs=LOG),
        Event(1, act("branch", target="u"), logs=LOG),
        Event(2, act("branch", id="1"), logs=LOG),
        u=ONE,
    )

    assert branches.a_branch_to_an_ephemeral_entry_is_refused.judge(trace) is None
    assert branches.a_branch_to_an_unknown_entry_is_refused.judge(trace) is None
    assert branches.a_branch_to_nothing_is_refused.judge(trace) is None


def test_a_parent_that_the_store_lost_is_not_the_sessions_fault() -> None:
    """A durable entry that the session stored, and the log lacks, is for the laws of stores."""
    log: dict[Any, list[Entry] | None] = {"s": [TWO]}
    judge = chain.every_stored_parent_is_stored.judge
    trace = traced(Event(0, add(user("u")), logs=log), u=ONE)

    assert judge(trace) is None
    with pytest.raises(Broken, match="its log does not hold"):
        judge(traced(Event(0, add(user("u")), logs=log)))


def test_a_draft_that_is_not_in_the_log_has_no_header_to_judge() -> None:
    """A draft that was refused, or lost, has kept nothing of its caller's."""
    step = add(user("u"), user("v"))
    trace = traced(Event(0, step, logs=LOG), u={"id": "7"})

    assert drafts.a_session_overwrites_the_header_of_a_draft.judge(trace) is None


def test_a_session_with_entries_is_not_expected_to_be_empty() -> None:
    """Only a session whose log holds nothing opens empty; an unknown label is left alone."""
    trace = traced(
        Event(0, session("s"), logs=LOG),
        Event(1, act("entries"), value=[ONE, TWO], logs=LOG),
        Event(2, act("entries", "C"), value=[ONE], logs=LOG),
    )

    assert openings.a_session_that_was_created_opens.judge(trace) is None


@pytest.mark.parametrize("moving", [run(), act("branch", id="1"), act("compact", keep=1)])
def test_a_session_that_moved_does_not_go_on_from_the_log(moving: Step) -> None:
    """After a run, a branch or a compaction, an append needn't hang off the last entry."""
    third = said("3", parent="1")
    first = Event(0, session("s"), logs=LOG)
    last = Event(2, add(user("u")), logs={"s": [ONE, TWO, third]})
    judge = openings.a_resumed_session_goes_on_from_the_stored_log.judge

    assert judge(traced(first, Event(1, moving, logs=LOG), last)) is None
    with pytest.raises(Broken, match="goes on from the last entry"):
        judge(traced(first, last))


def test_a_slice_is_no_reading_of_a_log_and_disturbs_none() -> None:
    """A filtered load, a record or a listing between two readings leaves them a pair."""
    trace = traced(
        Event(0, load("s"), value=[ONE]),
        Event(1, reopened()),
        Event(2, load("s", last=0), value=[]),
        Event(3, call("record", "s"), value={}),
        Event(4, load("s"), value=[ONE]),
    )

    (found,) = restarts(trace)
    assert (found.event.index, found.before, found.after) == (4, [ONE], [ONE])


def test_a_session_whose_leaf_is_elsewhere_is_no_pair() -> None:
    """A reading away from the end of the log is compared with none, nor is one before it."""
    there = Event(0, act("messages", "A"), value=["x"], logs=LOG, leaf="2")
    away = Event(1, act("messages", "A"), value=["y"], logs=LOG, leaf="1")
    again = Event(2, act("messages", "B"), value=["z"], logs=LOG, leaf="2")

    assert [each.again for each in resume.twice(traced(there, again), "messages")] == [again]
    assert list(resume.twice(traced(there, away, again), "messages")) == []


def test_a_model_that_answered_is_not_one_that_failed() -> None:
    """A run that went well, or got an answer first, may store more than its input."""
    log: dict[Any, list[Entry] | None] = {"s": [ONE, TWO, said("3")]}
    judge = runs.a_model_that_fails_leaves_exactly_the_input.judge
    first = Event(0, session("s"), logs=LOG)
    well = Event(1, run(user("u")), logs=log)
    failed = Event(1, run(user("u"), fails=True), "raised", logs=log, prompts=([],))

    assert judge(traced(first, well)) is None
    with pytest.raises(Broken, match="exactly the input stays"):
        judge(traced(first, failed))


def test_only_a_run_of_the_same_session_is_a_second_one() -> None:
    """What else happens while a model runs, or in another session, is refused by nobody."""
    judge = runs.a_run_inside_a_run_is_refused.judge
    nested = (Event(0, act("leaf"), logs=LOG), Event(0, run(on="B"), logs=LOG))
    inner = (Event(0, run(user("v")), logs=LOG),)

    assert judge(traced(Event(0, run(user("u")), nested=nested, logs=LOG))) is None
    with pytest.raises(Broken, match="one run at a time"):
        judge(traced(Event(0, run(user("u")), nested=inner, logs=LOG)))


def test_a_fork_that_was_refused_copies_nothing() -> None:
    """Only forks that were carried out, by a session that tells its leaf, are judged."""
    step = act("fork_session", new="child", as_="C")
    first = Event(0, session("s"), logs=LOG, leaf="2")
    refused = Event(1, step, "raised", logs=LOG, leaf="2")
    done = Event(1, step, logs={**LOG, "child": [ONE, TWO]}, leaf="2")

    assert list(session_forks.forks(traced(first, refused))) == []
    (found,) = session_forks.forks(traced(first, done))
    assert found.path == found.child == [ONE, TWO]


# ----------------------------------------------------------------------- liars


def test_the_wall_of_a_boundary_lets_other_branches_through() -> None:
    """The liar refuses compactions as targets, and nothing else."""
    trace = played(
        branch_liars.TakesTheBoundaryForAWall,
        add(user("u")),
        add(user("v")),
        act("branch", target="u"),
    )
    assert outcomes(trace) == ["ok"] * 4
    assert trace.events[-1].leaf == trace.id_of("u")


@pytest.mark.parametrize(
    "medium",
    [
        HonestMedium,
        chain_liars.KeepsTheMark,
        chain_liars.CountsABatchForOne,
        chain_liars.MovesTheLeafFirst,
    ],
)
def test_liars_about_the_chain_take_nothing_for_nothing(medium: type[Medium]) -> None:
    """An append of nothing stores nothing and moves nothing."""
    trace = played(medium, add(user("u")), add(), act("leaf"))
    before, after = trace.events[1], trace.events[-1]
    assert outcomes(trace) == ["ok"] * 4
    assert (after.logs, after.leaf) == (before.logs, before.leaf)


@pytest.mark.parametrize("medium", [chain_liars.CountsABatchForOne, chain_liars.MovesTheLeafFirst])
def test_liars_about_the_leaf_leave_it_at_an_ephemeral_entry(medium: type[Medium]) -> None:
    """What isn't stored moves no leaf, in these liars as in a right session."""
    trace = played(medium, add(user("u")), add(ephemeral("r")), act("leaf"))
    assert trace.events[-1].leaf == trace.id_of("u")
    assert [is_ephemeral(each) for each in trace.labels.values()] == [False, True]


def test_a_session_over_a_bare_handle_forks_once_under_an_id() -> None:
    """Such a store creates by the first append, and refuses an id that holds entries."""
    forking = act("fork_session", new="child", as_="C")
    trace = played(chain_liars.NamesThemAllAlike, add(user("u")), forking, forking)
    assert outcomes(trace) == ["ok", "ok", "ok", "raised"]
    assert len(trace.events[-1].logs["child"] or []) == 1


def test_a_session_that_takes_empty_for_none_opens_a_full_one() -> None:
    """The liar creates only where the log is empty."""
    steps = (call("create", "s"), append("s", ONE), session("s"), act("entries"))
    trace = play(program(*steps), opening_liars.TakesEmptyForNone)
    assert outcomes(trace) == ["ok"] * 4
    assert [each["id"] for each in trace.events[-1].value] == ["1"]


def test_two_results_behind_their_calls_are_not_late() -> None:
    """The liar makes up no result for calls that are answered at once."""
    turn = run(
        user("u"),
        answer=(calls("b", "c1", "c2"), result("r1", "c1"), result("r2", "c2"), assistant("e")),
    )
    seen, right = (
        played(medium, turn, act("messages")).events[-1].value
        for medium in (repair_liars.AnswersALateCallTwice, HonestMedium)
    )
    assert seen == right


def test_a_store_that_is_closed_twice_closes_once() -> None:
    """What a liar does to a log when it is closed, it does once."""
    store = restart_liars.LosesTheTail.store(Data(), MANIFEST)
    store.append("s", [ONE, TWO, said("3")])
    store.close()
    store.close()
    assert [each["id"] for each in store.data.logs["s"].entries] == ["1", "2"]


def test_an_append_of_nothing_is_not_counted(tmp_path: Path) -> None:
    """The liar that puts entries in front does nothing where there are none."""
    store = restart_liars.CountsFromNought(tmp_path).open()
    store.append("s", [])
    assert (store.own, store.load("s")) == (0, [])


def test_a_run_that_brings_nothing_writes_nothing_when_it_is_over() -> None:
    """The liar that collects a turn doesn't call the store for an empty one."""
    trace = played(run_liars.WritesTheTurnWhenItIsOver, add(user("u")), run(ephemeral("r")))
    assert outcomes(trace) == ["ok"] * 3
    assert len(trace.events[-1].logs["s"] or []) == 1


def test_an_input_whose_model_answers_is_kept() -> None:
    """The liar that takes the input back does so only when the model fails."""
    trace = played(run_liars.TakesTheInputBack, run(user("u"), answer=(assistant("a"),)))
    assert outcomes(trace) == ["ok"] * 2
    assert len(trace.events[-1].logs["s"] or []) == 2


def test_an_append_outside_a_run_tells_its_error() -> None:
    """The liar that lets go of errors does so only while it runs."""
    trace = played(run_liars.GivesTheReceiptFirst, failing("before-commit"), add(user("u")))
    assert outcomes(trace) == ["ok", "ok", "raised"]
