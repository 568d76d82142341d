"""What is deleted or cleared is gone, and stays away."""

from collections.abc import Iterator
from typing import Any, cast

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.judging import certain, matches
from storelaw.manifest import Manifest
from storelaw.model.lives import Lives, answer, observed, wanted
from storelaw.model.logs import Logs
from storelaw.model.retries import entries_in, roomy
from storelaw.narrative import Words
from storelaw.program import Key, Program, append, call, load, opened, program, reopened
from storelaw.samples import said
from storelaw.strategies.lives import recreations
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))


def deletions(trace: Trace) -> Iterator[tuple[Event, list[Entry]]]:
    """Each load of a session that was deleted before, with the entries that went."""
    gone: dict[Key, list[Entry]] = {}
    logs = Logs()
    for event in trace.events:
        session = event.step.session
        if event.step.do == "delete" and event.ok:
            gone.setdefault(session, []).extend(logs.log(session).entries)
        elif event.step.do == "load" and event.outcome != "skipped" and session in gone:
            yield event, gone[session]
        logs.feed(event)


@law(
    family="lifecycle",
    source=["kit-delete"],
    incidents=["F57", "F58"],
    operations=["append", "load", "delete"],
    battery=[
        program(
            append("a", A),
            load("a"),
            append("s", B, C),
            load("never"),
            call("delete", "s"),
            *between,
            load("s"),
        )
        for between in ((), (reopened(),))
    ],
)
def a_deleted_session_is_unknown(trace: Trace) -> None:
    """A session that was deleted is answered as one that was never written.

    A store breaks it by deleting the entries and leaving the record, or the other way round.
    """
    lives, deleted = Lives(), set[Key]()
    allowed: str | None = None
    for event in trace.events:
        session = event.step.session
        if event.step.do == "delete" and event.ok:
            deleted.add(session)
        if event.step.do == "load" and event.outcome != "skipped" and lives.unknown(session):
            if session not in deleted:
                allowed = allowed or answer(event)
            else:
                _judge_gone(trace, event, allowed)
        lives.feed(event)


def _judge_gone(trace: Trace, event: Event, allowed: str | None) -> None:
    seen = answer(event)
    allowed = allowed or trace.manifest.contract.unknown_session
    if seen is None or seen != (allowed or seen):
        broken(
            event,
            expected=wanted(trace.manifest, allowed),
            observed=observed(event),
            because="a deleted session is unknown.",
        )


def _again(manifest: Manifest) -> Iterator[Program]:
    first = (append("s", A, B), call("delete", "s"))
    yield program(*first, append("s", C), load("s"))
    yield program(*first, reopened(), append("s", C), load("s"))
    yield program(*first, append("s", C), reopened(), load("s"))
    if manifest.handles != 1:
        yield program(
            append("s", A, B),
            opened(1),
            load("s", on=1),
            call("delete", "s"),
            append("s", C, on=1),
            load("s", on=1),
            load("s"),
        )


def _recreations(_: Manifest) -> SearchStrategy[Program]:
    return recreations()


@law(
    family="lifecycle",
    source=["kit-delete"],
    incidents=["F58"],
    operations=["append", "load", "delete"],
    battery=_again,
    programs=_recreations,
    weight=2,
)
def a_deleted_session_never_comes_back(trace: Trace) -> None:
    """A session that is made again under a deleted id starts empty.

    A store breaks it by a mark that says "deleted" and that the next append takes away, or
    by a cache that writes the old log back.
    """
    for event, gone in deletions(trace):
        back = [
            each for each in entries_in(event) if any(resembles(trace, each, old) for old in gone)
        ]
        if back:
            broken(
                event,
                expected=Words("none of the deleted entries"),
                observed=back,
                because="what was deleted never comes back.",
            )


def resembles(trace: Trace, entry: Any, old: Entry) -> bool:
    """Whether an entry has the payload of an older one, whatever id the store gave it."""
    body = payload(cast(Entry, entry)) if isinstance(entry, dict) else None
    return trace.same(body, payload(old))


@law(
    family="lifecycle",
    source=["kit-delete"],
    incidents=["F08"],
    operations=["append", "load", "delete"],
    creates=True,
    battery=[
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            call("delete", "never"),
            call("delete", "a"),
            call("delete", "a"),
        )
    ],
)
def deleting_an_unknown_session_is_answered_as_declared(trace: Trace) -> str | None:
    """A delete of a session that isn't there, or no longer, does what ``unknown_delete`` says.

    A store breaks it by an error of its engine, or by answering the second delete unlike
    the first of a missing session.
    """
    first = trace.manifest.contract.unknown_delete
    lives = Lives()
    for event in trace.events:
        asked = event.step.do == "delete" and event.outcome != "skipped"
        if asked and lives.unknown(event.step.session):
            seen = _deletion(event)
            if seen is None or seen != (first or seen):
                words = {"ignore": "it passes", "raise": "SessionNotFound is raised"}
                broken(
                    event,
                    expected=Words(words.get(first or "", "it passes, or raises SessionNotFound")),
                    observed=Words("it raised" if event.raised else "it passed"),
                    because="a delete of a missing session is answered in one way.",
                )
            first = seen
        lives.feed(event)
    declared = trace.manifest.contract.unknown_delete
    return None if declared or first is None else f"saw unknown_delete: {first}"


def _deletion(event: Event) -> str | None:
    if event.ok:
        return "ignore"
    return "raise" if event.error == "SessionNotFound" else None


@law(
    family="lifecycle",
    source=["kit-clear"],
    incidents=["F57"],
    operations=["append", "load", "clear"],
    battery=[
        program(append("s", A, B, C), call("clear", "s"), load("s")),
        program(append("s", A, B, C), call("clear", "s"), reopened(), load("s")),
    ],
)
def a_cleared_session_is_empty(trace: Trace) -> None:
    """A session that was cleared has no entries.

    A store breaks it by clearing a cache, or a page of the log.
    """
    cleared: set[Key] = set()
    for event in trace.events:
        if event.step.do == "clear" and event.ok:
            cleared.add(event.step.session)
        elif event.step.do in ("append", "append_one", "replace", "fork"):
            cleared.discard(event["new"] or event.step.session)
        elif event.step.do == "load" and event.value and event.step.session in cleared:
            broken(
                event,
                expected=[],
                observed=event.value,
                because="a session that was cleared has no entries.",
            )


@law(
    family="lifecycle",
    source=["kit-clear"],
    incidents=["F58", "F20"],
    operations=["append", "load", "clear"],
    applies=roomy,
    battery=[
        program(append("s", A, B), call("clear", "s"), append("s", C), append("s", D), load("s")),
        program(
            append("s", A), call("clear", "s"), call("clear", "s"), append("s", B, C), load("s")
        ),
    ],
)
def a_cleared_session_stays_usable(trace: Trace) -> None:
    """After a clear a session takes entries as a new one does.

    A store breaks it by dropping what the next append stands on.
    """
    cleared: set[Key] = set()
    for event in trace.events:
        session = event.step.session
        if event.step.do == "clear" and event.ok:
            cleared.add(session)
        elif event.step.do == "delete":
            cleared.discard(session)
        elif event.step.do == "append" and event.raised and session in cleared:
            broken(
                event,
                expected=Words("the append passes"),
                observed=Words("it raised"),
                because="a session that was cleared takes entries.",
            )
    for reading in certain(trace):
        first = next(iter(matches(trace, reading)), None)
        if reading.event.step.session in cleared and first is not None and first.place is None:
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because="a session that was cleared keeps what is appended next.",
            )
