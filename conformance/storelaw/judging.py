"""Judges that several laws share, each with one aspect of a reading in view.

A store that loses an entry is not also accused of changing or reordering it: values are
compared between entries that are there, order between entries that are there.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from storelaw.failures import broken
from storelaw.model.logs import Reading, readings
from storelaw.trace import Trace
from storelaw.values import Entry, is_object


@dataclass(frozen=True, slots=True)
class Match:
    """An expected entry and what stands for it in a reading, or ``None``."""

    expected: Entry
    observed: Any
    place: int | None


def matches(trace: Trace, reading: Reading) -> Iterator[Match]:
    """Pair expected with observed entries: by id where both have one, else by value, else place.

    Ids pair only where they are the caller's and unique among the expected.
    """
    observed = reading.observed
    times = Counter(str(each.get("id")) for each in reading.expected)
    minted = trace.manifest.contract.ids in ("minted", "number")
    by_id = None if minted else _places(observed)
    free = dict.fromkeys(range(len(observed)))
    for index, expected in enumerate(reading.expected):
        name = expected.get("id")
        if by_id is not None and isinstance(name, str) and times[name] == 1:
            place = next((each for each in by_id.get(name, ()) if each in free), None)
        else:
            place = _equal(trace, expected, observed, free, index)
        if place is not None:
            del free[place]
        yield Match(expected, None if place is None else observed[place], place)


def _places(observed: list[Any]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for index, each in enumerate(observed):
        name = _id(each)
        if isinstance(name, str):
            places.setdefault(name, []).append(index)
    return places


def _equal(
    trace: Trace, expected: Entry, observed: list[Any], free: dict[int, None], index: int
) -> int | None:
    equal = next((i for i in free if trace.same(expected, observed[i])), None)
    if equal is not None:
        return equal
    return index if index in free else None


def _id(entry: Any) -> Any:
    return entry.get("id") if is_object(entry) else None


def certain(trace: Trace) -> Iterator[Reading]:
    """The readings whose expectation is certain."""
    return (each for each in readings(trace) if each.certain)


def judge_values(trace: Trace, because: str) -> None:
    """Every accepted entry that comes back has the value it was accepted with."""
    for reading in certain(trace):
        for match in matches(trace, reading):
            if match.place is not None and not trace.same(match.expected, match.observed):
                broken(
                    reading.event,
                    expected=match.expected,
                    observed=match.observed,
                    because=because,
                )


def judge_presence(trace: Trace, because: str) -> None:
    """Every accepted entry comes back, and nothing else does."""
    for reading in certain(trace):
        found = list(matches(trace, reading))
        if any(each.place is None for each in found) or len(found) != len(reading.observed):
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
            )


def judge_kept(trace: Trace, because: str) -> None:
    """Every accepted entry comes back."""
    for reading in certain(trace):
        if any(each.place is None for each in matches(trace, reading)):
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
            )


def judge_order(trace: Trace, because: str) -> None:
    """The accepted entries that come back do so in the order of their appends."""
    for reading in certain(trace):
        places = [each.place for each in matches(trace, reading) if each.place is not None]
        if places != sorted(places):
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
            )


def judge_exact(trace: Trace, because: str) -> None:
    """Every reading is exactly the accepted log."""
    for reading in certain(trace):
        if not trace.same(reading.expected, reading.observed):
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
            )


def judge_kept_or_refused(trace: Trace, because: str) -> str | None:
    """Each accepted entry comes back equal; a refused append left nothing of it visible.

    Returns a note when something was refused.
    """
    refused = [e for each in trace.of("append") if each.raised for e in each.passed]
    for reading in readings(trace):
        for match in matches(trace, reading):
            if match.place is None or not trace.same(match.expected, match.observed):
                broken(
                    reading.event,
                    expected=match.expected,
                    observed=match.observed,
                    because=because,
                )
        _judge_unseen(reading, refused)
    return "refused" if refused else None


def _judge_unseen(reading: Reading, refused: list[Entry]) -> None:
    accepted = {each.get("id") for each in reading.expected}
    ids = {each.get("id") for each in refused} - accepted - {None}
    for each in reading.observed:
        if _id(each) in ids:
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because="an append that raised leaves nothing of its entries visible.",
            )
