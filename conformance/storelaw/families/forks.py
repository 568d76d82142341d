"""Forks of a stored session: the prefix, the parent, the child, and what a refused fork leaves."""

from collections.abc import Iterator

from storelaw.clauses import all_of, law
from storelaw.failures import broken
from storelaw.families.listing import named
from storelaw.families.records import parent_of
from storelaw.manifest import Manifest
from storelaw.model.lives import Lives, judge_refused, judge_undisturbed, observed
from storelaw.model.logs import Logs
from storelaw.model.retries import caller_ids, entries_in, roomy
from storelaw.narrative import Words
from storelaw.program import Key, Program, append, call, list_sessions, load, program
from storelaw.samples import said
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))
FORK = ("append", "load", "fork")


def _prefixes(manifest: Manifest) -> Iterator[Program]:
    ends = [None] if caller_ids(manifest) else [None, A, B, C, D]
    begin = tuple(append("s", each) for each in (A, B, C, D))
    for end in ends:
        args = {} if end is None else {"at": end["id"]}
        yield program(*begin, call("fork", "s", new="t", **args), append("t", E), load("t"))


@law(
    family="lifecycle",
    source=["kit-fork"],
    incidents=["F33"],
    operations=FORK,
    applies=roomy,
    battery=_prefixes,
)
def a_fork_holds_the_log_up_to_its_entry(trace: Trace) -> None:
    """A child has the entries of its parent up to and including ``at``, or all of them.

    A store breaks it by cutting one entry off, or by copying the whole log each time.
    """
    inherited: dict[Key, tuple[list[Entry], list[Entry]]] = {}
    logs = Logs()
    for event in trace.events:
        session = event.step.session
        if event.step.do == "load" and event.ok and session in inherited:
            _judge_prefix(trace, event, *inherited[session])
        whole = list(logs.log(session).entries)
        logs.feed(event)
        if event.step.do == "fork" and event.ok:
            inherited[event["new"]] = (whole, list(logs.log(event["new"]).entries))
        elif event.step.do not in ("append", "load"):
            inherited.pop(session, None)


def _judge_prefix(trace: Trace, event: Event, whole: list[Entry], prefix: list[Entry]) -> None:
    texts = [payload(each) for each in whole]
    shown = entries_in(event)
    mine = [e for e in shown if any(trace.same(payload(e), text) for text in texts)]
    if not trace.same([payload(e) for e in prefix], [payload(e) for e in mine]):
        broken(
            event,
            expected=prefix,
            observed=event.value,
            because="a fork holds the log up to and including its entry.",
        )


@law(
    family="lifecycle",
    source=["kit-fork"],
    incidents=["F33"],
    operations=FORK,
    applies=all_of(roomy, caller_ids),
    battery=[
        program(append("s", A, B, C), load("s"), call("fork", "s", new="t", at="2"), load("s")),
        program(append("s", A, B, C), load("s"), call("fork", "s", new="t"), load("s")),
    ],
)
def a_fork_leaves_its_parent_unchanged(trace: Trace) -> None:
    """A fork changes nothing in the session that it was made from.

    A store breaks it by moving the log to the child, or by cutting it at the fork.
    """
    judge_undisturbed(
        trace,
        lambda event: event.step.do == "fork" and event.ok,
        "a fork changes nothing in its parent.",
    )


def _strangers(trace: Trace) -> Iterator[tuple[Event, list[str]]]:
    """Each load of a session, with what it shows and was appended to another one only."""
    written: dict[Key, set[str]] = {}
    for event in trace.of("append", "fork", "load"):
        mine = written.setdefault(event.step.session, set())
        if event.step.do == "append":
            mine.update(str(each.get("message")) for each in event.passed)
        elif event.step.do == "fork" and event.ok:
            written[event["new"]] = set(mine)
        elif event.ok:
            shown = [str(e.get("message")) for e in entries_in(event)]
            others = set[str]().union(*(v for k, v in written.items() if k != event.step.session))
            yield event, [each for each in shown if each in others - mine]


@law(
    family="lifecycle",
    source=["kit-fork"],
    incidents=["F33", "F50"],
    operations=FORK,
    battery=[
        program(
            append("s", A, B),
            call("fork", "s", new="t"),
            *writes,
            load("s"),
            load("t"),
        )
        for writes in ((append("s", C), append("t", D)), (append("t", D), append("s", C)))
    ],
)
def a_fork_and_its_parent_are_independent(trace: Trace) -> None:
    """What is appended to a session after a fork is in it, and not in the other one.

    A store breaks it by sharing a list, or by a handle that keeps writing to the parent.
    """
    for event, strange in _strangers(trace):
        if strange:
            broken(
                event,
                expected=Words("nothing of what was appended to the other session"),
                observed=event.value,
                because="a fork and its parent are two sessions.",
            )


@law(
    family="lifecycle",
    source=["kit-fork"],
    incidents=["F33", "F19"],
    operations=FORK,
    creates=True,
    applies=caller_ids,
    battery=[
        program(
            call("create", "s"),
            append("s", A, B),
            call("fork", "s", new="u"),
            load("s"),
            call("fork", "s", new="t", at="never"),
            *after,
        )
        for after in ((), (load("t"),), (list_sessions(),), (call("create", "t"),))
    ],
)
def a_fork_at_an_unknown_entry_leaves_nothing_behind(trace: Trace) -> None:
    """A fork at an entry that isn't in the log raises, and its new id stays free.

    A store breaks it by making the child before it looks for the entry.
    """
    refused: set[Key] = set()
    ids = {each.get("id") for event in trace.of("append") for each in event.passed}
    for event in trace.events:
        lost = event.step.do == "fork" and event["at"] is not None and event["at"] not in ids
        if lost and event.ok:
            broken(
                event,
                expected=Words("the fork raises"),
                observed=Words("it passed"),
                because="there is nothing to fork at an entry that isn't there.",
            )
        if lost and event.raised:
            refused.add(event["new"])
        elif _shows(event, refused):
            broken(
                event,
                expected=Words("the session is unknown, since its fork raised"),
                observed=observed(event),
                because="a fork that raised leaves nothing behind.",
            )


def _shows(event: Event, refused: set[Key]) -> bool:
    if event.step.do == "list_sessions":
        return any(each in refused for each in named(event))
    if event.step.session not in refused:
        return False
    taken = event.step.do == "create" and event.error == "SessionExists"
    return taken or (event.step.do == "load" and bool(event.value))


@law(
    family="lifecycle",
    source=["PI-L1", "kit-fork"],
    incidents=["F33", "F15"],
    operations=FORK,
    battery=[
        program(append("s", A, B), append("t", C), load("t"), call("fork", "s", new="u"), *after)
        for after in (
            (call("fork", "s", new="t"), load("t")),
            (load("s"), call("fork", "s", new="s"), load("s")),
        )
    ],
)
def a_fork_to_a_taken_id_is_refused(trace: Trace) -> None:
    """A fork to an id that is taken raises SessionExists and changes neither session.

    A store breaks it by writing the child over the session that has the id.
    """
    judge_refused(
        trace,
        _onto_a_taken_id,
        "SessionExists",
        "an id that is taken can't be the id of a fork.",
    )
    judge_undisturbed(
        trace,
        lambda event: event.step.do == "fork" and event.raised,
        "a fork that raised changes neither session.",
    )


def _onto_a_taken_id(event: Event, lives: Lives) -> bool:
    plain = event.step.do == "fork" and event["at"] is None
    return plain and lives.lives(event["new"]) and lives.lives(event.step.session)


@law(
    family="lifecycle",
    source=["PI-L2", "kit-fork"],
    incidents=["F33"],
    operations=[*FORK, "record"],
    battery=[program(append("s", A), load("s"), call("fork", "s", new="t"), call("record", "t"))],
)
def a_fork_is_recorded_with_its_parent(trace: Trace) -> None:
    """The record of a fork names the session that it was made from, and its own id.

    A store breaks it by copying the record of the parent along with the log.
    """
    parents: dict[Key, Key] = {}
    for event in trace.of("fork", "record"):
        if event.step.do == "fork" and event.ok:
            parents[event["new"]] = event.step.session
        elif event.ok and event.step.session in parents:
            parent = parents[event.step.session]
            found = parent_of(event.value, trace.manifest)
            if found not in (parent, parent[-1] if isinstance(parent, tuple) else parent):
                broken(
                    event,
                    expected={"parent": parent},
                    observed=event.value,
                    because="a fork is recorded with its parent.",
                )


@law(
    family="lifecycle",
    source=["kit-fork", "PI-L4"],
    incidents=["F33", "F39"],
    operations=FORK,
    creates=True,
    battery=[
        program(
            call("create", "s"),
            append("s", A),
            load("s"),
            call("fork", "s", new="u"),
            call("fork", "never", new="t"),
        )
    ],
)
def forking_an_unknown_session_is_not_found(trace: Trace) -> None:
    """A fork of a session that does not exist raises SessionNotFound.

    A store breaks it by making an empty child of nothing.
    """
    judge_refused(
        trace,
        lambda event, lives: event.step.do == "fork" and lives.unknown(event.step.session),
        "SessionNotFound",
        "there is nothing to fork where there is no session.",
    )
