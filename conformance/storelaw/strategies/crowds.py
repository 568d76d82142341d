"""Crowds of writers and readers, drawn."""

from collections.abc import Sequence

from hypothesis import strategies as st

from storelaw.program import Program, Step, append, at_once, load, program
from storelaw.samples import said

WORKERS = "ABCD"

#: After how many calls a worker lets others through: at each, seldom, and in between.
PAUSES = (1, 2, 3, 5, 8, 13)

#: How far apart the steps of a worker begin, where workers don't begin each step together.
STRIDES = (1, 3, 8)


@st.composite
def crowds(draw: st.DrawFn, ways: Sequence[str]) -> Program:
    """Two to four workers that append and load, in one of these ways, at any pace."""
    names = WORKERS[: draw(st.integers(2, len(WORKERS)))]
    strides = st.lists(st.sampled_from(STRIDES), min_size=1, max_size=len(names))
    step = at_once(
        "s",
        draw(st.sampled_from(ways)),
        pauses=tuple(draw(st.lists(st.sampled_from(PAUSES), max_size=3))),
        strides=tuple(draw(st.just([]) | strides)),
        **{each: draw(_deeds(each)) for each in names},
    )
    return program(step)


@st.composite
def _deeds(draw: st.DrawFn, worker: str) -> tuple[Step, ...]:
    """What one worker does: loads, and appends of new entries; it appends at least once."""
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(any))
    steps: list[Step] = []
    for number, size in enumerate(sizes):
        entries = (said(f"{worker.lower()}{number}{place}") for place in range(size))
        steps.append(append("s", *entries) if size else load("s"))
    return tuple(steps)
