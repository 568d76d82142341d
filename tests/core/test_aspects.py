"""Sizes and aspects of entries: what the laws of fidelity look at."""

from typing import Any

import pytest

from storelaw import aspects, sizes
from storelaw.liars.honest import MANIFEST, claiming
from storelaw.model.logs import readings
from storelaw.program import append, call, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry, absent


@pytest.mark.parametrize("size", [200, 4_096])
def test_sizes_are_inside_and_outside_by_every_measure(size: int) -> None:
    """An entry inside is inside by the largest measure, one outside by the smallest."""
    assert sizes.largest(sizes.said_of_size("a", size)) == size
    assert sizes.smallest(sizes.said_beyond("a", size)) == size + 1


@pytest.mark.parametrize(
    ("value", "levels"), [("x", 0), ({}, 1), ({"a": 1}, 1), ({"a": [{}]}, 3), ([[], 1], 2)]
)
def test_depth_counts_lists_and_objects(value: Any, levels: int) -> None:
    """The depth of a value is how many lists and objects lie inside each other."""
    assert sizes.depth(value) == levels


def test_leaves_are_scalars_and_empty_containers_with_their_paths() -> None:
    """Each leaf of a value has a path at which it is found."""
    value = {"a": [1, {}, {"b": None}], "c": []}
    found = list(aspects.leaves(value))

    assert found == [(("a", 0), 1), (("a", 1), {}), (("a", 2, "b"), None), (("c",), [])]
    assert [aspects.at(value, path) for path, _ in found] == [leaf for _, leaf in found]


@pytest.mark.parametrize("path", [("x",), ("a", 7), ("a", 0, "deeper")])
def test_nothing_lies_at_a_path_that_leads_nowhere(path: aspects.Path) -> None:
    """A path that a value doesn't have gives the mark of absence."""
    assert aspects.at({"a": ["b"]}, path) is absent


def test_objects_come_outermost_first() -> None:
    """Each object of a value is found with its path."""
    value: Entry = {"a": {"b": {}}, "c": [{"d": 1}]}

    assert [path for path, _ in aspects.objects(value)] == [(), ("a",), ("a", "b"), ("c", 0)]


def test_retention_excuses_the_oldest_only() -> None:
    """Under a limit of one entry the newest is demanded, and what else is there is compared."""
    manifest = claiming(MANIFEST, name="keeping", keep=1)
    step = append("s", said("a"), said("b"), said("c"))
    events = (Event(0, step, passed=tuple(step.expanded())), Event(1, load("s"), value=[said("b")]))
    trace = Trace(manifest, events)
    (reading,) = readings(trace)

    kept = aspects.kept_back(trace, reading)

    assert [(each.expected["id"], each.place) for each in kept] == [("b", 0), ("c", None)]


def test_a_delete_is_followed_before_a_failed_load() -> None:
    """What a failed load should have given is what was there at that point."""
    step = append("s", said("a"))
    events = (
        Event(0, step, passed=tuple(step.expanded())),
        Event(1, call("delete", "s")),
        Event(2, load("s"), "raised", error="SessionNotFound"),
    )

    assert [entries for _, entries in aspects.failed_loads(Trace(MANIFEST, events))] == [[]]
