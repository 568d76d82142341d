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
)
from storelaw.manifest import Manifest
from storelaw.program import append, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry

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
    """An id that the store minted pairs nothing; the value or else the place does."""
    stored = [{**A, "id": "77"}, {**B, "id": "78"}]
    assert breaks(judge_values, trace(stored, A, B, ids=ids))
    assert not breaks(judge_presence, trace(stored, A, B, ids=ids))
    assert breaks(judge_presence, trace(stored, A, B))
    assert not breaks(judge_values, trace(stored, A, B))


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
