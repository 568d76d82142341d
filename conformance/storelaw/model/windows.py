"""What a filtered read should give: the exact slice of the full read beside it.

The full read is the store's own, so that a store whose full read is wrong is not accused
of a wrong slice too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from storelaw.program import Key
from storelaw.trace import Event, Trace
from storelaw.values import is_array, is_object

BOUNDS: Final = ("after", "before", "since")
COUNTS: Final = ("last", "first")

#: The steps that leave every log as it is.
_STILL: Final = frozenset({"load", "list_sessions", "headers", "record", "open", "settle"})


@dataclass(frozen=True, slots=True)
class Window:
    """One filtered load, and the full read of the same log beside it."""

    event: Event
    full: list[Any]

    @property
    def filters(self) -> Mapping[str, Any]:
        """The filters of the load."""
        return self.event.step.args

    @property
    def observed(self) -> Any:
        """What the store gave; nothing counts as an empty list."""
        return [] if self.event.ok and self.event.value is None else self.event.value

    def names(self) -> frozenset[str]:
        """The names of the filters."""
        return frozenset(self.filters)

    def slices(self) -> list[list[Any]] | None:
        """Each right answer, or ``None`` where the filters don't say what is right.

        There are two where an entry was created at the very time of ``since``: whether the
        bound is inclusive is the store's to say.
        """
        if not _plain(self.filters) or not self._known():
            return None
        bounded = _between(self.full, self.filters.get("after"), self.filters.get("before"))
        found = _recent(bounded, self.filters.get("since"))
        return None if found is None else [_counted(each, self.filters) for each in found]

    def _known(self) -> bool:
        names = [identity(each) for each in self.full]
        wanted = [self.filters[name] for name in ("after", "before") if name in self.filters]
        return all(names.count(each) == 1 for each in wanted)


def windows(trace: Trace) -> Iterator[Window]:
    """The filtered loads of a trace that have a full read beside them, and no write between.

    Where the full read gave something else afterwards, reading itself changes the log, and
    nothing can be said about a slice of it.
    """
    full: dict[Key, list[Any]] = {}
    waiting: list[Window] = []
    for event in trace.events:
        if event.step.do not in _STILL:
            yield from waiting
            full, waiting = {}, []
        elif event.step.do == "load" and event.step.args and event.outcome != "skipped":
            if event.step.session in full:
                waiting.append(Window(event, full[event.step.session]))
        elif event.step.do == "load" and event.ok and is_array(event.value):
            key, seen = event.step.session, event.value
            steady = trace.same(full.setdefault(key, seen), seen)
            waiting = [each for each in waiting if steady or each.event.step.session != key]
    yield from waiting


def identity(entry: Any) -> Any:
    """The id of an entry, or ``None``."""
    return entry.get("id") if is_object(entry) else None


def instant(text: Any) -> datetime | None:
    """A time stamp as an instant, or ``None`` where it is none."""
    try:
        read = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _plain(filters: Mapping[str, Any]) -> bool:
    counts = [filters[name] for name in COUNTS if name in filters]
    return len(counts) < 2 and all(isinstance(each, int) and each >= 0 for each in counts)


def _between(full: list[Any], after: Any, before: Any) -> list[Any]:
    names = [identity(each) for each in full]
    start = 0 if after is None else names.index(after) + 1
    end = len(full) if before is None else names.index(before)
    return full[start:end]


def _recent(entries: list[Any], since: Any) -> list[list[Any]] | None:
    """The entries from a time on, with and without those of that very time."""
    if since is None:
        return [entries]
    bound = instant(since)
    times = [instant(each.get("created_at")) if is_object(each) else None for each in entries]
    known = [each for each in times if each is not None]
    if bound is None or len(known) < len(entries):
        return None
    paired = list(zip(entries, known, strict=True))
    inclusive = [each for each, time in paired if time >= bound]
    exclusive = [each for each, time in paired if time > bound]
    return [inclusive] if len(inclusive) == len(exclusive) else [inclusive, exclusive]


def _counted(entries: list[Any], filters: Mapping[str, Any]) -> list[Any]:
    if "first" in filters:
        return entries[: filters["first"]]
    if "last" in filters:
        return entries[len(entries) - min(filters["last"], len(entries)) :]
    return entries
