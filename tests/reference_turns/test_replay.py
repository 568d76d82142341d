"""The model's view: rows OA-S1 to OA-S8 of the scenario tables."""

from __future__ import annotations

import pytest

from storelaw_reference.turns import (
    ADVISORY,
    DELIVERED,
    EMPTY,
    INTERRUPTED,
    Appender,
    Attachment,
    Block,
    Message,
    Text,
    ToolResult,
    ToolUse,
    Turn,
    Unknown,
    replayed,
)

HI, CALL, DUE = Text("hi"), ToolUse("c", "send", b"{}"), ToolResult("c", "done")
MADE_UP = ToolResult("c", INTERRUPTED, is_error=True)


def user(*blocks: Block) -> Message:
    """Return a user message."""
    return Message("user", blocks)


def agent(*blocks: Block) -> Message:
    """Return an assistant message."""
    return Message("assistant", blocks)


def turn(index: int, role: str, *blocks: Block, refused: bool = False, via: str = "") -> Turn:
    """Return a turn."""
    return Turn(index, role, blocks, refused=refused, via=via)


U, A = turn(0, "user", HI), turn(1, "assistant", CALL)


@pytest.mark.parametrize(
    ("turns", "messages", "next_index"),
    [
        ([], [], 0),
        ([U], [user(HI)], 1),
        (
            [U, turn(1, "assistant", HI, refused=True), turn(2, "inbox", HI)],
            [user(HI, Text(ADVISORY))],
            3,
        ),
        ([turn(1, "assistant", HI), U], [user(HI), agent(HI)], 2),
        ([U, turn(4, "system_note", HI), turn(5, "inbox_done")], [user(HI)], 6),
        ([U, turn(1, "user", HI, refused=True)], [user(HI), user(HI)], 2),
    ],
)
def test_messages_and_next_index(
    turns: list[Turn], messages: list[Message], next_index: int
) -> None:
    """User and unrefused assistant turns in order; every turn counts (OA-S1, OA-S6)."""
    view = replayed(turns)
    assert (list(view.messages), view.next_index) == (messages, next_index)


@pytest.mark.parametrize(
    ("via", "front"),
    [
        ("urn:ap:view:artifact:a-1/widget", (Text("[sent from: artifact a-1 widget]"),)),
        ("urn:ap:view:chat", (Text("[sent from: chat]"),)),
        ("urn:ap:view:nowhere", ()),
        ("", ()),
    ],
)
def test_a_surface_is_named_first(via: str, front: tuple[Block, ...]) -> None:
    """A parsable `via` gives a leading text block, another one none (OA-S2)."""
    assert replayed([turn(0, "user", HI, via=via)]).messages == (user(*front, HI),)


def test_results_stay_in_front_of_words() -> None:
    """Providers want results first, so the surface comes behind them (OA-S2, OA-S3)."""
    last = replayed([A, turn(2, "user", HI, DUE, via="urn:ap:view:tui")]).messages[-1]
    assert last == user(DUE, Text("[sent from: tui]"), HI)


@pytest.mark.parametrize(
    ("turns", "messages"),
    [
        ([A, turn(2, "user", DUE)], [agent(CALL), user(DUE)]),
        ([A, turn(2, "user", HI)], [agent(CALL), user(MADE_UP, HI)]),
        ([A], [agent(CALL), user(MADE_UP)]),
        ([A, turn(2, "assistant", HI)], [agent(CALL), user(MADE_UP), agent(HI)]),
        ([A, turn(2, "inbox", HI)], [agent(CALL), user(MADE_UP)]),
        (
            [turn(1, "assistant", CALL, ToolUse("d", "x")), turn(2, "user", DUE)],
            [
                agent(CALL, ToolUse("d", "x")),
                user(ToolResult("d", INTERRUPTED, is_error=True), DUE),
            ],
        ),
        ([turn(1, "assistant", CALL, CALL)], [agent(CALL, CALL), user(MADE_UP)]),
    ],
)
def test_every_call_is_answered(turns: list[Turn], messages: list[Message]) -> None:
    """A made-up error stands in front of the next user message, or in a new one (OA-S3)."""
    assert list(replayed(turns).messages) == messages


def test_a_delivered_call_is_no_error() -> None:
    """A note that lists the call makes the answer a success (OA-S4)."""
    told = '{"delivered": ["c", 1]}', '{"delivered": "d"}', "words"
    notes = turn(2, "system_note", *map(Text, told))
    assert replayed([A, notes]).messages == (agent(CALL), user(ToolResult("c", DELIVERED)))
    assert replayed([A, turn(2, "inbox", Text(told[0]))]).messages[-1] == user(MADE_UP)


@pytest.mark.parametrize(
    ("turns", "messages"),
    [
        ([U, turn(1, "assistant", HI, refused=True)], [user(HI, Text(ADVISORY))]),
        (
            [U, turn(1, "assistant", HI), turn(2, "assistant", HI, refused=True)],
            [user(HI), agent(HI), user(Text(ADVISORY))],
        ),
        ([turn(0, "assistant", HI, refused=True)], [user(Text(ADVISORY))]),
        ([U, turn(1, "assistant", HI, refused=True), turn(2, "user", HI)], [user(HI), user(HI)]),
    ],
)
def test_a_refusal_at_the_end_is_told_once(turns: list[Turn], messages: list[Message]) -> None:
    """Advice goes behind the user's last words while the refusal is the last turn (OA-S6)."""
    assert list(replayed(turns).messages) == messages


def test_what_nobody_renders_is_dropped() -> None:
    """Unknown blocks go; where nothing is left one block stands in (OA-S7)."""
    odd, file = Unknown({"type": "image"}), Attachment("f", "m", "r")
    assert replayed([turn(0, "user", odd, HI, file)]).messages == (user(HI, file),)
    assert replayed([turn(0, "user", odd), turn(1, "assistant")]).messages == (
        user(Text(EMPTY)),
        agent(Text(EMPTY)),
    )


def test_replay_stores_nothing(appender: Appender) -> None:
    """Replay twice: equal, and the log is unchanged (OA-S5)."""
    for each in (U, A):
        appender.append(each)
    before = appender.read_all()
    assert replayed(before.turns) == replayed(before.turns)
    assert appender.read_all() == before


def test_a_crash_during_dispatch_leaves_the_call(appender: Appender) -> None:
    """The assistant turn is stored before its results, so its call is repaired (OA-S8)."""
    appender.append(A)
    assert replayed(appender.read_all().turns).messages == (agent(CALL), user(MADE_UP))
