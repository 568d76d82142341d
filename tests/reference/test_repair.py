"""Repair of dangling tool calls, as literal rows."""

from __future__ import annotations

import pytest

from storelaw_reference.transcript import INTERRUPTED, Message, Text, ToolCall, repaired, text_of

USER = Message("user", (Text("u"),))
PLAIN = Message("assistant")


def calls(*names: str) -> Message:
    """Return an assistant message with one call for each id; `!` marks a server call."""
    blocks = (
        ToolCall(name.strip("!"), f"tool-{name}", server=name.startswith("!")) for name in names
    )
    return Message("assistant", (Text("calling"), *blocks))


def result(call: str, words: str = "real") -> Message:
    """Return a result for a call."""
    return Message("tool_result", (Text(words),), tool_call_id=call)


def shown(message: Message) -> str:
    """Return a message as one short word."""
    if message.role != "tool_result":
        return message.role
    word = {INTERRUPTED: "made-up"}.get(text_of(message), text_of(message))
    return f"{message.tool_call_id}:{word}"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], ""),
        ([USER, PLAIN, USER], "user assistant user"),
        ([USER, calls("c")], "user assistant c:made-up"),
        ([USER, calls("c"), USER], "user assistant c:made-up user"),
        ([calls("c"), result("c")], "assistant c:real"),
        ([calls("!w")], "assistant"),
        ([calls("a", "b", "!w"), result("b")], "assistant b:real a:made-up"),
        ([calls("a", "b"), result("b"), result("a")], "assistant b:real a:real"),
        ([calls("a", "b", "c"), result("b"), USER], "assistant b:real a:made-up c:made-up user"),
        ([calls("c"), USER, result("c")], "assistant c:real user"),
        ([calls("a", "b"), USER, result("b")], "assistant b:real a:made-up user"),
        ([calls("a", "b"), result("b"), USER, result("a")], "assistant b:real a:real user"),
        ([calls("a", "b"), USER, result("b"), result("a")], "assistant b:real a:real user"),
        ([calls("c"), result("c"), result("c", "twice")], "assistant c:real"),
        ([calls("c"), result("c"), USER, result("c", "twice")], "assistant c:real user"),
        ([calls("c"), USER, result("c"), result("c", "twice")], "assistant c:real user"),
        ([calls("c"), USER, calls("c"), result("c")], "assistant c:made-up user assistant c:real"),
        ([result("z"), USER], "z:real user"),
        ([calls("c"), result("z"), result("c"), USER], "assistant z:real c:real user"),
        ([calls("!w"), result("w")], "assistant w:real"),
        ([Message("user", (ToolCall("c"),))], "user"),
        ([calls("a"), calls("b"), result("a")], "assistant a:real assistant b:made-up"),
    ],
)
def test_each_client_call_has_one_result_and_repair_is_idempotent(
    given: list[Message], expected: str
) -> None:
    """Real results win, late ones move up, missing ones are made up (PI-S2 to S7, D-PI-6)."""
    once = repaired(given)
    assert " ".join(map(shown, once)) == expected
    assert repaired(once) == once


def test_a_made_up_result_names_its_call_and_is_an_error() -> None:
    """Call id, tool name and the error mark are carried (PI-S2)."""
    assert repaired([calls("call-9")])[1] == Message(
        "tool_result",
        (Text("tool execution interrupted"),),
        tool_call_id="call-9",
        tool_name="tool-call-9",
        is_error=True,
    )
