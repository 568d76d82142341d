"""Order under a clock of the law's own: equal, going back, apart between writers."""

from typing import Final

from storelaw.clauses import law
from storelaw.families.handles import two_handles
from storelaw.judging import judge_order
from storelaw.program import Program, Step, append, load, opened, program
from storelaw.samples import said
from storelaw.trace import Trace

NOON: Final = "2026-03-01T12:00:00+00:00"

#: What the clock says ahead of each append: a step back, a standstill, and a jump over 2^41 ms.
STEPS_BACK: Final = (NOON, "2026-03-01T11:59:59.960000+00:00", NOON)
STANDS_STILL: Final = (NOON,) * 4
OVER_A_POWER: Final = (
    "2039-09-07T15:47:35.551000+00:00",
    "2039-09-07T15:47:35.552000+00:00",
    "2039-09-07T15:47:35.551000+00:00",
)

#: Ten minutes ahead and behind: two writers with clocks of their own.
APART: Final = ("2026-03-01T12:10:00+00:00", "2026-03-01T11:50:00+00:00")


def tells(time: str) -> Step:
    """Let the clock stand at a time."""
    return Step("clock", args={"fn": time})


def _told(times: tuple[str, ...], handles: tuple[int, ...] = (0,)) -> Program:
    steps = [
        step
        for index, time in enumerate(times)
        for step in (
            tells(time),
            append("s", said(f"{index}"), on=handles[index % len(handles)]),
        )
    ]
    return program(*(opened(each) for each in handles if each), *steps, load("s"))


@law(
    family="order",
    source=["PI-A1", "kit-order"],
    incidents=["F04"],
    powers=["clock"],
    battery=[_told(each) for each in (STEPS_BACK, STANDS_STILL, OVER_A_POWER)],
)
def the_stores_own_clock_does_not_change_the_order(trace: Trace) -> None:
    """Entries come back in append order when the store's clock stands still or goes back.

    A store breaks it by ordering rows by the time at which it wrote them, or by ids that it
    makes from the clock: forty milliseconds back, and a result stands before its call.
    """
    judge_order(trace, "the order is that of the appends, whatever the store's clock says.")


@law(
    family="order",
    source=["PI-A1", "kit-order"],
    incidents=["F04", "F08"],
    powers=["clock"],
    battery=[_told(APART * 2, (0, 1)), _told(APART[::-1] * 2, (0, 1))],
    applies=two_handles,
)
def writers_with_clocks_apart_keep_one_order(trace: Trace) -> None:
    """Entries of two clients whose clocks are apart come back in the order of the appends.

    A store breaks it by a time that each client puts on its rows: the later entry of the
    client that is behind stands before what it answers.
    """
    judge_order(trace, "the order is that of the appends, however far clocks are apart.")
