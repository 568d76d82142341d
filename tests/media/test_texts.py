"""JSON text: what goes in comes back, or is refused."""

from typing import Any

import pytest

from storelaw.errors import EntryConflict, Rejected
from storelaw.media.texts import DEPTH, depth, entry_text, id_text, now_utc, repeats, text_of


def nested(levels: int) -> Any:
    """Lists in each other."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", ["\0", "\ud800", "\u2028", 2**64 + 1, -0.0, "", nested(DEPTH)])
def test_odd_values_are_ascii_text_on_one_line(value: object) -> None:
    """Every value that JSON has is written as one line of ASCII."""
    assert text_of(value).isascii()
    assert "\n" not in text_of(value)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        object(),
        {1: "a"},
        (1, 2),
        "\ud83d" + "\ude00",
        10**5000,
        nested(DEPTH + 1),
        nested(100_000),
    ],
    ids=["nan", "inf", "object", "int key", "tuple", "pair", "long", "deep", "very deep"],
)
def test_what_would_come_back_changed_is_refused(value: object) -> None:
    """A value that JSON text would change or can't hold is refused."""
    with pytest.raises(Rejected):
        text_of(value)


def test_an_entry_is_an_object() -> None:
    """Other JSON values are no entries."""
    assert entry_text({"a": 1}) == '{"a": 1}'
    with pytest.raises(Rejected, match="object"):
        entry_text([1])


def test_an_id_is_told_from_its_look() -> None:
    """A text and a number are different ids, and null is none."""
    assert id_text({"id": "1"}) != id_text({"id": 1})
    assert id_text({"id": None}) is None
    assert id_text({}) is None


def test_depth_counts_lists_and_objects() -> None:
    """A scalar has no depth; each list or object around it is one level."""
    values: tuple[object, ...] = (1, [], {"a": [1]}, [[], [[]]])
    assert [depth(each) for each in values] == [0, 1, 2, 3]


def test_many_members_side_by_side_are_not_deep() -> None:
    """Breadth is no depth."""
    assert text_of([[] for _ in range(DEPTH * 2)]).startswith("[[], ")


def test_a_retry_is_an_equal_value_under_a_known_id() -> None:
    """The order of members doesn't matter, the type of a number does."""
    assert not repeats(None, "{}")
    assert repeats('{"a": 1, "b": 2}', '{"b": 2, "a": 1}')
    with pytest.raises(EntryConflict):
        repeats('{"a": 1}', '{"a": 1.0}')


def test_now_has_a_zone() -> None:
    """A time without a zone says nothing."""
    assert now_utc().tzinfo is not None
