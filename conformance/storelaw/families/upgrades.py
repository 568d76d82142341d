"""Upgrades: what an earlier version of a store wrote, a later one reads and goes on with."""

import json
from collections.abc import Iterator
from typing import Any, Final

from storelaw.clauses import Seen, law, requires_field
from storelaw.failures import broken, unseen
from storelaw.narrative import Words
from storelaw.program import Key, Program, program
from storelaw.recordings import Kept, appended, read_back, restored, row
from storelaw.samples import custom, said
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object

A: Final = said("1", "\u00e9\u6f22\U0001f600")
B: Final = custom("2", deep={"n": [1, None, ""]})
ROWS: Final = tuple(row("n/s", index).entries[0] for index in (0, 1))

#: Why nothing is held where no earlier version is at hand.
NONE: Final = (
    "no earlier version is at hand (storelaw record TARGET DIR, and later "
    "storelaw check --fixtures DIR)"
)
OPENS: Final = Words("a handle")
RAISED: Final = Words("it raised")


def _store(*entries: Entry, appends: bool = False) -> Program:
    make = appended if appends else read_back
    return program(restored("s", *entries), *make(["s"], "store"))


def _backend(*entries: Any, appends: bool = False) -> Program:
    make = appended if appends else read_back
    return program(restored("n/s", *entries), *make(["n/s"], "backend"))


def _kept(trace: Trace, because: str) -> Kept:
    """What an earlier version wrote; the law ends here where the store can't be opened on it."""
    for event in trace.events:
        if event.step.do == "restore" and event.outcome != "skipped":
            if event.raised:
                broken(event, expected=OPENS, observed=RAISED, because=because)
            found: Kept = event.value
            return found
    unseen(NONE, applicable=False)


def _readings(trace: Trace) -> Iterator[tuple[Key, Event]]:
    """Each reading with the session that it is of."""
    for event in trace.events:
        if event.outcome == "skipped":
            continue
        if event.step.do == "load":
            yield event.step.session, event
        elif event.step.name == "query":
            yield event.step["with"][0]["scope"]["id"], event


def _log(event: Event) -> list[Any] | None:
    return event.value if event.ok and is_array(event.value) else None


def _sorted(event: Event, log: list[Any]) -> list[Any]:
    """A log as it is compared: rows have no order."""
    return log if event.step.do == "load" else sorted(log, key=_mark)


def _mark(row: Any) -> str:
    return json.dumps(row, sort_keys=True, default=str)


def _judge_read(trace: Trace, because: str) -> Seen:
    kept, seen = _kept(trace, because), 0
    for session, event in _readings(trace):
        wanted, log = kept.sessions.get(session, []), _log(event)
        if log is None:
            observed = RAISED if event.raised else event.value
            broken(event, expected=wanted, observed=observed, because=because)
        if not trace.same(_sorted(event, wanted), _sorted(event, log)):
            broken(event, expected=wanted, observed=log, because=because)
        seen += 1
    return {"recorded sessions": seen}


def _judge_appended(trace: Trace, because: str) -> None:
    """The first reading of a session is what was there; each behind a write has one more."""
    _kept_or_unseen(trace)
    before: dict[Key, list[Any]] = {}
    added: set[Key] = set()
    for event in trace.events:
        if event.outcome != "skipped" and event.step.name in ("append", "put"):
            added.add(_written(event))
            if event.raised and _written(event) in before:
                broken(event, expected=Words("it is taken"), observed=RAISED, because=because)
        for session, reading in _readings(Trace(trace.manifest, (event,))):
            log = _log(reading)
            if session not in added:
                before |= {} if log is None else {session: log}
            elif session in before:
                _judge_grown(trace, reading, before[session], log, because)
    if not before:
        unseen("what an earlier version wrote is not read")


def _kept_or_unseen(trace: Trace) -> None:
    if any(each.step.do == "restore" and each.raised for each in trace.events):
        unseen("the store doesn't open on what an earlier version wrote")
    _kept(trace, "")


def _written(event: Event) -> Key:
    if event.step.do == "append":
        return event.step.session
    scope: Any = event.passed[0].get("scope") if event.passed else None
    return str(scope["id"]) if is_object(scope) and "id" in scope else ""


def _judge_grown(
    trace: Trace, event: Event, before: list[Any], log: list[Any] | None, because: str
) -> None:
    wanted = [*before, Words("what was appended")]
    if log is None:
        broken(event, expected=wanted, observed=RAISED, because=because)
    old = log[:-1] if event.step.do == "load" else [row for row in log if row in before]
    grown = len(log) == len(before) + 1
    if not (grown and trace.same(_sorted(event, before), _sorted(event, old))):
        broken(event, expected=wanted, observed=log, because=because)


KEEPS: Final = requires_field("keep", None)
_READ: Final = "a later version reads what an earlier one wrote."
_TAKEN: Final = "a later version goes on with the log of an earlier one."


@law(
    family="upgrade",
    operations={"load"},
    creates=True,
    promises={"durable"},
    source=["kit-upgrade"],
    incidents=["F49"],
    battery=[_store(A), _store(A, B)],
)
def recorded_sessions_are_still_read(trace: Trace) -> Seen:
    """Each session that an earlier version of the store wrote loads as it did then.

    A store breaks it by a new format for which it has no reader of the old one, or by a
    migration that leaves out what it does not know.
    """
    return _judge_read(trace, _READ)


@law(
    family="upgrade",
    creates=True,
    promises={"durable"},
    applies=KEEPS,
    source=["kit-upgrade"],
    incidents=["F49"],
    battery=[_store(A, appends=True)],
)
def recorded_sessions_take_further_appends(trace: Trace) -> None:
    """An append to a session of an earlier version is kept behind what was there, also on disk.

    A store breaks it by writing new records into an old file, so that nobody can read the two
    together, or by beginning the session anew.
    """
    _judge_appended(trace, _TAKEN)


@law(
    family="upgrade",
    door="backend",
    operations=(),
    acts={"query"},
    promises={"durable"},
    source=["kit-upgrade"],
    incidents=["F49"],
    battery=[_backend(*ROWS)],
)
def recorded_rows_are_still_read(trace: Trace) -> Seen:
    """Each row that an earlier version of the backend put is found as it was then.

    A backend breaks it by another key or another encoding of its rows than before.
    """
    return _judge_read(trace, _READ)


@law(
    family="upgrade",
    door="backend",
    operations=(),
    acts={"query", "put"},
    promises={"durable"},
    source=["kit-upgrade"],
    incidents=["F49"],
    battery=[_backend(*ROWS, appends=True)],
)
def recorded_scopes_take_further_rows(trace: Trace) -> None:
    """A row that is put into a scope of an earlier version is found beside those that were there.

    A backend breaks it by two tables of which a query reads the newer one only.
    """
    _judge_appended(trace, _TAKEN)
