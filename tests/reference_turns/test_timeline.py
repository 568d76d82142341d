"""The timeline and the envelope: rows OA-V1 to OA-V15 of the scenario tables."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from storelaw_reference.turns import (
    Block,
    PlanCard,
    Text,
    ToolResult,
    ToolUse,
    Turn,
    VisibleMessage,
    unwrap,
    visible_messages,
    visible_timeline,
    wrap,
)

T = [f"2024-01-01T00:00:0{second}Z" for second in range(8)]


def said(text: object, name: str = "respond_to_user") -> ToolUse:
    """Return a call whose argument is a text."""
    return ToolUse("c", name, json.dumps({"text": text}).encode())


def live(content: str, is_error: bool = False) -> ToolResult:
    """Return a result that the user has seen."""
    return ToolResult("c", content, is_error=is_error, rendered_live=True)


def note(second: int, *notes: object) -> Turn:
    """Return a system note of one or more objects."""
    blocks = tuple(Text(each if isinstance(each, str) else json.dumps(each)) for each in notes)
    return Turn(second, "system_note", blocks, T[second])


def plans(op: str, **data: object) -> dict[str, object]:
    """Return a plan note."""
    return {"kind": "plans", "v": 1, "data": {"op": op, **data}}


def upsert(name: object, step: int) -> dict[str, object]:
    """Return a note of a plan's new snapshot."""
    return plans("upsert", plan={"name": name, "step": step})


def text_of(
    *blocks: Block, role: str = "assistant", refused: bool = False
) -> list[tuple[str, str]]:
    """Return the messages that one turn shows."""
    messages = visible_messages([Turn(0, role, blocks, refused=refused)])
    return [(message.role, message.text) for message in messages]


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        *[("user", "user"), ("inbox", "user"), ("assistant", "agent")],
        *[("inbox_done", ""), ("system_note", ""), ("other", "")],
    ],
)
def test_roles(role: str, shown: str) -> None:
    """User and inbox are the user, assistant the agent, the rest nobody (OA-V2)."""
    assert text_of(Text("a"), role=role) == ([(shown, "a")] if shown else [])


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        ((Text("preamble"), Text("reply"), said("told")), "told"),
        ((said("one"), said("two")), "one\n\ntwo"),
        ((said("  "), said(" two ")), " two "),
        ((Text("preamble"), said("x", "get_weather")), ""),
        ((Text("preamble"), said("x", "get_weather"), said("told")), "told"),
        ((Text("one"), Text(), Text("two")), "one\n\ntwo"),
        ((Text("   "),), ""),
        ((), ""),
        ((Text("a"), said("   ")), ""),
        ((Text("a"), said(1)), ""),
        ((Text("a"), ToolUse("c", "respond_to_user", b"{broken")), ""),
        ((Text("a"), ToolUse("c", "respond_to_user", b"[1]")), ""),
        ((Text("a"), ToolUse("c", "respond_to_user", b'{"text": NaN}')), ""),
        ((Text("a"), ToolUse("c", "respond_to_user", b"[" * 100_000)), ""),
        ((Text("a"), ToolUse("c", "respond_to_user", b"\xff")), ""),
        ((Text("a"), ToolUse("c", "respond_to_user")), ""),
    ],
)
def test_what_an_agent_says(blocks: tuple[Block, ...], text: str) -> None:
    """The reply tool's text, else nothing beside a call, else the words (OA-V4 to OA-V8)."""
    assert text_of(*blocks) == ([("agent", text)] if text else [])


def test_words_of_a_user_stand_beside_a_call() -> None:
    """The rules of tool use are the agent's alone (OA-V5)."""
    assert text_of(Text("a"), said("b"), role="user") == [("user", "a")]


def test_a_refused_answer_is_visible() -> None:
    """The reader sees what the model does not (OA-V14)."""
    assert text_of(Text("no"), refused=True) == [("agent", "no")]


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        ((ToolResult("a", "x"), live("shown"), ToolResult("b", "y")), "shown"),
        ((live("one"), live("  "), live("two", is_error=True)), "one\n\ntwo"),
        ((live(wrap("inner")),), "inner"),
        ((live(wrap("  ")), Text("words")), ""),
        ((Text("words"), live("shown")), "shown"),
    ],
)
def test_results_rendered_live_are_the_agents_words(blocks: tuple[Block, ...], text: str) -> None:
    """Block by block, unwrapped; the rest of that turn adds nothing (OA-V9, D-OA-12)."""
    assert text_of(*blocks, role="user") == ([("agent", text)] if text else [])


def test_plain_results_are_hidden() -> None:
    """Without the flag a result is nobody's message (OA-V9)."""
    assert text_of(ToolResult("a", "x"), role="user") == []


INBOX = Turn(2, "inbox", (Text("hi"),), T[2], via="urn:ap:view:tui")
DONE = Turn(2, "inbox_done", (), T[3])
PROMOTED = Turn(3, "user", (Text("hi"),), T[4], via="urn:ap:view:chat")


@pytest.mark.parametrize(
    ("turns", "messages"),
    [
        ([INBOX], [VisibleMessage("user", "hi", T[2], "urn:ap:view:tui")]),
        ([INBOX, DONE, PROMOTED], [VisibleMessage("user", "hi", T[4], "urn:ap:view:chat")]),
        (
            [INBOX, Turn(1, "inbox_done"), PROMOTED],
            [
                VisibleMessage("user", "hi", T[2], "urn:ap:view:tui"),
                VisibleMessage("user", "hi", T[4], "urn:ap:view:chat"),
            ],
        ),
    ],
)
def test_the_inbox_life_cycle(turns: list[Turn], messages: list[VisibleMessage]) -> None:
    """A marker at the same index hides the inbox turn, and nothing else does (OA-V3, OA-V12)."""
    assert list(visible_messages(turns)) == messages


def test_a_card_stays_where_it_first_appeared() -> None:
    """Upsert, message, upsert: one card before the message, with the latest plan (OA-V11)."""
    turns = [note(0, upsert("trip", 1)), Turn(1, "user", (Text("a"),), T[1])]
    turns.append(note(2, upsert("trip", 2), upsert("other", 1)))
    assert visible_timeline(turns) == (
        PlanCard("trip", {"name": "trip", "step": 2}, created_at=T[0]),
        VisibleMessage("user", "a", T[1]),
        PlanCard("other", {"name": "other", "step": 1}, created_at=T[2]),
    )


def test_a_card_is_deleted_and_revived() -> None:
    """A deleted card keeps its snapshot; one that never was is a card as well (OA-V11)."""
    turns = [note(0, upsert("a", 1)), note(1, plans("delete", name="a"))]
    gone = PlanCard("a", {"name": "a", "step": 1}, True, T[0])
    assert visible_timeline(turns) == (gone,)
    revived = PlanCard("a", {"name": "a", "step": 2}, False, T[0])
    assert visible_timeline([*turns, note(2, upsert("a", 2))]) == (revived,)
    assert visible_timeline([note(3, plans("delete", name="b"))]) == (
        PlanCard("b", None, True, T[3]),
    )


@pytest.mark.parametrize(
    "told",
    [
        *["words", "[1]", "{", {"kind": "other", "data": {"op": "delete", "name": "a"}}],
        *[{"kind": "plans"}, plans("upsert"), plans("upsert", plan=1), upsert("", 1)],
        *[upsert(1, 1), plans("delete"), plans("delete", name=""), plans("move", name="a")],
    ],
)
def test_other_notes_are_ignored(told: object) -> None:
    """What is no plan note, or names no plan, shows nothing (OA-V11)."""
    assert visible_timeline([note(0, told)]) == ()


def test_plan_notes_of_another_role_are_words() -> None:
    """Only a system note is a note (OA-V2)."""
    assert text_of(Text(json.dumps(upsert("a", 1)))) == [("agent", json.dumps(upsert("a", 1)))]


def test_the_order_of_the_input_does_not_matter() -> None:
    """Every permutation gives the same timeline; messages are it without plans (OA-V1, 13, 15)."""
    turns = [note(0, upsert("a", 1)), note(4, upsert("a", 2)), INBOX, DONE, PROMOTED]
    timeline = visible_timeline(turns)
    assert len(timeline) == 2
    assert {visible_timeline(order) == timeline for order in permutations(turns)} == {True}
    assert visible_messages(turns) == timeline[1:]


N, M = 'nonce="0123456789abcdef"', 'nonce="fedcba9876543210"'
OPEN, CLOSE = f"<untrusted-tool-output {N}>", f"</untrusted-tool-output {N}>"


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        (f"{OPEN}\nx\n{CLOSE}", "x"),
        (f"{OPEN}\n\n{CLOSE}", ""),
        (f"{OPEN}\na\n{CLOSE}\nb\n{CLOSE}", f"a\n{CLOSE}\nb"),
        (f"{OPEN}\n</untrusted-tool-output {M}>\n{CLOSE}", f"</untrusted-tool-output {M}>"),
        (f"{OPEN}\n{OPEN}\nx\n{CLOSE}\n{CLOSE}", f"{OPEN}\nx\n{CLOSE}"),
        (f'<pt-untrusted {N} id="a">\nx\n</pt-untrusted {N}>', "x"),
        (f'<pt-untrusted id="a" {N}>\nx\n</pt-untrusted {N}>', "x"),
        *[(same, same) for same in ("", "x", OPEN, f"{OPEN}\n{CLOSE}", f"{OPEN}x\n{CLOSE}")],
        *[(same, same) for same in (f"{OPEN}\nx\n</untrusted-tool-output {M}>", f"{OPEN}\nx")],
        *[
            (same, same)
            for same in ('<untrusted-tool-output nonce=">\nx\n', f" {OPEN}\nx\n{CLOSE}")
        ],
        *[(same, same) for same in (f"<pt-untrusted {N}>\nx\n{CLOSE}", f"{OPEN}\nx\n{CLOSE}\n")],
    ],
)
def test_only_a_whole_outer_envelope_comes_off(text: str, payload: str) -> None:
    """Forged closes, wrong nonces and half envelopes change nothing (OA-V10, OA-G1, D-OA-4)."""
    assert unwrap(text) == payload


@pytest.mark.parametrize("payload", ["", "x", "\n", f"{OPEN}\nx\n{CLOSE}", CLOSE])
def test_what_is_wrapped_comes_out(payload: str) -> None:
    """Unwrap undoes wrap (OA-V10)."""
    assert unwrap(wrap(payload)) == payload


def test_the_nonce_is_chosen_after_the_payload() -> None:
    """A nonce that the payload holds is not taken (OA-V10)."""
    nonces = iter(["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"])
    assert "bbbb" in wrap("aaaaaaaaaaaaaaaa", new_nonce=lambda: next(nonces))
