"""What each act of a session found and left behind: the stored log and the leaf."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from storelaw.model.chains import name_of, names
from storelaw.program import Draft, Key
from storelaw.samples import is_ephemeral
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry, same


@dataclass(frozen=True, slots=True)
class Act:
    """One step of a session door, between two looks at the stored log.

    ``before`` is the log of the session as it was last seen, ``leaf`` the leaf of this
    session object before the act; ``None`` where nothing was seen yet, or where the session
    doesn't tell. ``again`` says that the log was seen before, since the last restart.
    """

    event: Event
    key: Key
    before: list[Entry]
    after: list[Entry]
    leaf: str | None
    again: bool

    @property
    def fresh(self) -> list[Entry]:
        """What the act added to the stored log."""
        known = set(names(self.before))
        return [each for each in self.after if name_of(each) not in known]

    @property
    def taken(self) -> list[Entry]:
        """What the session says it took in, as it gave it back."""
        return objects(self.event.value)


def acts(trace: Trace, *kinds: str) -> Iterator[Act]:
    """The acts of these kinds (or of all), each with what lay before it."""
    logs: dict[Key, list[Entry]] = {}
    leaves: dict[str, str] = {}
    for event in trace.events:
        label = str(event.step.on)
        if event.step.do == "reopen":
            logs.clear()
        if not event.logs or label not in trace.sessions:
            continue
        key = trace.sessions[label]
        after = log_of(event, key)
        again = key in logs
        before = logs.get(key, [] if event.step.do == "open_session" else after)
        if event.outcome != "skipped" and (not kinds or event.step.do in kinds):
            yield Act(event, key, before, after, leaves.get(label), again)
        logs.update((each, log_of(event, each)) for each in event.logs)
        if event.leaf is not None:
            leaves[label] = event.leaf


def log_of(event: Event, key: Key) -> list[Entry]:
    """The stored log of a session after an event; nothing counts as an empty one."""
    return event.logs.get(key) or []


def objects(value: object) -> list[Entry]:
    """The JSON objects of a list; of anything else none."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast(Entry, each) for each in items if isinstance(each, dict)]


def message_of(entry: Entry) -> Entry:
    """The message of an entry; an empty one where it has none."""
    message = entry.get("message")
    return cast(Entry, message) if isinstance(message, dict) else {}


def lasting(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that a store keeps."""
    return [each for each in entries if not is_ephemeral(each)]


def fleeting(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that are for one run only."""
    return [each for each in entries if is_ephemeral(each)]


def answers(event: Event) -> tuple[Draft, ...]:
    """The drafts that the model of a run answers with."""
    return event["answer"] or ()


def payloads(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without what an engine assigns."""
    return [payload(each) for each in entries]


def holds(entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether one of the entries says the same as another."""
    return any(same(payload(each), payload(entry)) for each in entries)
