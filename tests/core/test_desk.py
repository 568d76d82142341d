"""The doors beside the store: how they are opened, asked, and noted."""

from dataclasses import replace
from typing import Any

import pytest

from storelaw import profiles
from storelaw.errors import MediumFault
from storelaw.narrative import program_lines
from storelaw.player import play
from storelaw.program import (
    Program,
    answer_of,
    append,
    ask,
    closed,
    door,
    function,
    opened,
    program,
)
from storelaw.samples import custom
from storelaw.trace import Trace

from .counters import PROFILE, CounterMedium, DoubleCounter

A, B = custom("a"), custom("b")


@pytest.fixture(autouse=True)
def medium(monkeypatch: pytest.MonkeyPatch) -> type[CounterMedium]:
    """A medium class of the tiny profile, known for one test."""
    monkeypatch.setitem(profiles._PROFILES, PROFILE.name, PROFILE)
    doors = frozenset({"store", "shown"})
    manifest = replace(CounterMedium.manifest, profile=PROFILE.name, doors=doors)
    monkeypatch.setattr(CounterMedium, "manifest", manifest)
    return CounterMedium


def values(trace: Trace) -> list[Any]:
    """The answers of a trace's questions."""
    return [event.value for event in trace.of("ask")]


def outcomes(trace: Trace) -> list[str]:
    """How each step ended."""
    return [event.outcome for event in trace.events]


def test_the_default_engine_is_put_over_the_handle(medium: type[CounterMedium]) -> None:
    """It gets the named arguments, and the events show what the store holds after each step."""
    trace = play(
        program(
            door("counter", "C", "s", start=5),
            ask("C", "count", entries=(A, B)),
            ask("C", "one", entries=(custom("c"),), one=True),
        ),
        medium,
    )
    assert values(trace) == [7, 8]
    assert [len(each.logs["s"] or []) for each in trace.events] == [0, 2, 3]
    assert trace.events[1].passed == (A, B)
    assert [each.step.name for each in trace.events] == ["open_door", "count", "one"]


def test_a_medium_can_vary_the_engine(
    medium: type[CounterMedium], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class it names for a door takes the place of the engine's."""
    monkeypatch.setattr(medium, "variants", {"counter": DoubleCounter}, raising=False)
    trace = play(program(door("counter", "C"), ask("C", "count", entries=(A,))), medium)
    assert values(trace) == [2]


def test_a_medium_can_bring_the_door(
    medium: type[CounterMedium], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own open method comes first, sync or async, and knows the key."""

    async def open_counter(self: Any, handle: Any, key: Any, **named: Any) -> Any:
        class Own:
            def count(self) -> Any:
                return [key, named]

        return Own()

    monkeypatch.setattr(medium, "open_counter", open_counter, raising=False)
    trace = play(program(door("counter", "C", "s", start=1), ask("C", "count")), medium)
    assert values(trace) == [["s", {"start": 1}]]


def test_a_view_door_is_the_medium_itself(medium: type[CounterMedium]) -> None:
    """Its methods are asked on the medium; a door that nobody brings is absent."""
    trace = play(
        program(
            door("shown", "V"),
            ask("V", "shown", [1, 2]),
            door("hidden", "H"),
            door("nowhere", "N"),
            ask("H", "anything"),
            ask("V", "unknown"),
        ),
        medium,
    )
    assert values(trace)[0] == 3
    assert outcomes(trace) == ["ok", "ok", "skipped", "skipped", "skipped", "skipped"]


def test_functions_are_shown_to_and_answer(medium: type[CounterMedium]) -> None:
    """What they were shown is noted; steps run inside them; they may fail."""
    trace = play(
        program(
            door("counter", "C"),
            ask("C", "count", entries=(A,)),
            ask(
                "C",
                "told",
                function({"x": 1}),
                during=(append("s", B), ask("C", "echo", 1)),
                twice=True,
            ),
            ask("C", "told", function(fails=True)),
            ask("C", "told_later", function(3)),
        ),
        medium,
    )
    told, failed, later = trace.events[2:]
    assert told.value == [{"x": 1}, True]
    assert told.prompts == ([A],)
    assert [each.step.name for each in told.nested] == ["append", "echo"]
    assert len(told.logs["s"] or []) == 2
    assert failed.raised
    assert later.value == 3
    prompts: list[object] = list(later.prompts)
    assert prompts == [[1, 2]]


def test_answers_stand_in_for_values(medium: type[CounterMedium]) -> None:
    """By name and path; a step whose answer is missing is left out."""
    trace = play(
        program(
            door("counter", "C"),
            ask("C", "echo", {"ids": ["x", {"y": None}]}, save="r"),
            ask("C", "echo", [answer_of("r", "ids", 0), {"in": answer_of("r", "ids")}]),
            ask("C", "echo", answer_of("r", "ids", 9)),
            ask("C", "echo", answer_of("nobody")),
        ),
        medium,
    )
    assert values(trace)[1] == ["x", {"in": ["x", {"y": None}]}]
    assert outcomes(trace)[3:] == ["skipped", "skipped"]


def test_an_object_can_be_kept_under_a_label(medium: type[CounterMedium]) -> None:
    """With a key of its own, whose log is then looked at too, or without one."""
    trace = play(
        program(
            door("counter", "C"),
            ask("C", "child", becomes="D", at="t"),
            ask("D", "echo", 1),
            ask("C", "child", becomes="E"),
            ask("E", "echo", 2),
        ),
        medium,
    )
    assert [each for each in values(trace) if each] == [1, 2]
    assert set(trace.events[-1].logs) == {"s", "t"}


def test_refusals_and_closed_handles_are_noted(medium: type[CounterMedium]) -> None:
    """An error keeps its identity; a log behind a closed handle can't be looked at."""
    trace = play(
        program(
            door("counter", "C"),
            ask("C", "refuse"),
            closed(),
            ask("C", "echo", 1),
            door("counter", "D", on=7),
        ),
        medium,
    )
    assert trace.events[1].error == "Rejected"
    assert trace.events[3].logs["s"] is None
    assert outcomes(trace)[-1] == "skipped"


def test_a_log_that_cannot_be_read_is_nothing(
    medium: type[CounterMedium], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking never ends a run, unless the fault is the kit's own."""

    def raw(*_: Any) -> Any:
        raise RuntimeError

    monkeypatch.setitem(profiles._PROFILES, PROFILE.name, replace(PROFILE, raw=raw))
    trace = play(program(door("counter", "C"), ask("C", "echo", 1)), medium)
    assert trace.events[1].logs == {"s": None}
    monkeypatch.setitem(profiles._PROFILES, PROFILE.name, replace(PROFILE, raw=lambda *_: None))
    trace = play(program(door("counter", "C"), ask("C", "echo", 1)), medium)
    assert trace.events[1].logs == {"s": None}


def test_doors_on_further_handles(medium: type[CounterMedium]) -> None:
    """A door is opened over the handle that it names."""
    trace = play(program(opened(1), door("counter", "C", on=1), ask("C", "echo", 1)), medium)
    assert values(trace) == [1]


def test_the_program_is_data_and_text() -> None:
    """Everything that a question says survives JSON and is told."""
    asked = program(
        door("counter", "C", "s", start=5),
        door("counter", "D", "t", on=1),
        ask("C", "count", entries=(A, B), save="n"),
        ask("C", "one", entries=(A,), one=True),
        ask("C", "echo", answer_of("n", "x", 0), twice=True),
        ask("C", "told", function({"x": 1}), during=(append("s", B),)),
        ask("C", "told", function(fails=True)),
        ask("C", "child", becomes="E", at="t"),
    )
    assert Program.of(asked.data()).data() == asked.data()
    assert [each.split("  #")[0] for each in program_lines(asked)] == [
        "store = medium.open()",
        'C = open_counter(store, "s", start=5)',
        'D = open_counter(store1, "t")',
        "n = C.count([a, b])",
        "C.one(a)",
        'C.echo(n["x"][0], twice=true)',
        'C.told(<a function: meanwhile store.append("s", [b]), then answer {"x": 1}>)',
        "C.told(<a function: fail>)",
        "E = C.child()",
    ]


def test_a_fault_of_the_kit_is_not_taken_for_an_unreadable_log(
    medium: type[CounterMedium], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the kit itself raises while it looks ends the run."""

    def raw(*_: Any) -> Any:
        raise MediumFault("medium: gone")

    monkeypatch.setitem(profiles._PROFILES, PROFILE.name, replace(PROFILE, raw=raw))
    with pytest.raises(MediumFault, match="gone"):
        play(program(door("counter", "C")), medium)
