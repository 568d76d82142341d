"""Turns for programs: small constructors that fit the schema ``turns/turn``."""

import json
from base64 import b64encode
from typing import Any, Final

from storelaw.values import Entry

RESPOND: Final = "respond_to_user"
NONCE: Final = "0123456789abcdef"
CHAT: Final = "urn:ap:view:chat"
ARTIFACT: Final = "urn:ap:view:artifact:a1/annotations"

#: The seconds of each role's time, so that no two turns of a sample share one.
_SECONDS: Final = {"user": 1, "assistant": 2, "system_note": 3, "inbox": 4, "inbox_done": 5}


def turn(index: int, role: str, *content: str | Entry, **more: Any) -> Entry:
    """A turn whose strings become text blocks; its time tells its index and role."""
    blocks = [words(each) if isinstance(each, str) else each for each in content]
    created = f"2026-01-01T00:{index % 60:02d}:{_SECONDS.get(role, 6):02d}Z"
    made = {"index": index, "role": role, "createdAt": created, "content": blocks or None}
    return {**made, **more}


def user(index: int, *content: str | Entry, **more: Any) -> Entry:
    """What a person says; its text tells its index by default."""
    return turn(index, "user", *(content or (f"question {index}",)), **more)


def answer(index: int, *content: str | Entry, **more: Any) -> Entry:
    """What the assistant says; its text tells its index by default."""
    return turn(index, "assistant", *(content or (f"answer {index}",)), **more)


def note(index: int, *notes: object) -> Entry:
    """A system note: text as it is, anything else as JSON."""
    told = (each if isinstance(each, str) else json.dumps(each) for each in notes)
    return turn(index, "system_note", *told)


def inbox(index: int, text: str) -> Entry:
    """What a person says while a session runs."""
    return turn(index, "inbox", text)


def done(index: int) -> Entry:
    """The marker of an inbox turn that was promoted."""
    return turn(index, "inbox_done")


# ---------------------------------------------------------------------- blocks


def words(text: str) -> Entry:
    """A text block; an empty text has no member."""
    return {"type": "text", "text": text} if text else {"type": "text"}


def use(name: str, given: bytes | None = b"{}", id: str = "c1") -> Entry:
    """A call of a tool with the bytes of its arguments."""
    encoded = None if given is None else b64encode(given).decode()
    return {"type": "tool_use", "toolUse": {"id": id, "name": name, "input": encoded}}


def reply(text: object, id: str = "c1") -> Entry:
    """A call by which the agent speaks."""
    return use(RESPOND, json.dumps({"text": text}).encode(), id)


def result(content: str, id: str = "c1", **flags: bool) -> Entry:
    """What a call came to; ``isError`` and ``renderedLive`` are the flags."""
    return {"type": "tool_result", "toolResult": {"toolUseId": id, "content": content, **flags}}


def live(content: str, id: str = "c1", **flags: bool) -> Entry:
    """A result that the user has been shown already."""
    return result(content, id, renderedLive=True, **flags)


def wrapped(payload: str, opening: str = NONCE, closing: str = NONCE) -> str:
    """A tool's output in an envelope."""
    name = "untrusted-tool-output"
    return f'<{name} nonce="{opening}">\n{payload}\n</{name} nonce="{closing}">'


# ----------------------------------------------------------------------- notes


def upsert(name: object, step: int = 1) -> Entry:
    """A note that puts a plan's snapshot in place."""
    return plans("upsert", plan={"name": name, "step": step})


def removal(name: object) -> Entry:
    """A note that takes a plan away."""
    return plans("delete", name=name)


def plans(op: str, **data: object) -> Entry:
    """A note about plans."""
    return {"kind": "plans", "v": 1, "data": {"op": op, **data}}


def delivered(*calls: str) -> Entry:
    """A note of the calls that reached the user."""
    return {"delivered": list(calls)}
