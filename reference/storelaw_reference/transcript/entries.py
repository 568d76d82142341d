"""Entries: the records of a session. Their shapes are the schemas'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from storelaw_reference.transcript.messages import Message
from storelaw_reference.transcript.values import NOTHING, frozen


@dataclass(frozen=True, slots=True)
class Header:
    """What a session gives each entry (PI-A4); `parent_id` is empty at a root."""

    id: str = ""
    parent_id: str = ""
    created_at: str = ""


DRAFT = Header()
"""The header of an entry that no session has taken in yet."""


@dataclass(frozen=True, slots=True)
class MessageEntry:
    """A message in the log."""

    message: Message
    header: Header = DRAFT


@dataclass(frozen=True, slots=True)
class CompactionEntry:
    """A summary that stands for what lies before `first_kept_id` on the path (PI-C5).

    An empty `first_kept_id` keeps nothing; `tokens_before` is what the
    summarized prefix last cost, 0 where nobody counted.
    """

    summary: str
    first_kept_id: str = ""
    tokens_before: int = 0
    header: Header = DRAFT


@dataclass(frozen=True, slots=True)
class CustomEntry:
    """An application's own record: stored and shown, never sent to a model.

    `fields` are its JSON members, frozen. `value` is what a registered kind
    made of them; where it is set, it is what gets written.
    """

    kind: str
    fields: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    value: object = None
    header: Header = DRAFT

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", frozen(self.fields))


Entry = MessageEntry | CompactionEntry | CustomEntry


def is_ephemeral(entry: Entry) -> bool:
    """Tell whether the entry lives for one run only, by its message's mark. Rule: PI-E10."""
    return isinstance(entry, MessageEntry) and entry.message.injected == "ephemeral"


def is_injected(entry: Entry) -> bool:
    """Tell whether a reader never sees the entry: meta or ephemeral. Rule: PI-V2."""
    return isinstance(entry, MessageEntry) and entry.message.injected is not None


def is_turn(entry: Entry) -> bool:
    """Tell whether the entry is an ordinary user message. Rules: PI-C2, PI-C3."""
    return (
        isinstance(entry, MessageEntry) and entry.message.role == "user" and not is_injected(entry)
    )
