"""To which session each entry of a trace belongs, and what a session must not lose to another.

Entries are told apart by the caller's id, or by payload where the store mints ids.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from storelaw.failures import broken
from storelaw.model.logs import Logs
from storelaw.program import Key
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry, is_object

_WRITES = ("append", "append_one", "replace")
_TAKES = ("delete", "clear", "pop", "replace", "delete_entry")


def same_entry(trace: Trace, left: Any, right: Any) -> bool:
    """Whether two readings are of one entry: equal ids, or equal payloads under minted ids."""
    if not is_object(left) or not is_object(right):
        return False
    if trace.manifest.contract.ids not in ("minted", "number"):
        return left.get("id") is not None and trace.same(left["id"], right.get("id"))
    return trace.same(payload(left), payload(right))


def among(trace: Trace, entry: Any, entries: Iterable[Any]) -> bool:
    """Whether an entry is one of these."""
    return any(same_entry(trace, entry, each) for each in entries)


def under(key: Key, parent: Key) -> bool:
    """Whether a key is another or lies under it."""
    if isinstance(key, tuple) and isinstance(parent, tuple):
        return key[: len(parent)] == parent
    return key == parent


def owned(trace: Trace) -> dict[Key, list[Entry]]:
    """All entries that were ever passed to each session, a fork's parent included."""
    found: dict[Key, list[Entry]] = {}
    for event in trace.of(*_WRITES, "fork"):
        mine = found.setdefault(event.step.session, [])
        mine.extend(event.passed)
        if event.step.do == "fork":
            found.setdefault(event["new"], []).extend(mine)
    return found


def looked(event: Event) -> list[Any] | None:
    """What an unfiltered load showed: no session is nothing; ``None`` for any other step."""
    if event.step.do != "load" or event.step.args or event.outcome == "skipped":
        return None
    if event.ok:
        return list(event.value or [])
    return [] if event.error == "SessionNotFound" else None


def judge_apart(trace: Trace, because: str) -> str | None:
    """No session shows an entry of another, and none is lost that was accepted.

    Returns a note when a write was refused.
    """
    owners, logs = owned(trace), Logs()
    for event in trace.events:
        if event.step.do == "load" and not event.step.args:
            log = logs.log(event.step.session)
            _judge_foreign(trace, event, owners, because)
            if log.certain:
                _judge_lost(trace, event, log.entries)
        logs.feed(event)
    refused = any(each.raised for each in trace.of(*_WRITES))
    return "an id of the family was refused" if refused else None


def _judge_foreign(
    trace: Trace, event: Event, owners: dict[Key, list[Entry]], because: str
) -> None:
    mine = owners.get(event.step.session, [])
    others = [e for key, each in owners.items() if key != event.step.session for e in each]
    shown = looked(event) or []
    if any(among(trace, e, others) and not among(trace, e, mine) for e in shown):
        expected = [each for each in shown if among(trace, each, mine)]
        broken(event, expected=expected, observed=shown, because=because)


def _judge_lost(trace: Trace, event: Event, accepted: list[Entry]) -> None:
    shown = looked(event)
    lost = event.raised if shown is None else not any(among(trace, e, shown) for e in accepted)
    if accepted and lost:
        broken(
            event,
            expected=accepted,
            observed=shown,
            because="a session whose entries were accepted can be read under the same id.",
        )


@dataclass(frozen=True, slots=True)
class Loss:
    """A reading that no longer shows what an earlier one showed."""

    event: Event
    before: list[Any]
    after: list[Any]


def losses(trace: Trace) -> Iterator[Loss]:
    """The readings that miss entries although nothing was taken from their session."""
    seen: dict[Key, list[Any]] = {}
    for event in trace.events:
        shown = looked(event)
        key = event.step.session
        if shown is not None:
            if not all(among(trace, each, shown) for each in seen.get(key, ())):
                yield Loss(event, seen[key], shown)
            seen[key] = shown
        elif event.step.do in _TAKES:
            seen = {each: log for each, log in seen.items() if not under(each, key)}
        elif event.step.do in _WRITES and trace.manifest.keep is not None:
            seen.pop(key, None)


def judge_undisturbed(trace: Trace, because: str) -> None:
    """No session loses what it showed while nothing was taken from it."""
    for loss in losses(trace):
        broken(loss.event, expected=loss.before, observed=loss.after, because=because)
