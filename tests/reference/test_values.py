"""JSON values, times, ids and refusals."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from storelaw_reference.transcript import (
    DecodeError,
    Rejected,
    SessionNotFound,
    frozen,
    random_id,
    stamp,
    thawed,
    utc_now,
)
from storelaw_reference.transcript.ids import fresh_id
from storelaw_reference.transcript.times import nanoseconds


def test_a_frozen_value_is_a_deep_copy_that_cannot_change() -> None:
    """Neither the original nor the frozen value can change the other (D-PI-9)."""
    given: dict[str, Any] = {"a": [1, {"b": None}], "c": 1.5}
    kept = frozen(given)
    given["a"][1]["b"] = 2
    assert kept["a"][1]["b"] is None
    with pytest.raises(TypeError):
        kept["a"][1]["b"] = 3
    assert thawed(kept) == {"a": [1, {"b": None}], "c": 1.5}


@pytest.mark.parametrize("value", [{1: "a"}, float("nan"), float("inf"), {"a": [b"x"]}])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    """Foreign keys, numbers and types raise before anything is stored."""
    with pytest.raises(DecodeError):
        frozen(value)


def test_a_stamp_is_utc_and_trims_zeros() -> None:
    """A moment is written in UTC, with as many digits as it has."""
    zone = timezone(timedelta(hours=2))
    assert stamp(datetime(2024, 1, 1, 2, tzinfo=zone)) == "2024-01-01T00:00:00Z"
    assert stamp(datetime(2024, 1, 1, 2, 0, 0, 120000, zone)) == "2024-01-01T00:00:00.12Z"
    assert utc_now().tzinfo is not None


def test_a_moment_without_a_zone_is_refused() -> None:
    """A naive moment could be any of many."""
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime(2024, 1, 1))


def test_times_compare_across_offsets_and_down_to_nanoseconds() -> None:
    """The sort key keeps what a datetime would lose."""
    assert nanoseconds("2024-01-01T02:00:00+02:00") == nanoseconds("2024-01-01T00:00:00Z")
    early, late = "2024-01-01T00:00:00.000000001Z", "2024-01-01T00:00:00.000000002Z"
    assert nanoseconds(late) - nanoseconds(early) == 1
    assert nanoseconds("0001-01-01T00:00:00Z") < nanoseconds("0001-01-01T00:00:00-01:30")


@pytest.mark.parametrize("text", ["", "2024-01-01", "2024-02-30T00:00:00Z", "2024-01-01T00:00:00"])
def test_other_texts_are_no_times(text: str) -> None:
    """Only RFC 3339 with an offset is a time."""
    with pytest.raises(DecodeError):
        nanoseconds(text)


def test_a_random_id_is_16_hex_characters() -> None:
    """1000 drawn ids are distinct and of the documented form (PI-I1)."""
    drawn = {random_id() for _ in range(1000)}
    assert len(drawn) == 1000
    assert all(len(each) == 16 and set(each) <= set("0123456789abcdef") for each in drawn)


def test_taken_and_empty_ids_are_drawn_again() -> None:
    """A source that repeats itself still gives unique ids (PI-I1)."""
    source = iter(["", "a", "a", "b"])
    assert fresh_id(lambda: next(source), {"a"}) == "b"


def test_a_source_without_fresh_ids_ends_in_a_refusal() -> None:
    """A constant source doesn't hang the session."""
    with pytest.raises(Rejected):
        fresh_id(lambda: "a", {"a"})


def test_a_refusal_shows_its_value() -> None:
    """The message names the offending value, and the reason where there is one."""
    assert str(SessionNotFound("s1")) == "no such session: 's1'"
    assert str(Rejected("e9", "why")) == "rejected: 'e9' (why)"
