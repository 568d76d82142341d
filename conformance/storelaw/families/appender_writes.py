"""Appending turns: ids, retries, conflicts, and what is stored of a turn."""

from collections.abc import Iterator
from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.turns import (
    Transcript,
    alike,
    given,
    held,
    is_refusal,
    is_turn,
    readings,
    slot,
    told,
    transcripts,
    turn_id,
    turns_in,
)
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, door, failing, opened, program, reopened
from storelaw.strategies.turns_appended import retried
from storelaw.trace import Event, Trace
from storelaw.turn_samples import answer, inbox, turn, use, user, words
from storelaw.values import Entry, is_object

ONE: Final = "n/one"
RAISED: Final = Words("it raised")


def added(entry: Entry, on: str = "A") -> Step:
    """Append a turn."""
    return ask(on, "append", entries=(entry,), one=True)


def read() -> Step:
    """Read the whole transcript."""
    return ask("A", "read_all")


def appender(*steps: Step, **named: Any) -> Program:
    """A program at the appender door."""
    return program(door("appender", "A", ONE, **named), *steps)


def anew() -> tuple[Step, Step]:
    """Restart, and open the transcript again."""
    return reopened(), door("appender", "A", ONE)


def appends(trace: Trace) -> Iterator[tuple[Event, Entry, Transcript]]:
    """Each append of a turn that names a slot, with the transcript before it."""
    for event, before in transcripts(trace):
        if event.step.name == "append" and is_turn(given(event)) and before.certain:
            yield event, given(event), before


def again(trace: Trace) -> Iterator[tuple[Event, Entry, Entry]]:
    """Each append to a slot that is taken, with the turn that takes it and the new one."""
    for event, entry, before in appends(trace):
        if slot(entry) in before.turns:
            yield event, before.turns[slot(entry)], entry


def raw(event: Event, entry: Entry) -> list[Entry]:
    """What the store holds under the id of a turn after a step."""
    name = turn_id(*slot(entry))
    return [each for each in held(event, ONE) if each.get("id") == name]


def raw_content(event: Event, entry: Entry) -> Entry:
    """The stored content of a turn; empty where there is none."""
    content = raw(event, entry)[0].get("content") if raw(event, entry) else None
    return content if is_object(content) else {}


U: Final = user(0, "hello")


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A1"],
    battery=[
        appender(added(U)),
        appender(added(answer(7))),
        appender(added(turn(999_999, "system_note", "{}"))),
    ],
)
def a_turn_lies_under_its_padded_id(trace: Trace) -> None:
    """The id of a turn is `turn-`, its index padded to six digits, `-`, and its role.

    Ids without the padding sort as text with 10 before 2, and no two writers agree on them.
    """
    for event, entry, _ in appends(trace):
        if event.ok and event.logs.get(ONE) is not None and not raw(event, entry):
            ids = [each.get("id") for each in held(event, ONE)]
            because = "the id of a turn is made of its index, padded to six digits, and its role."
            broken(event, expected=turn_id(*slot(entry)), observed=ids, because=because)


_LATER: Final = {**U, "createdAt": "2026-02-02T00:00:00Z"}
RICH: Final = answer(
    1,
    "words",
    use("search", b'{"q": 1}'),
    usage={"inputTokens": 3, "outputTokens": 4},
    model="p/m",
    refused=True,
)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A3"],
    incidents=["F13", "F15", "F26"],
    battery=[
        appender(added(U), added(U)),
        appender(added(U), added(_LATER)),
        appender(added(RICH), *anew(), added(RICH)),
    ],
    programs=lambda _: retried(),
    weight=3,
)
def a_turn_may_be_appended_again(trace: Trace) -> None:
    """The same payload under the same index and role is accepted again, whatever its time.

    A writer that lost the answer has to retry, and dates its retry anew; an appender that
    compares times refuses it.
    """
    for event, first, entry in again(trace):
        if event.raised and alike(first, entry):
            because = "the same turn again is a retry, and a retry succeeds."
            broken(event, expected=first, observed=RAISED, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A3"],
    incidents=["F13", "F14"],
    battery=[
        appender(added(U), added(U), read()),
        appender(added(U), added(_LATER), read()),
        appender(added(U), *anew(), added(_LATER), read()),
    ],
)
def a_retry_stores_nothing_new(trace: Trace) -> None:
    """After a retry the transcript holds the turn once, as it was first written, time included.

    An appender breaks it by writing the retry over the first turn, or beside it.
    """
    because = "the first turn is kept, once, and a retry changes nothing."
    for event, first, entry in again(trace):
        if event.ok and alike(first, entry) and raw(event, entry):
            stored = raw(event, entry)[0].get("createdAt")
            if not trace.same(first.get("createdAt"), stored):
                broken(event, expected=first.get("createdAt"), observed=stored, because=because)
    for event, before in readings(trace):
        rows = turns_in(event)
        if len(rows) > len(before.turns):
            broken(event, expected=before.ordered(), observed=rows, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A6"],
    incidents=["F48"],
    battery=[
        appender(
            added(user(0, {"type": "chart", "x": 1, "y": {"a": 1, "b": []}})),
            added(user(0, {"y": {"b": [], "a": 1.0}, "x": 1, "type": "chart"})),
        ),
        appender(added({**U, "author": "user:YQ"}), added({"author": "user:YQ", "via": "", **U})),
        appender(
            added({**U, "content": None}),
            added({**U, "content": [], "refused": False}),
            *anew(),
            added({**U, "content": None}),
        ),
    ],
)
def a_reshaped_retry_is_the_same_turn(trace: Trace) -> None:
    """Key order, the spelling of a number, and empty members don't make a retry another turn.

    Stores reorder keys and drop what is empty. An appender that compares bytes works in
    memory and calls every retry a conflict in production.
    """
    for event, first, entry in again(trace):
        if event.raised and alike(first, entry):
            because = "payloads are compared as JSON values, and what is empty is absent."
            broken(event, expected=first, observed=RAISED, because=because)


#: A turn with every member, and the same slot with one of them different.
_FULL: Final = {**RICH, "author": "user:YQ", "via": "urn:ap:view:chat"}
_CHANGES: Final[tuple[Entry, ...]] = (
    {"content": [words("other")]},
    {"author": "user:Yg"},
    {"via": "urn:ap:view:tui"},
    {"refused": False},
    {"model": "p/n"},
    {"usage": {"inputTokens": 3, "outputTokens": 5}},
    {"usage": None},
)
_CONFLICTS: Final = tuple(appender(added(_FULL), added({**_FULL, **each})) for each in _CHANGES)


def _judge_conflicts(trace: Trace, because: str) -> None:
    for event, first, entry in again(trace):
        if not alike(first, entry) and event.error != "EntryConflict":
            observed = RAISED if event.raised else Words("it was accepted")
            broken(event, expected=Words("a conflict"), observed=observed, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A4", "OA-N2", "D-OA-15"],
    incidents=["F15", "F20"],
    battery=_CONFLICTS,
)
def another_turn_in_a_taken_slot_is_a_conflict(trace: Trace) -> None:
    """Other text, author, via, refusal, model or usage under a taken index and role is a conflict.

    A member that the comparison forgets makes a changed turn look like a retry: it is dropped
    and the writer told that all is well.
    """
    _judge_conflicts(trace, "an index and a role hold one turn, and another is a conflict.")


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["D-OA-9"],
    incidents=["F46"],
    battery=[
        appender(
            added(user(0, {"type": "chart", "n": 2**53 + 1})),
            added(user(0, {"type": "chart", "n": 2**53})),
        ),
        appender(
            added(answer(0, "a", usage={"inputTokens": 2**60 + 1, "outputTokens": 0})),
            added(answer(0, "a", usage={"inputTokens": 2**60, "outputTokens": 0})),
        ),
    ],
)
def numbers_beyond_two_to_the_53_tell_turns_apart(trace: Trace) -> None:
    """Turns that differ in the last digit of a large whole number are different turns.

    A comparison through 64-bit floats takes the second for a retry, and drops it.
    """
    _judge_conflicts(trace, "whole numbers are compared exactly, however large they are.")


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A4"],
    incidents=["F24"],
    battery=[*_CONFLICTS, appender(added(U), added(user(0, "other")), *anew(), read())],
)
def a_conflict_leaves_the_stored_turn_alone(trace: Trace) -> None:
    """After an append of another turn to a taken slot the store holds the first, unchanged.

    An appender that writes and then compares has lost the turn that it reports about.
    """
    because = "the turn that was there first stays as it is."
    for event, first, entry in again(trace):
        content = raw_content(event, entry)
        if content and not alike(first, content):
            broken(event, expected=told(first), observed=content, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A5"],
    incidents=["F51"],
    battery=[
        appender(added(inbox(2, "hi")), added(user(2, "hello")), read()),
        appender(added(U), added(answer(0)), *anew(), read()),
    ],
)
def roles_of_one_index_lie_side_by_side(trace: Trace) -> None:
    """Turns of the same index and different roles are different turns, and all are kept.

    An appender that keys by the index alone refuses the answer to a message, or drops it.
    """
    because = "the role is a part of what identifies a turn."
    for event, entry, before in appends(trace):
        same_index = any(each[0] == entry["index"] for each in before.turns)
        fresh = slot(entry) not in before.turns and slot(entry) not in before.unsure
        if same_index and fresh and event.error == "EntryConflict":
            broken(event, expected=Words("it is accepted"), observed=RAISED, because=because)
    for event, before in readings(trace):
        indexes = [each[0] for each in before.turns]
        shared = [each for each in before.ordered() if indexes.count(each["index"]) > 1]
        missing = {slot(each) for each in shared} - {slot(each) for each in turns_in(event)}
        if missing:
            broken(event, expected=shared, observed=turns_in(event), because=because)


# --------------------------------------------------------------------- failures


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A7"],
    powers={"fail_next"},
    incidents=["F20"],
    battery=[
        appender(failing("load", door="store"), added(U), added(answer(1))),
        appender(added(U), failing("load", door="store"), added(user(0, "other"))),
    ],
)
def a_failed_look_up_stops_an_append(trace: Trace) -> None:
    """An append whose look-up fails raises that failure, and writes nothing.

    An appender that takes "could not look" for "nothing there" writes blindly.
    """
    because = "an append that could not look writes nothing, and says so."
    armed = False
    for event in trace.events:
        if event.step.do == "fail_next" and event["point"] == "load":
            armed = event.ok
        elif armed and event.step.do == "ask":
            armed = False
            if event.step.name != "append" or event.logs.get(ONE) is None:
                continue
            if event.ok:
                broken(event, expected=Words("the failure"), observed=event.value, because=because)
            if is_refusal(event) and is_turn(given(event)):
                broken(event, expected=Words("the failure"), observed=RAISED, because=because)


_RETRY: Final = (added(U), added(U))


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_all"},
    source=["OA-A3", "D-OA-5"],
    powers={"fail_next"},
    incidents=["F13", "F20"],
    battery=[
        appender(failing(point, door="store"), *_RETRY, *more, added(answer(1)), read())
        for point in ("before-commit", "inside", "after-commit")
        for more in ((), anew())
    ],
)
def an_append_that_failed_may_be_retried(trace: Trace) -> None:
    """An append that failed, before or after it was stored, and was retried is there once.

    The writer can't know whether the first try was stored. A second row, a turn that only a
    cache holds, and a conflict with oneself are the three ways to break it.
    """
    because = "a failed append and its retry leave one turn, and lose none."
    failed: dict[Any, Entry] = {}
    retries: dict[Any, Entry] = {}
    for event, entry, before in appends(trace):
        if event.raised and not is_refusal(event) and slot(entry) not in before.turns:
            failed[slot(entry)] = entry
        elif slot(entry) in failed and alike(failed[slot(entry)], entry):
            if is_refusal(event):
                broken(event, expected=entry, observed=RAISED, because=because)
            retries[slot(entry)] = entry
    for event, _ in transcripts(trace):
        if event.step.name != "read_all" or not event.ok:
            continue
        alive = [
            each for each in turns_in(event) if any(alike(each, one) for one in retries.values())
        ]
        done = {slot(given(e)) for e, _, _ in appends(trace.upto(event.index)) if e.ok}
        wanted = [each for name, each in retries.items() if name in done]
        if len(alive) != len(wanted):
            broken(event, expected=wanted, observed=alive, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A12", "OA-N2"],
    incidents=["F24"],
    battery=[
        program(
            opened(1),
            door("appender", "A", ONE),
            door("appender", "C", ONE, on=1),
            added(U),
            added(user(0, "from the other"), "C"),
            read(),
        )
    ],
)
def of_two_writers_of_a_slot_one_gets_a_conflict(trace: Trace) -> None:
    """A writer that takes an index which another took meanwhile gets a conflict.

    An appender that moves the turn on to the next free index has answered a question that
    nobody asked: the runner goes on from its own index.
    """
    because = "who comes second to an index gets a conflict, and nothing is moved."
    for event, first, entry in again(trace):
        if event.ok and not alike(first, entry):
            broken(event, expected=Words("a conflict"), observed=event.value, because=because)
