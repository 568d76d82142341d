"""Acts and histories as values and as JSON."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.errors import HarnessFault, Misconfigured
from storelaw.history import Act, History, Terms, anomalies
from storelaw.history.terms import CONSISTENCIES
from storelaw_schemas import problems

from .notation import act, history
from .stores import Log, played

CALM = settings(derandomize=True, max_examples=60, deadline=None, database=None)

TAGS = st.lists(st.sampled_from(["a1", "b1", "\ud800", "", "a\u0000"]), max_size=3).map(tuple)
BACKWARD, ENDLESS = act("A load a1 | 2 1"), act("A load a1 | 1 -")
SESSIONS = st.sampled_from(["s", ("p", "s"), ""])


def appended(began: int) -> st.SearchStrategy[Act]:
    """Appends that begin on a ticket."""
    given_up = st.tuples(st.sampled_from(["failed", "unknown"]), st.just(None))
    ended = st.tuples(st.sampled_from(["ok", "failed", "unknown"]), st.just(began + 1))
    return st.builds(
        lambda worker, session, sent, end: Act(
            worker, 0, "append", session, sent, None, end[0], began, end[1]
        ),
        st.sampled_from("AB"),
        SESSIONS,
        TAGS,
        st.one_of(given_up, ended),
    )


def loaded(began: int) -> st.SearchStrategy[Act]:
    """Loads that begin on a ticket."""
    return st.builds(
        lambda session, seen: Act("C", 1, "load", session, (), seen, "ok", began, began + 1),
        SESSIONS,
        st.none() | TAGS,
    )


@CALM
@given(st.data(), st.integers(0, 4), st.frozensets(st.sampled_from(["x", "y"])))
def test_a_history_comes_back_from_json(
    data: st.DataObject, settled: int, elsewhere: frozenset[str]
) -> None:
    """What is written is valid, ASCII can carry it, and it reads back equal."""
    acts = [data.draw(st.one_of(appended(each), loaded(each))) for each in range(3)]
    made = History(tuple(acts), settled, elsewhere)
    written = made.data()
    assert problems("harness/history", written) == ()
    assert History.of(json.loads(json.dumps(written))) == made


def test_what_is_not_known_is_left_out() -> None:
    """The smallest document, and one with everything."""
    assert History(()).data() == {"storelaw": 1, "acts": []}
    made = history("B append a1 | 1 - unknown\nA/2 load t: a1 | 3 4\nA load ? | 5 6 failed", 2)
    assert made.without(made.acts[0]).data() == {
        "storelaw": 1,
        "settled": 2,
        "elsewhere": ["a1"],
        "acts": [
            {
                "worker": "A",
                "handle": 2,
                "do": "load",
                "session": "t",
                "seen": ["a1"],
                "outcome": "ok",
                "began": 3,
                "ended": 4,
            },
            {
                "worker": "A",
                "handle": 0,
                "do": "load",
                "session": "s",
                "outcome": "failed",
                "began": 5,
                "ended": 6,
            },
        ],
    }
    assert made.acts[0].data() == {
        "worker": "B",
        "handle": 0,
        "do": "append",
        "session": "s",
        "sent": ["a1"],
        "outcome": "unknown",
        "began": 1,
    }


def test_acts_are_in_the_order_in_which_they_began() -> None:
    """However they were handed over."""
    made = history("A load | 5 6\nB load | 1 2")
    assert ([each.began for each in made.acts], len(made)) == ([1, 5], 2)


def test_another_version_is_refused() -> None:
    """The message names both versions."""
    with pytest.raises(Misconfigured, match=r"version 2 of the format history.* up to version 1"):
        History.of({"storelaw": 2, "acts": []})


def test_before_needs_an_end() -> None:
    """An act came before another when it was seen to end before the other began."""
    first, second, endless = act("A load | 1 2"), act("B load | 3 4"), act("C load | 0 - unknown")
    assert first.before(second)
    assert not second.before(first)
    assert not endless.before(second)
    assert act("A/3 load | 1 2").writer == ("A", 3)


def test_an_excerpt_asks_for_nothing_more() -> None:
    """What is left out may still be seen, and no load becomes final."""
    whole = history("A append a1 | 1 2\nB load | 3 4\nC append c1 | 5 - unknown\nC load c1 | 6 7")
    late = whole.acts[2]
    part = whole.without(late)
    assert (part.settled, part.elsewhere, len(part)) == (5, frozenset({"c1"}), 3)
    assert [each.acts[-1].began for each in anomalies(whole)] == [6]
    assert [each.acts[-1].began for each in anomalies(part)] == [6]
    assert whole.without(whole.acts[1]).settled == 0
    assert anomalies(played(Log, 1, whole=True).without()) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "A append a1 | 1 2\nB append b1 a1 | 3 4",
            "harness: the tag 'a1' was sent twice to one session; give each entry its own",
        ),
        (
            "A load a1 | 2 1",
            f"harness: an act ended before it began, take both tickets in order: {BACKWARD}",
        ),
        (
            "A load a1 | 1 -",
            f"harness: an act is ok but has no end, give it one: {ENDLESS}",
        ),
    ],
    ids=["tags", "tickets", "ends"],
)
def test_a_history_that_cannot_be_is_the_harness_fault(text: str, message: str) -> None:
    """The store isn't blamed for what the recorder got wrong."""
    with pytest.raises(HarnessFault) as info:
        anomalies(history(text))
    assert str(info.value) == message


@pytest.mark.parametrize(
    ("consistency", "batch", "message"),
    [
        (
            "strong",
            "prefix",
            f"configuration: consistency is 'strong'; it takes one of {', '.join(CONSISTENCIES)}",
        ),
        ("per-writer", "all", "configuration: batch is 'all'; it takes one of prefix, atomic, one"),
    ],
)
def test_a_promise_that_does_not_exist_is_refused(
    consistency: str, batch: str, message: str
) -> None:
    """The message lists those that do."""
    with pytest.raises(Misconfigured) as info:
        Terms(consistency, batch)
    assert str(info.value) == message
