"""Strict comparison, paths of differences, and short texts."""

from typing import Any

import pytest

from storelaw.values import (
    Difference,
    absent,
    brief,
    copied,
    differences,
    first_difference,
    is_array,
    is_object,
    is_tuple,
    same,
)

NUMBERS = frozenset({"numbers"})
TIMES = frozenset({"times"})
EMPTIES = frozenset({"empties"})


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (False, 0),
        (1, 1.0),
        (-0.0, 0.0),
        (None, False),
        ("1", 1),
        ([], {}),
        ([1], [1, 1]),
        ({"a": None}, {}),
        ((1,), [1]),
        ("\u00e9", "e\u0301"),
    ],
)
def test_comparison_is_strict_in_type_and_value(left: Any, right: Any) -> None:
    """Values that Python's ``==`` or a careless store would merge are different."""
    assert not same(left, right)
    assert not same(right, left)
    assert same(left, copied(left))


def test_members_compare_in_any_order_and_items_in_theirs() -> None:
    """The order of members means nothing, the order of items does."""
    assert same({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1})
    assert not same([1, 2], [2, 1])


def test_a_not_a_number_is_itself() -> None:
    """NaN compares by its bits, so that a program which holds one can be named."""
    assert same([float("nan")], [float("nan")])


def test_numbers_may_lose_their_type_where_that_is_declared() -> None:
    """The loss ``numbers`` merges 1, 1.0 and -0.0 with 0, and never a boolean."""
    assert same([1, -0.0], [1.0, 0], NUMBERS)
    assert not same([1], [True], NUMBERS)
    assert not same([1], [2.0], NUMBERS)


def test_times_may_change_their_spelling_where_that_is_declared() -> None:
    """The loss ``times`` compares instants, cut to microseconds."""
    assert same("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000+01:00", TIMES)
    assert same("2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.123456Z", TIMES)
    assert not same("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000+01:00")
    assert not same("9998-01-01T00:00:00.000001Z", "9998-01-01T00:00:00.000002Z", TIMES)


@pytest.mark.parametrize(
    ("left", "right"),
    [("a", "b"), ("2026-01-01T00:00:00Z", "b"), ("2026-01-01", "2026-01-01T00:00:00"), (1, 2)],
)
def test_texts_that_name_no_instant_stay_strict(left: Any, right: Any) -> None:
    """The loss ``times`` says nothing of other texts, nor of times without an offset."""
    assert not same(left, right, TIMES)


def test_empty_members_may_go_where_that_is_declared() -> None:
    """The loss ``empties`` lets null, empty text, list and object members come and go."""
    full: dict[str, Any] = {"a": 1, "b": None, "c": "", "d": [], "e": {}}
    assert same(full, {"a": 1}, EMPTIES)
    assert same({"a": 1}, full, EMPTIES)
    assert not same(full, {"a": 1})
    assert not same({"a": 0}, {}, EMPTIES)
    assert not same([None], [], EMPTIES)


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ([{"id": "1"}], [{"id": "0"}], '$[0].id: "1" became "0"'),
        ({"a b": 1}, {"a b": 1.0}, '$["a b"]: 1 became 1.0'),
        ({"\u00e9": 1}, {"\u00e9": 2}, '$["\\u00e9"]: 1 became 2'),
        ([1], [], "$[0]: 1 became nothing"),
        ([], [1], "$[0]: nothing became 1"),
        ({"a": {"b": []}}, {"a": {"b": {}}}, "$.a.b: [] became {}"),
        (1, "1", '$: 1 became "1"'),
        ({}, {1: 2}, "$[1]: nothing became 2"),
        ({}, {None: 2}, "$[null]: nothing became 2"),
        ({}, {(1, 2): 2}, "$[[1, 2]]: nothing became 2"),
    ],
)
def test_a_difference_names_its_path_and_both_sides(left: Any, right: Any, told: str) -> None:
    """The first difference reads as a path with both sides, whatever the keys are."""
    assert str(first_difference(left, right)) == told


def test_differences_come_outermost_first_and_in_order() -> None:
    """Every difference is found, in the order of the expected side."""
    paths = [each.path for each in differences({"a": 1, "b": [1, 2]}, {"b": [2, 3], "c": 1})]
    assert paths == ["$.a", "$.b[0]", "$.b[1]", "$.c"]
    assert first_difference({"a": 1}, {"a": 1}) is None


def test_the_comparison_walks_deep_values() -> None:
    """Depth is no limit: two values of 5,000 levels are compared."""
    left: Any = 1
    right: Any = 2
    for _ in range(5_000):
        left, right = [left], [right]
    found = first_difference(left, right)
    assert found is not None
    assert (found.expected, found.observed) == (1, 2)
    while is_array(left):
        left, right = left[0], right[0]


@pytest.mark.parametrize(("end", "alike"), [(1, True), (1.0, False)])
def test_values_of_any_depth_are_the_same_or_not(end: Any, alike: bool) -> None:
    """Where the quick comparison would go too deep, the walk answers."""
    left: Any = 1
    right: Any = end
    for _ in range(5_000):
        left, right = [left], [right]
    assert same(left, right) is alike
    while is_array(left):
        left, right = left[0], right[0]


def test_a_copy_shares_nothing() -> None:
    """A copy has its own lists and objects; what is no JSON is kept as it is."""
    odd = object()
    value = {"a": [{"b": 1}], "odd": odd}
    copy = copied(value)
    copy["a"][0]["b"] = 2
    assert value["a"] == [{"b": 1}]
    assert copy["odd"] is odd


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "\u00e9\ud800"}, '{"a": "\\u00e9\\ud800"}'),
        (absent, "nothing"),
        ({1, 2}, "{1, 2}"),
        ([{1}], "<list>"),
        ({"a": {1}}, "<dict>"),
        (b"\xff", "b'\\xff'"),
        ({(1,): 2}, "<dict>"),
    ],
)
def test_a_short_text_is_ascii_whatever_the_value(value: Any, text: str) -> None:
    """JSON where it is JSON, else the kind or the Python form."""
    assert brief(value) == text


def test_a_short_text_is_bounded_and_cut_in_the_middle() -> None:
    """A long value keeps both its ends within the width."""
    text = brief("begin" + "x" * 1000 + "end", 40)
    assert len(text) <= 40
    assert text.startswith('"begin')
    assert " ... " in text
    assert text.endswith('end"')


def test_too_deep_a_value_is_named_by_its_kind() -> None:
    """A value that JSON's writer can't walk still has a short text."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert brief(deep) == "<list>"
    while deep:
        deep = deep[0]


class Unspeakable:
    """An object that has no text."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (16**5_000, "0x1" + "0" * 30 + " ... " + "0" * 33),
        (-(16**5_000) - 10, "-0x1" + "0" * 29 + " ... " + "0" * 32 + "a"),
        ([16**5_000], "<list>"),
        ({16**5_000}, "<set>"),
        (Unspeakable(), "<Unspeakable>"),
    ],
    ids=["positive", "negative", "in a list", "in a set", "an object"],
)
def test_what_cannot_be_written_has_a_short_text(value: Any, text: str) -> None:
    """A number too long for decimals is told in hex, and nothing that is told raises."""
    assert brief(value) == text


def test_a_missing_side_calls_itself_nothing() -> None:
    """The marker of a missing side has a readable form."""
    assert repr(Difference("$", absent, 1).expected) == "nothing"


def test_kinds_are_told_by_type() -> None:
    """Objects, arrays and tuples are told apart."""
    assert is_object({})
    assert is_array([])
    assert is_tuple(())
    assert not is_array(())
    assert not is_object([])
    assert not is_tuple([])
