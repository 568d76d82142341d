"""The model of chains: parents, paths, and what does not resolve."""

from typing import Any

from storelaw.manifest import Manifest
from storelaw.model.acts import acts, holds, message_of, objects
from storelaw.model.chains import breaks, early, loose, name_of, names, parent_of, path
from storelaw.program import act, add, reopened, session
from storelaw.samples import said, user
from storelaw.trace import Event, Trace

ROOT, CHILD, SIDE = said("1"), said("2", parent="1"), said("3", parent="1")


def test_an_entry_without_a_text_as_id_has_no_name() -> None:
    """Only text counts as an id or a parent."""
    odd: dict[str, Any] = {"id": 7, "parent_id": None}

    assert (name_of(odd), parent_of(odd)) == ("", "")
    assert (name_of(CHILD), parent_of(CHILD)) == ("2", "1")


def test_a_path_leads_from_the_root_to_the_leaf() -> None:
    """The path follows parents and leaves siblings out."""
    assert names(path([ROOT, CHILD, SIDE], "3")) == ["1", "3"]


def test_an_empty_or_unknown_leaf_has_no_path() -> None:
    """There is no path to what isn't there."""
    assert path([ROOT], "") == path([ROOT], "9") == []


def test_a_missing_parent_ends_the_path() -> None:
    """What was walked so far is the path."""
    log = [said("2", parent="9"), said("3", parent="2")]

    assert names(path(log, "3")) == ["2", "3"]


def test_a_cycle_ends_the_path() -> None:
    """Each entry of a cycle is visited once."""
    log = [said("1", parent="2"), said("2", parent="1")]

    assert names(path(log, "2")) == ["1", "2"]


def test_of_two_entries_with_one_id_the_later_counts() -> None:
    """An id stands for the last entry that has it."""
    later = said("1", "again")

    assert path([ROOT, later], "1") == [later]


def test_loose_and_early_parents_are_told_apart() -> None:
    """A parent may be nowhere, or in the wrong place."""
    log = [CHILD, ROOT, said("4", parent="9")]

    assert names(list(loose(log))) == ["4"]
    assert names(list(early(log))) == ["2"]


def test_breaks_tell_where_an_entry_should_hang() -> None:
    """Each entry of a run hangs off the one before."""
    assert list(breaks([CHILD, SIDE], "1")) == [(SIDE, "2")]


def test_objects_are_the_json_objects_of_a_list() -> None:
    """Whatever a session gives back, what is no object is passed over."""
    assert objects([ROOT, 7, None]) == [ROOT]
    assert objects("no list") == []
    assert message_of({"message": 7}) == {}


def test_what_says_the_same_is_held_whatever_its_header() -> None:
    """Headers don't count when it is asked what an entry says."""
    assert holds([said("1", "words")], said("2", "words"))
    assert not holds([said("1", "words")], said("1", "other"))


def test_acts_know_the_log_and_the_leaf_before() -> None:
    """An act stands between two looks at the log; after a restart nothing was seen."""
    events = (
        Event(0, session("s"), logs={"s": [ROOT]}, leaf="1"),
        Event(1, add(user("u")), value=[CHILD], logs={"s": [ROOT, CHILD]}, leaf="2"),
        Event(2, act("leaf"), "skipped", logs={"s": [ROOT, CHILD]}),
        Event(3, reopened()),
        Event(4, session("s", "B"), logs={"s": [ROOT, CHILD]}, leaf="2"),
    )
    trace = Trace(Manifest(name="x"), events, sessions={"A": "s", "B": "s"})
    first, second, third = acts(trace)

    assert (first.before, first.leaf, first.again) == ([], None, False)
    assert (second.fresh, second.leaf, second.again) == ([CHILD], "1", True)
    assert second.taken == [CHILD]
    assert (third.before, third.again) == ([], False)
