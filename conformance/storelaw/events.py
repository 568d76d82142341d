"""The events of a run, of which every report is made (``schemas/harness/event.schema.json``).

A stream has one JSON object on each line, in ASCII. ``begin`` opens a run: a medium and the
terms it is judged on. ``law`` has one law's record, as soon as it is there. ``end`` has what
the run came to. Several runs may be in one stream, each under its own number.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TextIO, TypeAlias

from storelaw import release, report

Event: TypeAlias = Mapping[str, Any]
Listener: TypeAlias = Callable[[Event], None]

#: What a ``begin`` has that is of the whole report alone, and what is an event's own.
_WHOLE: Final = frozenset(["storelaw", *release.versions()]) - {"spec"}
_EVENTS_OWN: Final = frozenset(["event", "run"])


@dataclass(slots=True)
class _Run:
    """What has been told of one run."""

    begin: Event
    laws: dict[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    end: Event | None = None

    def data(self) -> dict[str, Any]:
        """The run as a report has it."""
        laws = [self.laws[index] for index in sorted(self.laws)]
        head = {k: v for k, v in self.begin.items() if k not in _WHOLE | _EVENTS_OWN}
        if self.end is None:
            return {**head, "ended": False, **report.cut({**head, "laws": laws}), "laws": laws}
        ending = {k: v for k, v in self.end.items() if k not in _EVENTS_OWN}
        return {**head, "ended": True, **ending, "laws": laws}


class Fold:
    """What a stream comes to so far: the report."""

    def __init__(self) -> None:
        self._runs: dict[int, _Run] = {}

    def told(self, event: Event) -> None:
        """One more event; of a law that is told twice the later verdict counts.

        Raises LookupError for a run that has not begun.
        """
        number = event["run"]
        if event["event"] == "begin":
            self._runs[number] = _Run(event)
        elif event["event"] == "law":
            self._runs[number].laws[event["index"]] = event["law"]
        else:
            self._runs[number].end = event

    def report(self) -> dict[str, Any]:
        """The report; a run without an end is told as one that was cut short."""
        runs = list(self._runs.values())
        specs = {each.begin["spec"] for each in runs}
        versions: Event = runs[0].begin if runs else release.versions()
        return {
            "storelaw": report.VERSION,
            **{name: versions[name] for name in release.versions()},
            "spec": specs.pop() if len(specs) == 1 else release.SPEC,
            "runs": [each.data() for each in runs],
        }


class Stream:
    """Makes the events of a session, tells each to all listeners, and folds them."""

    def __init__(self, *listeners: Listener) -> None:
        self._fold = Fold()
        self._listeners = (self._fold.told, *listeners)
        self._runs: dict[str, list[Mapping[str, Any]]] = {}

    def began(self, head: Mapping[str, Any], laws: Mapping[str, int] | None = None) -> None:
        """Open a run; ``laws`` says how many each family has, where that is known."""
        self._runs[report.ascii_json(head)] = []
        planned = {"planned": dict(laws)} if laws is not None else {}
        versions = {"storelaw": report.VERSION, **release.versions()}
        self._tell("begin", len(self._runs), {**versions, **head, **planned})

    def judged(self, record: Mapping[str, Any], index: int | None = None) -> None:
        """A law's record, with the run it belongs to; ``index`` is its place in the report."""
        head = {name: value for name, value in record.items() if name != "law"}
        key = report.ascii_json(head)
        if key not in self._runs:
            self.began(head)
        seen, number = self._runs[key], list(self._runs).index(key) + 1
        seen.append(record["law"])
        place = len(seen) - 1 if index is None else index
        self._tell("law", number, {"index": place, "law": record["law"]})

    def ended(self) -> None:
        """Close every run with what it came to."""
        for number, run in enumerate(self.report()["runs"], start=1):
            self._tell("end", number, report.totals(run))

    def report(self) -> dict[str, Any]:
        """What the stream comes to so far."""
        return self._fold.report()

    def _tell(self, event: str, run: int, more: Event) -> None:
        told = {"event": event, "run": run, **more}
        for each in self._listeners:
            each(told)


def lines_to(stream: TextIO) -> Listener:
    """A listener that writes each event as a line, at once, so that a cut stream is readable."""

    def told(event: Event) -> None:
        stream.write(report.ascii_json(event) + "\n")
        stream.flush()

    return told


def document(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The report of these records: the versions, then a run for each medium and its terms."""
    stream = Stream()
    for each in records:
        stream.judged(each)
    stream.ended()
    return stream.report()
