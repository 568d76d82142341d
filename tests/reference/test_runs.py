"""Runs: what a model is shown, what is stored, and what is receipted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import pytest

from storelaw_reference.transcript import (
    CustomEntry,
    Entry,
    Event,
    Message,
    Model,
    Rejected,
    Session,
    Text,
    ToolCall,
    ephemeral,
    meta,
    text,
    text_of,
)

Open = Callable[..., Session]


class Script:
    """A model that records its prompts and answers from a list."""

    def __init__(self, *answers: Message | Exception) -> None:
        self.answers = answers or (say("a"),)
        self.prompts: list[list[str]] = []

    def __call__(self, messages: list[Message]) -> Iterator[Message]:
        self.prompts.append([text_of(message) for message in messages])
        for answer in self.answers:
            if isinstance(answer, Exception):
                raise answer
            yield answer


def say(words: str, **members: Any) -> Message:
    """Return an assistant message."""
    return Message("assistant", (Text(words),), **members)


CALL = Message("assistant", (ToolCall("c1", "f", {"a": 1}),))
RESULT = Message("tool_result", (Text("r"),), tool_call_id="c1", tool_name="f")


def log(store: Any) -> list[str]:
    """Return ids and parents of the stored log as `id<parent`."""
    return [f"{json['id']}<{json.get('parent_id', '')}" for json in store.load("s")]


def test_a_tool_turn_is_one_chain_with_one_append_for_each_message(
    opened: Open, store: Any
) -> None:
    """User, call, result and answer are stored as they come (PI-A10, PI-X1)."""
    session = opened()
    receipts = session.run([text("go")], Script(CALL, RESULT, say("done")))
    assert log(store) == ["e1<", "e2<e1", "e3<e2", "e4<e3"]
    assert store.calls.count("append") == 4
    assert [receipt.leaf for receipt in receipts] == ["e1", "e2", "e3", "e4"]
    assert [entry for receipt in receipts for entry in receipt.entries] == session.entries()


def test_the_four_kinds_of_input(opened: Open, store: Any) -> None:
    """Each kind answers model, store and transcript its own way (PI-V3, PI-V4)."""
    session, model = opened(), Script()
    drafts: list[Entry] = [text("u"), meta(text("m")), ephemeral(text("e")), CustomEntry("k")]
    receipts = session.run(drafts, model)
    assert model.prompts == [["u", "m", "e"]]
    assert log(store) == ["e1<", "e2<e1", "e4<e2", "e5<e4"]
    assert [entry.header.id for entry in session.transcript()] == ["e1", "e4", "e5"]
    assert [len(receipt.entries) for receipt in receipts] == [3, 1]


def test_ephemeral_input_keeps_its_place_for_one_run(opened: Open) -> None:
    """[r, u] and [u, r] are shown as given, and never again (PI-E4, PI-V4, PI-V5)."""
    session, model = opened(), Script()
    session.append([ephemeral(text("old"))])
    session.run([ephemeral(text("r")), text("u")], model)
    session.run([text("v"), ephemeral(text("s"))], model)
    session.run([], model)
    assert model.prompts == [["r", "u"], ["u", "a", "v", "s"], ["u", "a", "v", "a"]]


def test_a_run_of_ephemeral_input_answers_the_old_leaf(opened: Open, store: Any) -> None:
    """It runs, its input receipt is empty, and the log grows by the answer (PI-E7, PI-E8)."""
    session = opened()
    session.append([text("l")])
    first, second = session.run([ephemeral(text("n"))], Script())
    assert (first.entries, first.leaf) == ((), "e1")
    assert log(store) == ["e1<", "e3<e1"]
    assert second.leaf == "e3"


def test_a_run_without_input_goes_on_from_the_leaf(opened: Open, store: Any) -> None:
    """No empty user message is inserted (PI-A11)."""
    session, model = opened(), Script()
    session.append([text("u")])
    receipts = session.run([], model)
    assert model.prompts == [["u"]]
    assert receipts[0].entries == ()
    assert log(store) == ["e1<", "e2<e1"]


def test_an_ephemeral_answer_stays_in_memory(opened: Open, store: Any) -> None:
    """The mark on the message decides, wherever it came from (PI-E10, PI-E7)."""
    session = opened()
    hidden = Message("tool_result", (Text("h"),), injected="ephemeral")
    receipts = session.run([text("u")], Script(hidden, say("a")))
    assert log(store) == ["e1<", "e3<e1"]
    assert [receipt.leaf for receipt in receipts] == ["e1", "e3"]
    assert len(session.entries()) == 3
    assert [text_of(message) for message in session.messages()] == ["u", "a"]


def test_a_failed_model_leaves_what_is_stored(opened: Open, store: Any) -> None:
    """Exactly the input stays, or the input and what came before the failure (PI-A9)."""
    session = opened()
    with pytest.raises(OSError, match="net"):
        session.run([text("u")], Script(OSError("net")))
    with pytest.raises(OSError, match="net"):
        session.run([text("v")], Script(say("a"), OSError("net")))
    assert log(store) == ["e1<", "e2<e1", "e3<e2"]


def test_without_a_model_nothing_is_stored(opened: Open, store: Any) -> None:
    """A loop that can't start leaves no input behind (PI-A9)."""
    with pytest.raises(Rejected, match="None"):
        opened().run([text("u")], cast(Model, None))
    assert store.load("s") == []


def test_a_failed_write_ends_the_run_without_a_receipt(
    opened: Open, store: Any, events: list[Event]
) -> None:
    """The second append fails: one receipt was given, the log holds the input (PI-X2)."""

    def model(messages: list[Message]) -> Iterable[Message]:
        store.fail["append"] = OSError("disk")
        return [say("a"), say("b")]

    session = opened()
    with pytest.raises(OSError, match="disk"):
        session.run([text("u")], model)
    assert [event.leaf_id for event in events if event.type == "agent"] == ["e1"]
    assert log(store) == ["e1<"]
    assert session.leaf == "e1"


def test_receipts_are_told_after_the_write(opened: Open, store: Any) -> None:
    """A publisher that loads, and calls back, finds every receipted entry (PI-X1, PI-X3)."""
    seen: list[bool] = []
    session: Session

    def publish(event: Event) -> None:
        if event.type == "agent":
            stored = {json["id"] for json in store.load("s")}
            seen.append({entry.header.id for entry in event.entries} <= stored)
            assert session.leaf == event.leaf_id

    session = Session.open(store, "s", publish=publish)
    session.run([text("u")], Script())
    assert seen == [True, True]


def test_one_run_at_a_time(opened: Open, store: Any) -> None:
    """A run within a run is refused, with nothing stored; an append is not (PI-N3, PI-N4)."""
    session = opened()

    def model(messages: list[Message]) -> Iterable[Message]:
        with pytest.raises(Rejected, match="active"):
            session.run([text("inner")], Script())
        session.append([text("aside")])
        yield say("a")

    session.run([text("u")], model)
    session.run([text("v")], Script())
    assert len(store.load("s")) == 5


def test_a_closed_session_runs_no_more(opened: Open, store: Any) -> None:
    """Append and branch go on, and the session can be opened again (PI-L10)."""
    session = opened()
    session.close()
    with pytest.raises(Rejected, match="closed"):
        session.run([text("u")], Script())
    session.append([text("u")])
    session.branch("e1")
    assert opened().leaf == "e1"


def test_history_is_repaired_and_input_is_not(opened: Open, store: Any) -> None:
    """A dangling call is answered before the new input, in the view only (PI-S2, PI-S5)."""
    session, model = opened(), Script()
    session.run([text("u")], Script(CALL))
    session.run([text("v")], model)
    assert model.prompts == [["u", "", "tool execution interrupted", "v"]]
    assert len(store.load("s")) == 4


def test_an_aside_between_a_call_and_its_result_leaves_one_result(opened: Open) -> None:
    """The real result is moved behind its call (PI-S6, D-PI-6)."""
    session = opened()

    def model(messages: list[Message]) -> Iterable[Message]:
        yield CALL
        session.append([text("barge in")])
        yield RESULT

    session.run([text("go")], model)
    assert [text_of(message) for message in session.messages()] == ["go", "", "r", "barge in"]


def test_a_model_cannot_change_what_is_kept(opened: Open) -> None:
    """The list that a model gets is its own (PI-V7)."""

    def model(messages: list[Message]) -> Iterable[Message]:
        messages.clear()
        return []

    session = opened()
    session.run([text("u")], model)
    session.entries().clear()
    session.messages().clear()
    assert [text_of(message) for message in session.messages()] == ["u"]
