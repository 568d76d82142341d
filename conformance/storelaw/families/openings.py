"""Opening what is there: odd parents, logs that can't be read, sessions without an entry."""

from collections.abc import Sequence
from typing import Any, Final

from storelaw.clauses import law
from storelaw.conditions import carries_sessions, sessions_unless
from storelaw.failures import broken
from storelaw.model.acts import acts, log_of, objects
from storelaw.model.chains import names, parent_of, path
from storelaw.narrative import Words
from storelaw.program import (
    Program,
    act,
    add,
    append,
    call,
    closed,
    load,
    program,
    reopened,
    session,
)
from storelaw.samples import custom, note, said, user
from storelaw.sides import Parent
from storelaw.trace import Event, Trace
from storelaw.values import Entry

_TRUNCATES: Final = sessions_unless("missing_parent", "raise")


def _opens(*log: Entry) -> Program:
    """A log that was written at the store door, opened and read."""
    return program(append("s", *log), session("s"), act("messages"), act("leaf"))


_MISSING: Final = (
    said("1"),
    said("2", parent="nowhere"),
    said("3", parent="2"),
)
_CYCLE: Final = (said("1", parent="2"), said("2", parent="1"))
_ITSELF: Final = (said("1"), said("2", parent="2"), said("3", parent="2"))
_TWINS: Final = (said("1"), said("1", "again"), said("2", parent="1"))
_TREE: Final = (
    said("1"),
    said("2", parent="1"),
    said("3", parent="1"),
    said("4", parent="2"),
    said("5", parent="1"),
    custom("6", parent_id="5"),
    said("7", parent="6"),
)
_FOREIGN: Final = (
    said("1"),
    custom("side-1", parent_id="1"),
    said("side-2", parent="side-1"),
    said("2", parent="1"),
)


def _raised(event: Event, log: Sequence[Entry]) -> None:
    if event.raised:
        broken(
            event,
            expected=path(log, names(log)[-1] if log else ""),
            observed=Words(event.text),
            because="an odd parent ends the path, and is no error.",
        )


def _judge_openings(trace: Trace, odd: Any, because: str) -> None:
    """Each opening of a log with something odd in it gives the messages of the path."""
    for event in trace.of("open_session", "messages"):
        key = trace.sessions.get(str(event.step.on))
        log = log_of(event, key) if key is not None else []
        if not odd(log):
            continue
        _raised(event, log)
        if event.step.do == "messages" and _untouched(trace, event):
            leaf = names(log)[-1] if event.leaf is None else event.leaf
            wanted = [each["message"] for each in path(log, leaf) if "message" in each]
            if not trace.same(wanted, event.value):
                broken(event, expected=wanted, observed=event.value, because=because)


def _untouched(trace: Trace, event: Event) -> bool:
    """Whether nothing but openings and readings came before."""
    quiet = {"create", "append", "open_session", "messages", "leaf", "reopen"}
    return all(each.step.do in quiet for each in trace.upto(event.index).events)


def _severed(log: list[Entry]) -> bool:
    return any(parent_of(each) and parent_of(each) not in names(log) for each in log)


def _circular(log: list[Entry]) -> bool:
    return any(
        parent_of(path(log, each)[0]) in names(log) for each in names(log) if path(log, each)
    )


@law(
    family="resume",
    door="session",
    acts={"open_session", "messages"},
    applies=_TRUNCATES,
    source=["PI-T3", "PI-T2"],
    incidents=["F29"],
    battery=[
        _opens(*_MISSING),
        _opens(said("1", parent="nowhere")),
        _opens(*_MISSING, said("4", parent="3")),
    ],
)
def a_missing_parent_ends_the_path_in_silence(trace: Trace) -> None:
    """Where a parent can't be found, the path begins below it, and nothing is raised.

    A session breaks it by raising, which makes all of the log unreadable, or by giving
    nothing where it has a part.
    """
    _judge_openings(
        trace, _severed, "a parent that can't be found ends the walk; what was walked is the path."
    )


@law(
    family="resume",
    door="session",
    acts={"open_session", "messages"},
    applies=carries_sessions,
    source=["PI-T4"],
    incidents=["F29", "F31"],
    battery=[_opens(*_CYCLE), _opens(*_ITSELF)],
)
def a_cycle_of_parents_ends_the_path(trace: Trace) -> None:
    """A walk that meets an entry again ends there; each entry is on the path once.

    A session breaks it by walking on for ever: one bad record, and the process dies.
    """
    _judge_openings(trace, _circular, "a cycle ends the walk, and each entry is visited once.")


@law(
    family="resume",
    door="session",
    acts={"open_session", "messages"},
    applies=carries_sessions,
    source=["PI-I1", "PI-T4", "D-PI-10"],
    incidents=["F31"],
    battery=[
        _opens(*_TWINS),
        _opens(said("1"), said("1", "again", parent="1"), said("2", parent="1")),
    ],
)
def an_id_that_stands_twice_is_on_the_path_once(trace: Trace) -> str | None:
    """A log in which two entries have one id opens, and one of them is on the path.

    A session breaks it by following the second to the first and back.
    """
    refused = any(each.raised for each in trace.of("append"))
    for event in trace.of("open_session", "messages"):
        key = trace.sessions.get(str(event.step.on))
        log = log_of(event, key) if key is not None else []
        told = names(log)
        if len(set(told)) == len(told):
            continue
        most = len(set(told))
        shown = objects(event.value)
        if event.raised or len(shown) > most:
            broken(
                event,
                expected=Words(f"at most {most} messages"),
                observed=Words(event.text) if event.raised else shown,
                because="of two entries with one id, one is on the path.",
            )
    return "the store refuses an id that is there" if refused else None


@law(
    family="resume",
    door="session",
    acts={"open_session", "messages"},
    applies=carries_sessions,
    source=["PI-T1", "PI-T2"],
    incidents=["F30", "F32"],
    battery=[_opens(*_TREE), _opens(*_FOREIGN)],
)
def the_path_follows_parents_and_not_positions(trace: Trace) -> None:
    """What is on no way from the leaf to the root is not on the path, wherever it stands.

    A session breaks it by reading its log from the top: records of a side talk, or of a branch
    that was left, join the main line.
    """
    _judge_openings(trace, _branched, "the path is the walk over parents, and nothing beside it.")


def _branched(log: list[Entry]) -> bool:
    whole = not _severed(log) and not _circular(log) and len(set(names(log))) == len(log)
    return whole and len({parent_of(each) for each in log}) < len(log)


@law(
    family="resume",
    door="session",
    acts={"open_session"},
    applies=carries_sessions,
    source=["PI-L7", "PI-R4"],
    incidents=["F17", "F39"],
    battery=[
        program(
            session("t", "B"),
            append(
                "s",
                said("1"),
                {**custom("2", parent_id="1"), "type": "bogus"},
                said("3", parent="2"),
            ),
            load("s"),
            session("s"),
            load("s"),
        )
    ],
)
def a_log_that_cannot_be_read_is_an_error(trace: Trace) -> None:
    """Opening a session whose log holds an entry of an unknown type fails and changes nothing.

    A session breaks it by taking any error for "no such session" and beginning a new one, or by
    passing over the entry, so that its children hang in the air.
    """
    seen: dict[Any, list[Entry]] = {}
    for event in trace.of("open_session", "load"):
        session_id = event.step.session
        if event.step.do == "load":
            log = objects(event.value)
            if _unreadable(seen.get(session_id, [])) and names(log) != names(seen[session_id]):
                broken(
                    event,
                    expected=seen[session_id],
                    observed=log,
                    because="a session that can't be opened is left as it is.",
                )
            seen[session_id] = log
        elif event.ok and _unreadable(log_of(event, session_id)):
            broken(
                event,
                expected=Words("an error"),
                observed=Words(f"a session whose leaf is {event.leaf!r}"),
                because="an entry of an unknown type is an error, not a new session.",
            )


def _unreadable(log: list[Entry]) -> bool:
    return any(each.get("type") == "bogus" for each in log)


@law(
    family="resume",
    door="session",
    acts={"open_session"},
    promises={"closed_is_final"},
    applies=carries_sessions,
    source=["PI-L7"],
    incidents=["F39", "F59"],
    battery=[
        program(
            session("t", "T"),
            append("s", said("1")),
            closed(0),
            session("s"),
            reopened(),
            session("s", "B"),
            act("messages", "B"),
        )
    ],
)
def a_load_that_fails_is_not_a_new_session(trace: Trace) -> None:
    """While the store can't load, a session can't be opened: it is not taken for a new one.

    A session breaks it by creating whatever it can't load, and shadows the log that is there.
    """
    shut, written = False, set[Any]()
    for event in trace.events:
        if event.step.do in ("close", "reopen"):
            shut = event.step.do == "close"
        elif event.step.do == "append" and event.ok and not shut:
            written.add(event.step.session)
        elif (
            event.step.do == "open_session"
            and event.ok
            and shut
            and event.step.session in written
            and not event.leaf
        ):
            broken(
                event,
                expected=Words("an error"),
                observed=Words("an empty session"),
                because="only a session that is not found is created.",
            )


@law(
    family="resume",
    door="session",
    acts={"open_session", "entries"},
    applies=carries_sessions,
    source=["PI-L5", "PI-L7", "D-PI-8"],
    incidents=["F15"],
    battery=[
        program(session("s"), act("entries"), session("s", "B"), act("entries", "B")),
        program(session("s"), reopened(), session("s", "B"), act("entries", "B")),
    ],
)
def a_session_without_entries_opens_again(trace: Trace) -> None:
    """A session that was opened and never written to is opened by the next one too, empty.

    A session breaks it by taking an empty log for none: it creates what exists, and fails.
    """
    _judge_empty(trace)


@law(
    family="resume",
    door="session",
    operations={"create"},
    acts={"open_session"},
    applies=carries_sessions,
    source=["PI-L5", "D-PI-8"],
    incidents=["F15"],
    battery=[program(call("create", "s"), session("s"), act("entries"))],
)
def a_session_that_was_created_opens(trace: Trace) -> None:
    """A session that somebody has created, and nobody written to, opens empty.

    A session breaks it by failing where another process was first.
    """
    _judge_empty(trace)


def _judge_empty(trace: Trace) -> None:
    for event in trace.of("open_session", "entries"):
        key = trace.sessions.get(str(event.step.on))
        if key is None or log_of(event, key):
            continue
        shown = objects(event.value)
        if event.raised or shown:
            broken(
                event,
                expected=Words("an empty session"),
                observed=Words(event.text) if event.raised else shown,
                because="a session without entries opens, and is empty.",
            )


@law(
    family="resume",
    door="session",
    acts={"open_session", "add"},
    applies=carries_sessions,
    source=["PI-S1", "PI-A5", "PI-L7"],
    incidents=["F29", "F31"],
    battery=[
        program(append("s", said("1"), said("2", parent="1")), session("s"), add(user("u"))),
        program(
            append("s", said("1"), said("2", parent="1")),
            reopened(),
            session("s"),
            add(note("n")),
            add(user("u")),
        ),
    ],
)
def a_resumed_session_goes_on_from_the_stored_log(trace: Trace) -> None:
    """What a resumed session appends first hangs off the last entry of the stored log.

    A session breaks it by beginning a second root: the path then holds what was said since.
    """
    fresh: dict[str, str] = {}
    for each in acts(trace):
        label, event = str(each.event.step.on), each.event
        if event.step.do == "open_session" and event.ok:
            fresh[label] = names(each.after)[-1] if each.after else ""
        elif event.step.do == "add" and event.ok and label in fresh and each.fresh:
            wanted = fresh.pop(label)
            if parent_of(each.fresh[0]) != wanted:
                broken(
                    event,
                    expected=Parent(wanted, each.fresh[0]),
                    observed=Parent(parent_of(each.fresh[0]), each.fresh[0]),
                    because="a resumed session goes on from the last entry of the stored log.",
                )
        elif event.step.do in ("run", "branch", "compact"):
            fresh.pop(label, None)
