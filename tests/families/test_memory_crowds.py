"""The laws of several writers at one memory: none accuses a right one."""

from pathlib import Path
from typing import Any

import pytest

from storelaw.clauses import registered
from storelaw.failures import Broken, Unseen
from storelaw.families import memory_crowds
from storelaw.families.memory_rows import ONE
from storelaw.liars import memory_crowds as memory_liars
from storelaw.liars.memory_crowds import SharedMedium
from storelaw.program import Step, ask, at_once
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.turned import scope_of
from storelaw.values import Entry

LAWS = {each.name: each for each in registered() if each.judge.__module__ == memory_crowds.__name__}

WINS = "of_several_writers_of_an_id_exactly_one_succeeds"
RETRIES = "several_writers_of_one_entry_all_succeed"
APART = "writers_of_other_ids_never_meet"

OF_A, OF_B = row(ONE, "t1", "a"), row(ONE, "t1", "b")
OTHER = row(ONE, "t2", "c")


def put(worker: str, entry: Any, error: str | None = None, text: str = "") -> Event:
    """A put of a worker, and what it was told."""
    asked = ask("M", "put", entries=(entry,), one=True)
    step = Step(asked.do, asked.session, asked.entries, worker, asked.args)
    outcome: Any = "skipped" if error == "absent" else "raised" if error else "ok"
    return Event(0, step, outcome, error=error, text=text, passed=(entry,))


def trace(*nested: Event, stored: tuple[Entry, ...] = (), way: str = "threads") -> Trace:
    """The trace of a crowd whose puts overlapped once, and what the memory holds afterwards."""
    crowd = Event(0, at_once(ONE, way), nested=nested, met=1)
    gets = (
        Event(1, ask("M", "get", scope_of(ONE), "turn", each["id"]), value=each) for each in stored
    )
    looks = Event(2, ask("M", "query", {}), value=[])
    return Trace(SharedMedium.manifest, (crowd, looks, *gets))


#: For each law, runs on which it holds.
RIGHT = [
    (WINS, trace(put("A", OF_A), put("B", OF_B, "EntryConflict"), stored=(OTHER, OF_A))),
    (WINS, trace(put("A", OF_A), put("B", OF_B, "absent"), put("C", {}), stored=(OF_A,))),
    (RETRIES, trace(put("A", OF_A), put("B", OF_A))),
    (APART, trace(put("A", OF_A), put("B", OTHER), stored=(OF_A, OTHER))),
    (APART, trace(put("A", OF_A), put("B", OF_A), stored=(OF_A,))),
]

#: For each law, runs on which it breaks: what it expects and what it observes.
WRONG = [
    (
        WINS,
        trace(put("A", OF_A), put("B", OF_B), stored=(OF_A,)),
        "one writer succeeds, the others get a conflict",
        "A: ok, B: ok",
    ),
    (
        WINS,
        trace(put("A", OF_A), put("B", OF_B, "unknown"), stored=(OF_A,)),
        "one writer succeeds, the others get a conflict",
        "A: ok, B: unknown",
    ),
    (WINS, trace(put("A", OF_A), put("B", OF_B, "EntryConflict")), OF_A, None),
    (
        WINS,
        trace(put("A", OF_A), put("B", OF_B, "EntryConflict"), stored=(OF_B,)),
        OF_A,
        OF_B,
    ),
    (
        RETRIES,
        trace(put("A", OF_A), put("B", OF_A, "EntryConflict")),
        "all of them succeed",
        "A: ok, B: EntryConflict",
    ),
    (APART, trace(put("A", OF_A)), OF_A, None),
    (APART, trace(put("A", OF_A), stored=(OF_B,)), OF_A, OF_B),
    (
        APART,
        trace(put("A", OF_A, "unknown", "OSError: busy"), stored=(OF_A,)),
        OF_A,
        "OSError: busy",
    ),
]


@pytest.mark.parametrize(("name", "played"), RIGHT)
def test_a_right_outcome_is_left_alone(name: str, played: Trace) -> None:
    """Whoever wins; each law says how often its writers met."""
    assert LAWS[name].judge(played) == {"overlaps of threads": 1}


@pytest.mark.parametrize(("name", "played", "expected", "observed"), WRONG)
def test_a_wrong_outcome_is_told(name: str, played: Trace, expected: Any, observed: Any) -> None:
    """With what each writer was told, or with what is stored."""
    with pytest.raises(Broken) as caught:
        LAWS[name].judge(played)
    assert (caught.value.expected, caught.value.observed) == (expected, observed)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_writers_that_never_met_are_no_evidence(law: Any) -> None:
    """Tasks of a memory that never suspends can't, others may the next time."""
    found: list[tuple[str, bool, str]] = []
    for way in ("tasks", "threads"):
        with pytest.raises(Unseen) as caught:
            law.judge(Trace(SharedMedium.manifest, (Event(0, at_once(ONE, way)),)))
        found.append((caught.value.reason, caught.value.applicable, caught.value.about))
    assert found == [
        ("its operations never suspend, so tasks can't overlap", False, ""),
        (
            "no two operations of threads overlapped; try again on a quieter machine",
            True,
            "overlaps of threads",
        ),
    ]
    assert law.judge(trace(way="tasks")) == {"overlaps of tasks": 1}
    assert law.judge(Trace(SharedMedium.manifest, ())) == {}


def test_each_law_has_runs_of_both_kinds() -> None:
    """The lists above have all laws."""
    assert {name for name, _ in RIGHT} == {name for name, *_ in WRONG} == set(LAWS)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_no_law_accuses_a_memory_that_is_right(law: Any) -> None:
    """One whose backend can write once by itself."""
    verdict = hold(law, SharedMedium, "battery")
    assert verdict.outcome != "broken"
    assert not verdict.fault


def test_a_liar_is_right_as_long_as_it_is_alone(tmp_path: Path) -> None:
    """The backend that writes all rows back gives what holds a key."""
    store: Any = memory_liars.WritesAllRowsBack(tmp_path).open()
    assert store.add(OF_A) is None
    assert store.add(OTHER) is None
    assert store.add(OF_B) == OF_A
