"""The four kinds of input of a run: what the model reads of them, the store keeps, a reader sees.

====================  ==========  ============  =============
kind                  the model   the store     a reader
====================  ==========  ============  =============
ordinary message      reads it    keeps it      sees it
meta message          reads it    keeps it      does not
ephemeral message     for one run does not      does not
custom entry          does not    keeps it      sees it
====================  ==========  ============  =============
"""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import Act, acts, holds
from storelaw.model.blocks import has_block, without
from storelaw.model.chains import name_of, path
from storelaw.model.projections import transcript_view
from storelaw.model.prompts import Prompt, prompts
from storelaw.model.sights import ids, in_order, missing, places
from storelaw.program import Program, act, program, run, session
from storelaw.samples import (
    assistant,
    calls,
    ephemeral,
    injected,
    is_ephemeral,
    meta,
    note,
    result,
    user,
)
from storelaw.trace import Trace, payload
from storelaw.values import Entry, is_array, is_object, same

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

KINDS: Final = (user("u"), meta("m"), ephemeral("r"), note("n", title="note n"))
SUBSETS: Final = [each for size in (1, 2, 3, 4) for each in combinations(KINDS, size)]
ANSWER: Final = (assistant("a"),)


def _table(*after: Any) -> list[Program]:
    """A program for each subset of the four kinds, in one run, with further steps behind."""
    return [program(session("s"), run(*each, answer=ANSWER), *after) for each in SUBSETS]


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Sessions of several runs with all kinds of input, branches and restarts."""
    from storelaw.strategies.paths import conversations

    return conversations()


def _broken(prompt: Prompt, because: str) -> None:
    broken(prompt.act.event, expected=prompt.expected, observed=prompt.shown, because=because)


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V3", "PI-E4"],
    battery=_table(),
    programs=generated,
)
def the_model_reads_all_messages_of_its_input(trace: Trace) -> None:
    """Ordinary, meta and ephemeral messages of a run's input are all shown to its model.

    A session breaks it by one flag that drives two answers: what is not stored, or not
    shown to readers, is then not sent either.
    """
    for prompt in prompts(trace):
        if missing(trace, prompt.given, prompt.shown):
            _broken(prompt, "whether the store keeps a message is another question.")


def _titles(each: Act) -> list[str]:
    entries = [*each.after, *(draft.entry for draft in each.event.step.drafts())]
    titles = [one.get("title") for one in entries if one.get("type") == "custom"]
    return [one for one in titles if isinstance(one, str) and one]


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V1", "PI-V3"],
    battery=[
        program(session("s"), run(user("u"), KINDS[3], answer=ANSWER)),
        program(
            session("s"), run(KINDS[3], answer=ANSWER), run(user("v"), answer=(assistant("b"),))
        ),
    ],
)
def custom_entries_are_never_sent_to_the_model(trace: Trace) -> None:
    """Nothing of a custom entry is in what a model is shown: not in its run, not in a later one.

    A session breaks it by sending every entry of the input, or of the path, in some form.
    """
    for prompt in prompts(trace):
        titles = [each for each in _titles(prompt.act) if each not in str(prompt.expected)]
        if any(each in str(prompt.shown) for each in titles):
            _broken(prompt, "a custom entry is the application's own and never sent.")


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V3", "PI-A9"],
    incidents=["F22"],
    battery=_table(),
    programs=generated,
)
def the_store_keeps_all_input_that_is_not_ephemeral(trace: Trace) -> None:
    """Ordinary and meta messages and custom entries of a run's input are in the stored log.

    A session breaks it by keeping in memory what readers or the model don't see: it is there
    until the restart.
    """
    for each in acts(trace, "run"):
        given = [draft.entry for draft in each.event.step.drafts()]
        lost = [e for e in given if not is_ephemeral(e) and not holds(each.fresh, e)]
        if each.event.ok and lost:
            broken(
                each.event,
                expected=[e for e in given if not is_ephemeral(e)],
                observed=[payload(e) for e in each.fresh],
                because="only ephemeral input is kept out of the store.",
            )


def _readings(trace: Trace) -> Iterator[tuple[Act, list[Entry], list[Any]]]:
    """Each transcript of a session, with the path that it was asked of."""
    for each in acts(trace, "transcript"):
        if each.event.ok and is_array(each.event.value) and each.leaf is not None:
            yield each, path(each.before, each.leaf), each.event.value


@law(
    family="views",
    door="session",
    acts={"run", "transcript"},
    applies=carries_sessions,
    source=["PI-V2", "PI-V3"],
    battery=_table(act("transcript")),
    programs=generated,
)
def a_reader_sees_all_input_that_was_not_injected(trace: Trace) -> None:
    """Ordinary messages and custom entries of the active path are in a session's transcript.

    A session breaks it by showing its reader what the model reads.
    """
    for each, entries, shown in _readings(trace):
        expected = transcript_view(entries)
        if missing(trace, ids(expected), ids(shown)):
            broken(
                each.event,
                expected=ids(expected),
                observed=ids(shown),
                because="what nobody injected is for readers, custom entries included.",
            )


@law(
    family="views",
    door="session",
    acts={"run", "transcript"},
    applies=carries_sessions,
    source=["PI-V2", "PI-V3", "PI-E5"],
    incidents=["F40"],
    battery=_table(act("transcript")),
    programs=generated,
)
def a_reader_sees_no_injected_input(trace: Trace) -> None:
    """Neither meta nor ephemeral messages are in a session's transcript.

    A session breaks it by making its transcript of all that it holds in memory.
    """
    for each, entries, shown in _readings(trace):
        hidden = [name_of(one) for one in entries if injected(one) is not None]
        if any(injected(e) is not None or name_of(e) in hidden for e in shown if is_object(e)):
            broken(
                each.event,
                expected=ids(transcript_view(entries)),
                observed=ids(shown),
                because="injected context is for the model, and noise to a reader.",
            )


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V4", "PI-E4"],
    battery=[
        program(session("s"), run(*order, answer=ANSWER))
        for order in (
            (ephemeral("r"), user("u")),
            (user("u"), ephemeral("r")),
            (user("u"), meta("m"), user("v")),
            (meta("m"), ephemeral("r"), meta("o"), user("u")),
        )
    ],
)
def input_reaches_the_model_in_the_order_given(trace: Trace) -> None:
    """The messages of a run's input are shown to its model in the order of the call.

    A session breaks it by putting reminders first, or stored input before ephemeral input.
    """
    for prompt in prompts(trace):
        if not in_order(trace, prompt.given, prompt.shown):
            _broken(prompt, "a reminder written before the message arrives before it.")


_TWO_RUNS: Final = program(
    session("s"),
    run(user("u1"), answer=(assistant("a1"),)),
    run(user("u2"), answer=(assistant("a2"),)),
)


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V5"],
    battery=[_TWO_RUNS],
)
def history_comes_before_the_input(trace: Trace) -> None:
    """What preceded a run is shown to its model before the input of the run.

    A session breaks it by building the request the other way round.
    """
    for prompt in prompts(trace):
        among = places(trace, prompt.expected, prompt.shown)
        earlier = [at for at in among[: len(prompt.history)] if at is not None]
        later = [at for at in among[len(prompt.history) :] if at is not None]
        if earlier and later and max(earlier) > min(later):
            _broken(prompt, "the history holds what preceded; the input follows.")


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V5"],
    incidents=["F14"],
    battery=[program(session("s"), run(user("u"), answer=ANSWER)), _TWO_RUNS],
)
def no_input_is_sent_twice(trace: Trace) -> None:
    """Each message of a run's input is shown to its model once.

    A session breaks it by reading the history after the input was stored, and adding the
    input once more.
    """
    for prompt in prompts(trace):
        for each in prompt.given:
            wanted, seen = (_count(trace, each, among) for among in (prompt.expected, prompt.shown))
            if seen > wanted:
                _broken(prompt, "history holds only what preceded the turn.")


def _count(trace: Trace, message: Entry, among: list[Any]) -> int:
    return sum(trace.same(message, each) for each in among)


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V5", "PI-V1"],
    battery=[_TWO_RUNS],
)
def the_model_reads_what_preceded_its_run(trace: Trace) -> None:
    """All messages of the active path are shown to the model of the next run.

    A session breaks it by sending the new input alone, or a window of the history.
    """
    for prompt in prompts(trace):
        if missing(trace, prompt.history, prompt.shown):
            _broken(prompt, "the model reads the whole history of the path.")


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V3", "PI-E4", "PI-E5"],
    incidents=["F40"],
    battery=[
        program(
            session("s"),
            run(ephemeral("r"), user("u1"), answer=(assistant("a1"),)),
            run(user("u2"), answer=(assistant("a2"),)),
            act("messages"),
        )
    ],
)
def ephemeral_input_is_read_in_one_run_only(trace: Trace) -> None:
    """An ephemeral message is shown to the model of its run, and to no later one.

    A session breaks it by keeping its history in a list of its own: text that was true for
    one run is then replayed in all that follow.
    """
    past: list[Entry] = []
    for event in trace.of("run", "messages"):
        given = [draft.entry for draft in event.step.drafts()]
        shown = event.prompts[0] if event.prompts else event.value
        old = [
            e for e in past if not any(same(e, each["message"]) for each in given if _says(each))
        ]
        for each in shown if is_array(shown) else []:
            if any(trace.same(each, one) for one in old):
                broken(
                    event,
                    expected="a request without the ephemeral message of an earlier run",
                    observed=shown,
                    because="an ephemeral message is shown for one run.",
                )
        past += [each["message"] for each in given if is_ephemeral(each)]


def _says(entry: Entry) -> bool:
    return entry.get("type") == "message"


_REMINDED: Final = result("r", "c1", "ok", {"type": "reminder", "text": "the file changed"})


@law(
    family="views",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-V6"],
    battery=[
        program(
            session("s"),
            run(user("u1"), answer=(calls("k", "c1"), _REMINDED, assistant("a1"))),
            run(user("u2"), answer=(assistant("a2"),)),
        )
    ],
)
def a_reminder_inside_a_tool_result_reaches_the_model(trace: Trace) -> None:
    """A reminder block in a stored tool result is shown to the model of the next run.

    A session breaks it by keeping the text of results only.
    """
    for prompt in prompts(trace):
        shown = [without(each, "reminder") for each in prompt.shown]
        for each in missing(trace, prompt.history, prompt.shown):
            if has_block(each, "reminder") and not missing(
                trace, [without(each, "reminder")], shown
            ):
                _broken(prompt, "the result is for the reader, the reminder in it for the model.")
