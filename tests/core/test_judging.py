"""Judges with one aspect in view, each on traces that were made up."""

from collections.abc import Callable
from typing import Any

import pytest

from storelaw.failures import Broken
from storelaw.judging import (
    judge_exact,
    judge_kept,
    judge_kept_or_refused,
    judge_order,
    judge_presence,
    judge_values,
    matches,
)
from storelaw.manifest import Manifest
from storelaw.model.logs import readings
from storelaw.program import append, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry, same

A, B, C = said("a"), said("b"), said("c")
CHANGED = said("b", "other")
PLAIN: Entry = {"type": "custom", "kind": "n", "n": 1}
OTHER: Entry = {"type": "custom", "kind": "n", "n": 2}

Judge = Callable[[Trace, str], Any]


def trace(
    observed: Any,
    *accepted: Entry,
    ids: str | None = None,
    refused: Entry | None = None,
    **error: str,
) -> Trace:
    """The trace of an append and a load, and of a second append that was refused."""
    steps = [Event(0, append("s", *accepted), passed=accepted)]
    if refused is not None:
        name = error.get("error", "Rejected")
        steps.append(Event(1, append("s", refused), "raised", error=name, passed=(refused,)))
    steps.append(Event(2, load("s"), value=observed))
    options = {"ids": ids} if ids else {}
    return Trace(Manifest(name="x", options=options), tuple(steps))


def breaks(judge: Judge, seen: Trace) -> bool:
    """Whether a judge finds a fault, and at the load."""
    try:
        judge(seen, "because")
    except Broken as found:
        return found.event is seen.events[-1]
    return False


@pytest.mark.parametrize(
    ("observed", "found"),
    [
        ([A, B, C], ""),
        ([A, C], "presence kept exact"),
        ([A, B, C, said("d")], "presence exact"),
        ([A, B, B, C], "presence exact"),
        ([A, CHANGED, C], "values exact"),
        ([A, C, B], "order exact"),
        ([B, A], "presence kept order exact"),
        ([], "presence kept exact"),
        (None, "presence kept exact"),
        ([A, B, "junk", C], "presence exact"),
    ],
)
def test_each_judge_sees_its_own_aspect(observed: Any, found: str) -> None:
    """A lost entry is not also called changed or reordered, and so on."""
    judges: dict[str, Judge] = {
        "values": judge_values,
        "presence": judge_presence,
        "kept": judge_kept,
        "order": judge_order,
        "exact": judge_exact,
    }
    seen = trace(observed, A, B, C)
    assert {name for name, judge in judges.items() if breaks(judge, seen)} == set(found.split())


@pytest.mark.parametrize("ids", ["minted", "number"])
def test_entries_are_paired_by_value_where_the_store_gives_ids(ids: str) -> None:
    """An id that the store minted pairs nothing and breaks nothing; the rest of the entry counts.

    The ids swapped here are those of the other entry, which is how a counter may begin.
    """
    stored = [{**A, "id": B["id"]}, {**B, "id": A["id"]}]
    for judge in (judge_values, judge_presence, judge_order, judge_exact):
        assert not breaks(judge, trace(stored, A, B, ids=ids))
        assert breaks(judge, trace(stored[::-1], A, B)) is (judge in (judge_values, judge_exact))
    assert breaks(judge_order, trace(stored[::-1], A, B, ids=ids))
    assert breaks(judge_exact, trace(stored[::-1], A, B, ids=ids))
    assert breaks(judge_presence, trace(stored[:1], A, B, ids=ids))
    assert breaks(judge_values, trace([{**CHANGED, "id": "7"}], A, ids=ids))
    assert not breaks(judge_order, trace(["junk", stored[1]], A, B, ids=ids))


def test_a_long_log_under_given_ids_is_compared_entry_by_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each entry is compared with the one that is like it, wherever it lies, and no other."""
    asked: list[object] = []

    def counted(self: Trace, left: object, right: object) -> bool:
        asked.append(left)
        return same(left, right)

    monkeypatch.setattr(Trace, "same", counted)
    log = [said(str(n), f"text {n}") for n in range(300)]
    stored = [{**each, "id": f"given {n}"} for n, each in enumerate(reversed(log))]
    seen = trace(stored, *log, ids="minted")
    (reading,) = readings(seen)
    assert [each.place for each in matches(seen, reading)] == list(range(300))[::-1]
    assert len(asked) == 300


def test_entries_whose_texts_are_alike_are_still_compared() -> None:
    """A key 1 and a key "1" are written alike, and what can't be written is compared as it is."""
    odd: Entry = {"type": "custom", "at": {1: "x"}}
    even: Entry = {"type": "custom", "at": {"1": "x"}}
    strange: Entry = {"type": "custom", "at": {None: 1, "b": {1, 2}}}
    seen = trace([even, strange, odd], odd, strange, even)
    (reading,) = readings(seen)
    assert [each.place for each in matches(seen, reading)] == [2, 1, 0]


def test_declared_losses_count_where_entries_are_paired_by_value() -> None:
    """1.0 stands for 1 where the manifest says so, wherever it lies."""
    events = (
        Event(0, append("s", PLAIN, OTHER), passed=(PLAIN, OTHER)),
        Event(1, load("s"), value=[{**OTHER, "n": 2.0}, {**PLAIN, "n": 1.0}]),
    )
    seen = Trace(Manifest(name="x", equality=frozenset({"numbers"})), events)
    (reading,) = readings(seen)
    assert [each.place for each in matches(seen, reading)] == [1, 0]


def test_an_entry_that_was_paired_by_its_id_stands_for_no_other() -> None:
    """What an id has taken is left out where values are paired."""
    bare = {name: value for name, value in A.items() if name != "id"}
    seen = trace([A, bare], A, bare)
    (reading,) = readings(seen)
    assert [each.place for each in matches(seen, reading)] == [0, 1]
    taken = trace([said("1"), PLAIN, {**PLAIN}], said("1"), PLAIN, PLAIN, PLAIN)
    (reading,) = readings(taken)
    assert [each.place for each in matches(taken, reading)] == [0, 1, 2, None]


def test_entries_without_ids_are_paired_by_value_then_by_place() -> None:
    """Two equal entries are two, and a changed one stands where it stood."""
    assert not breaks(judge_exact, trace([PLAIN, PLAIN], PLAIN, PLAIN))
    assert breaks(judge_kept, trace([PLAIN], PLAIN, PLAIN))
    assert breaks(judge_values, trace([PLAIN, {**OTHER, "n": 3}], PLAIN, OTHER))
    assert breaks(judge_order, trace([OTHER, PLAIN], PLAIN, OTHER))
    assert breaks(judge_kept, trace([OTHER], PLAIN, OTHER))


def test_an_id_that_stands_for_two_entries_pairs_by_value() -> None:
    """A repeated id tells nothing apart."""
    twice = [A, said("a", "again")]
    assert not breaks(judge_values, trace(twice, *twice))
    assert not breaks(judge_order, trace(twice, *twice))
    assert breaks(judge_order, trace(twice[::-1], *twice))


@pytest.mark.parametrize(
    "judge", [judge_values, judge_presence, judge_kept, judge_order, judge_exact]
)
def test_an_uncertain_session_is_not_judged(judge: Judge) -> None:
    """After a write of unknown outcome nothing is certain."""
    assert not breaks(judge, trace([CHANGED], A, B, refused=C, error="unknown"))


def test_kept_or_refused_notes_a_refusal() -> None:
    """Kept is silent, refused is a note."""
    assert judge_kept_or_refused(trace([A], A), "because") is None
    assert judge_kept_or_refused(trace([A], A, refused=B), "because") == "refused"
    assert judge_kept_or_refused(trace([A], A, refused=B, error="unknown"), "because") == "refused"


@pytest.mark.parametrize(
    ("observed", "because"),
    [
        ([A], "because"),
        ([A, CHANGED], "because"),
        ([A, B, C], "an append that raised leaves nothing of its entries visible."),
    ],
)
def test_kept_or_refused_finds_the_third_way(observed: list[Entry], because: str) -> None:
    """Lost, changed, or refused and yet there."""
    with pytest.raises(Broken) as found:
        judge_kept_or_refused(trace(observed, A, B, refused=C), "because")
    assert found.value.because == because


def test_a_refused_repeat_of_an_accepted_id_may_be_seen() -> None:
    """The accepted twin is rightly visible, and an entry without an id can't be told."""
    assert judge_kept_or_refused(trace([A], A, refused=A), "because") == "refused"
    assert judge_kept_or_refused(trace([PLAIN], PLAIN, refused=OTHER), "because") == "refused"
