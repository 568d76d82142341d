"""The replay: what a model reads of the turns, and what is made up so that it can go on."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from storelaw import turn_samples as t
from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model import turn_replays as replays
from storelaw.model.timeline_sights import REPLAYED, Look, looks
from storelaw.model.turn_replays import Heard
from storelaw.strategies.timelines import UNKNOWN, asked, shown
from storelaw.trace import Trace
from storelaw.values import Entry, is_array, is_object

_CALLED: Final = [t.user(0), t.answer(1, t.use("book", id="c1"))]


def _views(trace: Trace, because: str) -> Iterator[tuple[Look, list[Heard], list[Any]]]:
    """Each replay with the messages that the rules make, where they leave nothing open."""
    for look in looks(trace, REPLAYED):
        if not replays.is_open(look.turns):
            heard = replays.replay(look.turns)
            yield look, heard, _messages(look, because)


def _messages(look: Look, because: str) -> list[Any]:
    """The messages of an answer, which must be a list of objects with lists of blocks."""
    messages = look.shown.get("messages") if is_object(look.shown) else None
    if is_array(messages) and all(is_object(e) and is_array(e.get("content")) for e in messages):
        return messages
    broken(look.event, expected="messages", observed=look.shown, because=because)


def _compare(look: Look, expected: object, observed: object, because: str) -> None:
    if expected != observed:
        broken(look.event, expected=expected, observed=observed, because=because)


def _paired(heard: Sequence[Heard], messages: Sequence[Any]) -> Iterator[tuple[Heard, Any]]:
    return zip(heard, messages, strict=False)


def judge_words(trace: Trace, because: str) -> None:
    """The messages have the roles and blocks of their turns, results aside."""
    for look, heard, messages in _views(trace, because):
        expected = [{"role": each.role, "content": each.others()} for each in heard]
        roles = [each.get("role") for each in messages]
        _compare(look, [each.role for each in heard], roles, because)
        observed = [_words(each, message) for each, message in _paired(heard, messages)]
        _compare(look, expected, observed, because)


def _words(heard: Heard, message: Entry) -> Entry:
    own = [each for each in message["content"] if each in heard.others()]
    return {"role": message.get("role"), "content": own}


def judge_results(trace: Trace, because: str) -> None:
    """Each message has the results that it should, errors marked."""
    for look, heard, messages in _views(trace, because):
        expected = [list(map(list, each.results())) for each in heard]
        _compare(look, expected, [_results(each) for each in messages], because)


def _results(message: Entry) -> list[list[Any]]:
    found = [each.get("toolResult") for each in message["content"] if is_object(each)]
    return [[e.get("toolUseId"), bool(e.get("isError"))] for e in found if is_object(e)]


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S1"],
    incidents=["F40"],
    battery=[
        shown(REPLAYED, [t.user(0), t.answer(1), t.inbox(2, "hi"), t.note(3, "n"), t.user(4)]),
        shown(REPLAYED, [t.answer(10), t.user(2), t.done(2)]),
    ],
)
def the_model_reads_users_and_answers(trace: Trace) -> None:
    """A replay has the user and assistant turns in order, whole, and no others.

    What waits in the inbox is promoted later; read now as well, the model hears it twice.
    """
    judge_words(trace, "the model reads user and assistant turns in order, and no others.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S1", "OA-V14"],
    incidents=["F37"],
    battery=[
        shown(REPLAYED, [t.user(0), t.answer(1, "no", refused=True), t.inbox(2, "hi")]),
        shown(REPLAYED, [t.user(0), t.answer(1, "no", refused=True), t.user(2), t.answer(3)]),
    ],
)
def a_refused_answer_is_kept_from_the_model(trace: Trace) -> None:
    """An answer that was refused is not replayed, though people see it.

    Read again, it makes the model refuse again.
    """
    judge_words(trace, "a refused answer is not replayed.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S1"],
    battery=[
        shown(REPLAYED, [t.user(0), t.answer(1, refused=True), t.inbox(2, "hi")]),
        shown(REPLAYED, [t.user(0), t.note(7, "n")]),
    ],
)
def every_turn_counts_for_the_next_index(trace: Trace) -> None:
    """The next index lies behind every turn, read or not.

    An index that is used again makes the next append a conflict.
    """
    because = "the next index is one more than the last of any turn, skipped ones included."
    for look in looks(trace, REPLAYED):
        observed = look.shown.get("next_index") if is_object(look.shown) else look.shown
        _compare(look, replays.next_index(look.turns), observed, because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S2"],
    battery=[
        shown(REPLAYED, [t.user(0, via=t.ARTIFACT)]),
        shown(REPLAYED, [t.user(0, via=t.CHAT), t.answer(1, via=t.CHAT), t.user(2)]),
        shown(REPLAYED, [t.user(0, via="urn:ap:view:elsewhere")]),
        shown(REPLAYED, [t.user(0, via="urn:ap:view:artifact:")]),
    ],
)
def a_surface_is_named_before_the_words(trace: Trace) -> None:
    """A user turn from a surface begins with a text that names it; one from none doesn't.

    The model must know where its answer will be read, but not by a raw or broken name.
    """
    because = "a text that names the surface comes first, where there is a surface to name."
    for look, heard, messages in _views(trace, because):
        for each, message in _paired(heard, messages):
            if each.role == "user" and each.others() and not _is_led(each, message):
                expected = f"a text that names {each.surface or 'no surface'}, then the turn's"
                broken(look.event, expected=expected, observed=message, because=because)


def _is_led(heard: Heard, message: Entry) -> bool:
    rest = [e for e in message["content"] if not (is_object(e) and "toolResult" in e)]
    if not heard.surface:
        return rest[:1] == heard.others()[:1]
    led = [each.get("text", "") for each in rest[:1] if is_object(each)]
    named = any(heard.surface in str(each) for each in led)
    return named and rest[1:2] == heard.others()[:1]


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S3"],
    incidents=["F34"],
    battery=[
        shown(REPLAYED, [*_CALLED, t.user(2, "hi")]),
        shown(REPLAYED, _CALLED),
        shown(REPLAYED, [*_CALLED, t.answer(2), t.user(3, t.result("late"))]),
        shown(REPLAYED, [*_CALLED, t.inbox(2, "x"), t.user(3, t.result("no", isError=True))]),
        shown(REPLAYED, [t.answer(1, t.use("a"), t.use("b", id="c2")), t.user(2, t.result("one"))]),
    ],
)
def an_unanswered_call_gets_an_error(trace: Trace) -> None:
    """A call that the next user message doesn't answer gets a result there: an error.

    Providers refuse a call without a result, and a result that says nothing of failure
    lets the model assume that the call succeeded.
    """
    judge_results(trace, "a call without a result gets an error, in the next user message.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S3"],
    incidents=["F34"],
    battery=[
        shown(REPLAYED, [*_CALLED, t.user(2, "hi")]),
        shown(
            REPLAYED,
            [t.answer(1, t.use("a"), t.use("b", id="c2")), t.user(2, "hi", t.result("one"))],
        ),
    ],
)
def what_is_made_up_stands_in_front(trace: Trace) -> None:
    """Made-up results come first in their message, each with words in it.

    Behind a text they are refused by providers, and empty they tell the model nothing.
    """
    because = "made-up results come before all else in their message, and say something."
    for look, heard, messages in _views(trace, because):
        for each, message in _paired(heard, messages):
            front = [e.get("toolResult") for e in message["content"][: len(each.owed)]]
            ids = [e["toolUseId"] for e in front if is_object(e) and _says(e)]
            _compare(look, list(each.owed), ids, because)


def _says(result: Entry) -> bool:
    return "toolUseId" in result and bool(str(result.get("content") or "").strip())


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S4"],
    incidents=["F34"],
    battery=[
        shown(REPLAYED, [*_CALLED, t.note(2, t.delivered("c1")), t.user(3, "thanks")]),
        shown(
            REPLAYED,
            [t.answer(1, t.use("a"), t.use("b", id="c2")), t.note(2, t.delivered("c2")), t.user(3)],
        ),
    ],
)
def a_delivered_call_is_no_error(trace: Trace) -> None:
    """A call that a note lists as delivered gets a result that is no error.

    Told that it failed, the model sends its message to the user a second time.
    """
    judge_results(trace, "a call that a note lists as delivered gets a result that is no error.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S5"],
    incidents=["F39"],
    battery=[
        shown(REPLAYED, [*_CALLED, t.user(2)], [*_CALLED, t.user(2)]),
        shown(REPLAYED, [*[t.user(2)], *_CALLED]),
    ],
)
def a_replay_changes_nothing(trace: Trace) -> None:
    """Replaying leaves the turns as they are, and gives the same again.

    What is made up is for this call of the model; kept, it is repaired a second time.
    """
    because = "a replay leaves its turns alone, and the next one is the same."
    seen: dict[str, Any] = {}
    for look in looks(trace, REPLAYED):
        _compare(look, look.turns, look.event.given, because)
        _compare(look, seen.setdefault(json.dumps(look.turns), look.shown), look.shown, because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S6"],
    battery=[
        shown(REPLAYED, [t.user(0), t.answer(1, "no", refused=True)]),
        shown(REPLAYED, [t.user(0), t.answer(1, "no", refused=True), t.note(2, "n")]),
        shown(REPLAYED, [t.answer(0, "no", refused=True)]),
        shown(REPLAYED, [t.user(0), t.answer(1, "no", refused=True), t.user(2)]),
    ],
)
def a_refusal_at_the_end_is_followed_by_advice(trace: Trace) -> None:
    """Where the last answer was refused, words for the model end the last user message.

    Without them it says the same again; after the user has gone on they are out of place.
    """
    because = "advice ends the last user message where the last answer was refused, only there."
    for look, heard, messages in _views(trace, because):
        for each, message in _paired(heard, messages):
            last = message["content"][-1:]
            added = bool(last) and is_object(last[0]) and last[0].get("type") == "text"
            added = added and last[0] not in each.own and each.role == "user"
            if not (each.surface or each.empty) or each.advised:
                _compare(look, each.advised, added, because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=["OA-S7"],
    battery=[
        shown(REPLAYED, [t.user(0, UNKNOWN)]),
        shown(REPLAYED, [t.user(0, "look", UNKNOWN, "there")]),
        shown(REPLAYED, [t.user(0), t.answer(1, UNKNOWN), t.user(2)]),
    ],
)
def blocks_that_nobody_renders_are_left_out(trace: Trace) -> None:
    """Blocks of unknown types are left out, and a text stands in where nothing is left.

    Providers refuse what they don't know, and a message without content.
    """
    because = "unknown blocks are left out, and where nothing is left one text stands in."
    for look, heard, messages in _views(trace, because):
        for each, message in _paired(heard, messages):
            kinds = [e.get("type") if is_object(e) else e for e in message["content"]]
            known = [kind for kind in kinds if kind in replays.KNOWN]
            _compare(look, known, kinds, because)
            if each.empty and not (each.owed or each.advised or each.surface):
                _compare(look, ["text"], kinds, because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={REPLAYED},
    source=[f"OA-S{number}" for number in range(1, 8)],
    battery=[shown(REPLAYED, [*_CALLED, t.inbox(2, "hi"), t.user(3, via=t.CHAT), t.answer(4)])],
    programs=asked(REPLAYED),
    weight=3,
)
def a_replay_is_what_the_rules_make_of_the_turns(trace: Trace) -> None:
    """A replay has the messages that the rules make, with the results that are owed.

    Here the rules meet each other: calls before refused answers, notes of what was
    delivered, results that come late.
    """
    judge_words(trace, "the messages are what the rules make of the turns, one by one.")
    judge_results(trace, "each message has the results that the rules give it.")
