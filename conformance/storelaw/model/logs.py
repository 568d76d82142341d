"""What each load of a trace should give: the flat log, followed step by step.

Only what the store accepted counts. A raised write with one of the five identities
changed nothing; any other leaves the session *uncertain*, since its outcome is unknown.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from storelaw.program import Key
from storelaw.trace import UNKNOWN, Event, Trace
from storelaw.values import Entry, copied


@dataclass
class Log:
    """The model of one session."""

    entries: list[Entry] = field(default_factory=list[Entry])
    exists: bool = False
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """One unfiltered load that gave a list, and what it should have given."""

    event: Event
    expected: list[Entry]
    exists: bool
    certain: bool

    @property
    def observed(self) -> list[Entry]:
        """What the store gave; nothing counts as an empty list."""
        return list(self.event.value or [])


class Logs:
    """All sessions of a trace, fed with one event after the other."""

    def __init__(self) -> None:
        self._logs: dict[Key, Log] = {}

    def log(self, session: Key) -> Log:
        """The model of a session, made when first asked for."""
        return self._logs.setdefault(session, Log())

    def existing(self) -> list[Key]:
        """The sessions that exist and are certain."""
        return [key for key, each in self._logs.items() if each.exists and each.certain]

    def feed(self, event: Event) -> None:
        """Follow one event."""
        follow = _FOLLOWED.get(event.step.do)
        if follow is None or event.outcome == "skipped":
            return
        log = self.log(event.step.session)
        if event.ok:
            follow(self, log, event)
        elif event.error == UNKNOWN:
            log.certain = False


def _create(logs: Logs, log: Log, event: Event) -> None:
    log.exists = True


def _append(logs: Logs, log: Log, event: Event) -> None:
    log.entries.extend(event.passed)
    log.exists = log.exists or bool(event.passed)


def _delete(logs: Logs, log: Log, event: Event) -> None:
    log.entries, log.exists, log.certain = [], False, True


def _clear(logs: Logs, log: Log, event: Event) -> None:
    log.entries, log.certain = [], True


def _pop(logs: Logs, log: Log, event: Event) -> None:
    del log.entries[-1:]


def _replace(logs: Logs, log: Log, event: Event) -> None:
    log.entries, log.exists, log.certain = list(event.passed), True, True


def _delete_entry(logs: Logs, log: Log, event: Event) -> None:
    which = event["which"]
    if isinstance(which, int):
        del log.entries[which : which + 1]
    else:
        log.entries = [each for each in log.entries if each.get("id") != which]


def _fork(logs: Logs, log: Log, event: Event) -> None:
    ids = [each.get("id") for each in log.entries]
    at = event["at"]
    end = ids.index(at) + 1 if at in ids else len(ids)
    child = logs.log(event["new"])
    child.entries, child.exists, child.certain = copied(log.entries[:end]), True, log.certain


_FOLLOWED: dict[str, Callable[[Logs, Log, Event], None]] = {
    "create": _create,
    "append": _append,
    "append_one": _append,
    "delete": _delete,
    "clear": _clear,
    "pop": _pop,
    "replace": _replace,
    "delete_entry": _delete_entry,
    "fork": _fork,
}


def readings(trace: Trace) -> Iterator[Reading]:
    """Each unfiltered load that didn't raise, beside what the model expects at that point."""
    logs = Logs()
    for event in trace.events:
        if event.step.do == "load" and event.ok and not event.step.args:
            log = logs.log(event.step.session)
            yield Reading(event, list(log.entries), log.exists, log.certain)
        logs.feed(event)
