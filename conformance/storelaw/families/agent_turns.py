"""The log profile's agent: what a turn reads, what it stores, and when."""

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law, requires_field
from storelaw.failures import broken
from storelaw.log_samples import happened, kept, put
from storelaw.manifest import Manifest
from storelaw.model.agents import (
    Deed,
    deeds,
    inputs_in,
    is_boundary,
    turns,
    within,
)
from storelaw.program import Program, append, ask, failing, function, program
from storelaw.strategies import agents
from storelaw.strategies.agents import INIT, agent, send, turn
from storelaw.trace import Trace

LIVE = (agent(), INIT)


def lives(_: Manifest) -> SearchStrategy[Program]:
    """Lives of one agent."""
    return agents.lives()


def _say(deed: Deed, expected: object, observed: object, because: str) -> None:
    broken(deed.event, expected=expected, observed=observed, because=because)


def _plain(trace: Trace) -> list[Deed]:
    """The turns that went through, without anything happening inside them."""
    return [e for e in turns(trace) if e.event.ok and not e.sent and not e.given_up]


# --------------------------------------------------------------------- storing


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L8"],
    battery=[program(*LIVE, turn("u1")), program(*LIVE, turn("u1", "u2"), turn("u3"))],
    programs=lives,
    weight=2,
)
def a_turn_stores_what_was_said_in_it(trace: Trace) -> None:
    """A turn that went through stores its inputs, then what the runner answered, in order.

    An agent breaks it by storing the answer alone, or each when it is at hand: the log is
    no conversation any more.
    """
    for each in _plain(trace):
        wanted, added = [*each.event.passed, *each.answers], inputs_in(each.added)
        if not trace.same(wanted, added):
            _say(each, wanted, added, "a turn stores its inputs and its outputs, in this order.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L8"],
    battery=[program(*LIVE, turn("u1", during=(ask("A", "state"),)))],
)
def a_turn_stores_no_input_before_it_succeeded(trace: Trace) -> None:
    """While the runner runs, no input of the turn is in the log.

    An agent breaks it by storing the question first: a process that dies leaves a history
    that ends with a question, and the next turn begins with two.
    """
    for each in turns(trace):
        for inside in each.event.nested[:1]:
            found = inputs_in(inside.logs.get(each.key) or [])
            held = inputs_in(each.before)
            if inside.step.name == "state" and len(found) > len(held):
                _say(each, held, found, "a turn stores its inputs only once it succeeded.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L8"],
    battery=[
        program(*LIVE, turn("u1", fails=True), ask("A", "state")),
        program(*LIVE, turn("u1"), turn("u2", fails=True), ask("A", "state")),
    ],
    programs=lives,
)
def a_failed_turn_stores_no_input(trace: Trace) -> None:
    """A turn whose runner raised leaves no input in the log.

    An agent breaks it by storing the inputs in its error path.
    """
    for each in turns(trace):
        if each.event.raised and not each.given_up and inputs_in(each.added):
            _say(each, [], inputs_in(each.added), "a failed turn leaves events only.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L8"],
    battery=[
        program(*LIVE, turn("u1", during=(ask("A", "abort"),)), ask("A", "state")),
        program(*LIVE, turn("u1", during=(ask("A", "abort"), send("u2"))), ask("A", "state")),
    ],
    programs=lives,
)
def an_aborted_turn_stores_no_input(trace: Trace) -> None:
    """A turn that was given up leaves nothing that was said in it.

    An agent breaks it by looking at the flag before the runner and not after it: what came
    back late is stored, behind the user's next question.
    """
    for each in turns(trace):
        added = [one for one in inputs_in(each.added) if not is_boundary(one)]
        reset = any(inside.step.name == "reset" for inside in each.inside)
        if each.given_up and not reset and added:
            _say(each, [], added, "an aborted turn leaves events, and a boundary at most.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    powers={"fail_next"},
    applies=requires_field("batch", "atomic"),
    source=["AP-L8", "AP-A7"],
    incidents=["F19"],
    battery=[
        program(
            *LIVE, turn("u1", during=(failing("after-commit", door="store"),)), ask("A", "init")
        )
    ],
)
def a_turns_inputs_and_outputs_are_stored_together(trace: Trace) -> None:
    """Where the store fails once during a turn, its inputs and outputs are all there, or none.

    An agent breaks it by two appends, one for the inputs and one for the outputs.
    """
    for each in turns(trace):
        wanted, added = [*each.event.passed, *each.answers], inputs_in(each.added)
        if not each.sent and not each.given_up and added and not trace.same(wanted, added):
            _say(each, wanted, added, "inputs and outputs of a turn are one append.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L8"],
    battery=[program(*LIVE, turn("u1"), turn("u2"))],
    programs=lives,
)
def a_turn_changes_nothing_that_is_stored(trace: Trace) -> None:
    """A turn leaves every entry that was there before it where and as it was.

    An agent breaks it by writing its whole history anew.
    """
    for each in turns(trace):
        reset = any(inside.step.name == "reset" for inside in each.inside)
        start = each.after[: len(each.before)]
        if not reset and not trace.same(each.before, start):
            _say(each, each.before, start, "a turn only adds to the log.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L8", "AP-A11"],
    battery=[program(*LIVE, turn("u1"), turn("u2"))],
)
def a_turn_answers_with_what_it_stored(trace: Trace) -> None:
    """What a turn gives back are the very input entries that it stored.

    An agent breaks it by giving back entries that it made anew, with ids that no log knows.
    """
    for each in _plain(trace):
        stored = [one for one in each.added if one.get("type") == "input"]
        if not trace.same(stored, each.event.value):
            _say(each, stored, each.event.value, "a turn gives the entries that it stored.")


# --------------------------------------------------------------------- reading

_BEGUN = (append("s", put("i1"), kept("s1", a=1), happened("e1"), put("i2")), *LIVE)


def _history(deed: Deed) -> list[object]:
    """What the runner should read of the past: inputs only, in the order of the log."""
    return inputs_in(deed.before)


def _read(trace: Trace) -> list[Deed]:
    return [
        each
        for each in turns(trace)
        if each.shown
        and "compactor" not in each.named
        and "default_ref" not in each.named
        and "transform" not in each.arguments
    ]


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L10", "AP-V1"],
    battery=[program(*_BEGUN, turn("u1"), turn("u2")), program(*LIVE, turn("u1"), turn("u2"))],
    programs=lives,
    weight=2,
)
def the_runner_reads_the_history(trace: Trace) -> None:
    """The runner reads the data of all input entries of the log, in order, and nothing else of it.

    An agent breaks it by keeping a history of its own, or by showing states and events.
    """
    for each in _read(trace):
        wanted = _history(each)
        found = [one for one in each.shown[0] if one not in each.event.passed or one in wanted]
        if not trace.same(wanted, found[: len(wanted)]) or len(found) > len(wanted) + _again(each):
            _say(each, wanted, found, "the history is the data of the input entries.")


def _again(deed: Deed) -> int:
    """How many of the live inputs say what the history said already."""
    history = _history(deed)
    return sum(each in history for each in deed.event.passed)


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L10"],
    battery=[program(*_BEGUN, turn("u1", "u2")), program(*LIVE, turn("u1"), turn("u2"))],
    programs=lives,
)
def the_runner_reads_the_live_input_last(trace: Trace) -> None:
    """Behind the history the runner reads the inputs of its turn, in their order.

    An agent breaks it by putting the newest first, or by storing them and reading them back
    from somewhere else.
    """
    for each in _read(trace):
        wanted = list(each.event.passed)
        found: list[object] = each.shown[0][-len(wanted) :] if wanted else []
        if not trace.same(wanted, found):
            _say(each, wanted, each.shown[0], "the live inputs come last, in their order.")


_HIDING = turn("u2", transform=function([put("t1")]))


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L10"],
    battery=[
        program(*_BEGUN, turn("u1"), _HIDING),
        program(*LIVE, turn("u1"), turn("u2", transform=function([]))),
    ],
)
def a_transform_never_touches_live_input(trace: Trace) -> None:
    """Whatever a transform makes of the history, the runner reads the inputs of its turn.

    An agent breaks it by transforming both: a compaction that hides what is old then hides
    the question too.
    """
    for each in turns(trace):
        wanted = list(each.event.passed)
        if each.shown and _transformed(each) is not None and not within(wanted, each.shown[0]):
            _say(each, wanted, each.shown[0], "live input is never transformed.")


def _transformed(deed: Deed) -> list[object] | None:
    """What the transform of a turn leaves of the history; nothing where there is none."""
    transform = deed.arguments.get("transform")
    return None if transform is None else inputs_in(transform["$call"]["answers"] or [])


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-L10"],
    battery=[program(*_BEGUN, turn("u1"), _HIDING)],
)
def the_runner_reads_the_transformed_history(trace: Trace) -> None:
    """Before the live inputs the runner reads what the transforms made of the history.

    An agent breaks it by transforming a copy that nobody reads.
    """
    for each in turns(trace):
        wanted = _transformed(each)
        if wanted is None or not each.shown:
            continue
        found = each.shown[0][: len(each.shown[0]) - len(each.event.passed)]
        if not trace.same(wanted, found):
            _say(each, wanted, found, "the history is read as the transforms made it.")


# --------------------------------------------------------------------- interrupts


_BROKEN_OFF = turn("u1", during=(ask("A", "interrupt"), ask("A", "interrupt")))


@law(
    family="log_agent",
    door="agent",
    acts={"interrupt"},
    source=["AP-L9"],
    battery=[
        program(*LIVE, _BROKEN_OFF, turn("u2")),
        program(*LIVE, turn("u1", during=(ask("A", "interrupt"),)), turn("u2")),
    ],
    programs=lives,
)
def an_interrupt_stores_one_boundary(trace: Trace) -> None:
    """However often a turn is interrupted, one input that says so is stored.

    An agent breaks it by storing one for each press of the key, or none: the model then
    goes on with what it was told to stop.
    """
    for each in turns(trace):
        if any(inside.step.name == "interrupt" for inside in each.inside):
            _judge_boundary(each)


def _judge_boundary(deed: Deed) -> None:
    found = [one for one in inputs_in(deed.added) if is_boundary(one)]
    if len(found) != 1:
        _say(deed, ["one turn_aborted"], found, "an interrupted turn leaves one boundary.")


@law(
    family="log_agent",
    door="agent",
    acts={"interrupt"},
    source=["AP-L9"],
    battery=[program(*LIVE, _BROKEN_OFF, turn("u2"))],
)
def the_boundary_is_a_developers_message(trace: Trace) -> None:
    """The input that an interrupt stores has the role ``developer``.

    An agent breaks it by speaking as the user: the model answers it.
    """
    for each in turns(trace):
        for one in inputs_in(each.added):
            if each.given_up and is_boundary(one) and one.get("role") != "developer":
                _say(each, "developer", one.get("role"), "nobody else says that a turn ended.")


@law(
    family="log_agent",
    door="agent",
    acts={"init"},
    source=["AP-L9"],
    battery=[program(*LIVE, ask("A", "interrupt"), ask("A", "abort"), ask("A", "state"))],
)
def an_interrupt_between_turns_stores_nothing(trace: Trace) -> None:
    """Where no turn is under way there is nothing to interrupt, and nothing is stored.

    An agent breaks it by telling the model of an abort that never was.
    """
    for each in deeds(trace, "interrupt", "abort"):
        if each.ready and each.added:
            _say(each, [], each.added, "without a turn there is nothing to interrupt.")


# --------------------------------------------------------------------- drains


_SENDING = turn("u1", during=(send("u2", "u3"),))


@law(
    family="log_agent",
    door="agent",
    acts={"turn", "send"},
    source=["AP-L11"],
    battery=[program(*LIVE, _SENDING, turn("u4"))],
    programs=lives,
)
def what_is_sent_during_a_turn_is_stored_in_it(trace: Trace) -> None:
    """Inputs that are sent while a turn runs are stored by that turn, once.

    An agent breaks it by looking at its queue before the runner only: the input is lost
    when the turn ends.
    """
    for each in turns(trace):
        added = inputs_in(each.added)
        if each.event.ok and each.sent and not each.given_up and not within(each.sent, added):
            _say(each, each.sent, added, "what was sent during a turn is stored by it.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn", "send"},
    source=["AP-L11"],
    battery=[program(*LIVE, _SENDING, turn("u4"))],
)
def what_is_sent_during_a_turn_gets_its_own_call(trace: Trace) -> None:
    """The runner is called again with what was sent meanwhile, which it reads last.

    An agent breaks it by putting late inputs into the log and never showing them.
    """
    for each in turns(trace):
        if each.event.ok and each.sent and not each.given_up:
            found: list[object] = each.shown[1][-len(each.sent) :] if each.shown[1:] else []
            if not trace.same(each.sent, found):
                _say(each, each.sent, found, "a drain is a call of its own.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn", "send"},
    source=["AP-L11"],
    battery=[program(*LIVE, _SENDING, turn("u4"))],
)
def drained_inputs_follow_the_answer_before_them(trace: Trace) -> None:
    """The log has the first inputs, their answer, then what was sent, and its answer.

    An agent breaks it by collecting all inputs of a turn and storing them before all outputs.
    """
    for each in turns(trace):
        if each.event.ok and each.sent and not each.given_up:
            wanted = [*each.event.passed, *each.answers, *each.sent, *each.answers]
            added = inputs_in(each.added)
            if within(wanted, added) and not trace.same(wanted, added):
                _say(each, wanted, added, "each drain is an append of its own.")


_FAILING_WRITE = (
    *LIVE,
    failing("before-commit", door="store"),
    ask("A", "set_state", {"a": 2}),
    ask("A", "state"),
)


@law(
    family="log_agent",
    door="agent",
    acts={"state"},
    powers={"fail_next"},
    source=["AP-L5"],
    battery=[program(*_FAILING_WRITE)],
)
def a_failed_state_write_is_not_raised(trace: Trace) -> None:
    """A state that can't be stored is logged, and the agent goes on with it.

    An agent breaks it by raising: a full disk ends the turn that only noted something.
    """
    due = False
    for event in trace.events:
        if event.step.do == "fail_next":
            due = event.ok
        elif event.step.do == "ask" and event.outcome != "skipped":
            if due and event.step.name == "set_state" and event.raised:
                broken(
                    event,
                    expected="the state is set",
                    observed=event.text,
                    because="a state that can't be stored is logged, not raised.",
                )
            due = False
