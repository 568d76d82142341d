"""The life of a session: created, refused, unknown, read, closed."""

from collections.abc import Callable, Iterator
from typing import Final

from storelaw.clauses import law, requires_option
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.lives import (
    Lives,
    answer,
    appearances,
    judge_refused,
    judge_undisturbed,
    observed,
    unknown_loads,
    wanted,
)
from storelaw.model.retries import roomy
from storelaw.narrative import Words
from storelaw.program import (
    Program,
    append,
    call,
    closed,
    list_sessions,
    load,
    opened,
    program,
    reopened,
)
from storelaw.samples import said
from storelaw.trace import Event, Trace

A, B, C, D = (said(each) for each in ("1", "2", "3", "4"))


def explicit(manifest: Manifest) -> str | None:
    """Outside the law where an append creates its session."""
    declared = manifest.contract.create
    return "option create is implicit" if declared == "implicit" else None


@law(
    family="lifecycle",
    source=["PI-L5"],
    operations=["append", "load", "create"],
    creates=True,
    applies=explicit,
    battery=[
        program(call("create", "a"), append("a", A), call("create", "s"), load("s")),
        program(call("create", "a"), append("a", A), call("create", "s"), reopened(), load("s")),
    ],
)
def a_created_session_loads_as_empty(trace: Trace) -> None:
    """A session that was created and has no entries loads as an empty list.

    A store breaks it by finding sessions by their entries: the opener then creates the
    session a second time, and is told that it exists.
    """
    lives = Lives()
    for event in trace.events:
        if event.step.do == "reopen" and not trace.manifest.durable:
            return
        session = event.step.session
        loaded = event.step.do == "load" and event.outcome != "skipped"
        empty = lives.lives(session) and not lives.logs.log(session).entries
        if loaded and empty and (event.raised or event.value is None):
            broken(
                event,
                expected=[],
                observed=observed(event),
                because="a session that was created loads as empty.",
            )
        lives.feed(event)


@law(
    family="lifecycle",
    source=["PI-L1"],
    incidents=["F15"],
    operations=["append", "load", "create"],
    creates=True,
    battery=[
        program(call("create", "s"), append("s", A), call("create", "s"), load("s")),
        program(call("create", "s"), call("create", "s"), append("s", A), load("s")),
    ],
)
def creating_a_taken_id_is_refused(trace: Trace) -> None:
    """A create of an id that is taken raises SessionExists.

    A store breaks it by an upsert, so that two callers both think that the session is theirs.
    """
    judge_refused(
        trace,
        lambda event, lives: event.step.do == "create" and lives.lives(event.step.session),
        "SessionExists",
        "an id that is taken can't be created again.",
    )


@law(
    family="lifecycle",
    source=["PI-L1"],
    incidents=["F15"],
    operations=["append", "load", "create"],
    creates=True,
    battery=[
        program(call("create", "s"), append("s", A, B), load("s"), call("create", "s"), load("s")),
        program(
            call("create", "s"),
            append("s", A),
            load("s"),
            call("create", "s", parent="p"),
            load("s"),
        ),
    ],
)
def a_refused_create_leaves_the_log(trace: Trace) -> None:
    """A create that raised has changed nothing in the session that has the id.

    A store breaks it by truncating the file before it looks whether it is there.
    """
    judge_undisturbed(
        trace,
        lambda event: event.step.do == "create" and event.raised,
        "a create that raised leaves the log as it was.",
    )


@law(
    family="lifecycle",
    source=["PI-L4"],
    operations=["append", "load", "create"],
    creates=True,
    applies=explicit,
    battery=[
        program(
            call("create", "a"), append("a", A), load("a"), append("s", B), call("create", "s")
        ),
    ],
)
def append_never_creates_where_create_exists(trace: Trace) -> None:
    """Where sessions are created, an append to an unknown id raises SessionNotFound.

    A store breaks it by an insert that needs no session row: entries of a mistyped or
    deleted session live on without an owner.
    """
    judge_refused(
        trace,
        lambda event, lives: bool(event.passed) and _into_nothing(event, lives),
        "SessionNotFound",
        "an append never creates a session where create exists.",
    )


def _into_nothing(event: Event, lives: Lives) -> bool:
    return event.step.do == "append" and lives.unknown(event.step.session)


@law(
    family="lifecycle",
    source=["PI-A3"],
    incidents=["F08"],
    operations=["append", "load", "create"],
    creates=True,
    applies=requires_option("create", "explicit"),
    battery=[program(call("create", "a"), append("a", A), load("a"), append("s"))],
)
def an_empty_append_to_an_unknown_session_is_not_found(trace: Trace) -> None:
    """Where sessions are created, an append of nothing to an unknown id raises SessionNotFound.

    A store breaks it by returning early when there is nothing to do.
    """
    judge_refused(
        trace,
        lambda event, lives: not event.passed and _into_nothing(event, lives),
        "SessionNotFound",
        "an append of nothing to an unknown session is not found either.",
    )


@law(
    family="lifecycle",
    source=["PI-A3"],
    incidents=["F08"],
    applies=roomy,
    battery=[
        program(append("s", A, B), load("s"), append("s"), load("s")),
    ],
)
def an_empty_append_changes_no_log(trace: Trace) -> None:
    """An append of no entries to a session that exists passes and changes nothing.

    A store breaks it by building a statement without rows, or by writing an empty record.
    """
    lives = Lives()
    for event in trace.events:
        known = event.step.do == "append" and lives.lives(event.step.session)
        if known and event.raised and not event.passed:
            broken(
                event,
                expected=Words("the append passes"),
                observed=Words("it raised"),
                because="an append of nothing passes.",
            )
        lives.feed(event)
    judge_undisturbed(
        trace,
        lambda event: event.step.do == "append" and event.ok and not event.passed,
        "an append of nothing adds nothing and takes nothing.",
    )


def _declared_creating(manifest: Manifest) -> str | None:
    creating = manifest.contract.empty_append == "creates"
    return "option empty_append is creates" if creating else None


def judge_unseen(
    trace: Trace, touches: Callable[[Event], bool], because: str, noted: str = ""
) -> str | None:
    """A session that was merely touched does not exist; where ``noted``, a note says so."""
    for event in appearances(trace, touches):
        if noted:
            return noted
        broken(
            event,
            expected=Words("the session is unknown"),
            observed=observed(event),
            because=because,
        )
    return None


@law(
    family="lifecycle",
    source=["PI-A3", "kit-unknown"],
    incidents=["F08", "F39"],
    creates=True,
    applies=_declared_creating,
    battery=[
        program(call("create", "a"), append("a", A), load("a"), load("never"), append("s"), *after)
        for after in ((list_sessions(),), (load("s"),), (call("create", "s"),))
    ],
)
def an_empty_append_creates_no_session(trace: Trace) -> str | None:
    """An append of no entries leaves an unknown session unknown.

    A store breaks it by making the session before it looks at the entries: lists fill with
    sessions that nobody began.
    """
    declared = trace.manifest.contract.empty_append is not None
    return judge_unseen(
        trace,
        lambda event: event.step.do == "append" and not event.passed,
        "an append of nothing creates no session.",
        "" if declared else "saw empty_append: creates",
    )


_READS: Final = ("load", "record", "headers")


@law(
    family="lifecycle",
    source=["kit-reading", "PI-L7"],
    incidents=["F39"],
    creates=True,
    battery=[
        program(call("create", "a"), append("a", A), load("a"), load("s"), *reads, *after)
        for reads in ((), (call("record", "s"),), (call("headers", "s"),))
        for after in ((list_sessions(),), (load("s"),), (call("create", "s"),))
    ],
)
def reading_creates_nothing(trace: Trace) -> None:
    """Loading an unknown session, or asking for its record or headers, leaves it unknown.

    A store breaks it by "get or create": a mistyped id becomes a session, and a failed
    resume silently begins a new one.
    """
    judge_unseen(
        trace, lambda event: event.step.do in _READS, "reading a session never creates it."
    )


@law(
    family="lifecycle",
    source=["PI-L4", "kit-unknown"],
    incidents=["F39"],
    creates=True,
    battery=[
        program(load("s"), call("create", "a"), append("a", A), load("a"), load("s")),
        program(call("create", "a"), append("a", A), load("a"), reopened(), load("s")),
        program(call("create", "a"), append("a", A), load("a"), opened(1), load("s", on=1)),
    ],
)
def an_unknown_session_is_answered_as_declared(trace: Trace) -> str | None:
    """Loading a session that was never written gives what ``unknown_session`` says, each time.

    A store breaks it by an error of its engine, or by answers that depend on whether
    anything was written before: an opener then takes a missing session for an empty one.
    """
    declared = trace.manifest.contract.unknown_session
    first = declared
    for event in unknown_loads(trace):
        seen = answer(event)
        if seen is None or seen != (first or seen):
            broken(
                event,
                expected=wanted(trace.manifest, first),
                observed=observed(event),
                because="a session that was never written is answered in one way.",
            )
        first = seen
    return None if declared or first is None else f"saw unknown_session: {first}"


def _closings(manifest: Manifest) -> Iterator[Program]:
    begin = (append("s", A, B), load("s"))
    calls = (
        append("s", C),
        load("s"),
        call("append_one", "s", C),
        call("pop", "s"),
        call("clear", "s"),
        call("replace", "s", C),
        call("record", "s"),
        call("headers", "s"),
        call("create", "t"),
        call("fork", "s", new="t"),
        list_sessions(),
        call("delete", "s"),
    )
    for each in calls:
        yield program(*begin, closed(), each)
    if manifest.handles != 1:
        yield program(*begin, opened(1), closed(1), append("s", C, on=1), load("s"))


@law(
    family="lifecycle",
    source=["PI-L10", "kit-close"],
    incidents=["F59"],
    promises=["closed_is_final"],
    battery=_closings,
)
def a_closed_handle_stays_closed(trace: Trace) -> None:
    """After close every operation of a handle raises.

    A store breaks it by a getter that opens a lost connection anew: late writers go on
    after the owner thinks that all is shut.
    """
    shut: set[object] = set()
    for event in trace.events:
        if event.step.do == "close":
            shut.add(event.step.on)
        elif event.step.do in ("open", "reopen"):
            shut.discard(event.step.on)
        elif event.step.on in shut and event.ok:
            broken(
                event,
                expected=Words("it raises, since the handle is closed"),
                observed=Words("it passed"),
                because="a closed handle stays closed.",
            )


def _pattern(ids: list[object]) -> list[int]:
    """Ids as the places of their first appearance: two logs of one shape have one pattern."""
    return [ids.index(each) for each in ids]


def _path(trace: Trace, operation: str) -> tuple[list[int], list[bool], list[list[int]]]:
    """What was appended by one path, what passed, and the shapes of what was loaded."""
    events = list(trace.of(operation))
    texts: list[object] = [str(each.get("id")) for event in events for each in event.passed]
    sessions = {event.step.session for event in events}
    shapes = [
        _pattern([str(entry.get("id")) for entry in event.value])
        for event in trace.of("load")
        if event.ok and event.value and event.step.session in sessions
    ]
    return _pattern(texts), [event.ok for event in events], shapes


@law(
    family="lifecycle",
    source=["kit-append-one"],
    incidents=["F56", "F12"],
    operations=["append", "append_one", "load"],
    applies=roomy,
    battery=[
        program(
            *(append("b", each) for each in (A, B, A)),
            *(call("append_one", "s", each) for each in (C, D, C)),
            load("b"),
            load("s"),
        )
    ],
)
def append_one_is_an_append_of_one(trace: Trace) -> None:
    """The single path and the batch path store and refuse alike.

    A store breaks it by a check or an option that one of the two paths honours.
    """
    batch, single = _path(trace, "append"), _path(trace, "append_one")
    if batch[0] == single[0] and len(batch[2]) == len(single[2]) and batch != single:
        broken(
            next(iter(trace.of("append_one")), None),
            expected=batch[1:],
            observed=single[1:],
            because="append_one does what append does with one entry.",
        )
