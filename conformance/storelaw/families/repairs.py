"""Repair: every tool call has exactly one result in what the model reads, and none is stored."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import sessions_unless
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import acts, log_of, message_of, objects
from storelaw.model.chains import path
from storelaw.narrative import Words
from storelaw.program import Program, act, add, program, reopened, run, session
from storelaw.samples import assistant, calls, note, result, tool_call, user
from storelaw.strategies.turns import Script, programs
from storelaw.trace import Event, Trace
from storelaw.values import Entry

_APPLIES: Final = sessions_unless("repair", "none")


def _reads(*steps: Any) -> Program:
    """A history, read live and after a restart."""
    return program(
        session("s"),
        *steps,
        act("messages"),
        reopened(),
        session("s", "B"),
        act("messages", "B"),
    )


_DANGLING: Final = run(user("u"), answer=(calls("a", "c1", "c2"),))
_PARTLY: Final = run(user("u"), answer=(calls("a", "c1", "c2", "c3"), result("r2", "c2")))
_SERVED: Final = run(
    user("u"),
    answer=(
        assistant(
            "a",
            tool_call("s1", "web_search", server=True, output={"content": "found"}),
            tool_call("c1"),
        ),
    ),
)
_LATE: Final = (
    run(user("u"), answer=(calls("a", "c1"),)),
    add(user("v")),
    add(result("r1", "c1")),
)


def _turns(_: Manifest) -> SearchStrategy[Program]:
    """Turns with one to five parallel calls, some interrupted, some with a late result."""
    moves = ("tools", "tools", "barge_in", "say", "branch", "reopen")
    return programs(moves, _read_twice, most=5)


def _read_twice(script: Script) -> None:
    script.read("messages")
    script.move("reopen", 0)
    script.read("messages")


@dataclass(frozen=True, slots=True)
class Called:
    """A client call in what the model reads, with all results that carry its id."""

    event: Event
    messages: list[Entry]
    place: int
    call: Entry
    results: tuple[tuple[int, Entry], ...]


def views(trace: Trace) -> Iterator[tuple[Event, list[Entry]]]:
    """What the model read, by a call for it or as the history of a run."""
    for event in trace.of("messages", "run"):
        if event.step.do == "messages" and event.ok:
            yield event, objects(event.value)
        for prompt in event.prompts[:1]:
            own = sum("message" in each.entry for each in event.step.drafts())
            yield event, prompt[: len(prompt) - own]


def called(trace: Trace) -> Iterator[Called]:
    """Each client call of each view."""
    for event, messages in views(trace):
        for place, message in enumerate(messages):
            for block in _client_calls(message):
                found = tuple(
                    (at, each)
                    for at, each in enumerate(messages)
                    if at > place and each.get("tool_call_id") == block.get("id")
                )
                yield Called(event, messages, place, block, found)


def _client_calls(message: Entry) -> list[Entry]:
    calling = message.get("role") == "assistant"
    return [each for each in _calls(message) if calling and not each.get("server")]


def _calls(message: Entry) -> list[Entry]:
    return [each for each in objects(message.get("content")) if each.get("type") == "tool_call"]


def _given_results(trace: Trace, event: Event) -> list[Entry]:
    """The messages of all results that a caller or a model gave up to an event."""
    drafts = [draft.entry for draft in trace.upto(event.index + 1).drafts()]
    return [message_of(each) for each in drafts if message_of(each).get("tool_call_id")]


def _kept_results(trace: Trace, event: Event) -> list[Entry]:
    """Those of them that the store still holds."""
    held = [message_of(each) for key in event.logs for each in log_of(event, key)]
    given = _given_results(trace, event)
    return [one for one in given if any(trace.same(one, each) for each in held)]


def _is_real(trace: Trace, one: Entry, event: Event) -> bool:
    return any(trace.same(one, each) for each in _given_results(trace, event))


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S2"],
    incidents=["F34", "F35"],
    battery=[
        _reads(_DANGLING),
        _reads(_PARTLY),
        _reads(_DANGLING, run(user("v"), answer=(assistant("b"),))),
    ],
    programs=_turns,
    weight=3,
)
def every_call_has_a_result_in_the_view(trace: Trace) -> None:
    """Every client tool call that the model reads is followed by a result with its id.

    A session breaks it by giving the stored history as it is: a provider refuses a call that
    nobody answered, at once or turns later.
    """
    for each in called(trace):
        if not each.results:
            broken(
                each.event,
                expected=Words(f"a result for {each.call.get('id')}"),
                observed=each.messages,
                because="a call without a result gets one in the view.",
            )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S6", "D-PI-6"],
    incidents=["F34"],
    battery=[_reads(*_LATE), _reads(_DANGLING), _reads(_PARTLY, run(user("w")))],
    programs=_turns,
    weight=2,
)
def no_call_has_two_results_in_the_view(trace: Trace) -> None:
    """No client tool call has more than one result in what the model reads.

    A session breaks it when something slips in between a call and its result: it makes a
    result up, and gives the real one as well.
    """
    for each in called(trace):
        if len(each.results) > 1:
            broken(
                each.event,
                expected=Words(f"one result for {each.call.get('id')}"),
                observed=[one for _, one in each.results],
                because="a call has exactly one result in the view.",
            )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S6", "D-PI-6"],
    incidents=["F34"],
    battery=[_reads(*_LATE), _reads(_PARTLY)],
    programs=_turns,
    weight=1,
)
def a_real_result_is_the_one_that_counts(trace: Trace) -> None:
    """Where a result of a call is stored on the path, it is in the view, late or not.

    A session breaks it by letting the result that it made up stand in its place.
    """
    for each in called(trace):
        real = [
            one
            for one in _kept_results(trace, each.event)
            if one["tool_call_id"] == each.call["id"]
        ]
        branched = any(event.step.do == "branch" for event in trace.events)
        shown = [one for _, one in each.results]
        if real and not branched and shown and not _is_real(trace, shown[0], each.event):
            broken(
                each.event,
                expected=real[0],
                observed=shown[0],
                because="a real result is not replaced by one that is made up.",
            )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S2"],
    incidents=["F34"],
    battery=[_reads(_DANGLING), _reads(_PARTLY)],
)
def a_made_up_result_is_an_error_and_names_its_call(trace: Trace) -> None:
    """A result that nobody stored says that it is an error, and for which call of which tool.

    A session breaks it by answering with an empty result: the model takes the call for done.
    """
    for each in called(trace):
        for _, one in each.results:
            wanted = {"tool_name": each.call.get("name"), "is_error": True}
            given = {name: one.get(name) for name in wanted}
            if not _is_real(trace, one, each.event) and not trace.same(wanted, given):
                broken(
                    each.event,
                    expected=wanted,
                    observed=one,
                    because="a made up result is an error, and carries the call's id and tool.",
                )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S2"],
    incidents=["F34", "F37"],
    battery=[_reads(_DANGLING), _reads(run(user("u"), answer=(calls("a", "c1"),)), add(user("v")))],
)
def a_call_without_a_result_stays_in_the_view(trace: Trace) -> None:
    """The message that made a call is in the view, answered or not.

    A session breaks it by cutting off the end of a turn that was interrupted.
    """
    for event, messages in views(trace):
        key = trace.sessions.get(str(event.step.on))
        shown = {str(block.get("id")) for one in messages for block in _client_calls(one)}
        log = log_of(event, key) if key is not None and event.step.do == "messages" else []
        for entry in path(log, event.leaf or ""):
            made = _client_calls(message_of(entry))
            if any(str(block.get("id")) not in shown for block in made):
                broken(
                    event,
                    expected=entry["message"],
                    observed=messages,
                    because="a call without a result stays in the view.",
                )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S2", "PI-S5"],
    incidents=["F34", "F38", "F39"],
    battery=[
        _reads(_DANGLING),
        program(
            session("s"),
            _DANGLING,
            run(user("v"), answer=(assistant("b"),)),
            session("s", "B"),
            run(user("w"), answer=(assistant("e"),), on="B"),
            act("messages", "B"),
        ),
    ],
    programs=_turns,
    weight=1,
)
def a_made_up_result_is_never_stored(trace: Trace) -> None:
    """No act of a session stores a result that no caller and no model gave.

    A session breaks it by writing its repair to the log: the next resume repairs it again, and
    the record says what never happened.
    """
    given = [each.entry for each in trace.drafts()]
    for each in acts(trace):
        for entry in each.fresh:
            message = message_of(entry)
            if message.get("role") == "tool_result" and not any(
                trace.same(draft.get("message"), message) for draft in given
            ):
                broken(
                    each.event,
                    expected=Words("no result in the store that nobody gave"),
                    observed=entry,
                    because="repair happens in the view, never in the store.",
                )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S3"],
    incidents=["F34"],
    battery=[
        _reads(_SERVED),
        _reads(
            run(
                user("u"),
                answer=(
                    assistant("a", tool_call("s1", server=True, output={"content": "found"})),
                    assistant("b"),
                ),
            )
        ),
    ],
)
def a_server_call_gets_no_made_up_result(trace: Trace) -> None:
    """A call that the provider carried out itself has its output with it, and gets no message.

    A session breaks it by repairing every call that it sees: the provider refuses a result
    for a call that it never asked to be made.
    """
    for event, messages in views(trace):
        for message in messages:
            served = [each.get("id") for each in _calls(message) if each.get("server")]
            for one in messages:
                if one.get("tool_call_id") in served and not _is_real(trace, one, event):
                    broken(
                        event,
                        expected=Words("no result for a call of the server"),
                        observed=one,
                        because="calls of the server are never repaired.",
                    )


@law(
    family="resume",
    door="session",
    acts={"run", "messages"},
    applies=_APPLIES,
    source=["PI-S4"],
    incidents=["F34", "F07"],
    battery=[
        _reads(_PARTLY),
        _reads(
            run(
                user("u"),
                answer=(calls("a", "c1", "c2", "c3", "c4"), result("r4", "c4"), result("r2", "c2")),
            )
        ),
    ],
)
def real_results_come_first_and_missing_ones_in_call_order(trace: Trace) -> None:
    """Of several calls, the results that are stored keep their place; the others follow.

    Those that are made up come in the order of their calls. A session breaks it by sorting all
    results by call, which reorders what was stored.
    """
    for event, messages in views(trace):
        for place, message in enumerate(messages):
            ids = [each.get("id") for each in _client_calls(message)]
            behind = _behind(messages, place)
            if len(behind) != len(ids) or {one.get("tool_call_id") for one in behind} != {*ids}:
                continue
            stored = [one.get("tool_call_id") for one in _kept_results(trace, event)]
            real = [one for one in dict.fromkeys(stored) if one in ids]
            wanted = [*real, *(each for each in ids if each not in real)]
            given = [one.get("tool_call_id") for one in behind]
            if ids and given != wanted:
                broken(
                    event,
                    expected=wanted,
                    observed=given,
                    because="real results keep their place, and missing ones follow in call order.",
                )


def _behind(messages: list[Entry], place: int) -> list[Entry]:
    """The results directly behind a message."""
    found: list[Entry] = []
    for each in messages[place + 1 :]:
        if each.get("role") != "tool_result":
            break
        found.append(each)
    return found


@law(
    family="resume",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-S5"],
    incidents=["F34"],
    battery=[
        program(session("s"), _DANGLING, run(user("v"), calls("b", "c9"))),
        program(session("s"), run(user("v"), calls("b", "c9"), user("w"))),
    ],
)
def the_new_input_is_not_repaired(trace: Trace) -> None:
    """The end of a prompt is the input as the caller gave it; only the history is repaired.

    A session breaks it by repairing the whole prompt, and answers a call that the caller is
    about to answer.
    """
    for event in trace.of("run"):
        given = [each.entry["message"] for each in event.step.drafts() if "message" in each.entry]
        for prompt in event.prompts[:1]:
            if given and not trace.same(given, prompt[-len(given) :]):
                broken(
                    event,
                    expected=given,
                    observed=prompt,
                    because="repair is for the history, and not for the new input.",
                )


@law(
    family="resume",
    door="session",
    acts={"add", "messages"},
    applies=_APPLIES,
    source=["PI-S7"],
    incidents=["F34", "F38"],
    battery=[
        _reads(
            add(
                user("u"),
                calls("a", "c1", "c2"),
                result("r1", "c1", "tool execution interrupted", is_error=True),
                result("r2", "c2"),
                note("n"),
            )
        )
    ],
)
def a_repaired_history_is_not_repaired_again(trace: Trace) -> None:
    """Where every call has its result, the view is the stored messages and nothing else.

    A session breaks it by taking a result that is an error for none.
    """
    for event, messages in views(trace):
        key = trace.sessions.get(str(event.step.on))
        log = log_of(event, key) if key is not None else []
        stored = [message_of(each) for each in log if message_of(each)]
        answered = {one.get("tool_call_id") for one in stored}
        asked = {block.get("id") for one in stored for block in _client_calls(one)}
        made = [one for one in messages if one.get("role") == "tool_result" and one not in stored]
        if event.step.do == "messages" and asked <= answered and made:
            broken(
                event,
                expected=stored,
                observed=messages,
                because="repairing a repaired history changes nothing.",
            )
