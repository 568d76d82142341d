"""Judges that several laws share, each with one aspect of a reading in view.

A store that loses an entry is not also accused of changing or reordering it: values are
compared between entries that are there, order between entries that are there.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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


def compared(trace: Trace, reading: Reading) -> Reading:
    """A reading as it is compared: without ids where the store gives them."""
    if trace.manifest.contract.ids not in ("minted", "number"):
        return reading
    event = replace(reading.event, value=[_nameless(each) for each in reading.observed])
    return replace(reading, event=event, expected=[_nameless(e) for e in reading.expected])


def _nameless(entry: Any) -> Any:
    return {k: v for k, v in entry.items() if k != "id"} if is_object(entry) else entry


def matches(trace: Trace, reading: Reading) -> Iterator[Match]:
    """Pair expected with observed entries: by id where both have one, else by value, else place.

    Ids pair only where they are the caller's and unique among the expected; where the store
    gives them, entries are paired, and given, without them.
    """
    reading = compared(trace, reading)
    unpaired = _Unpaired(trace, reading.observed)
    times = Counter(str(each.get("id")) for each in reading.expected)
    for index, expected in enumerate(reading.expected):
        name = expected.get("id")
        if isinstance(name, str) and times[name] == 1:
            place = unpaired.named(name)
        else:
            place = unpaired.equal(expected, index)
        yield Match(expected, None if place is None else unpaired.taken(place), place)


class _Unpaired:
    """The entries of a reading that stand for no expected one yet, by id, value and place."""

    def __init__(self, trace: Trace, observed: list[Any]) -> None:
        self._trace, self._observed = trace, observed
        self._free = dict.fromkeys(range(len(observed)))
        self._by_id = _places(observed, _id)
        self._by_mark: dict[str, list[int]] | None = None

    def named(self, name: str) -> int | None:
        """The first place of an entry with this id."""
        return next((each for each in self._by_id.get(name, ()) if each in self._free), None)

    def equal(self, expected: Entry, index: int) -> int | None:
        """The first place of an equal entry, or else the entry's own place."""
        if self._by_mark is None:
            marked = _places(self._observed, self._mark)
            self._by_mark = {mark: places[::-1] for mark, places in marked.items()}
        alike = self._by_mark.get(self._mark(expected), [])
        while alike and alike[-1] not in self._free:
            alike.pop()
        for place in reversed(alike):
            if place in self._free and self._trace.same(expected, self._observed[place]):
                return place
        return index if index in self._free else None

    def taken(self, place: int) -> Any:
        """What lies at a place, which is free no longer."""
        del self._free[place]
        return self._observed[place]

    def _mark(self, entry: Any) -> str:
        """A text that equal entries share, so that few have to be compared with each other."""
        if self._trace.manifest.losses:
            return ""
        try:
            return json.dumps(entry, sort_keys=True)
        except (TypeError, ValueError, RecursionError):
            return ""


def _places(observed: list[Any], told: Callable[[Any], Any]) -> dict[str, list[int]]:
    """The places of the entries of which the same text is told."""
    places: dict[str, list[int]] = {}
    for index, each in enumerate(observed):
        name = told(each)
        if isinstance(name, str):
            places.setdefault(name, []).append(index)
    return places


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
        wanted = compared(trace, reading)
        if not trace.same(wanted.expected, wanted.observed):
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
