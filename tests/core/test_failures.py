"""Failures as objects."""

import pytest

from storelaw.failures import Broken, Failure, LawBroken, Unseen, broken, unseen
from storelaw.program import load, program
from storelaw.trace import Event


def failure(expected: object, observed: object) -> Failure:
    """A failure with these two sides."""
    return Failure("l", "claim", "m", program(load("s")), expected, observed, "because", 0)


def test_broken_carries_what_the_judge_saw() -> None:
    """The event, both sides and the reason are fields; the kind is the reason by default."""
    event = Event(0, load("s"))
    with pytest.raises(Broken) as caught:
        broken(event, expected=1, observed=2, because="it should be 1.")
    found = caught.value
    assert (found.event, found.expected, found.observed) == (event, 1, 2)
    assert (found.because, found.kind, str(found)) == ("it should be 1.",) * 2 + (
        "it should be 1.",
    )


def test_a_kind_of_its_own_tells_two_ways_of_breaking_apart() -> None:
    """A judge may name the kind."""
    with pytest.raises(Broken) as caught:
        broken(
            None,
            expected=1,
            observed=2,
            because="it should be 1.",
            kind="value",
            picture="|",
            drawing={"kind": "tree"},
        )
    assert (caught.value.kind, caught.value.picture) == ("value", "|")
    assert caught.value.drawing == {"kind": "tree"}


@pytest.mark.parametrize("applicable", [True, False])
def test_a_run_that_is_no_evidence_says_why(applicable: bool) -> None:
    """And whether another one could be."""
    with pytest.raises(Unseen, match="nobody met") as caught:
        unseen("nobody met", applicable=applicable, about="meetings")
    found = caught.value
    assert (found.reason, found.applicable, found.about) == ("nobody met", applicable, "meetings")


def test_a_failure_tells_its_first_difference() -> None:
    """``differs`` is the path with both sides, and empty where nothing differs."""
    assert failure([1], [2]).differs == "$[0]: 1 became 2"
    assert failure([1], [1]).differs == ""


def test_a_broken_law_is_an_assertion_error_with_fields() -> None:
    """pytest shows the text; tools read the failure."""
    found = failure(1, 2)
    error = LawBroken(found, "text")
    assert isinstance(error, AssertionError)
    assert error.failure is found
    assert str(error) == "text"
