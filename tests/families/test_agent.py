"""The laws of the log profile's agent: none accuses an agent that is right."""

from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import agent_compactions, agent_events, agent_lives, agent_turns
from storelaw.liars import agent_compactions as compaction_liars
from storelaw.liars import agent_turns as turn_liars
from storelaw.liars import liars
from storelaw.liars.agent_turns import LogFailing
from storelaw.liars.honest import HonestStore
from storelaw.liars.log_honest import LogHonest
from storelaw.log_samples import asked, happened, kept, put, said, stored, told
from storelaw.media.log_memory import LogMemoryMedium
from storelaw.medium import Medium
from storelaw.model.agents import carries, deeds, inputs_in, turns, within
from storelaw.player import play
from storelaw.program import (
    Program,
    Step,
    append,
    ask,
    call,
    door,
    function,
    load,
    program,
    reopened,
)
from storelaw.strangers.logs import ExplicitLogs
from storelaw.strategies import agents
from storelaw.strategies.agents import INIT, agent, compacting, filling, send, turn
from storelaw.trace import Event, Trace
from storelaw.trial import breaks, hold
from storelaw_schemas import problems

FAMILIES: list[ModuleType] = [agent_compactions, agent_events, agent_lives, agent_turns]
LAWS = [e for e in registered() if e.judge.__module__ in {each.__name__ for each in FAMILIES}]
BY_NAME = {each.name: each for each in LAWS}
RIGHT: list[type[Medium]] = [LogHonest, LogFailing, LogMemoryMedium]


@pytest.mark.parametrize("medium", RIGHT, ids=[each.manifest.name for each in RIGHT])
def test_no_law_accuses_an_agent_that_is_right(medium: type[Medium]) -> None:
    """All laws are held; those that need a failing store are held where it can fail."""
    outcomes = {each.name: hold(each, medium, "quick").outcome for each in LAWS}
    other = {name for name, outcome in outcomes.items() if outcome != "held"}

    assert other <= {each.name for each in LAWS if each.powers}
    assert other == set() or medium is LogHonest


@pytest.mark.parametrize(
    "medium",
    [
        turn_liars.StoresTheQuestionFirst,
        turn_liars.KeepsTheInputOfAFailure,
        turn_liars.KeepsTheInputOfAnAbort,
        turn_liars.InterruptsNothing,
        compaction_liars.CompactsTwice,
    ],
    ids=lambda each: str(each.__name__),
)
def test_a_liar_with_several_ways_breaks_what_it_names(medium: type[Medium]) -> None:
    """Liars that do right wherever else they come by break no law but those that they name."""
    (liar,) = (each for each in liars() if each.medium is medium)
    broken = {each.name for each in LAWS if breaks(each, medium)}
    assert broken == {liar.breaks, *liar.also}


ODD: list[list[dict[str, Any]] | None] = [
    None,
    [],
    [{}],
    [{"id": "x", "type": "input"}, {"type": "event", "data": 7}],
    [{"type": "compact", "data": None}, {"type": "state", "data": []}],
]


@pytest.mark.parametrize("held", ODD, ids=repr)
@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_judges_are_total(law: Law, held: list[dict[str, Any]] | None) -> None:
    """Odd logs and answers never make a judge fail in itself, whatever it says of them."""
    steps = [step for each in law.battery(LogHonest.manifest) for step in each.steps]
    events = tuple(
        Event(index, each, logs={"s": held}, value=None, passed=tuple(each.expanded()))
        for index, each in enumerate(steps)
        if each.do in ("open_door", "ask")
    )

    with suppress(Broken):
        assert law.judge(Trace(LogHonest.manifest, events)) is None


def _valid(steps: tuple[Step, ...]) -> list[Any]:
    """The inputs of a program that no schema accepts."""
    inputs = [one for each in steps for one in each.expanded()]
    return [one for one in inputs if list(problems("log/input", one))]


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(agents.lives())
def test_a_generated_life_has_valid_inputs(made: Program) -> None:
    """Every input of a generated life fits the schema, and the life begins with an opening."""
    assert _valid(made.steps) == []
    assert made.steps[0].do == "open_door"


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(agents.compactions())
def test_a_generated_compaction_has_valid_inputs(made: Program) -> None:
    """Every input of a generated life with compactions fits the schema."""
    assert _valid(made.steps) == []


@pytest.mark.parametrize(
    "entry",
    [put("a"), put("b", said("x", "assistant")), put("c", asked("1")), put("d", told("1"))],
    ids=lambda each: str(each["id"]),
)
def test_samples_fit_the_schemas(entry: dict[str, Any]) -> None:
    """The small constructors make valid entries."""
    assert list(problems("log/entry", entry)) == []
    for each in (kept("s", a=1), happened("e"), stored("app/x", "x", 1)):
        assert list(problems("log/entry", each)) == []


def test_a_fork_that_writes_into_its_source_breaks_its_law() -> None:
    """The fork itself is judged, and not only what its child does later."""
    law = BY_NAME["a_fork_leaves_its_source_alone"]
    fork = ask("A", "fork", "t", becomes="B", at="t")
    trace = play(program(agent(), INIT, turn("u1"), fork), LogHonest)
    *others, event = trace.events
    logs = {**event.logs, "s": [*(event.logs["s"] or []), put("x")]}

    law.judge(trace)
    with pytest.raises(Broken) as caught:
        law.judge(replace(trace, events=(*others, replace(event, logs=logs))))
    assert caught.value.because == "a fork writes nothing into its source."


# --------------------------------------------------------------------- the model


def _deeds(*steps: Step) -> list[Any]:
    return list(deeds(play(program(*steps), LogHonest), "open_door", "init", "turn", "state"))


def test_the_log_before_a_deed_is_known_from_the_store() -> None:
    """Appends before the opening count; a clear empties; other writes leave it unknown."""
    known = _deeds(append("s", put("i1")), agent())
    cleared = _deeds(append("s", put("i1")), call("clear", "s"), agent())
    unknown = _deeds(append("s", put("i1")), call("pop", "s"), append("s", put("i2")), agent())
    loaded = _deeds(append("s", put("i1")), load("s"), agent())
    again = _deeds(append("s", put("i1")), reopened(), agent())

    assert [len(each.before) for each in (*known, *loaded)] == [1, 1]
    assert [each.before for each in cleared] == [[]]
    assert unknown == again == []


def test_a_skipped_step_is_no_deed() -> None:
    """What was not carried out says nothing."""
    assert _deeds(INIT) == []


def test_what_is_new_in_a_log_is_told_by_id_where_its_start_changed() -> None:
    """A log that lost its beginning still shows which entries were added."""
    (deed,) = _deeds(agent())
    shifted = type(deed)(
        deed.event, "s", {}, [put("a"), put("b")], [put("b"), put("c")], ready=True
    )
    assert shifted.added == [put("c")]


def test_a_turn_tells_its_prompts_apart() -> None:
    """A transform is shown entries first, the summarizer what is left at the end."""
    steps = (
        turn("u1", transform=function([put("t")])),
        filling("u2", transform=function([put("t")])),
    )
    plain, full = turns(play(program(compacting(), INIT, *steps), LogHonest))

    assert [plain.shown, plain.summarized] == [[[put("t")["data"], said("u1")]], []]
    assert len(full.shown) == len(full.summarized) == 1
    assert full.tokens == agents.FULL
    assert plain.tokens == 0


def test_a_turn_without_a_function_has_no_answers() -> None:
    """A program that was reduced too far is no reason to fail."""
    event = Event(0, ask("A", "turn"))
    assert type(_deeds(agent())[0])(event, "s", {}, [], [], ready=True).answers == []


def test_helpers_compare_json() -> None:
    """Values are found in each other as JSON, and counted."""
    assert carries({"a": ['x "y"']}, 'x "y"')
    assert within([1], [2, 1])
    assert not within([1, 1], [1])
    assert inputs_in([put("a"), happened("e")]) == [said("a")]


# --------------------------------------------------------------------- the engine


def test_the_steps_inside_a_function_run_at_its_first_call() -> None:
    """A turn that is sent to from inside ends: its second call runs no steps."""
    *_, event = play(program(agent(), INIT, turn("u1", during=(send("u2"),))), LogHonest).events

    assert event.ok
    assert (len(event.prompts), len(event.nested)) == (2, 1)


def test_an_agent_is_driven_in_json() -> None:
    """Every method of the door works over a handle, and errors have the port's identities."""
    trace = play(
        program(
            agent(),
            INIT,
            turn("u1", during=(send("u2"), ask("A", "abort"), ask("A", "abort"))),
            ask("A", "send", entries=(said("u3"),)),
            ask("A", "interrupt"),
            ask("A", "set_state", {"x": 1}),
            ask("A", "update_state", {"y": 2}),
            ask("A", "restore"),
            ask("A", "state"),
            ask("A", "emit", {"a": 1}, channel="c"),
            ask("A", "emit", 5),
            turn("u4", answer={"outputs": [], "total_tokens": 3}),
            ask("A", "turn", function(), entries=(said("u5"),)),
            ask("A", "fork", "s"),
        ),
        LogHonest,
    )
    outcomes = [(each.step.name, each.error) for each in trace.events if each.raised]

    assert outcomes == [
        ("turn", "Rejected"),
        ("send", "Rejected"),
        ("emit", "Rejected"),
        ("fork", "Rejected"),
    ]
    assert trace.events[8].value == {"x": 1, "y": 2}


def test_an_agent_creates_its_log_where_the_store_wants_that() -> None:
    """A store with explicit creation holds the log of an agent too."""
    events = play(program(agent(), INIT, turn("u1"), ask("A", "reset")), ExplicitLogs).events
    assert [each.outcome for each in events] == ["ok"] * 4


class Damaged(LogHonest):
    """Can't be read."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> Any:
            raise OSError("the disk is gone")


def test_an_agent_passes_on_what_the_store_raises() -> None:
    """An error that is no missing session is not taken for an empty log."""
    events = play(program(door("agent", "A", "s"), INIT), Damaged).events
    assert [(each.outcome, each.text) for each in events][1:] == [
        ("raised", "OSError: the disk is gone")
    ]
