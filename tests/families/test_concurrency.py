"""The laws of several writers: none accuses a store that is right."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from storelaw.clauses import registered
from storelaw.errors import SessionNotFound
from storelaw.failures import Broken, Unseen
from storelaw.families import concurrency, crowds
from storelaw.liars import crowd_files, crowd_tasks, liars
from storelaw.liars import crowds as crowd_liars
from storelaw.liars.crowd_honest import (
    THREADED,
    LaggingMedium,
    LooseMedium,
    SharedData,
    ThreadedMedium,
)
from storelaw.liars.crowd_tasks import AwaitsBetweenReadAndWrite, TaskedMedium
from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import Liar
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.program import at_once, workers_of
from storelaw.samples import said
from storelaw.strangers.crowds import GroupsByClient, Interleaves, Lags
from storelaw.trace import Event, Trace
from storelaw.trial import hold

from ..history.notation import history

LAWS = {each.name: each for each in registered() if each.judge.__module__ == concurrency.__name__}
MODULES = {each.__name__ for each in (crowd_files, crowd_liars, crowd_tasks)}
SUBJECTS = [each for each in liars() if each.medium.__module__ in MODULES and each.breaks in LAWS]

MET = "A append a1 a2 | 1 4\nB append b1 | 2 3\n"

#: An append that is under way until the others have looked.
BUSY = f"{MET}D append d1 | 1 20\nafter load b1 a1 a2 d1 | 21 22\n"

#: Histories with one thing wrong, the laws that it breaks, and what these observe.
WRONG = [
    (f"{MET}after load a1 a2 | 5 6", {"writers_lose_nothing_of_each_other": "b1 is missing"}),
    (
        f"{MET}after load b1 a1 a2 b1 | 5 6",
        {"entries_of_several_writers_are_stored_once": "b1 is there 2 times"},
    ),
    (
        f"{MET}after load b1 a1 a2 a1~b1 | 5 6",
        {"entries_of_several_writers_are_not_mixed": "a1~b1 was not sent to this session"},
    ),
    (
        f"{MET}A append a3 | 5 6\nafter load b1 a3 a1 a2 | 7 8",
        {"each_writer_keeps_its_order": "a1 stands after a3"},
    ),
    (
        f"{MET}after load a1 b1 a2 | 5 6",
        {"batches_of_several_writers_stay_together": "b1 stands inside a batch"},
    ),
    (
        f"{MET}R load b1 a1 a2 | 5 6\nS load a1 a2 b1 | 5 6",
        {"readers_agree_on_one_order": "b1 and a1 can't both come first"},
    ),
    (
        f"{BUSY}R load b1 a1 a2 | 5 6\nR load b1 | 7 8",
        {
            "a_reader_never_sees_less_than_before": "a1 was there and is gone",
            "a_reader_sees_all_that_was_acknowledged": "a1 was there and is gone",
        },
    ),
    (
        f"{BUSY}A load b1 | 5 6",
        {
            "a_writer_sees_its_own_entries_beside_others": "a1 is missing",
            "a_reader_sees_all_that_was_acknowledged": "a1 is missing",
        },
    ),
    (
        f"{BUSY}R load b1 | 5 6",
        {"a_reader_sees_all_that_was_acknowledged": "a1 is missing"},
    ),
    (
        f"{MET}C append c1 | 5 6\nafter load c1 b1 a1 a2 | 7 8",
        {"appends_of_all_writers_keep_their_order_in_time": "b1 stands after c1"},
    ),
]


def trace(acts: str, manifest: Manifest = THREADED, way: str = "threads") -> Trace:
    """The trace of a crowd with this history."""
    event = Event(0, at_once("s", way), history=history(acts))
    return Trace(manifest, (event,))


def observed(acts: str) -> dict[str, str]:
    """The laws that a history breaks, each with what it observes."""
    found: dict[str, str] = {}
    for name, each in LAWS.items():
        try:
            each.judge(trace(acts))
        except Broken as broken:
            found[name] = str(broken.observed)
    return found


@pytest.mark.parametrize(("acts", "laws"), WRONG)
def test_each_law_sees_what_it_is_about(acts: str, laws: dict[str, str]) -> None:
    """What is wrong in a history breaks the laws that say so, and no other."""
    assert observed(acts) == laws


def test_each_law_is_broken_by_a_history_of_its_own() -> None:
    """The list above has all of them."""
    assert {name for _, laws in WRONG for name in laws} == set(LAWS)


def test_a_right_history_breaks_no_law() -> None:
    """And each law says how often its writers met."""
    right = trace(f"{BUSY}R load b1 | 3 6")
    assert [dict(each.judge(right) or {}) for each in LAWS.values()] == [  # type: ignore[arg-type]
        {"overlaps of threads": 3}
    ] * len(LAWS)


def test_what_a_store_does_not_promise_is_not_asked() -> None:
    """A batch may be split by a prefix, and only real time orders strangers' entries."""
    split = trace(f"{MET}after load a1 b1 a2 | 5 6", replace(THREADED, batch="prefix"))
    law = LAWS["batches_of_several_writers_stay_together"]
    assert law.judge(split) == {"overlaps of threads": 1}
    loosely = trace(f"{MET}after load a1 b1 a2 | 5 6", LooseMedium.manifest)
    assert law.judge(loosely) == {"overlaps of threads": 1}


def apart(way: str, **more: Any) -> Trace:
    """A crowd that never met, or of which there is no history at all."""
    given = {"history": history("A append a1 | 1 2\nB append b1 | 3 4"), **more}
    return Trace(THREADED, (Event(0, at_once("s", way), **given),))


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_crowd_that_never_met_is_no_evidence(law: Any) -> None:
    """Tasks of a store that never suspends can't meet, others may the next time."""
    found: list[tuple[str, bool]] = []
    for each in (apart("tasks"), apart("threads"), apart("processes", history=None)):
        with pytest.raises(Unseen) as caught:
            law.judge(each)
        found.append((caught.value.reason, caught.value.applicable))
    assert found == [
        ("its operations never suspend, so tasks can't overlap", False),
        ("no two operations of threads overlapped; try again on a quieter machine", True),
        ("no two operations of processes overlapped; try again on a quieter machine", True),
    ]


def test_nothing_is_judged_where_no_crowd_is() -> None:
    """A program gets smaller as it is reduced."""
    assert [dict(each.judge(Trace(THREADED, ())) or {}) for each in LAWS.values()] == [  # type: ignore[arg-type]
        {}
    ] * len(LAWS)


# ------------------------------------------------------------------ applicability


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        (THREADED, None),
        (replace(THREADED, handles=5), None),
        (replace(THREADED, keep=3, keep_unit="pairs"), "the store keeps 3 pairs only"),
        (
            replace(THREADED, writers=frozenset()),
            "manifest field writers names no way to write at once",
        ),
        (
            replace(THREADED, handles=4),
            "the medium has 4 handles at once, too few for a crowd",
        ),
    ],
)
def test_a_medium_must_have_room_for_a_crowd(manifest: Manifest, reason: str | None) -> None:
    """Every law of the family says the same of a store that is too small."""
    for each in LAWS.values():
        assert each.applies is not None
        assert each.applies(manifest) == reason


def test_an_order_must_be_promised() -> None:
    """The laws of a stronger order are not for a store that promises a weaker one."""
    told = {
        medium.manifest.consistency: {
            name
            for name, each in LAWS.items()
            if each.applies and not each.applies(medium.manifest)
        }
        for medium in (LooseMedium, LaggingMedium, ThreadedMedium)
    }
    assert told["real-time"] == set(LAWS)
    assert told["real-time"] - told["sequential"] == {
        "a_reader_sees_all_that_was_acknowledged",
        "appends_of_all_writers_keep_their_order_in_time",
    }
    assert told["sequential"] - told["per-writer"] == {
        "readers_agree_on_one_order",
        "a_reader_never_sees_less_than_before",
        "a_writer_sees_its_own_entries_beside_others",
    }
    law = LAWS["readers_agree_on_one_order"]
    assert law.applies is not None
    assert law.applies(LooseMedium.manifest) == "manifest field consistency is 'per-writer'"


def test_a_battery_has_each_way_of_the_manifest_at_each_pace() -> None:
    """So many programs, each with one crowd."""
    law = LAWS["writers_lose_nothing_of_each_other"]
    steps = [each.steps for each in law.battery(crowd_files.FILED)]
    assert [(step["way"], step["strides"] is None) for (step,) in steps] == [
        (way, together) for way in ("tasks", "threads", "processes") for together in (True, False)
    ]
    assert all(workers_of(step) == dict(crowds.WRITERS) for (step,) in steps)


# -------------------------------------------------------------- liars and strangers


@pytest.mark.parametrize(
    "liar",
    [each for each in SUBJECTS if each.medium.__module__ != crowd_tasks.__name__],
    ids=lambda each: each.name,
)
def test_a_liar_is_right_as_long_as_it_is_alone(liar: Liar, tmp_path: Path) -> None:
    """Nobody meets, so that nothing is lost, mixed, put off or shown late."""
    store: Any = liar.medium(tmp_path).open()
    with pytest.raises(SessionNotFound):
        store.load("s")
    with pytest.raises(SessionNotFound):
        store.append("s", [said("z")])
    store.create("s")
    entries = [said(name) for name in "zyx"]
    store.append("s", entries[:2])
    store.append("s", entries[2:])
    store.append("s", [])
    assert store.load("s") == store.load("s") == entries
    store.close()


def test_a_task_may_write_to_a_session_that_is_not_there(tmp_path: Path) -> None:
    """An empty batch makes none."""
    store = AwaitsBetweenReadAndWrite(tmp_path).open()
    asyncio.run(store.append("s", []))
    assert asyncio.run(store.load("s")) == []


def test_what_was_put_off_is_made_up_for(tmp_path: Path) -> None:
    """Where its session is still there."""
    store: Any = crowd_liars.PutsBusyWritesOff(tmp_path).open()
    store.create("s")
    store.late = [("gone", [said("z")]), ("s", [said("y")])]
    store.append("s", [said("x")])
    assert [each["id"] for each in store.load("s")] == ["x", "y"]


@pytest.mark.parametrize("medium", [TaskedMedium, Interleaves, Lags, GroupsByClient, HonestMedium])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """Whatever order of things it has, as long as it promises no other."""
    laws = ["each_writer_keeps_its_order", "a_reader_sees_all_that_was_acknowledged"]
    verdicts = [hold(LAWS[each], medium, "battery") for each in laws]
    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []


def test_a_store_for_tasks_is_held_by_what_its_tasks_did() -> None:
    """How often they met stands in the evidence, and is the same each time."""
    law = LAWS["writers_lose_nothing_of_each_other"]
    first, again = (hold(law, TaskedMedium, "battery") for _ in range(2))
    assert first.outcome == "held"
    assert first.evidence.seen == again.evidence.seen
    assert first.evidence.seen["overlaps of tasks"] > 0


def test_a_law_of_tasks_is_not_for_a_store_that_never_suspends() -> None:
    """The reason says so."""
    verdict = hold(LAWS["each_writer_keeps_its_order"], HonestMedium, "battery")
    assert (verdict.outcome, verdict.reason) == (
        "not applicable",
        "its operations never suspend, so tasks can't overlap",
    )


def test_the_text_of_a_lost_entry() -> None:
    """Tasks take the same turns each time, so the text is the same to its last letter."""
    law = LAWS["writers_lose_nothing_of_each_other"]
    failure = hold(law, AwaitsBetweenReadAndWrite, "battery").failure
    assert failure is not None
    a, b, c = (
        f'{{"type": "message", "id": "{name}", "created_ ... '
        f'tent": [{{"type": "text", "text": "{name}"}}]}}}}'
        for name in ("b4", "c2", "c3")
    )
    assert text(failure).splitlines() == [
        "tasked broke a law: writers_lose_nothing_of_each_other",
        "",
        "    store = medium.open()",
        "    # at once, as tasks",
        f'    B: store.append("s", [a])  # a = {a}',
        f'    C: store.append("s", [b, c])  # b = {b}; c = {c}',
        "",
        "expected  Once everything has ended, a load gives all that was acknowledged.",
        "observed  b4 is missing",
        "",
        "    ticket  B, handle 0   after, handle 0",
        "         1  + append b4",
        "         3  + ok",
        "         5                + load",
        "         6                + saw c2 c3       <-- b4 is missing",
        "",
        "because   what was acknowledged to one writer survives the others.",
        f"law       {law.claim}",
    ]


def test_a_patchy_store_may_know_nothing_of_a_session() -> None:
    """Where an unknown session is an empty one, there is nothing to remember."""
    store = crowd_liars.PatchyStore(SharedData(), HonestMedium.manifest)
    assert not store.load("s")
    assert store.shown == {}
