"""The log profile's agent: the events of its log, and its forks."""

import json

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.desk import FAILS
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.agents import (
    ENDS,
    START,
    Deed,
    carries,
    deeds,
    events_in,
    inputs_in,
    of_type,
    turns,
    types,
)
from storelaw.program import Key, Program, ask, program
from storelaw.strategies import agents
from storelaw.strategies.agents import INIT, agent, send, turn
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

LIVE = (agent(), INIT)


def lives(_: Manifest) -> SearchStrategy[Program]:
    """Lives of one agent."""
    return agents.lives()


def _say(deed: Deed, expected: object, observed: object, because: str) -> None:
    broken(deed.event, expected=expected, observed=observed, because=because)


def _of_turns(deed: Deed) -> list[Entry]:
    """The events of turns that a turn added."""
    return [e for e in events_in(deed.added) if str(e.get("type", "")).startswith("turn.")]


def _stayed(trace: Trace) -> list[Deed]:
    """The turns during which the log was not emptied."""
    return [e for e in turns(trace) if not any(i.step.name == "reset" for i in e.inside)]


_ENDINGS = [
    program(*LIVE, turn("u1")),
    program(*LIVE, turn("u1", fails=True), ask("A", "state")),
    program(*LIVE, turn("u1", during=(ask("A", "abort"),)), ask("A", "state")),
]


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L8", "AP-B1"],
    battery=_ENDINGS,
    programs=lives,
)
def a_turn_that_begins_in_the_log_ends_in_it(trace: Trace) -> None:
    """For each ``turn.start`` of the log there is one end, whatever became of the turn.

    An agent breaks it by leaving its error path early: for whoever reads the log the
    session is busy for ever.
    """
    for each in _stayed(trace):
        found = [one.get("type") for one in _of_turns(each)]
        ends = [one for one in found if one in ENDS]
        if found.count(START) != len(ends) or len(ends) > 1:
            _say(each, [START, "one end"], found, "a turn that began ends once.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L8"],
    battery=_ENDINGS,
    programs=lives,
)
def the_end_of_a_turn_tells_how_it_ended(trace: Trace) -> None:
    """A turn ends in the log as ``turn.done``, ``turn.failed`` or ``turn.aborted``, as it did.

    An agent breaks it by one common end: a failure reads like a success.
    """
    for each in _stayed(trace):
        found = [one.get("type") for one in _of_turns(each) if one.get("type") in ENDS]
        if found and found != [_end(each)]:
            _say(each, [_end(each)], found, "the log tells how a turn ended.")


def _end(deed: Deed) -> str:
    if deed.given_up:
        return "turn.aborted"
    return "turn.done" if deed.event.ok else "turn.failed"


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L11", "AP-B1"],
    battery=[
        *_ENDINGS,
        program(*LIVE, turn("u1", during=(send("u2"),))),
        program(*LIVE, turn("u1"), turn("u2")),
    ],
    programs=lives,
)
def the_events_of_a_turn_name_one_turn(trace: Trace) -> None:
    """All events of a turn have the same ``turnId``, and no other turn has it.

    An agent breaks it by a new id for each drain or for the end: no start meets its end.
    """
    known: list[object] = []
    for each in _stayed(trace):
        names = list(dict.fromkeys(json.dumps(one.get("turnId")) for one in _of_turns(each)))
        if len(names) > 1 or any(one in known for one in names):
            _say(each, names[:1], [*known, *names], "a turn has one id, of its own.")
        known += names


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["D-AP-9", "AP-A12"],
    battery=[program(*LIVE, turn("u1", fails=True), ask("A", "state"))],
)
def the_log_tells_why_a_turn_failed(trace: Trace) -> None:
    """The event of a failed turn has the words of the error.

    An agent breaks it by storing the error object, of which JSON keeps nothing.
    """
    for each in _stayed(trace):
        failed = [one for one in _of_turns(each) if one.get("type") == "turn.failed"]
        if failed and FAILS in each.event.text and not carries(failed, FAILS):
            _say(each, FAILS, failed, "the reason of a failure outlives the process.")


@law(
    family="log_agent",
    door="agent",
    requirement="SHOULD",
    acts={"init"},
    source=["D-AP-21"],
    battery=[program(*LIVE, turn("u1", fails=True), ask("A", "state"))],
)
def a_failed_turn_keeps_its_input_in_an_event(trace: Trace) -> None:
    """What a user said in a turn that failed is in the log, though not as an input.

    An agent breaks it by keeping the inputs of a turn in memory only: the user has to say
    it again.
    """
    for each in _stayed(trace):
        wanted, found = list(each.event.passed), events_in(each.added)
        told = json.dumps(found, sort_keys=True)
        lost = [one for one in wanted if json.dumps(one, sort_keys=True) not in told]
        if each.event.raised and not each.given_up and lost:
            _say(each, wanted, found, "the input of a failed turn is not lost.")


_NOTED = ask("A", "emit", {"type": "noted", "at": 7})
_CHANNEL = ask("A", "emit", {"x": 1}, channel="metrics")


@law(
    family="log_agent",
    door="agent",
    acts={"emit"},
    source=["AP-E1"],
    battery=[program(*LIVE, _NOTED, turn("u1")), program(*LIVE, turn("u1"), _NOTED, _NOTED)],
)
def an_event_is_stored_once(trace: Trace) -> None:
    """An event that an agent is told to record is one new entry of the type ``event``.

    An agent breaks it by telling its listeners only.
    """
    for each in deeds(trace, "emit"):
        if each.ready and each.event.ok and types(each.added) != ["event"]:
            _say(each, ["event"], types(each.added), "an event is one entry of the log.")


@law(
    family="log_agent",
    door="agent",
    acts={"emit"},
    source=["AP-E1"],
    battery=[program(*LIVE, _NOTED, turn("u1"))],
)
def an_event_says_what_it_was_told(trace: Trace) -> None:
    """The stored event has every member that the caller gave.

    An agent breaks it by its own list of known members.
    """
    for each in deeds(trace, "emit"):
        told = each.argument if is_object(each.argument) else {}
        for one in events_in(each.added) if not each.arguments else []:
            if each.event.ok and {**one, **told} != one:
                _say(each, told, one, "an event keeps what it was told.")


@law(
    family="log_agent",
    door="agent",
    acts={"emit"},
    source=["D-AP-18"],
    battery=[program(*LIVE, _CHANNEL, turn("u1"))],
)
def an_event_of_a_channel_names_it(trace: Trace) -> None:
    """The stored event of a channel has the name of the channel.

    An agent breaks it by storing the payload alone: after a restart nobody knows whose it was.
    """
    for each in deeds(trace, "emit"):
        channel = each.arguments.get("channel")
        found = events_in(each.added)
        if channel and each.event.ok and found and not carries(found, channel):
            _say(each, channel, found, "an event of a channel names it.")


@law(
    family="log_agent",
    door="agent",
    acts={"emit"},
    source=["AP-E1"],
    battery=[program(*LIVE, _NOTED, turn("u1"))],
)
def recording_an_event_returns_its_entry(trace: Trace) -> None:
    """What comes back of an event is the entry that is in the log.

    An agent breaks it by answering before it has stored: the id that it gives is nobody's.
    """
    for each in deeds(trace, "emit"):
        stored = [one for one in each.added if one.get("type") == "event"]
        told = each.ready and each.event.ok and len(stored) == 1
        if told and not trace.same(stored[0], each.event.value):
            _say(each, stored[0], each.event.value, "the answer is the stored entry.")


# --------------------------------------------------------------------- forks

_CHILD = ask("A", "fork", "t", becomes="B", at="t")
_BARE = ask("A", "fork", "t", inherit=False, becomes="B", at="t")


def _forks(trace: Trace) -> list[Deed]:
    return [e for e in deeds(trace, "fork") if e.ready and e.event["at"] and e.event["at"] != e.key]


def _inherits(deed: Deed) -> bool:
    return deed.arguments.get("inherit") is not False


@law(
    family="log_agent",
    door="agent",
    acts={"fork"},
    source=["AP-K2"],
    battery=[program(*LIVE, turn("u1"), ask("A", "emit", {"type": "x"}), _CHILD)],
)
def a_forked_agent_has_the_entries_of_its_source(trace: Trace) -> None:
    """Unless told not to, a fork copies all entries into the child's log, as they are.

    An agent breaks it by copying the inputs only: the child has no state.
    """
    for each in _forks(trace):
        child = each.event.logs.get(each.event["at"])
        copies = each.event.ok and _inherits(each) and child is not None
        if copies and not trace.same(each.before, child):
            _say(each, each.before, child, "the child inherits the entries.")


@law(
    family="log_agent",
    door="agent",
    acts={"fork"},
    source=["AP-K2"],
    battery=[program(*LIVE, turn("u1"), _BARE)],
)
def a_fork_inherits_nothing_where_told_so(trace: Trace) -> None:
    """A fork that is told not to inherit leaves the child's log as empty as it was.

    An agent breaks it by copying anyway.
    """
    for each in _forks(trace):
        child = each.event.logs.get(each.event["at"])
        if each.event.ok and not _inherits(each) and child:
            _say(each, [], child, "a fork without inheritance copies nothing.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-K2"],
    battery=[program(*LIVE, turn("u1"), ask("A", "fork", "s", becomes="B", at="s"), turn("u2"))],
)
def a_fork_into_its_own_log_is_refused(trace: Trace) -> None:
    """A fork that would inherit into the source's own log raises and writes nothing.

    An agent breaks it by copying: every entry is there twice, under one id.
    """
    for each in deeds(trace, "fork"):
        own = each.ready and each.event["at"] == each.key and _inherits(each)
        if own and (each.event.ok or each.added):
            _say(each, each.before, each.after, "a fork doesn't inherit into its own log.")


@law(
    family="log_agent",
    door="agent",
    acts={"fork"},
    source=["AP-K2"],
    battery=[program(*LIVE, turn("u1"), _CHILD, turn("u2", on="B"), turn("u3"))],
)
def a_fork_leaves_its_source_alone(trace: Trace) -> None:
    """Neither a fork nor what its child does changes the log of the source.

    An agent breaks it by giving the child its own storage.
    """
    sources = {e.event["becomes"]: e.key for e in _forks(trace) if e.event.ok}
    for each in deeds(trace, "fork", "turn", "reset"):
        key = each.key if each.event.step.name == "fork" else sources.get(each.event.step.on)
        if each.event.step.name == "fork" and each.added:
            _say(each, [], each.added, "a fork writes nothing into its source.")
        elif key is not None and each.event.step.name != "fork":
            _judge_source(trace, each, key)


def _judge_source(trace: Trace, deed: Deed, key: Key) -> None:
    before = [e.logs[key] for e in trace.upto(deed.event.index).of("ask") if key in e.logs]
    after = deed.event.logs.get(key)
    if before and after is not None and before[-1] is not None and before[-1] != after:
        _say(deed, before[-1], after, "what a child does is not its source's.")


@law(
    family="log_agent",
    door="agent",
    acts={"fork", "reset"},
    source=["AP-K2", "AP-L7"],
    battery=[program(*LIVE, turn("u1"), _CHILD, ask("B", "reset"), ask("A", "reset"))],
)
def a_forked_agent_begins_anew_as_itself(trace: Trace) -> None:
    """The reset of a child goes back to its own initial input and state, not to its source's.

    An agent breaks it by taking what was inherited for the beginning.
    """
    children = [e.event["becomes"] for e in deeds(trace, "fork")]
    for each in deeds(trace, "reset"):
        if each.event.step.on in children and each.event.ok:
            wanted = [each.initial_input, [each.initial_state]]
            found = [inputs_in(each.after), of_type(each.after, "state")[-1:]]
            if not trace.same(wanted, found):
                _say(each, wanted, found, "a child has a beginning of its own.")
