"""Meetings: when a worker begins, and how it lets others through."""

import sys
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from storelaw import meetings
from storelaw.meetings import AWAKE, NAP, Alone, Meeting, endless, paced


class Clock:
    """A clock that each look moves on by a step, and each sleep by its length."""

    def __init__(self, step: int) -> None:
        self.now, self.step, self.slept = 0, step, list[float]()

    def monotonic_ns(self) -> int:
        """Look."""
        self.now += self.step
        return self.now

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        self.slept.append(seconds)
        self.now += round(seconds * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which workers meet."""
    made = Clock(10)
    monkeypatch.setattr(meetings, "time", SimpleNamespace(**_parts(made)))
    return made


def _parts(clock: Clock) -> dict[str, Any]:
    return {"monotonic_ns": clock.monotonic_ns, "sleep": clock.sleep}


def test_one_who_is_alone_waits_for_nobody(clock: Clock) -> None:
    """And naps in no call."""
    Alone().meet(5)
    before = sys.getprofile()
    with Alone().naps():
        assert sys.getprofile() is before
    assert (clock.now, clock.slept) == (0, [])


def test_a_worker_is_awake_when_its_moment_comes(clock: Clock) -> None:
    """It sleeps until shortly before, and looks at the clock until then."""
    Meeting(paced(2_000_000, 100)).meet(0)
    assert clock.slept == [(2_000_000 - 10) / 1e9 - AWAKE]
    assert 2_000_000 <= clock.now < 2_000_020


def test_a_worker_that_comes_late_begins_at_once(clock: Clock) -> None:
    """Nobody waits for a moment that has passed."""
    Meeting(paced(5, 0)).meet(3)
    assert (clock.now, clock.slept) == (20, [])


def test_each_further_step_begins_later() -> None:
    """By one and the same pace."""
    assert [paced(100, 7)(index) for index in range(3)] == [100, 107, 114]


def test_a_worker_naps_after_so_many_calls(clock: Clock) -> None:
    """The numbers come over and over."""
    called = meetings._napping((1, 3))
    for _ in range(8):
        called(None, "call", None)
    assert clock.slept == [NAP] * 4


@pytest.mark.parametrize(("pauses", "least"), [((1,), 6), ((4,), 1), ((), 0)])
def test_calls_inside_a_meeting_let_others_through(
    clock: Clock, pauses: tuple[int, ...], least: int
) -> None:
    """Calls and returns count; outside nothing does, and another profile comes back."""

    def nothing() -> None: ...

    before = sys.getprofile()
    with Meeting(paced(0, 0), pauses).naps():
        nothing()
        nothing()
        nothing()
    inside = len(clock.slept)
    nothing()
    assert len(clock.slept) == inside >= least
    assert sys.getprofile() is before


@pytest.mark.parametrize(("pauses", "expected"), [((1, 2), [1, 2, 1, 2, 1]), ((), [0, 0, 0, 0, 0])])
def test_pauses_never_end(pauses: tuple[int, ...], expected: list[int]) -> None:
    """Without any there are none."""
    found: Iterator[int] = islice(endless(pauses), 5)
    assert list(found) == expected
