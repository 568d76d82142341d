"""Programs that retry: appends of a growing history, with repeats, reopens, second handles."""

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.program import Program, Step, append, bad, load, opened, program, reopened
from storelaw.samples import said
from storelaw.values import Entry

#: The entries of a history; a slice of it is a save, and two slices may overlap.
HISTORY: Final[tuple[Entry, ...]] = tuple(said(str(number)) for number in range(1, 9))

_SLICES: Final = [(start, end) for start in range(8) for end in range(start + 1, min(start + 5, 9))]


def ladders(*, handles: bool = True) -> SearchStrategy[Program]:
    """A first save, then saves of slices that overlap it, with reopens and reads between."""
    slices = st.sampled_from(_SLICES)
    between = st.sampled_from(["", "", "load", "reopen", "handle"] if handles else ["", "reopen"])
    retries = st.lists(st.tuples(between, slices), min_size=1, max_size=5)
    return st.tuples(st.integers(1, 4), retries).map(lambda drawn: _ladder(*drawn))


def _ladder(begun: int, retries: list[tuple[str, tuple[int, int]]]) -> Program:
    steps: list[Step] = [append("s", *HISTORY[:begun]), load("s")]
    on = 0
    for between, (start, end) in retries:
        if between == "handle" and on == 0:
            on = 1
            steps.append(opened(1))
        steps += {"load": [load("s", on=on)], "reopen": [reopened(on), load("s", on=on)]}.get(
            between, []
        )
        steps.append(append("s", *HISTORY[start:end], on=on))
    return program(*steps, load("s"))


def spoilt_batches() -> SearchStrategy[Program]:
    """A log, then batches of new entries, most with a bad entry at some place."""
    spoilt = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["object", "nan", ""]))
    return st.lists(spoilt, min_size=1, max_size=3).map(_spoilt)


def _spoilt(batches: list[tuple[int, int, str]]) -> Program:
    steps: list[Step] = [append("s", HISTORY[0]), load("s")]
    for number, (before, after, how) in enumerate(batches):
        spoiler = [bad(said(f"bad-{number}"), how)] if how else []
        good = [said(f"{number}-{place}") for place in range(before + after + 1)]
        steps.append(append("s", *good[:before], *spoiler, *good[before:]))
        steps.append(load("s"))
    return program(*steps)
