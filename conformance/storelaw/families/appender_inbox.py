"""The inbox of a transcript: messages that arrive during a session, and their promotion."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.appender_writes import ONE, U, added, anew, appender, read
from storelaw.model.turns import Transcript, held, payload, transcripts, turn_id, turns_in, values
from storelaw.narrative import Words
from storelaw.program import Step, ask, failing
from storelaw.strategies.turns_drained import drained
from storelaw.trace import Event, Trace
from storelaw.turn_samples import CHAT, answer, done, inbox, user, words
from storelaw.values import Entry, is_object

AUTHOR: Final = "user:YQ"


def _received(text: str, **named: Any) -> Step:
    return ask("A", "receive", text, **named)


def _recorded(index: int, text: str, author: str = "") -> Step:
    return ask("A", "record_inbox", index, text, author)


def _drained(next_index: int) -> Step:
    return ask("A", "drain_inbox", next_index)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"receive"},
    source=["OA-I1"],
    battery=[
        appender(_received("hi")),
        appender(added(U), added(answer(7)), _received("hi", author=AUTHOR, via=CHAT)),
        appender(added(user(3)), added(done(3)), *anew(), _received("hi")),
    ],
)
def a_message_goes_to_the_inbox_behind_the_last_turn(trace: Trace) -> None:
    """A message that arrives during a session is stored as an inbox turn, one behind the last index.

    Stored as a user turn it races with the runner for its next index; stored at the number of
    turns it meets one that is there.
    """
    for event, before in transcripts(trace):
        if event.step.name != "receive" or not event.ok or not before.certain or before.unsure:
            continue
        index = max((each[0] for each in before.turns), default=-1) + 1
        named: Entry = event["named"] or {}
        wanted = {"index": index, "role": "inbox", "content": [words(_text(event))], **named}
        answer_given = event.value if is_object(event.value) else {}
        shown = {name: answer_given.get(name) for name in wanted}
        if shown != wanted:
            because = "a message goes into the inbox, at the first index behind all turns."
            broken(event, expected=wanted, observed=event.value, because=because)


def _text(event: Event) -> str:
    return str((*values(event), "")[0])


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"record_inbox"},
    source=["OA-I1", "OA-A12"],
    battery=[
        appender(_recorded(4, "hi", AUTHOR), read()),
        appender(_recorded(4, "hi"), _recorded(4, "hi"), _recorded(4, "other"), read()),
    ],
)
def a_message_may_be_recorded_at_an_index(trace: Trace) -> None:
    """A message that names its index is stored there; another one at this index is a conflict.

    An inbox that moves it on stores a retried message twice.
    """
    because = "a message that names its index is stored there, or nowhere."
    told: dict[Any, list[Any]] = {}
    for event, _ in transcripts(trace):
        if event.step.name != "record_inbox":
            continue
        index, rest = _recording(event)
        known = told.setdefault(index, rest) if event.ok else told.get(index, rest)
        if event.ok and known != rest:
            broken(event, expected=Words("a conflict"), observed=event.value, because=because)
        placed = event.value.get("index") if is_object(event.value) else None
        if event.ok and placed != index:
            broken(event, expected=index, observed=event.value, because=because)


def _recording(event: Event) -> tuple[Any, list[Any]]:
    """The index of a recorded message, and what it says."""
    index, *rest = (*values(event), None)
    return index, rest[:-1]


# ------------------------------------------------------------------------ drain

_WAITING: Final = inbox(2, "hi")
_SIGNED: Final = {**inbox(3, "there"), "author": AUTHOR, "via": CHAT}


def _pending(before: Transcript) -> list[Entry]:
    marked = {each[0] for each in before.turns if each[1] == "inbox_done"}
    return [e for e in before.ordered() if e["role"] == "inbox" and e["index"] not in marked]


def _drains(trace: Trace) -> list[tuple[Event, list[Entry], int]]:
    """Each first drain of a known transcript, with what waited and where it was to go."""
    return [
        (event, _pending(before), (*values(event), 0)[0])
        for event, before in transcripts(trace)
        if event.step.name == "drain_inbox" and event.ok and before.certain and not before.unsure
    ]


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox"},
    source=["OA-I2"],
    battery=[
        appender(added(_WAITING), _drained(2)),
        appender(added(_SIGNED), added(_WAITING), *anew(), _drained(5)),
        appender(added(inbox(0, "old")), added(done(0)), added(_WAITING), _drained(3)),
    ],
    programs=lambda _: drained(),
    weight=1,
)
def a_waiting_message_is_promoted(trace: Trace) -> None:
    """A drain makes a user turn of each waiting message, in order, from the next index on.

    It has the message's content, author and surface; the answer holds what was placed, and
    the index that is now next.
    """
    because = "each waiting message becomes a user turn, in order, from the next index on."
    for event, waiting, start in _drains(trace):
        wanted = [
            {"index": start + place, "role": "user", **payload(each)}
            for place, each in enumerate(waiting)
        ]
        found = [
            {"index": each.get("index"), "role": each.get("role"), **payload(each)}
            for each in turns_in(event)
        ]
        if not trace.same(wanted, found):
            broken(event, expected=wanted, observed=turns_in(event), because=because)
        after = event.value.get("next_index") if is_object(event.value) else None
        if after != start + len(wanted):
            broken(event, expected=start + len(wanted), observed=after, because=because)


def _ids(event: Event) -> set[Any]:
    return {each.get("id") for each in held(event, ONE)}


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox"},
    source=["OA-I2"],
    battery=[
        appender(added(_WAITING), _drained(7)),
        appender(added(_SIGNED), added(_WAITING), _drained(5)),
    ],
)
def a_promoted_message_is_marked_at_its_own_index(trace: Trace) -> None:
    """A drain leaves the inbox turn, and puts a marker at the index of this inbox turn.

    A marker at the index of the promoted turn leaves the message waiting for ever.
    """
    for event, waiting, _ in _drains(trace):
        needed = {
            turn_id(each["index"], role) for each in waiting for role in ("inbox", "inbox_done")
        }
        missing = sorted(needed - _ids(event))
        if event.logs.get(ONE) is not None and missing:
            because = "a message stays in the inbox, with a marker at its own index."
            broken(event, expected=sorted(needed), observed=sorted(_ids(event)), because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox"},
    source=["OA-I3"],
    incidents=["F13"],
    battery=[
        appender(added(_WAITING), _drained(2), _drained(3)),
        appender(added(_WAITING), added(_SIGNED), _drained(4), *anew(), _drained(6)),
    ],
)
def a_second_drain_places_nothing(trace: Trace) -> None:
    """A drain after a drain finds nothing that waits, and leaves the next index as it was.

    A drain that matches markers by position or by words promotes a message again.
    """
    last = False
    for event, _ in transcripts(trace):
        if event.step.name == "drain_inbox" and event.ok:
            next_index = (*values(event), 0)[0]
            again = event.value if is_object(event.value) else {}
            if last and (turns_in(event) or again.get("next_index") != next_index):
                expected: Entry = {"turns": [], "next_index": next_index}
                because = "what was promoted and marked is promoted no more."
                broken(event, expected=expected, observed=event.value, because=because)
            last = True
        elif event.step.name not in ("read_all", "read_after"):
            last = False


def _crashing(point: str) -> tuple[Step, ...]:
    return (
        added(_SIGNED),
        failing(point, door="store"),
        _drained(4),
        *anew(),
        _drained(5),
        read(),
    )


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox", "read_all"},
    source=["OA-I2", "OA-I4", "D-OA-13"],
    powers={"fail_next"},
    incidents=["F19", "F20"],
    battery=[
        appender(*_crashing("after-commit")),
        appender(*_crashing("before-commit")),
    ],
)
def an_interrupted_drain_loses_no_message(trace: Trace) -> None:
    """A message whose drain broke off is promoted by the next drain: twice perhaps, never not at all.

    A drain that marks first and promotes then loses the message when it breaks off between.
    """
    complete = False
    for event, _ in transcripts(trace):
        if event.step.name == "drain_inbox":
            complete = event.ok
        elif event.step.name == "append":
            complete = False
        elif complete and event.step.name == "read_all" and event.ok:
            spoken = [payload(each) for each in turns_in(event) if each.get("role") == "user"]
            waiting = [each for each in turns_in(event) if each.get("role") == "inbox"]
            lost = [each for each in waiting if payload(each) not in spoken]
            if lost:
                because = "a message is promoted before it is marked, so that a crash loses none."
                broken(event, expected=lost, observed=turns_in(event), because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox"},
    source=["OA-I4"],
    incidents=["F13"],
    battery=[appender(added(_WAITING), added(user(3, "hi")), _drained(4))],
)
def only_a_marker_settles_a_message(trace: Trace) -> None:
    """A message without a marker is promoted, though a user turn with its words is there.

    That is what a crash between promotion and marker leaves. The words may just as well be
    another message's: who says the same twice has said it twice.
    """
    for event, waiting, _ in _drains(trace):
        placed = [payload(each) for each in turns_in(event)]
        missing = [each for each in waiting if payload(each) not in placed]
        if missing:
            because = "a message waits until there is a marker at its index."
            broken(event, expected=missing, observed=turns_in(event), because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"drain_inbox"},
    source=["OA-I5"],
    battery=[appender(added(_SIGNED), _drained(4))],
)
def markers_carry_no_author(trace: Trace) -> None:
    """The marker of a promoted message has no author: nobody said it.

    A marker with the author of its message counts as that person's turn in every audit.
    """
    for event, _, _ in _drains(trace):
        for each in held(event, ONE):
            content = each.get("content")
            author = content.get("author") if is_object(content) else None
            if str(each.get("id")).endswith("-inbox_done") and author:
                because = "a marker is the runner's, and has no author."
                broken(event, expected=Words("no author"), observed=each, because=because)
