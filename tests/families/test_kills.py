"""The laws of kills, each on kills that were made by hand."""

from dataclasses import replace
from typing import Any

import pytest

import storelaw_schemas
from storelaw.failures import Broken, Unseen
from storelaw.liars.crash_honest import MANIFEST
from storelaw.trace import Event, Trace
from storelaw.wreckage import Kill, Killed, Sight
from storelaw.wrecks import AFTER, kill

from .wrecked import MISSING, RAISED, A, B, complaint, named, sight


def after(*kills: Kill, deed: Any = "append", base: Sight = Sight(), **claims: Any) -> Trace:  # noqa: B008
    """The trace of a sweep of these kills."""
    step = kill("s", deed)
    event = Event(0, step, value=Killed(tuple(kills), base))
    return Trace(replace(MANIFEST, **claims), (event,))


def writing(**found: Any) -> Kill:
    """A kill inside the append of B, after that of A was acknowledged."""
    right = {
        "seen": sight(A),
        "again": sight(A, B),
        "later": sight(A, B, AFTER),
        "sent": ((A,),),
        "due": (B,),
    }
    return Kill(**{"session": "s-1", "answered": 1, "inside": True, **right, **found})


def making(**found: Any) -> Kill:
    """A kill inside the making of a session."""
    right = {"seen": MISSING, "again": sight(), "later": sight(AFTER)}
    return Kill(**{"session": "s-1-0", "answered": 0, "inside": True, **right, **found})


OPENS = named("a_killed_store_opens_again")
KEEPS = named("a_killed_writer_loses_nothing_acknowledged")
PREFIX = named("a_killed_writer_leaves_a_prefix")
LISTED = named("the_list_after_a_kill_is_what_loads")
RETRIED = named("a_retry_after_a_kill_stores_once")
CREATED = named("a_killed_create_leaves_the_session_absent_or_whole")
FORKED = named("a_killed_fork_leaves_the_session_absent_or_whole")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({}, None),
        ({"seen": RAISED}, ("it loads", "it raised OSError: no")),
        ({"seen": MISSING}, ("it loads", "it raised SessionNotFound: 's'")),
        ({"written": RAISED}, ("an append passes", "it raised OSError: no")),
        ({"later": RAISED}, ("it loads", "it raised OSError: no")),
        ({"later": sight(A, B)}, (["1", "2", "after"], ["1", "2"])),
        ({"later": sight(A, AFTER, B)}, None),
    ],
)
def test_a_store_goes_on_after_a_kill(found: dict[str, Sight], expected: Any) -> None:
    """It loads and takes an append; what was under way may come in late."""
    assert complaint(OPENS, after(writing(**found))) == expected


NAMED, UNNAMED = Sight(["s-0", "s-1"]), Sight(["s-0"])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"listed": NAMED}, None),
        ({"listed": UNNAMED}, ("it is listed, since it loads", "it is not listed")),
        ({"listed": NAMED, "seen": sight()}, None),
        ({"listed": UNNAMED, "seen": sight()}, None),
        ({"listed": UNNAMED, "seen": MISSING}, None),
        (
            {"listed": NAMED, "seen": MISSING},
            ("it is not listed, since there is none", "it is listed"),
        ),
        ({"listed": RAISED}, ("a list", "it raised OSError: no")),
    ],
)
def test_a_session_is_listed_if_it_loads(found: dict[str, Sight], expected: Any) -> None:
    """An empty session may be listed or not, as far as a kill is concerned."""
    assert complaint(LISTED, after(writing(**found))) == expected


def test_a_store_without_a_list_is_outside_the_law_of_the_list() -> None:
    """Nothing was listed, so that nothing can be said."""
    with pytest.raises(Unseen) as caught:
        LISTED.judge(after(writing()))
    assert not caught.value.applicable


def test_a_kill_is_drawn() -> None:
    """Where it fell, and what came of each operation after it."""
    with pytest.raises(Broken) as caught:
        OPENS.judge(after(writing(inside=False, again=RAISED, written=RAISED)))
    assert caught.value.picture == (
        'killed  before operation 2 of a process on "s-1"\n'
        "load    1 entry\n"
        "retry   passes\n"
        'load    raises "OSError: no"\n'
        'append  raises "OSError: no"\n'
        "load    3 entries"
    )
    made = caught.value.drawing
    assert storelaw_schemas.problems("harness/drawing", made) == ()
    assert made is not None
    assert (made["how"], made["place"]) == ("killed", 'before operation 2 of a process on "s-1"')
    assert [(each["do"], each["ok"]) for each in made["came"]] == [
        *(("load", True), ("retry", True), ("load", False), ("append", False), ("load", True)),
    ]


def test_a_session_need_not_be_there_before_its_first_append() -> None:
    """Where nothing was acknowledged, nothing is missing."""
    unborn = Kill("s-1", 0, True, seen=MISSING, again=sight(B), later=sight(B, AFTER), due=(B,))
    for law in (OPENS, KEEPS, PREFIX):
        assert complaint(law, after(unborn)) is None


def test_what_does_not_load_is_no_loss() -> None:
    """Another law says that it does not load; a session that is gone is a loss."""
    assert complaint(KEEPS, after(writing(seen=RAISED))) is None
    assert complaint(PREFIX, after(writing(seen=RAISED))) is None
    assert complaint(KEEPS, after(writing(seen=MISSING))) == (["1"], [])


def test_a_retry_passes_and_stores_once() -> None:
    """It may not raise; what can't be loaded after it is another law's."""
    assert complaint(RETRIED, after(writing(retried=RAISED))) == (
        "the retry passes",
        "it raised OSError: no",
    )
    assert complaint(RETRIED, after(writing(again=RAISED))) is None
    assert complaint(RETRIED, after(writing(again=sight(A, B, B)))) == (["1", "2"], ["1", "2", "2"])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({}, None),
        ({"seen": sight()}, None),
        ({"seen": RAISED}, ([], "it raised OSError: no")),
        ({"seen": sight(B)}, ([], [B])),
        ({"retried": RAISED}, None),
        (
            {"retried": RAISED, "again": MISSING},
            ("it can be made", "it raised OSError: no"),
        ),
        ({"written": RAISED}, ([AFTER], [AFTER])),
        ({"later": RAISED}, ([AFTER], "it raised OSError: no")),
        ({"last": MISSING}, ([], "it raised SessionNotFound: 's'")),
        ({"last": sight()}, None),
    ],
)
def test_a_session_is_absent_or_whole(found: dict[str, Sight], expected: Any) -> None:
    """It can be made again, and takes an append; what was acknowledged is there."""
    assert complaint(CREATED, after(making(**found), deed="create")) == expected


def test_less_is_promised_of_the_last_session_at_a_lower_level() -> None:
    """It may be gone, and must not be half made."""
    lost, half = (making(last=each) for each in (MISSING, sight(B)))
    assert complaint(CREATED, after(lost, deed="create", crash="batch-atomic")) is None
    assert complaint(CREATED, after(half, deed="create", crash="batch-atomic")) == ([], [B])


def test_an_empty_child_is_absent_only_where_that_is_told_alike() -> None:
    """Where an unknown session raises, an empty one is half made."""
    found = making(seen=sight(), again=sight(A), later=sight(A, AFTER))
    assert complaint(FORKED, after(found, deed="fork", base=sight(A))) == ([A], [])
    options = {**MANIFEST.options, "unknown_session": "empty"}
    assert complaint(FORKED, after(found, deed="fork", base=sight(A), options=options)) is None


@pytest.mark.parametrize(
    ("trace", "reason", "applicable"),
    [
        (Trace(MANIFEST, ()), "nothing was killed", False),
        (
            Trace(MANIFEST, (Event(0, kill("s"), "raised", text="OSError: no"),)),
            "no process could be killed: OSError: no",
            True,
        ),
        (
            after(Kill("s-1", 0, False, refusal="OSError: no")),
            "an operation in another process raised OSError: no",
            True,
        ),
        (after(replace(writing(), inside=False)), "no kill fell inside an operation", True),
        (
            after(making(), deed="fork", base=MISSING),
            "the session to be forked did not load: SessionNotFound: 's'",
            True,
        ),
    ],
)
def test_a_sweep_that_shows_nothing_is_no_evidence(
    trace: Trace, reason: str, applicable: bool
) -> None:
    """The reason says what was missing."""
    with pytest.raises(Unseen) as caught:
        OPENS.judge(trace)
    assert (caught.value.reason, caught.value.applicable) == (reason, applicable)
