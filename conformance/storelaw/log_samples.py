"""Entries and inputs for programs of the log profile; they fit its schemas."""

from typing import Any, Final

from storelaw.values import Entry

#: The time stamp of an entry that a program makes, in milliseconds since 1970.
MADE: Final = 1_767_225_500_000


def said(text: str, role: str = "user") -> Entry:
    """A message as a model reads it: an input item, not an entry."""
    parts = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": role, "content": parts if role == "assistant" else text}


def asked(call: str, name: str = "look") -> Entry:
    """A function call of the model."""
    return {"type": "function_call", "call_id": call, "name": name, "arguments": "{}"}


def told(call: str, output: str = "seen") -> Entry:
    """The output of a function call."""
    return {"type": "function_call_output", "call_id": call, "output": output}


def stored(type: str, id: str, data: Any, **more: Any) -> Entry:
    """An entry of any type."""
    return {"type": type, "id": id, "data": data, "timestamp": MADE, **more}


def put(id: str, item: Entry | None = None) -> Entry:
    """An input entry; its text is its id by default."""
    return stored("input", id, said(id) if item is None else item)


def kept(id: str, **state: Any) -> Entry:
    """A snapshot of a state."""
    return stored("state", id, state)


def happened(id: str, type: str = "note", turn: str = "t0", **more: Any) -> Entry:
    """An event."""
    return stored("event", id, {"type": type, "turnId": turn, **more})


def compact(id: str, summary: str, last: str | None = None) -> Entry:
    """A compaction, whose summary stands for all up to an entry."""
    anchor = {} if last is None else {"lastEntryId": last}
    return stored("compact", id, {"summary": summary, **anchor})
