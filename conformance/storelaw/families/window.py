"""A limited or filtered read is the exact slice of the full read.

Each law applies where the manifest's ``filters`` names its filter.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from storelaw.clauses import Applies, all_of, law, requires_filter
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.windows import COUNTS, Window, windows
from storelaw.narrative import Words
from storelaw.program import Program, append, load, program
from storelaw.strategies.windows import filter_programs, hour, hourly, usable
from storelaw.trace import Trace

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SOURCE = ["kit-window"]


def read_by(*reads: dict[str, Any], size: int = 5) -> Program:
    """Write a log of one entry for each hour, read it in full, then through filters."""
    reading = (load("s", **each) for each in reads)
    return program(append("s", *hourly(size)), load("s"), *reading, load("s"))


def generated(*names: str) -> Callable[[Manifest], "SearchStrategy[Program]"]:
    """Generated reads through the filters among these that a manifest names."""
    return lambda manifest: filter_programs(manifest, names)


def any_filter(*names: str) -> Applies:
    """Outside the law where a manifest names none of these filters."""

    def applies(manifest: Manifest) -> str | None:
        return None if usable(manifest, names) else f"no filter {' or '.join(names)}"

    return applies


def callers_ids(manifest: Manifest) -> str | None:
    """Outside the law where programs can't know the ids of entries."""
    return (
        None if usable(manifest, manifest.filters & {"after", "before"}) else "ids are the store's"
    )


def judge_slices(trace: Trace, names: Iterable[str], because: str) -> None:
    """Each read through exactly these filters is the slice of the full read beside it."""
    for window in windows(trace):
        if window.names() == frozenset(names):
            judge_slice(trace, window, because)


def judge_slice(trace: Trace, window: Window, because: str) -> None:
    """One filtered read is a right slice of the full read beside it."""
    right = window.slices()
    if right is None:
        return
    if window.event.raised or not any(trace.same(each, window.observed) for each in right):
        shown = Words("an error") if window.event.raised else window.observed
        broken(window.event, expected=right[0], observed=shown, because=because)


# ------------------------------------------------------------- single filters


@law(
    family="window",
    source=_SOURCE,
    incidents=["F03"],
    battery=[read_by(*({"last": n} for n in range(1, 7)))],
    applies=requires_filter("last"),
    programs=generated("last"),
    weight=1,
)
def the_last_entries_are_the_newest_in_ascending_order(trace: Trace) -> None:
    """``last=n`` gives the newest n entries, oldest first; all where there are fewer.

    A store breaks it by ordering upwards and limiting, which gives the oldest n, or by
    ordering downwards and forgetting to turn the answer round.
    """
    _judge_count(trace, "last", "last=n is the newest n entries, in the order of the log.")


@law(
    family="window",
    source=_SOURCE,
    incidents=["F03"],
    battery=[read_by(*({"first": n} for n in range(1, 7)))],
    applies=requires_filter("first"),
    programs=generated("first"),
    weight=1,
)
def the_first_entries_are_the_oldest_in_ascending_order(trace: Trace) -> None:
    """``first=n`` gives the oldest n entries, oldest first; all where there are fewer.

    A store breaks it by counting from the other end.
    """
    _judge_count(trace, "first", "first=n is the oldest n entries, in the order of the log.")


def _judge_count(trace: Trace, name: str, because: str) -> None:
    for window in windows(trace):
        if window.names() == frozenset({name}) and window.filters[name] != 0:
            judge_slice(trace, window, because)


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08"],
    battery=[read_by(*({"after": f"e{n}"} for n in range(1, 6)))],
    applies=all_of(requires_filter("after"), callers_ids),
    programs=generated("after"),
    weight=1,
)
def after_begins_behind_its_entry(trace: Trace) -> None:
    """``after=id`` gives every entry behind the one of that id, and not that entry.

    A store breaks it by an inclusive comparison: a client that asks for news gets the old
    entry again with each poll.
    """
    judge_slices(trace, ["after"], "after=id is all that follows the entry, without the entry.")


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08"],
    battery=[read_by(*({"before": f"e{n}"} for n in range(1, 6)))],
    applies=all_of(requires_filter("before"), callers_ids),
    programs=generated("before"),
    weight=1,
)
def before_ends_ahead_of_its_entry(trace: Trace) -> None:
    """``before=id`` gives every entry ahead of the one of that id, and not that entry.

    A store breaks it by an inclusive comparison: two pages then share an entry.
    """
    judge_slices(trace, ["before"], "before=id is all that precedes the entry, without the entry.")


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08", "F47"],
    battery=[
        read_by(
            {"since": "2026-01-01T02:30:00Z"},
            {"since": "2026-01-01T04:30:00+02:00"},
            {"since": "2025-12-31T21:30:00-05:00"},
            {"since": "2026-01-01T02:30:00.000001+00:00"},
            {"since": hour(3)},
            {"since": hour(9)},
        )
    ],
    applies=requires_filter("since"),
    programs=generated("since"),
    weight=1,
)
def since_selects_by_the_instant(trace: Trace) -> str | None:
    """``since=time`` gives every entry created later, whatever offset the time is written in.

    A store breaks it by comparing time stamps as text. Entries of that very time may be in
    or out: the law notes which.
    """
    judge_slices(trace, ["since"], "since=time selects by instant, not by text.")
    seen = {
        _inclusive(trace, each) for each in windows(trace) if each.names() == frozenset({"since"})
    }
    return next((each for each in sorted(seen) if each), None)


def _inclusive(trace: Trace, window: Window) -> str:
    right = window.slices() or []
    if len(right) < 2:
        return ""
    return f"saw since: {'inclusive' if trace.same(right[0], window.observed) else 'exclusive'}"


# --------------------------------------------------------------------- counts


def _counts(*numbers: int) -> Callable[[Manifest], list[Program]]:
    return lambda manifest: [
        read_by(*({name: n} for name in usable(manifest, COUNTS) for n in numbers))
    ]


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08"],
    battery=_counts(0),
    applies=any_filter(*COUNTS),
)
def a_count_of_zero_gives_nothing(trace: Trace) -> None:
    """``last=0`` and ``first=0`` give nothing.

    A store breaks it by asking whether there is a count where it means whether the count
    is ``None``: the caller who wanted nothing gets the whole history.
    """
    for window in windows(trace):
        if len(window.names()) == 1 and 0 in [window.filters.get(each) for each in COUNTS]:
            judge_slice(trace, window, "a count of zero is a count, and gives nothing.")


@law(
    family="window",
    source=["kit-window", "kit-negative-count"],
    incidents=["F08"],
    battery=_counts(-1, -2, -7),
    applies=any_filter(*COUNTS),
)
def a_negative_count_does_what_is_declared(trace: Trace) -> str | None:
    """A negative count gives nothing, gives all, or raises: as ``negative_count`` says.

    A store breaks it by passing the count on: to a list, which then cuts from the other
    end, or to an engine for which a negative limit is none.
    """
    notes: dict[str, None] = {}
    for window in windows(trace):
        counts = [window.filters[each] for each in COUNTS if each in window.filters]
        if len(window.names()) == 1 and len(counts) == 1 and counts[0] < 0 and window.full:
            notes[f"saw negative_count: {_judged_negative(trace, window)}"] = None
    return "; ".join(notes) or None


def _judged_negative(trace: Trace, window: Window) -> str:
    declared = trace.manifest.contract.negative_count
    seen = seen_whole(trace, window)
    if seen is None or declared not in (None, seen):
        broken(
            window.event,
            expected=Words(declared or "nothing, all or an error"),
            observed=Words("an error") if window.event.raised else window.observed,
            because="a negative count gives what the manifest declares, and never a slice.",
        )
    return seen


def seen_whole(trace: Trace, window: Window) -> str | None:
    if window.event.raised:
        return "raise"
    if window.observed == []:
        return "nothing"
    return "all" if trace.same(window.full, window.observed) else None
