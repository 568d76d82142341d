"""Programs of an agent's life: openings, turns, states, resets; steps and generated ones."""

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.log_samples import asked, said, told
from storelaw.program import Program, Step, ask, door, function, program, reopened
from storelaw.values import Entry

SEED: Final = said("seed", "system")
STATE: Final[dict[str, Any]] = {"a": 1, "b": {"c": 2}}

#: Compacts from 90 tokens on and keeps the last input word for word.
COMPACTOR: Final[dict[str, Any]] = {"preserve": 1, "context_length": 100, "threshold": 0.9}
FULL: Final = 90

INIT: Final = ask("A", "init")


def agent(label: str = "A", key: str = "s", **named: Any) -> Step:
    """An agent with an initial input and state."""
    beginning: dict[str, Any] = {"initial_input": [SEED], "initial_state": STATE}
    return door("agent", label, key, **{**beginning, **named})


def compacting(label: str = "A", key: str = "s", ref: str | None = None, **settings: Any) -> Step:
    """An agent without initial input that compacts, over a session where a ref is named."""
    over: dict[str, Any] = {} if ref is None else {"default_ref": ref}
    return door("agent", label, key, compactor={**COMPACTOR, **settings}, **over)


def turn(*texts: str | Entry, answer: Any = None, on: str = "A", **more: Any) -> Step:
    """A turn with these inputs; texts are a user's."""
    inputs = tuple(said(each) if isinstance(each, str) else each for each in texts)
    answers = [said(f"re {texts[0]}", "assistant")] if answer is None else answer
    fails = more.pop("fails", False)
    return ask(on, "turn", function(answers, fails=fails), entries=inputs, **more)


def filling(*texts: str | Entry, summary: Any = "sum", on: str = "A", **more: Any) -> Step:
    """A turn that fills the context, with what its summarizer answers."""
    outputs = more.pop("outputs", [said(f"re {texts[0]}", "assistant")])
    answer = {"outputs": outputs, "total_tokens": more.pop("tokens", FULL)}
    summarize = function(summary, fails=summary is None)
    return turn(*texts, answer=answer, on=on, summarize=summarize, **more)


def send(*texts: str) -> Step:
    """Inputs sent into the turn under way."""
    return ask("A", "send", entries=tuple(map(said, texts)))


_CHANGES: Final[tuple[dict[str, Any], ...]] = ({"a": 2}, {"d": [1]}, {"b": {"e": 1}})

_ACTS: Final = (
    "turn",
    "turn",
    "fails",
    "aborts",
    "interrupts",
    "sends",
    "state",
    "emit",
    "reset",
    "again",
)


def lives() -> SearchStrategy[Program]:
    """An agent's life: turns of every kind, states, events, resets, a new object on the log."""
    acts: SearchStrategy[list[str]] = st.lists(st.sampled_from(_ACTS), min_size=2, max_size=8)
    return acts.map(_lived)


def _lived(acts: Sequence[str]) -> Program:
    steps = [step for number, act in enumerate(acts) for step in _acted(act, f"u{number}")]
    return program(agent(), INIT, *steps, turn("last"), ask("A", "state"))


def _acted(act: str, text: str) -> tuple[Step, ...]:
    match act:
        case "fails":
            return (turn(text, fails=True),)
        case "aborts":
            return (turn(text, during=(ask("A", "abort"),)),)
        case "interrupts":
            return (turn(text, during=(ask("A", "interrupt"), ask("A", "interrupt"))),)
        case "sends":
            return (turn(text, during=(send(f"{text}+"),)),)
        case "state":
            return (ask("A", "update_state", _CHANGES[int(text[1:]) % 3]),)
        case "emit":
            return (ask("A", "emit", {"type": text}),)
        case "reset":
            return (ask("A", "reset"),)
        case "again":
            return (reopened(), agent(), INIT)
        case _:
            return (turn(text),)


_SUMMARIES: Final = ("sum 1", "sum 2", "", None)


def compactions() -> SearchStrategy[Program]:
    """Turns of which some fill the context, with pairs of calls and outputs between."""
    parts: SearchStrategy[tuple[str, bool]] = st.tuples(
        st.sampled_from(("plain", "pair", "call", "full", "fails")), st.booleans()
    )
    keeps: SearchStrategy[int] = st.integers(0, 3)
    return st.builds(_compacted, keeps, st.lists(parts, min_size=2, max_size=7))


def _compacted(keep: int, parts: Sequence[tuple[str, bool]]) -> Program:
    steps = [_part(number, *each) for number, each in enumerate(parts)]
    return program(compacting(preserve=keep), INIT, *steps, turn("last"))


def _part(number: int, kind: str, full: bool) -> Step:
    text, call = f"u{number}", f"c{number}"
    outputs = {"pair": [asked(call), told(call)], "call": [asked(call)]}.get(
        kind, [said(f"re {text}", "assistant")]
    )
    if kind == "fails":
        return turn(text, fails=True)
    if kind != "full" and not full:
        return turn(text, answer=outputs)
    return filling(text, outputs=outputs, summary=_SUMMARIES[number % 4])
