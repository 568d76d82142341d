"""What a compaction makes of a list of entries, by the rules AP-M2 and AP-M3."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from storelaw.model.agents import carries, inputs_in
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object

TAG: Final = "context_summary"

INPUT: Final = "to_agent_input"
PROJECTED: Final = "projected"


@dataclass(frozen=True, slots=True)
class Projection:
    """The latest compaction of a list: what it covers, keeps, and what follows it."""

    compact: Entry
    covered: Sequence[Entry]
    kept: Sequence[Entry]
    later: Sequence[Entry]

    @property
    def summary(self) -> str:
        """Its summary."""
        return str(_data(self.compact).get("summary", ""))


def _data(entry: Entry) -> dict[str, Any]:
    data = entry.get("data")
    return data if is_object(data) else {}


def projection(entries: Sequence[Entry]) -> Projection | None:
    """What the latest ``compact`` entry does, or nothing where there is none."""
    places = [place for place, each in enumerate(entries) if each.get("type") == "compact"]
    if not places:
        return None
    at, anchor = places[-1], _data(entries[places[-1]]).get("lastEntryId")
    before = entries[:at]
    ids = [each.get("id") for each in before]
    cut = ids.index(anchor) + 1 if anchor is not None and anchor in ids else at
    return Projection(entries[at], before[:cut], before[cut:], entries[at + 1 :])


def is_summary(value: Any, told: Projection) -> bool:
    """Whether an input is the developer's message with a compaction's summary in its tag."""
    speaks = is_object(value) and value.get("role") == "developer"
    return speaks and carries(value, told.summary) and carries(value, TAG)


def read_of(entries: Sequence[Entry]) -> tuple[Projection | None, list[Any]]:
    """What a model reads of entries beside a summary: the kept inputs, and the later ones."""
    told = projection(entries)
    rest = entries if told is None else [*told.kept, *told.later]
    return told, inputs_in(rest)


@dataclass(frozen=True, slots=True)
class View:
    """One answer of a projection, and the entries that it was given."""

    event: Event
    entries: Sequence[Entry]
    shown: list[Any]


def views(trace: Trace, which: str) -> Iterator[View]:
    """The answers of one projection, where it was given entries and gave a list."""
    for event in trace.of("ask"):
        if event.step.name == which and event.ok and is_array(event.value):
            yield View(event, event.passed, list(event.value))


def named(entries: Iterable[Any]) -> list[Any]:
    """The ids of entries, in order."""
    return [each.get("id") if is_object(each) else None for each in entries]
