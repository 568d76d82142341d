"""The log profile's agent: how its life begins, what its state is, how it begins anew."""

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.log_samples import happened, kept, put
from storelaw.manifest import Manifest
from storelaw.model.agents import Deed, deeds, events_in, inputs_in, of_type, types
from storelaw.program import Program, append, ask, call, program, reopened
from storelaw.strategies import agents
from storelaw.strategies.agents import INIT, agent, turn
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

STATES = (kept("s1", a=16), kept("s2", a=24), happened("e1"))


def lives(_: Manifest) -> SearchStrategy[Program]:
    """Lives of one agent."""
    return agents.lives()


def _firsts(trace: Trace) -> list[Deed]:
    """The calls that made an agent ready."""
    return [each for each in deeds(trace, "init") if each.event.ok and not each.ready]


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L1"],
    battery=[
        program(agent(), INIT),
        program(append("s", happened("e1")), agent(), INIT),
        program(append("s", kept("s1", a=1), happened("e1")), agent(), INIT),
    ],
)
def the_initial_input_is_stored_where_there_is_no_input(trace: Trace) -> None:
    """Where a log holds no input entry, whatever else it holds, ``init`` stores the initial input.

    An agent breaks it by asking whether the log is empty: one event from an earlier start,
    and the model never reads its instructions.
    """
    for each in _firsts(trace):
        wanted = [] if inputs_in(each.before) else each.initial_input
        if wanted and inputs_in(each.added) != wanted:
            _say(each, wanted, inputs_in(each.added), "a log without input gets the initial one.")


def _say(deed: Deed, expected: object, observed: object, because: str) -> None:
    broken(deed.event, expected=expected, observed=observed, because=because)


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L1"],
    battery=[
        program(append("s", put("i1")), agent(), INIT),
        program(agent(), INIT, reopened(), agent("B"), ask("B", "init")),
    ],
)
def the_initial_input_is_stored_once_for_a_log(trace: Trace) -> None:
    """Where a log holds an input entry, ``init`` stores no further one.

    An agent breaks it by storing its initial input at each start: after ten starts the
    model reads its instructions ten times.
    """
    for each in _firsts(trace):
        added = inputs_in(each.added)
        if inputs_in(each.before) and added:
            _say(each, [], added, "a log that has an input gets no initial one.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L2"],
    battery=[program(agent(), INIT), program(append("s", happened("e1")), agent(), INIT)],
)
def nothing_is_written_before_init(trace: Trace) -> None:
    """Making an agent over a log writes nothing into it.

    An agent breaks it by writing in its constructor: looking at a log changes it.
    """
    for each in deeds(trace, "open_door"):
        if each.event.ok and each.added:
            _say(each, [], each.added, "an agent writes nothing before init.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    operations={"clear"},
    source=["AP-L3"],
    battery=[
        program(agent(), INIT, INIT, call("clear", "s"), INIT, turn("u1")),
    ],
)
def init_happens_once(trace: Trace) -> None:
    """A second ``init`` of the same agent writes nothing, even where the log is now empty.

    An agent breaks it by forgetting that it began: two callers that start it at once have
    its initial input stored twice.
    """
    for each in deeds(trace, "init"):
        if each.ready and each.added:
            _say(each, each.before, each.after, "init happens once for an agent.")


@law(
    family="log_agent",
    door="agent",
    acts={"state"},
    source=["AP-L4"],
    battery=[
        program(append("s", *STATES), agent(), INIT, ask("A", "state")),
        program(
            append("s", kept("s1", a=1, b=2), kept("s2", a=3)), agent(), INIT, ask("A", "state")
        ),
    ],
    programs=lives,
)
def the_state_is_the_last_snapshot(trace: Trace) -> None:
    """The state of an agent is the data of the last ``state`` entry of its log.

    An agent breaks it by taking the first snapshot, or by merging them all: members that
    were removed come back after a restart.
    """
    for each in _states(trace):
        stored = of_type(each.before, "state")
        if stored and not trace.same(stored[-1], each.event.value):
            _say(each, stored[-1], each.event.value, "the last snapshot is the state.")


def _states(trace: Trace) -> list[Deed]:
    return [each for each in deeds(trace, "state") if each.ready and each.event.ok]


@law(
    family="log_agent",
    door="agent",
    acts={"state"},
    source=["AP-L4"],
    battery=[
        program(agent(), INIT, ask("A", "state")),
        program(append("s", happened("e1")), agent(), INIT, ask("A", "state")),
    ],
)
def the_state_is_the_initial_one_without_a_snapshot(trace: Trace) -> None:
    """Where a log holds no ``state`` entry, the state is the one that the agent was made with.

    An agent breaks it by beginning with an empty state whenever the log holds anything.
    """
    for each in _states(trace):
        if not of_type(each.before, "state") and not trace.same(
            each.initial_state, each.event.value
        ):
            _say(each, each.initial_state, each.event.value, "without snapshots it is initial.")


_CHANGES = (
    INIT,
    ask("A", "set_state", {"x": 1, "y": {"z": 2}}),
    ask("A", "update_state", {"x": 3}),
)


def _changed(deed: Deed) -> Entry:
    """The state after a change, by the snapshot before it."""
    stored = of_type(deed.before, "state")
    state = stored[-1] if stored else deed.initial_state
    change: Entry = deed.argument or {}
    return {**state, **change} if deed.event.step.name == "update_state" else change


@law(
    family="log_agent",
    door="agent",
    acts={"set_state", "update_state"},
    source=["AP-L5"],
    battery=[
        program(agent(), *_CHANGES),
        program(agent(), INIT, ask("A", "update_state", {"a": 2})),
    ],
)
def each_state_change_stores_the_whole_state(trace: Trace) -> None:
    """A change of the state stores one entry that says all of the new state.

    An agent breaks it by storing what changed: whoever reads the last entry has a part.
    """
    for each in deeds(trace, "set_state", "update_state"):
        if each.ready and each.event.ok:
            wanted, added = [_changed(each)], of_type(each.added, "state")
            if not trace.same(wanted, added):
                _say(each, wanted, added, "a change of the state stores one full snapshot.")


_TWO = (
    agent(),
    INIT,
    agent("B"),
    ask("B", "init"),
    ask("B", "set_state", {"b": 1}),
    ask("A", "restore"),
    ask("A", "state"),
)


@law(
    family="log_agent",
    door="agent",
    acts={"restore"},
    source=["AP-L5", "AP-E2"],
    battery=[program(*_TWO), program(agent(), *_CHANGES, ask("A", "restore"))],
)
def restoring_the_state_writes_nothing(trace: Trace) -> None:
    """Taking up the stored state again stores nothing.

    An agent breaks it by restoring through its own setter: every look back becomes a
    change, and the log grows with each checkout.
    """
    for each in deeds(trace, "restore"):
        if each.ready and each.event.ok and each.added:
            _say(each, [], each.added, "restoring stores nothing.")


@law(
    family="log_agent",
    door="agent",
    acts={"restore", "state"},
    source=["AP-L4", "AP-E2"],
    battery=[program(*_TWO)],
)
def restoring_takes_what_the_log_says_now(trace: Trace) -> None:
    """After a restore the state is the last snapshot, also where another agent stored it.

    An agent breaks it by going back to what it read when it began.
    """
    last: Deed | None = None
    for each in deeds(trace, "restore", "state"):
        same = last is not None and last.event.step.on == each.event.step.on
        stored = of_type(each.before, "state")
        asked = same and stored and each.event.step.name == "state" and each.event.ok
        if asked and not trace.same(stored[-1], each.event.value):
            _say(each, stored[-1], each.event.value, "a restore reads the log again.")
        last = each if each.event.step.name == "restore" and each.event.ok else None


# --------------------------------------------------------------------- reset

_WORN = (agent(), INIT, turn("u1"), ask("A", "update_state", {"a": 5}), ask("A", "reset"))


@law(
    family="log_agent",
    door="agent",
    acts={"reset"},
    source=["AP-L7"],
    battery=[program(*_WORN), program(agent(), INIT, ask("A", "emit", {"type": "x"}), _WORN[-1])],
    programs=lives,
)
def a_reset_leaves_input_state_and_event(trace: Trace) -> None:
    """After a reset the log holds the initial input, one state and one event, in this order.

    An agent breaks it by clearing last, which takes its own mark away, or by forgetting to
    wait for a write that is under way.
    """
    for each in _resets(trace):
        wanted = [*("input" for _ in each.initial_input), "state", "event"]
        if types(each.after) != wanted:
            _say(each, wanted, types(each.after), "a reset leaves input, state and event.")


def _resets(trace: Trace) -> list[Deed]:
    return [
        each
        for each in deeds(trace, "reset")
        if each.event.ok and each.ready and "default_ref" not in each.named
    ]


@law(
    family="log_agent",
    door="agent",
    acts={"reset"},
    source=["AP-L7"],
    battery=[program(*_WORN)],
)
def a_reset_begins_with_the_initial_input(trace: Trace) -> None:
    """After a reset the inputs of the log are the initial ones.

    An agent breaks it by keeping a list that it has appended to since.
    """
    for each in _resets(trace):
        found = inputs_in(each.after)
        if found and found != each.initial_input:
            _say(each, each.initial_input, found, "a reset stores the initial input again.")


@law(
    family="log_agent",
    door="agent",
    acts={"reset", "state"},
    source=["AP-L7", "AP-L6", "D-AP-10"],
    battery=[program(*_WORN, ask("A", "state"))],
)
def a_reset_goes_back_to_the_initial_state(trace: Trace) -> None:
    """After a reset the stored state, and the agent's own, are the initial one.

    An agent breaks it by changing the object that it was made with: there is no beginning
    left to go back to.
    """
    last: Deed | None = None
    for each in deeds(trace, "reset", "state"):
        found = of_type(each.after, "state")
        if each.event.step.name == "reset":
            last = each if each in _resets(trace) else None
        elif last is not None and _follows(last, each):
            found = [each.event.value]
        else:
            continue
        if last is not None and found and not trace.same(each.initial_state, found[-1]):
            _say(each, each.initial_state, found[-1], "a reset goes back to the initial state.")


def _follows(deed: Deed, other: Deed) -> bool:
    """Whether the same agent was asked right afterwards, and answered."""
    same = deed.event.step.on == other.event.step.on and other.event.ok
    return same and other.event.index == deed.event.index + 1


@law(
    family="log_agent",
    door="agent",
    acts={"reset"},
    source=["AP-L7"],
    battery=[program(*_WORN)],
)
def a_reset_says_so_in_the_log(trace: Trace) -> None:
    """A reset stores one event of the type ``agent.reset``.

    An agent breaks it by telling those who listen, and nobody who reads later.
    """
    for each in _resets(trace):
        said = [one.get("type") for one in events_in(each.after)]
        if said != ["agent.reset"]:
            _say(each, ["agent.reset"], said, "a reset is an event of the log.")


@law(
    family="log_agent",
    door="agent",
    acts={"reset", "turn"},
    source=["D-AP-15"],
    battery=[
        program(agent(default_ref="main"), INIT, turn("u1"), ask("A", "reset"), turn("u2")),
    ],
)
def a_reset_over_a_session_keeps_the_ref(trace: Trace) -> None:
    """Over a session, turns after a reset still reach the ref that was active before.

    An agent breaks it by clearing the session, which checks out nothing: from then on its
    turns are on no branch, and the next start reads an empty history.
    """
    worn: set[object] = set()
    for each in deeds(trace, "reset", "turn"):
        label = each.event.step.on
        if each.event.step.name == "reset" and each.event.ok and "default_ref" in each.named:
            worn.add(label)
        elif label in worn and each.event.ok:
            _judge_reach(each)


def _judge_reach(deed: Deed) -> None:
    stored = [one.get("id") for one in deed.added if one.get("type") == "input"]
    reached = [
        one.get("targetId")
        for one in of_type(deed.added, "session/ref")
        if is_object(one) and one.get("name") == deed.named.get("default_ref")
    ]
    if stored and reached[-1:] != stored[-1:]:
        _say(deed, stored[-1:], reached[-1:], "after a reset the ref still moves with each turn.")
