"""Entries for programs: small constructors that fit the transcript profile's schemas."""

from collections.abc import Sequence
from typing import Any, Final

from storelaw.program import Draft
from storelaw.values import Entry, is_object

CREATED: Final = "2026-01-01T00:00:00Z"


def text_block(text: str) -> Entry:
    """A text block; an empty text has no member."""
    return {"type": "text", "text": text} if text else {"type": "text"}


def message(role: str, *content: str | Entry, **more: Any) -> Entry:
    """A message whose strings become text blocks."""
    blocks = [text_block(each) if isinstance(each, str) else each for each in content]
    return {"role": role, "content": blocks, **more}


def header(id: str, parent: str | None = None, created: str = CREATED) -> Entry:
    """The header of a stored entry."""
    head: Entry = {"id": id, "created_at": created}
    return head if parent is None else {**head, "parent_id": parent}


def said(id: str, text: str = "", *, role: str = "user", **head: Any) -> Entry:
    """A stored message entry with one text block."""
    return {"type": "message", **header(id, **head), "message": message(role, text or id)}


def custom(id: str, **fields: Any) -> Entry:
    """A stored custom entry with the application's fields at top level."""
    return {"type": "custom", **header(id), "kind": "note", **fields}


# ---------------------------------------------------------------------- drafts


def user(label: str, *content: str | Entry, **more: Any) -> Draft:
    """An ordinary user entry for a session engine; its text is its label by default."""
    return Draft(
        label, {"type": "message", "message": message("user", *(content or (label,)), **more)}
    )


def meta(label: str, *content: str | Entry) -> Draft:
    """Injected context that is stored and hidden from the transcript."""
    return user(label, *content, injected="meta", origin="kit")


def ephemeral(label: str, *content: str | Entry) -> Draft:
    """Injected context for one run."""
    return user(label, *content, injected="ephemeral", origin="kit")


def note(label: str, **fields: Any) -> Draft:
    """A custom entry: stored, never sent to the model."""
    return Draft(label, {"type": "custom", "kind": "note", "title": label, **fields})


def assistant(label: str, *content: str | Entry, **more: Any) -> Draft:
    """An answer of the model."""
    return Draft(
        label, {"type": "message", "message": message("assistant", *(content or (label,)), **more)}
    )


def tool_call(id: str, name: str = "look", **more: Any) -> Entry:
    """A tool call block."""
    return {"type": "tool_call", "id": id, "name": name, **more}


def calls(label: str, *ids: str) -> Draft:
    """An answer that makes tool calls."""
    return assistant(label, *(tool_call(each) for each in ids))


def result(label: str, call: str, *content: str | Entry, name: str = "look", **more: Any) -> Draft:
    """The result of a client tool call."""
    body = message("tool_result", *(content or (label,)), **more)
    return Draft(
        label, {"type": "message", "message": {**body, "tool_call_id": call, "tool_name": name}}
    )


def injected(entry: Entry) -> str | None:
    """The injection marker of an entry's message: ``meta``, ``ephemeral`` or ``None``."""
    body = entry.get("message")
    return body.get("injected") if is_object(body) else None


def is_ephemeral(entry: Entry) -> bool:
    """Whether an entry is for one run only."""
    return injected(entry) == "ephemeral"


def durable(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that the store keeps."""
    return [each for each in drafts if not is_ephemeral(each.entry)]
