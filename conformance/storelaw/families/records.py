"""What a store keeps beside the entries: the record of a session, the headers of a log."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, cast

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.lives import Lives, answer, judge_refused, observed, unknown_loads
from storelaw.model.retries import entries_in, roomy
from storelaw.narrative import Words
from storelaw.program import Key, Program, Step, append, call, load, program, reopened
from storelaw.samples import said
from storelaw.trace import Event, Trace

A, B, C = (said(each) for each in ("1", "2", "3"))

#: The member that may move after a record was written.
MOVES: Final = "updated_at"

FIRST, LATER = "2026-03-01T10:00:00+00:00", "2026-03-01T11:00:00+00:00"


def told(instant: str) -> Step:
    """Set the medium's clock."""
    return Step("clock", args={"fn": instant})


def member(record: object, *names: str) -> Any:
    """The first of some members that a record has."""
    items = cast("dict[str, Any]", record) if isinstance(record, dict) else {}
    return next((items[name] for name in names if items.get(name) is not None), None)


def parent_of(record: object, manifest: Manifest) -> Any:
    """The parent that a record names; of a key in parts the last part."""
    renamed = manifest.fields.get("parent_id", "parent_id")
    found = member(record, "parent", "parent_id", renamed)
    if not manifest.key_parts or not isinstance(found, tuple | list):
        return found
    return cast("Sequence[Any]", found)[-1]


def instant_of(record: object, manifest: Manifest, name: str) -> datetime | None:
    """A time of a record as an instant, cut to seconds; ``None`` where it can't be read."""
    value = member(record, name, manifest.fields.get(name, name))
    try:
        read = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return None if read.tzinfo is None else read.replace(microsecond=0)


@law(
    family="lifecycle",
    source=["PI-L2"],
    operations=["append", "load", "create", "record"],
    creates=True,
    battery=[
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            call("create", "s", parent="a"),
            call("record", "s"),
        ),
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            call("create", "s", parent="never"),
            call("record", "s"),
            reopened(),
            call("record", "s"),
        ),
    ],
)
def the_record_names_the_parent_verbatim(trace: Trace) -> None:
    """A session is created under whatever parent it is given, and its record names that parent.

    A store breaks it by a foreign key (a parent may live in another store), or by dropping
    what it doesn't need itself.
    """
    parents: dict[Key, Any] = {}
    for event in trace.of("create", "record"):
        if event.step.do == "create":
            _judge_created(event, parents)
        elif event.ok and event.step.session in parents:
            parent = parents[event.step.session]
            found = parent_of(event.value, trace.manifest)
            if found != parent:
                broken(
                    event,
                    expected={"parent": parent},
                    observed=event.value,
                    because="the record names the parent that create was given.",
                )


def _judge_created(event: Event, parents: dict[Key, Any]) -> None:
    parent = event["parent"]
    if event.ok and parent is not None:
        parents[event.step.session] = parent
    elif event.raised and parent is not None and event.error != "SessionExists":
        broken(
            event,
            expected=Words("the session is created"),
            observed=Words("it raised"),
            because="create doesn't ask whether the parent exists.",
        )


@law(
    family="lifecycle",
    source=["PI-L3"],
    operations=["append", "load", "record"],
    battery=[
        program(
            append("s", A),
            call("record", "s"),
            append("s", B),
            append("s", C),
            load("s"),
            call("record", "s"),
        ),
        program(append("s", A), call("record", "s"), reopened(), call("record", "s"), load("s")),
        program(
            append("s", A),
            call("record", "s"),
            call("create", "s", parent="p"),
            call("record", "s"),
        ),
    ],
)
def the_record_is_written_once(trace: Trace) -> None:
    """No append, read, reopen or refused create changes a session's record, but for ``updated_at``.

    A store breaks it by folding a leaf, a count or a new creation time into the record.
    """
    shown: dict[Key, dict[str, Any]] = {}
    for event in trace.events:
        session = event.step.session
        if event.step.do in ("delete", "fork") and event.ok:
            shown.pop(session, None)
        if event.step.do == "reopen" and not trace.manifest.durable:
            shown.clear()
        if event.step.do != "record" or not event.ok:
            continue
        kept = cast("dict[str, Any]", event.value)
        record = {name: value for name, value in kept.items() if name != MOVES}
        before = shown.setdefault(session, record)
        if not trace.same(_comparable(before), _comparable(record)):
            broken(
                event,
                expected=before,
                observed=record,
                because="the record is written once, when the session is created.",
            )


def _comparable(record: dict[str, Any]) -> dict[str, Any]:
    return {name: str(v) if isinstance(v, datetime) else v for name, v in record.items()}


@law(
    family="lifecycle",
    source=["PI-L4", "kit-record"],
    operations=["append", "load", "record"],
    creates=True,
    battery=[
        program(
            call("create", "a"), append("a", A), load("a"), call("record", "a"), call("record", "s")
        )
    ],
)
def the_record_of_an_unknown_session_is_not_found(trace: Trace) -> None:
    """Asking for the record of a session that does not exist raises SessionNotFound.

    A store breaks it by making up a record with a creation time of now.
    """
    judge_refused(
        trace,
        lambda event, lives: event.step.do == "record" and lives.unknown(event.step.session),
        "SessionNotFound",
        "a session that does not exist has no record.",
    )


_CLOCKED = (
    told(FIRST),
    call("create", "s"),
    append("s", A),
    call("record", "s"),
    told(LATER),
    append("s", B),
    load("s"),
    call("record", "s"),
)


@law(
    family="lifecycle",
    source=["PI-L2", "kit-record"],
    incidents=["F06", "F47"],
    operations=["append", "load", "create", "record"],
    powers=["clock"],
    creates=True,
    battery=[
        program(*_CLOCKED),
        program(*_CLOCKED[:4], told(LATER), reopened(), call("record", "s")),
    ],
)
def the_creation_time_is_the_clocks(trace: Trace) -> None:
    """A record's ``created_at`` is the time of its create, by the clock of the store.

    A store breaks it by a server's own clock or zone, or by stamping the session anew.
    """
    now: str | None = None
    made: dict[Key, datetime] = {}
    for event in trace.events:
        now = event["fn"] if event.step.do == "clock" and event.ok else now
        if event.step.do == "create" and event.ok and now:
            made[event.step.session] = datetime.fromisoformat(now)
        if event.step.do == "record" and event.ok and event.step.session in made:
            found = instant_of(event.value, trace.manifest, "created_at")
            if found is not None and found != made[event.step.session]:
                broken(
                    event,
                    expected=made[event.step.session].isoformat(),
                    observed=found.isoformat(),
                    because="created_at is the time of the create.",
                )


@law(
    family="lifecycle",
    source=["PI-L3", "kit-record"],
    incidents=["F06"],
    operations=["append", "load", "record"],
    powers=["clock"],
    creates=True,
    battery=[program(*_CLOCKED)],
)
def the_update_time_moves_with_an_append(trace: Trace) -> str | None:
    """A record that has an ``updated_at`` moves it when entries are appended.

    A store breaks it by writing the time once: "the most recent session" is then the one
    that was created last.
    """
    appended: dict[Key, datetime] = {}
    now: str | None = None
    seen = False
    for event in trace.events:
        now = event["fn"] if event.step.do == "clock" and event.ok else now
        if event.step.do == "append" and event.ok and event.passed and now:
            appended[event.step.session] = datetime.fromisoformat(now)
        if event.step.do == "record" and event.ok and event.step.session in appended:
            found = instant_of(event.value, trace.manifest, MOVES)
            seen = seen or found is not None
            if found is not None and found < appended[event.step.session]:
                broken(
                    event,
                    expected=appended[event.step.session].isoformat(),
                    observed=found.isoformat(),
                    because="updated_at moves when entries are appended.",
                )
    return None if seen else "the record has no updated_at"


# --------------------------------------------------------------------- headers

_HEADED: Final = ("id", "parent_id", "created_at", "type")


def _agreeing(_: Manifest) -> Iterator[Program]:
    yield program(append("s", A, B), append("s", C), load("s"), call("headers", "s"))
    yield program(append("s", A), append("t", B), load("s"), call("headers", "s"))


@law(
    family="lifecycle",
    source=["kit-headers"],
    incidents=["F11", "F44"],
    operations=["append", "load", "headers"],
    applies=roomy,
    battery=_agreeing,
)
def headers_agree_with_the_entries(trace: Trace) -> None:
    """There is one header for each entry that loads, and it says what the entry says.

    A store breaks it by a second table or an index that is not written with the log.
    """
    loaded: dict[Key, list[Any]] = {}
    for event in trace.events:
        if event.step.do == "load" and event.ok and not event.step.args:
            loaded[event.step.session] = event.value or []
        elif event.step.do == "headers" and event.ok and event.step.session in loaded:
            _judge_headers(trace, event, loaded[event.step.session])
        elif event.step.do not in ("headers", "load", "record", "list_sessions"):
            loaded.clear()


def _judge_headers(trace: Trace, event: Event, entries: list[Any]) -> None:
    headers = entries_in(event)
    expected: list[dict[str, Any]] = [
        {name: entry[name] for name in _HEADED if name in header and name in entry}
        for header, entry in zip(headers, entries, strict=False)
        if isinstance(entry, dict)
    ]
    shown = [
        {name: header[name] for name in _HEADED if name in header and name in entry}
        for header, entry in zip(headers, entries, strict=False)
        if isinstance(entry, dict)
    ]
    if len(headers) < len(entries) or not trace.same(expected, shown):
        broken(
            event,
            expected=entries if len(headers) < len(entries) else expected,
            observed=event.value if len(headers) < len(entries) else shown,
            because="headers agree with the entries one for one.",
        )


@law(
    family="lifecycle",
    source=["kit-headers", "PI-A2"],
    incidents=["F06"],
    operations=["append", "load", "headers"],
    applies=roomy,
    battery=[
        program(
            append("s", A),
            call("headers", "s"),
            append("s", B),
            load("s"),
            call("headers", "s"),
        ),
        program(
            append("s", A, B), call("headers", "s"), load("s"), reopened(), call("headers", "s")
        ),
    ],
)
def headers_never_change(trace: Trace) -> None:
    """The header of an entry is the same after further appends, reads and a reopen.

    A store breaks it by stamping the rows of a whole log when it saves it again.
    """
    shown: dict[Key, list[Any]] = {}
    for event in trace.events:
        if event.step.do == "headers" and event.ok:
            now = entries_in(event)
            before = shown.setdefault(event.step.session, now)
            short = min(len(before), len(now))
            if not trace.same(before[:short], now[:short]):
                broken(
                    event,
                    expected=before[:short],
                    observed=now[:short],
                    because="the header of an entry never changes.",
                )
        elif event.step.do not in ("append", "load", "record", "list_sessions", "reopen", "open"):
            shown.clear()


@law(
    family="lifecycle",
    source=["kit-headers"],
    operations=["append", "load", "headers"],
    creates=True,
    battery=[
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            call("headers", "a"),
            load("s"),
            call("headers", "s"),
        )
    ],
)
def headers_of_an_unknown_session_are_answered_as_a_load(trace: Trace) -> None:
    """The headers of a session that does not exist are answered as a load of it is.

    A store breaks it by a second path with a guard of its own.
    """
    loads = {event.step.session: answer(event) for event in unknown_loads(trace)}
    lives = Lives()
    for event in trace.events:
        asked = event.step.do == "headers" and event.outcome != "skipped"
        wanted = loads.get(event.step.session)
        if asked and wanted and lives.unknown(event.step.session) and answer(event) != wanted:
            broken(
                event,
                expected=Words(f"the answer of load: {wanted}"),
                observed=observed(event),
                because="headers answer for an unknown session as load does.",
            )
        lives.feed(event)
