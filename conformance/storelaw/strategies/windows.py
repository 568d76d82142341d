"""Programs that read a log in full and through filters."""

from collections.abc import Iterable
from typing import Any, Final

from hypothesis import strategies as st

from storelaw.manifest import Manifest
from storelaw.program import Program, append, load, program
from storelaw.samples import said
from storelaw.values import Entry

#: The filters that bound a read by an entry, which a store with ids of its own can't be asked.
BY_ENTRY: Final = ("after", "before")


def hour(number: int) -> str:
    """A time in the middle of the sample log: the hour, in UTC."""
    return f"2026-01-01T{number:02d}:00:00Z"


def hourly(count: int) -> list[Entry]:
    """A log with one entry for each hour, called ``e1``, ``e2``, ..."""
    return [said(f"e{n}", created=hour(n)) for n in range(1, count + 1)]


def usable(manifest: Manifest, names: Iterable[str]) -> list[str]:
    """The filters among these that a manifest names and a program can give a value."""
    minted = manifest.entry_id is None or manifest.contract.ids in ("minted", "number")
    return [
        each for each in names if each in manifest.filters and not (minted and each in BY_ENTRY)
    ]


def pairs(manifest: Manifest) -> list[tuple[str, str]]:
    """The pairs of filters that can be asked for together: a bound and a bound or a count."""
    bounds = usable(manifest, ("after", "before", "since"))
    counts = usable(manifest, ("last", "first"))
    two = [(one, other) for n, one in enumerate(bounds) for other in bounds[n + 1 :]]
    return [*two, *((bound, count) for bound in bounds for count in counts)]


def filter_programs(manifest: Manifest, names: Iterable[str]) -> st.SearchStrategy[Program]:
    """Programs of a log of up to twelve entries, read in full and then through these filters."""
    listed = usable(manifest, names)
    chosen = st.lists(
        st.tuples(st.sampled_from(listed), st.integers(0, 13)), min_size=1, max_size=3
    )
    reads = st.lists(chosen, min_size=1, max_size=3)
    return st.builds(_made, st.integers(1, 12), reads)


def _made(count: int, reads: list[list[tuple[str, int]]]) -> Program:
    log = hourly(count)
    half = len(log) // 2
    writes = [append("s", *batch) for batch in (log[:half], log[half:]) if batch]
    return program(*writes, load("s"), *(load("s", **filters_of(each, count)) for each in reads))


def filters_of(chosen: list[tuple[str, int]], count: int) -> dict[str, Any]:
    """Filters with values from small numbers, one count at most."""
    filters: dict[str, Any] = {}
    for name, number in chosen:
        if name in BY_ENTRY:
            filters[name] = f"e{number % count + 1}"
        elif name == "since":
            filters[name] = hour(number)
        elif not {"last", "first"} & set(filters):
            filters[name] = number
    return filters
