"""What workers said, as a history."""

from typing import Any

import pytest

from storelaw.errands import Stage, Word
from storelaw.history import Act, History
from storelaw.manifest import Manifest
from storelaw.program import Step, append, call, load
from storelaw.recorder import Lane, Tags, met, recorded
from storelaw.samples import said
from storelaw.values import Entry

ONE, TWO = said("1"), said("2")
PLAIN = Manifest(name="plain")
ENTRIES = {"type": "custom", "kind": "n"}


def lane(name: str, handle: int, *told: tuple[Step, tuple[int, ...], Any]) -> Lane:
    """A worker whose steps began and ended at these times, with the words that came of them."""
    made = Lane(name, handle, tuple(step for step, _, _ in told))
    for index, (_, times, ended) in enumerate(told):
        made.words.append(Word(index, times[0], "begun"))
        if len(times) > 1:
            made.words.append(ended(index, times[1]))
    return made


def ok(value: Any = None) -> Any:
    """An answer."""
    return lambda index, at: Word(index, at, "ok", value)


def raised(error: str) -> Any:
    """An error of this identity."""
    return lambda index, at: Word(index, at, "raised", None, error, error)


def gone(index: int, at: int) -> Word:
    """No such operation."""
    stage: Stage = "absent"
    return Word(index, at, stage)


def test_moments_become_tickets_and_entries_tags() -> None:
    """In the order of time over all workers; equal moments are one ticket; only appends and loads.

    An entry that was there before is told apart from one that a worker sent.
    """
    lanes = [
        lane("A", 1, (append("s", ONE), (100, 300), ok()), (load("s"), (400, 500), ok([TWO, ONE]))),
        lane("B", 2, (append("s", said("3")), (100,), None), (call("pop", "s"), (600, 700), ok())),
    ]
    assert recorded(lanes, Tags([TWO, ONE, said("3")], PLAIN), elsewhere=[TWO]) == History(
        (
            Act("A", 1, "append", "s", ("1",), None, "ok", 1, 2),
            Act("A", 1, "load", "s", (), ("2", "1"), "ok", 3, 4),
            Act("B", 2, "append", "s", ("3",), None, "unknown", 1, None),
        ),
        elsewhere=frozenset({"2"}),
    )


@pytest.mark.parametrize(
    ("ended", "seen", "outcome"),
    [
        (ok([]), (), "ok"),
        (ok(None), (), "ok"),
        (ok("odd"), None, "ok"),
        (raised("SessionNotFound"), (), "failed"),
        (raised("Rejected"), None, "failed"),
        (raised("unknown"), None, "unknown"),
        (gone, None, "failed"),
    ],
)
def test_a_load_is_told_by_what_it_gave(ended: Any, seen: Any, outcome: str) -> None:
    """An unknown session is an empty one; of an error, or of an odd answer, nothing is known."""
    (act,) = recorded([lane("A", 1, (load("s"), (1, 2), ended))], Tags([], PLAIN)).acts
    assert (act.seen, act.outcome) == (seen, outcome)


def test_a_load_without_an_end_shows_nothing() -> None:
    """Nobody knows what it saw."""
    (act,) = recorded([lane("A", 1, (load("s"), (1,), None))], Tags([], PLAIN)).acts
    assert (act.seen, act.outcome, act.ended) == (None, "unknown", None)


def test_an_entry_is_known_by_all_that_it_holds() -> None:
    """What came back otherwise than it was sent has a tag that nobody sent."""
    tags = Tags([ONE, ENTRIES], PLAIN)
    assert tags.of(ONE) == "1"
    assert tags.of(ENTRIES) == '{"type": "custom", "kind": "n"}'
    assert tags.of({**ENTRIES, "id": "1"}) == '{"type": "custom", "kind": "n", "id": "1"}'
    assert tags.of(5) == "5"


@pytest.mark.parametrize("ids", ["minted", "number"])
def test_an_id_that_the_store_gave_makes_no_other_entry(ids: str) -> None:
    """It goes by what else the entry holds."""
    tags = Tags([ONE, TWO], Manifest(name="minting", options={"ids": ids}))
    minted: Entry = {**TWO, "id": "x-99", "message": ONE["message"]}
    assert tags.of({**ONE, "id": "x-99"}) == "1"
    assert tags.of("odd") == '"odd"'
    assert tags.of({**minted, "more": 1}).startswith("{")


def test_steps_of_different_workers_that_overlap_have_met() -> None:
    """Touching is enough; a worker never meets itself, and what has no end meets nobody."""
    lanes = [
        lane("A", 1, (append("s", ONE), (1, 4), ok()), (load("s"), (5, 9), ok([]))),
        lane("B", 2, (append("s", TWO), (4, 6), ok()), (load("s"), (10,), None)),
        lane("C", 3, (load("s"), (20, 30), ok([]))),
    ]
    assert met(lanes) == 2
