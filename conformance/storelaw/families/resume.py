"""Resuming: a session that is opened anew reads, shows and continues what it was."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions, sessions_unless
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import Act, acts, log_of, message_of, objects
from storelaw.model.chains import name_of, names, path
from storelaw.program import Key, Program, Step, act, add, append, program, reopened, run, session
from storelaw.samples import assistant, calls, ephemeral, meta, note, said, user
from storelaw.sides import Leaf
from storelaw.strategies.turns import MOVES, Script, programs
from storelaw.trace import Event, Trace
from storelaw.values import Entry

WRITES: Final = frozenset({"add", "run", "compact", "branch", "fork_session"})

_TURNS: Final = (
    run(meta("m"), ephemeral("r"), user("u"), answer=(assistant("a"),)),
    run(user("v"), note("n"), answer=(calls("b", "c1"), assistant("e"))),
)


def _again(read: str, label: str) -> tuple[Step, ...]:
    """A restart, and the session opened and read under another label."""
    return (reopened(), session("s", label), act(read, label))


def _ladder(read: str) -> tuple[Program, ...]:
    """Read live, then after one, two and three restarts."""
    talk = (session("s"), *_TURNS, act(read))
    return (
        program(*talk, *_again(read, "B")),
        program(*talk, *_again(read, "B"), *_again(read, "C"), *_again(read, "D")),
    )


def _reread(script: Script) -> None:
    """Two restarts at the end of a history, with the current session read around them."""
    for _ in range(3):
        script.read("messages", "transcript", "entries")
        script.move("reopen", 0)
    script.read("messages", "transcript", "entries")


def _histories(_: Manifest) -> SearchStrategy[Program]:
    """Any history, restarted and read again."""
    return programs(MOVES, _reread, most=6)


@dataclass(frozen=True, slots=True)
class Twice:
    """Two readings of one session, by two of its objects, with nothing written in between."""

    live: Event
    again: Event
    logs: tuple[list[Entry], list[Entry]]


def twice(trace: Trace, read: str) -> Iterator[Twice]:
    """The readings of sessions that were opened again, beside those before.

    A session whose leaf lay elsewhere than at the end of its log is no pair: it resumes at
    the end.
    """
    last: dict[Key, Act] = {}
    for each in acts(trace):
        event, before = each.event, last.get(each.key)
        if event.step.do in WRITES:
            last.clear()
        elif event.step.do == read and event.ok:
            if before is not None and before.event.step.on != event.step.on:
                yield Twice(before.event, event, (before.after, each.after))
            if _at_the_end(each):
                last[each.key] = each
            else:
                last.pop(each.key, None)


def _at_the_end(each: Act) -> bool:
    return each.event.leaf == (name_of(each.after[-1]) if each.after else "")


def _judge_twice(
    trace: Trace, read: str, because: str, shown: Callable[[Any], Any] = lambda value: value
) -> None:
    for pair in twice(trace, read):
        if not trace.same(shown(pair.live.value), shown(pair.again.value)):
            broken(
                pair.again,
                expected=pair.live.value,
                observed=pair.again.value,
                because=because,
            )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=carries_sessions,
    source=["PI-S1", "PI-E5"],
    incidents=["F22", "F29", "F36", "F38"],
    battery=_ladder("messages"),
    programs=_histories,
    weight=4,
)
def a_resumed_session_has_the_same_messages(trace: Trace) -> None:
    """What the model would read is the same after a restart as before, however often.

    A session breaks it by resuming from the last few entries; a store by losing a link of the
    chain, so that the walk to the root ends early and in silence.
    """
    _judge_twice(trace, "messages", "a resumed session gives the model what the live one gave.")


@law(
    family="resume",
    door="session",
    acts={"run", "transcript"},
    applies=carries_sessions,
    source=["PI-S1", "PI-E5"],
    incidents=["F22", "F29", "F38"],
    battery=_ladder("transcript"),
    programs=_histories,
    weight=1,
)
def a_resumed_session_has_the_same_transcript(trace: Trace) -> None:
    """What a reader sees is the same after a restart as before.

    A session breaks it by showing from memory what it doesn't read back.
    """
    because = "a resumed session shows a reader what the live one showed."
    _judge_twice(trace, "transcript", because, lambda value: names(objects(value)))


@law(
    family="resume",
    door="session",
    acts={"run", "entries"},
    applies=carries_sessions,
    source=["PI-S1", "PI-R5"],
    incidents=["F22", "F38"],
    battery=_ladder("entries"),
)
def the_entries_of_a_resumed_session_are_the_stored_ones(trace: Trace) -> None:
    """A session that was just opened has the entries of its stored log, and no other.

    A session breaks it by beginning an own log when it is opened.
    """
    fresh: dict[str, bool] = {}
    for each in acts(trace):
        label, do = str(each.event.step.on), each.event.step.do
        if do == "open_session":
            fresh[label] = True
        elif do in WRITES:
            fresh.clear()
        elif (
            do == "entries"
            and each.event.ok
            and fresh.get(label)
            and names(each.after) != names(objects(each.event.value))
        ):
            broken(
                each.event,
                expected=each.after,
                observed=each.event.value,
                because="a session that is opened has the entries of its stored log.",
            )


@law(
    family="resume",
    door="session",
    acts={"open_session", "leaf"},
    operations=(),
    applies=sessions_unless("head", "persisted"),
    source=["PI-B3", "PI-S1"],
    incidents=["F04", "F32"],
    battery=[
        program(
            session("s"),
            run(user("u"), answer=(assistant("a"),)),
            run(user("v"), answer=(assistant("b"),)),
            act("branch", target="a"),
            reopened(),
            session("s", "B"),
            act("leaf", "B"),
        ),
        program(
            append(
                "s",
                said("2", created="2026-03-03T00:00:00Z"),
                said("3", parent="2", created="2026-02-02T00:00:00Z"),
                said("1", parent="2", created="2026-01-01T00:00:00Z"),
            ),
            session("s"),
            act("leaf"),
        ),
        program(
            session("s"),
            add(user("u")),
            add(note("n")),
            reopened(),
            session("s", "B"),
            act("leaf", "B"),
        ),
        program(session("s"), add(user("u")), add(user("v")), session("s", "B"), act("leaf", "B")),
    ],
    programs=_histories,
    weight=1,
)
def a_session_resumes_at_the_last_entry(trace: Trace) -> None:
    """The leaf of a session that is opened is the last entry of its stored log.

    Not the newest by its clock, not the last message, and not the place of the last branch: a
    branch is forgotten until something is appended to it. A session breaks it by keeping the
    leaf beside the log, where a crash leaves an older one.
    """
    for event in trace.of("open_session"):
        key = trace.sessions.get(str(event.step.on))
        log = log_of(event, key) if key is not None else []
        wanted = name_of(log[-1]) if log else ""
        if event.ok and event.leaf is not None and event.leaf != wanted:
            broken(
                event,
                expected=Leaf(wanted),
                observed=Leaf(event.leaf),
                because="a session resumes at the last entry of its stored log.",
            )


@law(
    family="resume",
    door="session",
    acts={"open_session", "add"},
    applies=carries_sessions,
    source=["PI-S1", "PI-B3"],
    incidents=["F38", "F39"],
    battery=[
        program(session("s"), add(user("u")), session("s", "B"), session("s", "C")),
        program(
            session("s"),
            run(user("u"), answer=(calls("a", "c1"),)),
            *(reopened(), session("t", "T"), session("s", "B")),
            *(reopened(), session("t", "U"), session("s", "C")),
        ),
    ],
    programs=_histories,
    weight=1,
)
def opening_a_session_writes_nothing(trace: Trace) -> None:
    """A session that exists is opened without a change to its stored log.

    A session breaks it by adding its start-up entry, its system prompt or its repair each
    time that it resumes.
    """
    _judge_unwritten(trace, ("open_session",), "opening a session writes nothing.")


@law(
    family="resume",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-S2", "PI-L6"],
    incidents=["F34", "F38", "F39"],
    battery=[
        program(
            session("s"),
            run(user("u"), answer=(calls("a", "c1", "c2"),)),
            act("messages"),
            act("transcript"),
            act("entries"),
            act("leaf"),
        )
    ],
    programs=_histories,
    weight=1,
)
def reading_a_session_writes_nothing(trace: Trace) -> None:
    """Messages, transcript, entries and leaf are read without a change to the stored log.

    A session breaks it by storing the results that it makes up for calls without one.
    """
    reads = ("messages", "transcript", "entries", "leaf")
    _judge_unwritten(trace, reads, "reading a session writes nothing.")


def _judge_unwritten(trace: Trace, kinds: tuple[str, ...], because: str) -> None:
    for each in acts(trace, *kinds):
        if each.again and len(each.after) > len(each.before):
            broken(each.event, expected=each.before, observed=each.after, because=because)


@law(
    family="resume",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-B1", "PI-C1", "PI-A2"],
    incidents=["F36", "F37", "F39"],
    battery=[
        program(
            session("s"),
            *_TURNS,
            act("branch", target="a"),
            run(user("w"), answer=(assistant("x"),)),
            act("compact", keep=1, summary="S", label="k"),
            act("messages"),
        )
    ],
    programs=_histories,
    weight=2,
)
def a_session_only_adds_to_its_stored_log(trace: Trace) -> None:
    """Whatever a session does, the stored log keeps all that it held, in its place.

    A session breaks it by cutting off the branch that it leaves, or what a summary covers.
    """
    seen: dict[Key, list[Entry]] = {}
    for event in trace.events:
        if event.step.do == "reopen":
            seen.clear()
        for key in event.logs:
            before, after = seen.get(key, []), log_of(event, key)
            if names(after)[: len(before)] != names(before):
                broken(
                    event,
                    expected=before,
                    observed=after,
                    because="a session only adds to its stored log.",
                )
            seen[key] = after


@law(
    family="resume",
    door="session",
    acts={"run", "compact", "messages"},
    applies=carries_sessions,
    source=["PI-C5", "PI-S1"],
    incidents=["F36"],
    battery=[
        program(
            session("s"),
            *_TURNS,
            act("compact", keep=1, summary="S", label="k"),
            act("messages"),
            *_again("messages", "B"),
        ),
        program(
            session("s"),
            *_TURNS,
            act("compact", keep=1, summary="S", label="k"),
            run(user("w"), answer=(assistant("x"),)),
            act("compact", keep=1, summary="T", label="l"),
            act("messages"),
            *_again("messages", "B"),
        ),
    ],
)
def a_compaction_holds_after_a_restart(trace: Trace) -> None:
    """A session that was compacted gives the model its summary and its kept turns when it resumes.

    A session breaks it by keeping the boundary in memory: the whole history comes back, or
    nothing does.
    """
    for pair in twice(trace, "messages"):
        before, after = pair.logs
        covered = _covered(before)
        leaf = pair.again.leaf or ""
        on_path = covered and covered[-1] in names(path(after, leaf))
        live = objects(pair.live.value)
        back = [
            message_of(entry)
            for entry in before
            if name_of(entry) in covered[:-1]
            and _among(trace, message_of(entry), objects(pair.again.value))
            and not _among(trace, message_of(entry), live)
        ]
        if on_path and back:
            broken(
                pair.again,
                expected=pair.live.value,
                observed=pair.again.value,
                because="a compaction holds after a restart.",
            )


def _covered(log: list[Entry]) -> list[str]:
    """The ids up to the last compaction of a log, with its own at the end."""
    places = [place for place, each in enumerate(log) if each.get("type") == "compaction"]
    return names(log[: places[-1] + 1]) if places else []


def _among(trace: Trace, message: Entry, messages: list[Entry]) -> bool:
    return any(trace.same(message, each) for each in messages)
