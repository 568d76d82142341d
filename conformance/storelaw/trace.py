"""What happened when a program ran: one event for each step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from storelaw.history import History
from storelaw.manifest import Manifest
from storelaw.program import Draft, Key, Step
from storelaw.values import Entry, same

Outcome: TypeAlias = Literal["ok", "raised", "skipped"]

#: What the error of an operation is called when it has none of the five identities.
UNKNOWN = "unknown"

HEADER = ("id", "parent_id", "created_at")


def payload(entry: Entry) -> Entry:
    """An entry without the header that an engine assigns."""
    return {name: value for name, value in entry.items() if name not in HEADER}


@dataclass(frozen=True, slots=True)
class Event:
    """One step, and what came of it.

    ``value`` is a snapshot of the answer; ``error`` the identity of what was raised
    (``unknown`` for any other exception), ``text`` its words.
    ``passed`` are the entries of the step as the program has them, ``given`` the very
    objects that the store got.
    At the session door ``logs`` holds the stored log of each session after the step,
    ``leaf`` the session's leaf, and ``prompts`` what its model or summarizer was shown.
    Where several workers were let loose at once, ``nested`` has their steps in the order in
    which they began, ``met`` counts the pairs that overlapped, and ``history`` says when each
    append and load began and ended.
    """

    index: int
    step: Step
    outcome: Outcome = "ok"
    value: Any = None
    error: str | None = None
    text: str = ""
    passed: tuple[Entry, ...] = ()
    given: list[Entry] = field(default_factory=list[Entry])
    logs: Mapping[Key, list[Entry] | None] = field(default_factory=dict[Key, "list[Entry] | None"])
    leaf: str | None = None
    prompts: tuple[list[Entry], ...] = ()
    nested: tuple["Event", ...] = ()
    history: History | None = None
    met: int = 0

    @property
    def ok(self) -> bool:
        """Whether the step was carried out and raised nothing."""
        return self.outcome == "ok"

    @property
    def raised(self) -> bool:
        """Whether the operation raised."""
        return self.outcome == "raised"

    def __getitem__(self, name: str) -> Any:
        return self.step[name]


@dataclass(frozen=True, slots=True)
class Trace:
    """The events of a run, under the manifest of the medium, with what lay around it."""

    manifest: Manifest
    events: tuple[Event, ...]
    labels: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    sessions: Mapping[str, Key] = field(default_factory=dict[str, Key])
    outside: tuple[str, ...] = ()

    def of(self, *operations: str) -> Iterator[Event]:
        """The events of these operations that were not skipped."""
        return (e for e in self.events if e.step.do in operations and e.outcome != "skipped")

    def id_of(self, label: str) -> str | None:
        """The id that the engine gave to a draft, or ``None`` where it gave none."""
        return self.labels.get(label, {}).get("id")

    def same(self, left: object, right: object) -> bool:
        """Strict equality up to the losses that the manifest declares."""
        return same(left, right, self.manifest.losses)

    def drafts(self) -> Iterator[Draft]:
        """All drafts of the program, inputs and answers, in order."""
        for event in self.events:
            yield from event.step.drafts()
            yield from event["answer"] or ()

    def upto(self, index: int) -> "Trace":
        """The trace of the steps before an index."""
        return replace(self, events=self.events[:index])
