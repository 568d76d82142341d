"""Branches of the chain and resume judges that no liar of the zoo takes, on traces by hand."""

from typing import Any

import pytest

from storelaw.clauses import Law
from storelaw.conditions import carries_sessions, sessions_unless, unless
from storelaw.failures import Broken
from storelaw.families import (
    branches,
    chain,
    drafts,
    ephemerals,
    instances,
    openings,
    repairs,
    resume,
    runs,
    session_forks,
)
from storelaw.generation import search
from storelaw.liars.honest import HonestMedium, claiming
from storelaw.manifest import Manifest
from storelaw.player import play
from storelaw.program import act, add, load, run, session
from storelaw.samples import assistant, custom, said, user
from storelaw.trace import Event, Trace

BARE = Manifest(name="bare")
GENERATING = [
    value
    for module in (
        branches,
        chain,
        drafts,
        ephemerals,
        instances,
        openings,
        repairs,
        resume,
        session_forks,
    )
    for value in vars(module).values()
    if isinstance(value, Law) and value.programs
]


def traced(*events: Event, manifest: Manifest = BARE, **labels: Any) -> Trace:
    """A trace of the sessions A and B on one log."""
    return Trace(manifest, events, labels, {"A": "s", "B": "s"})


def raising(law: Law, trace: Trace) -> Broken:
    """What a law says of a trace that breaks it."""
    with pytest.raises(Broken) as caught:
        law.judge(trace)
    return caught.value


@pytest.mark.parametrize("law", GENERATING, ids=lambda each: each.name)
def test_generated_programs_hold_on_a_right_store(law: Law) -> None:
    """What a law generates breaks nothing where nothing is wrong."""
    assert law.programs is not None
    strategy = law.programs(HonestMedium.manifest)

    def held(program: Any) -> bool:
        law.judge(play(program, HonestMedium))
        return True

    assert search(strategy, 6, 5, held)[1] is None


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"keep": 3}, "keeps 3"),
        ({"options": {"ids": "minted"}}, "replaces the ids"),
        ({"max_id": 8}, "at most 8"),
    ],
)
def test_a_store_that_cannot_hold_a_chain_is_outside(changes: dict[str, Any], part: str) -> None:
    """A manifest that loses, renames or shortens entries leaves the session laws aside."""
    assert part in (carries_sessions(claiming(**changes)) or "")


def test_a_declared_option_may_put_a_law_aside() -> None:
    """An undeclared option keeps the profile's value; a declared one counts."""
    persisted = Manifest(name="x", options={"head": "persisted"})

    assert unless("head", "persisted")(BARE) is None
    assert unless("head", "persisted")(persisted) == "option head is persisted"
    assert sessions_unless("head", "persisted")(persisted) is not None


def test_an_unreadable_log_may_not_be_changed() -> None:
    """Refusing to open is half of it: the log stays as it is."""
    log = [said("1"), {**custom("2"), "type": "bogus"}]
    trace = traced(
        Event(0, load("s"), value=log),
        Event(1, session("s"), "raised", logs={"s": log}),
        Event(2, load("s"), value=log[:1]),
    )

    law = openings.a_log_that_cannot_be_read_is_an_error
    assert "left as it is" in raising(law, trace).because


def test_a_closed_session_keeps_its_log() -> None:
    """A session that takes its log along when it is closed breaks the law of closing."""
    trace = traced(
        Event(0, add(user("u")), value=[said("1")], logs={"s": [said("1")]}),
        Event(1, act("close_session"), logs={"s": []}),
    )

    law = instances.a_closed_session_can_be_opened_again
    assert "leaves its log" in raising(law, trace).because


def test_a_run_that_fails_early_is_no_end_of_a_chain() -> None:
    """A run in which something else was stored meanwhile is judged by nobody's chain."""
    step = run(user("u"), answer=(assistant("a"),), during=(add(user("v")),))
    nested = Event(0, add(user("v")), logs={"s": [said("1")]})
    event = Event(1, step, logs={"s": [said("1"), said("2")]}, nested=(nested,))

    assert runs.a_run_is_one_chain.judge(traced(event)) is None
