"""Runs: what the model is shown of an ephemeral entry, and how a turn becomes a chain."""

from collections.abc import Iterator
from typing import Any, Final

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.model.acts import Act, acts, answers, lasting, log_of, payloads
from storelaw.model.chains import breaks, parent_of
from storelaw.narrative import Words
from storelaw.program import Draft, act, add, failing, program, run, session
from storelaw.samples import assistant, calls, ephemeral, is_ephemeral, note, result, user
from storelaw.sides import Parent
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry, same

_FIRST: Final = run(user("u"), answer=(assistant("a"),))

#: A turn with two tool calls: six messages, each stored when it is complete.
_TOOLS: Final = run(
    user("v"),
    answer=(calls("b", "c1", "c2"), result("r1", "c1"), result("r2", "c2"), assistant("e")),
)


def _messages(drafts: list[Draft]) -> list[Entry]:
    """The messages of drafts that are messages."""
    return [each.entry["message"] for each in drafts if "message" in each.entry]


def _place(prompt: list[Entry], message: Entry) -> int | None:
    return next((place for place, each in enumerate(prompt) if same(each, message)), None)


def _runs(trace: Trace) -> Iterator[Act]:
    return acts(trace, "run")


# ------------------------------------------------------------- what the model sees


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-E4", "PI-V3"],
    incidents=["F40"],
    battery=[program(session("s"), _FIRST, run(ephemeral("r"), user("v"), ephemeral("q")))],
)
def the_model_reads_an_ephemeral_entry_in_its_run(trace: Trace) -> None:
    """The model is shown each ephemeral entry of a run's input.

    A session breaks it by building the prompt from what it has stored.
    """
    for event in trace.of("run"):
        for prompt in event.prompts[:1]:
            for message in _messages(event.step.drafts()):
                if message.get("injected") == "ephemeral" and _place(prompt, message) is None:
                    broken(
                        event,
                        expected=message,
                        observed=prompt,
                        because="the model reads an ephemeral entry in the run that it is given to.",
                    )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-E4", "PI-V4"],
    battery=[
        program(session("s"), _FIRST, run(ephemeral("r"), user("v"))),
        program(session("s"), _FIRST, run(user("v"), ephemeral("r"))),
        program(session("s"), _FIRST, run(user("v"), ephemeral("r"), user("w"))),
    ],
)
def the_model_reads_an_input_in_the_order_it_is_given(trace: Trace) -> None:
    """A run's input reaches the model in the caller's order, an ephemeral entry in its place.

    A session breaks it by putting reminders always first, or always last.
    """
    for event in trace.of("run"):
        for prompt in event.prompts[:1]:
            given = _messages(event.step.drafts())
            found = [(_place(prompt, each), each) for each in given]
            places = [place for place, _ in found if place is not None]
            if places != sorted(places):
                broken(
                    event,
                    expected=given,
                    observed=prompt[min(places) :],
                    because="entries reach the model in the order the caller passes them.",
                )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-E4", "PI-E5"],
    incidents=["F40"],
    battery=[
        program(
            session("s"),
            run(ephemeral("r"), user("u"), answer=(assistant("a"),)),
            run(user("v")),
        ),
        program(session("s"), add(user("u"), ephemeral("r")), run(user("v"))),
    ],
)
def the_model_reads_an_ephemeral_entry_in_one_run_only(trace: Trace) -> None:
    """No later prompt holds the ephemeral entry of an earlier call.

    A session breaks it by building prompts from all that it holds: yesterday's list of files
    is read as today's.
    """
    past: list[Entry] = []
    for event in trace.of("run", "add"):
        own = _messages(event.step.drafts())
        for prompt in event.prompts[:1]:
            for message in past:
                if _place(prompt, message) is not None and _place(own, message) is None:
                    broken(
                        event,
                        expected=Words("no ephemeral entry of an earlier call"),
                        observed=message,
                        because="the model reads an ephemeral entry for one run.",
                    )
        fresh = [*own, *_messages(list(answers(event)))]
        past += [each for each in fresh if each.get("injected") == "ephemeral"]


# --------------------------------------------------------------- input and answers


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-E8"],
    battery=[program(session("s"), _FIRST, run(ephemeral("r"), answer=(assistant("b"),)))],
)
def a_run_of_only_ephemeral_input_runs(trace: Trace) -> None:
    """A run whose input is ephemeral asks the model, and stores its answer.

    A session breaks it by taking an input that leaves nothing in the store for an empty one.
    """
    for each in _runs(trace):
        drafts = [draft.entry for draft in each.event.step.drafts()]
        if drafts and not lasting(drafts) and not each.event["fails"] and each.event.raised:
            broken(
                each.event,
                expected=Words("a run"),
                observed=Words("a refusal"),
                because="a run with only ephemeral input runs.",
            )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-A10", "PI-A5"],
    incidents=["F29"],
    battery=[
        program(session("s"), run(user("u"), answer=(assistant("a"), assistant("b")))),
        program(session("s"), _FIRST, _TOOLS),
    ],
)
def a_run_is_one_chain(trace: Trace) -> None:
    """The durable input of a run and each of its answers hang off one another, from the leaf on.

    A session breaks it by hanging all answers off the input: of two parallel results only the
    last is then on the path.
    """
    for each in _runs(trace):
        if each.leaf is None or any(nested.ok for nested in each.event.nested):
            continue
        for entry, parent in list(breaks(lasting(each.fresh), each.leaf))[:1]:
            broken(
                each.event,
                expected=Parent(parent, entry),
                observed=Parent(parent_of(entry), entry),
                because="what a run stores is one chain from the leaf on.",
            )


@law(
    family="chain",
    door="session",
    requirement="MAY",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-A11"],
    incidents=["F38"],
    battery=[program(session("s"), _FIRST, run(answer=(assistant("b"),)))],
)
def a_run_without_input_goes_on_from_the_leaf(trace: Trace) -> None:
    """A run with no entries stores its answers and nothing else.

    A session breaks it by putting an empty user message there, so that there is an input.
    """
    for each in _runs(trace):
        expected = [draft.entry for draft in answers(each.event)]
        if each.event.step.entries or each.event["fails"] or not each.event.ok:
            continue
        if not trace.same(payloads(lasting(expected)), payloads(lasting(each.fresh))):
            broken(
                each.event,
                expected=payloads(lasting(expected)),
                observed=payloads(lasting(each.fresh)),
                because="a run without input stores no input.",
            )


def _looks(*drafts: Draft, answer: tuple[Draft, ...] = (assistant("a"),)) -> Any:
    """A run during which the stored log is looked at."""
    return run(*drafts, answer=answer, during=(act("leaf"),))


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-A9"],
    incidents=["F22"],
    battery=[program(session("s"), _looks(user("u"), ephemeral("r"), note("n")))],
)
def input_is_stored_before_the_model_runs(trace: Trace) -> None:
    """While the model runs, the durable input of the run is in the store already.

    A session breaks it by writing a turn when it is over: a crash in the middle loses what
    the user said.
    """
    for event in trace.of("run"):
        for nested in event.nested[:1]:
            seen = [each for key in nested.logs for each in log_of(nested, key)]
            for draft in event.step.drafts():
                if not is_ephemeral(draft.entry) and not _held(seen, draft):
                    broken(
                        event,
                        expected=draft.entry,
                        observed=seen,
                        because="input is stored before the model runs.",
                    )


def _held(entries: list[Entry], draft: Draft) -> bool:
    return any(same(payload(each), payload(draft.entry)) for each in entries)


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-A9"],
    incidents=["F22", "F37"],
    battery=[
        program(session("s"), add(user("t")), run(user("u"), fails=True)),
        program(session("s"), add(user("t")), run(ephemeral("r"), user("u"), fails=True)),
    ],
)
def a_model_that_fails_leaves_exactly_the_input(trace: Trace) -> None:
    """When the model fails without an answer, the run has stored its durable input.

    A session breaks it by taking the input back, which the user then has to type again, or by
    storing an answer that says that there is none.
    """
    for each in _runs(trace):
        if not each.event["fails"] or answers(each.event) or not each.event.raised:
            continue
        expected = lasting([draft.entry for draft in each.event.step.drafts()])
        if each.event.prompts and not trace.same(payloads(expected), payloads(lasting(each.fresh))):
            broken(
                each.event,
                expected=payloads(expected),
                observed=payloads(lasting(each.fresh)),
                because="if the model fails, exactly the input stays.",
            )


@law(
    family="chain",
    door="session",
    acts={"run", "fail_next"},
    applies=carries_sessions,
    source=["PI-A10"],
    incidents=["F22"],
    battery=[
        program(
            session("s"),
            _FIRST,
            run(
                user("v"),
                answer=(assistant("b"), assistant("e")),
                during=(failing("after-commit"),),
            ),
        )
    ],
)
def each_answer_is_stored_by_an_append_of_its_own(trace: Trace) -> None:
    """Every message of the model is stored when it is complete.

    A session breaks it by collecting the answers of a turn: when the process ends between a
    call and its result, the call is lost with it.
    """
    for each in _runs(trace):
        points = [nested["point"] for nested in each.event.nested if nested.step.do == "fail_next"]
        told = [draft for draft in answers(each.event) if not is_ephemeral(draft.entry)]
        stored = [draft for draft in told if _held(each.fresh, draft)]
        if points == ["after-commit"] and each.event.raised and len(stored) > 1:
            broken(
                each.event,
                expected=Words("one answer, stored by the append after which the store failed"),
                observed=payloads(lasting(each.fresh)),
                because="each message of the model is stored by an append of its own.",
            )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-N3"],
    incidents=["F28"],
    battery=[
        program(
            session("s"),
            run(
                user("u"),
                answer=(assistant("a"),),
                during=(run(user("v"), answer=(assistant("b"),)),),
            ),
        )
    ],
)
def a_run_inside_a_run_is_refused(trace: Trace) -> None:
    """While a session runs, a second run of it is refused and stores nothing.

    A session breaks it by letting both go on: their entries interleave, and each chains to
    the other's.
    """
    for event in trace.of("run"):
        for nested in event.nested:
            if nested.step.do != "run" or nested.step.on != event.step.on:
                continue
            seen = [each for key in nested.logs for each in log_of(nested, key)]
            intruding = [*nested.step.drafts(), *answers(nested)]
            if nested.ok or any(_held(seen, draft) for draft in intruding):
                broken(
                    event,
                    expected=Words("a refusal of the second run, with nothing stored"),
                    observed=payloads(seen),
                    because="one run at a time: the second is refused and stores nothing.",
                )


@law(
    family="chain",
    door="session",
    acts={"fail_next"},
    applies=carries_sessions,
    source=["PI-X2"],
    incidents=["F20"],
    battery=[
        program(
            session("s"),
            _FIRST,
            run(user("v"), answer=(assistant("b"),), during=(failing("before-commit"),)),
        ),
        program(session("s"), _FIRST, failing("before-commit"), run(user("v"))),
    ],
)
def a_failed_write_fails_the_run(trace: Trace) -> None:
    """A run in which the store refuses a message does not end well.

    A session breaks it by logging the error and giving a receipt: the entry is gone at the
    next resume.
    """
    for event in trace.of("run"):
        if event.ok and _failed_inside(trace, event):
            broken(
                event,
                expected=Words("an error of the run"),
                observed=event.value,
                because="a run fails when a write of it fails.",
            )


def _failed_inside(trace: Trace, event: Event) -> bool:
    """Whether a write that a run must make was made to fail."""
    inside = any(each.step.do == "fail_next" and each.ok for each in event.nested)
    ahead = [each for each in trace.events if each.index == event.index - 1]
    armed = bool(ahead) and ahead[0].step.do == "fail_next" and ahead[0].ok
    answered = lasting([each.entry for each in answers(event)])
    given = lasting([each.entry for each in event.step.drafts()])
    return (inside and bool(answered)) or (armed and bool(given or answered))
