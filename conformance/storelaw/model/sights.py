"""What the views of a medium showed: each answer beside the path that it was asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from storelaw.model import projections
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object, is_tuple

MODEL, TRANSCRIPT = "model_view", "transcript_view"

_EXPECTED: dict[str, Callable[[Sequence[Entry]], list[Entry]]] = {
    MODEL: projections.model_view,
    TRANSCRIPT: projections.transcript_view,
}


@dataclass(frozen=True, slots=True)
class Sight:
    """One answer of a view."""

    event: Event
    path: list[Entry]
    shown: list[Any]

    @property
    def expected(self) -> list[Entry]:
        """What the rules make of the path."""
        return _EXPECTED[self.event.step.do](self.path)


def path_of(event: Event) -> list[Entry]:
    """The path of a view's step."""
    return event.step.expanded() or event["path"] or []


#: What a valid entry of each type can't be without, beside its header.
_NEEDED: Final[dict[str, dict[str, type]]] = {
    "message": {"message": dict},
    "compaction": {"summary": str, "first_kept_id": str},
    "custom": {"kind": str},
}


def is_valid(entry: Entry) -> bool:
    """Whether an entry has what its type can't be without: a reduced program may lack it."""
    needed = _NEEDED.get(entry.get("type", ""), {})
    return all(isinstance(entry.get(name), kind) for name, kind in needed.items())


def refusals(trace: Trace, *views: str) -> Iterator[Event]:
    """The calls of views that raised, or gave no list, on a path of valid entries."""
    for event in trace.of(*(views or (MODEL, TRANSCRIPT))):
        listed = event.ok and (is_array(event.value) or is_tuple(event.value))
        if not listed and all(is_valid(each) for each in path_of(event)):
            yield event


def told(event: Event) -> object:
    """What a call gave, or what it raised."""
    return event.text if event.raised else event.value


def sights(trace: Trace, *views: str) -> Iterator[Sight]:
    """The answers of these views that are lists."""
    for event in trace.of(*(views or (MODEL, TRANSCRIPT))):
        value = event.value
        if event.ok and (is_array(value) or is_tuple(value)):
            yield Sight(event, path_of(event), list(value))


def places(trace: Trace, wanted: Sequence[Any], shown: Sequence[Any]) -> list[int | None]:
    """For each wanted value the place where it is shown, each place used once."""
    free = dict.fromkeys(range(len(shown)))
    found: list[int | None] = []
    for each in wanted:
        place = next((at for at in free if trace.same(each, shown[at])), None)
        free.pop(place, None)  # type: ignore[arg-type]
        found.append(place)
    return found


def missing(trace: Trace, wanted: Sequence[Any], shown: Sequence[Any]) -> list[Any]:
    """The wanted values that are not shown."""
    found = places(trace, wanted, shown)
    return [each for each, place in zip(wanted, found, strict=True) if place is None]


def in_order(trace: Trace, wanted: Sequence[Any], shown: Sequence[Any]) -> bool:
    """Whether the wanted values that are shown follow each other as they should."""
    found = [place for place in places(trace, wanted, shown) if place is not None]
    return found == sorted(found)


def ids(entries: Sequence[Any]) -> list[Any]:
    """The ids of entries."""
    return [each.get("id") if is_object(each) else None for each in entries]
