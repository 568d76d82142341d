"""Compaction: turns, anchors, what a summarizer reads, and races."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from storelaw_reference.transcript import (
    INSTRUCTION,
    CompactionEntry,
    Cost,
    Event,
    Message,
    MessageEntry,
    Rejected,
    Session,
    Stale,
    Text,
    ToolCall,
    Usage,
    decode_draft,
    meta,
    text,
    text_of,
)

Open = Callable[..., Session]


def answer(words: str, *blocks: ToolCall, tokens: int = 0) -> MessageEntry:
    """Return an assistant message that reports so many tokens."""
    usage = Usage(input=tokens, cost=Cost(input=1.0))
    return MessageEntry(Message("assistant", (Text(words), *blocks), usage=usage))


def words(session: Session) -> list[str]:
    """Return the words of the history."""
    return [text_of(message) for message in session.messages()]


class Summarizer:
    """A summarizer that records what it read, and answers S1, S2, …"""

    def __init__(self) -> None:
        self.read: list[list[str]] = []

    def __call__(self, messages: list[Message]) -> str:
        self.read.append([text_of(message) for message in messages])
        return f"S{len(self.read)}"


@pytest.fixture
def session(opened: Open) -> Session:
    """Return a session of two turns, e1 to e4."""
    grown = opened()
    grown.append([text("q1"), answer("a1", tokens=5), text("q2"), answer("a2", tokens=9)])
    return grown


def test_a_compaction_is_one_more_entry(
    session: Session, opened: Open, store: Any, events: list[Event]
) -> None:
    """Nothing is removed; the anchor is the first kept turn (PI-C1, C2, C10, D-PI-15)."""
    before, summarize = store.load("s"), Summarizer()
    entry = session.compact(summarize, 1)
    assert entry is not None
    assert (entry.summary, entry.first_kept_id, entry.tokens_before) == ("S1", "e3", 5)
    assert summarize.read == [["q1", "a1", INSTRUCTION]]
    assert store.load("s")[:4] == before
    assert session.entries()[-1] == entry
    assert words(session) == words(opened()) == ["S1", "q2", "a2"]
    assert len(session.transcript()) == 5
    assert events[-1] == Event("session_compacted", "s", from_leaf_id="e4", leaf_id="e5")


def test_keeping_no_turn_summarizes_all(session: Session) -> None:
    """The anchor is empty (PI-C2)."""
    summarize = Summarizer()
    entry = session.compact(summarize, 0)
    assert entry is not None
    assert (entry.first_kept_id, entry.tokens_before) == ("", 9)
    assert summarize.read == [["q1", "a1", "q2", "a2", INSTRUCTION]]
    assert words(session) == ["S1"]


@pytest.mark.parametrize("keep", [2, 5])
def test_too_few_turns_are_left_alone(
    session: Session, store: Any, events: list[Event], keep: int
) -> None:
    """No entry, no event, and nobody is asked for a summary (PI-C4)."""
    summarize, told = Summarizer(), list(events)
    assert session.compact(summarize, keep) is None
    assert (summarize.read, events, len(store.load("s"))) == ([], told, 4)


def test_an_empty_session_has_nothing_to_compact(opened: Open) -> None:
    """Zero turns are no more than zero (PI-C4)."""
    assert opened().compact(Summarizer(), 0) is None


def test_a_negative_number_of_turns_is_refused(session: Session) -> None:
    """A number of turns is 0 or more."""
    with pytest.raises(Rejected, match="-1"):
        session.compact(Summarizer(), -1)


def test_injected_messages_are_no_turns(opened: Open) -> None:
    """Keep 1 of [q1, meta, q2] anchors at q2, keep 2 does nothing (PI-C3)."""
    session = opened()
    session.append([text("q1"), meta(text("m")), text("q2")])
    assert session.compact(Summarizer(), 2) is None
    entry = session.compact(Summarizer(), 1)
    assert entry is not None
    assert (entry.first_kept_id, entry.tokens_before) == ("e3", 0)


def test_a_legacy_meta_message_is_a_turn(opened: Open) -> None:
    """The old flag means nothing, so the entry counts (PI-G1)."""
    session = opened()
    message = {"role": "user", "content": [{"type": "text", "text": "m"}]}
    session.append(
        [text("q1"), decode_draft({"type": "message", "meta": True, "message": message})]
    )
    entry = session.compact(Summarizer(), 1)
    assert entry is not None
    assert entry.first_kept_id == "e2"


def test_a_second_compaction_reads_the_first_summary(session: Session) -> None:
    """The text that a summary replaced is not read again (PI-C7, PI-C8)."""
    summarize = Summarizer()
    session.compact(summarize, 1)
    session.append([text("q3")])
    session.compact(summarize, 1)
    assert summarize.read[1] == ["S1", "q2", "a2", INSTRUCTION]
    assert words(session) == ["S2", "q3"]


def test_a_repeated_compaction_has_the_same_anchor(session: Session) -> None:
    """Two entries, one anchor, and a view of the same shape (PI-C9)."""
    summarize = Summarizer()
    anchors = [session.compact(summarize, 1) for _ in range(2)]
    assert [each.first_kept_id for each in anchors if each] == ["e3", "e3"]
    assert words(session) == ["S2", "q2", "a2"]


def test_a_summarizer_reads_repaired_history_and_a_user_instruction(opened: Open) -> None:
    """A dangling call in the prefix is answered, and the instruction is last (PI-C8)."""
    session, read = opened(), list[Message]()
    session.append([text("q1"), answer("a1", ToolCall("c1", "f")), text("q2")])

    def summarize(messages: list[Message]) -> str:
        read.extend(messages)
        return "S"

    session.compact(summarize, 1)
    assert [message.role for message in read] == ["user", "assistant", "tool_result", "user"]
    assert read[2].is_error
    assert text_of(read[-1]) == INSTRUCTION


@pytest.mark.parametrize("move", [lambda s: s.branch("e2"), lambda s: s.append([text("x")])])
def test_a_summary_never_lands_on_another_leaf(
    session: Session, events: list[Event], move: Callable[[Session], object]
) -> None:
    """A leaf that moved while the summarizer worked makes the compaction stale (D-PI-5)."""

    def summarize(messages: list[Message]) -> str:
        move(session)
        return "S"

    with pytest.raises(Stale, match="e4"):
        session.compact(summarize, 1)
    assert not any(isinstance(entry, CompactionEntry) for entry in session.entries())
    assert events[-1].type != "session_compacted"


def test_a_failed_summary_stores_nothing(session: Session, store: Any) -> None:
    """The summarizer's error propagates and the leaf stays."""

    def summarize(messages: list[Message]) -> str:
        raise OSError("net")

    with pytest.raises(OSError, match="net"):
        session.compact(summarize, 1)
    assert (session.leaf, len(store.load("s"))) == ("e4", 4)


def test_a_compaction_within_a_run_is_allowed(session: Session) -> None:
    """The turn's answer chains to the summary (PI-N4)."""

    def model(messages: list[Message]) -> list[Message]:
        session.compact(Summarizer(), 1)
        return [Message("assistant", (Text("a3"),))]

    session.run([text("q3")], model)
    assert words(session) == ["S1", "q3", "a3"]
