"""Views: one path, read for the model and for a person. Both are pure functions (PI-V7)."""

from __future__ import annotations

from collections.abc import Sequence

from storelaw_reference.transcript.entries import (
    CompactionEntry,
    Entry,
    MessageEntry,
    is_injected,
)
from storelaw_reference.transcript.messages import Message, user_message


def model_view(path: Sequence[Entry]) -> tuple[Message, ...]:
    """Return what a model reads: the messages of the path, meta included, custom skipped.

    The last compaction of the path puts its summary, as a user message, in
    the place of all that lies before its anchor; an anchor that isn't found
    before it keeps nothing. Rules: PI-V1, PI-V4, PI-C5, PI-C6, PI-C7.
    """
    for place in reversed(range(len(path))):
        entry = path[place]
        if isinstance(entry, CompactionEntry):
            kept = _kept(path[:place], entry.first_kept_id)
            later = _messages(path[place + 1 :])
            return (user_message(entry.summary), *_messages(kept), *later)
    return _messages(path)


def transcript_view(path: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return what a person sees: the path without injected messages.

    Custom and compaction entries stay, and so does what a compaction covers.
    Rules: PI-V2, PI-V3, PI-C10, PI-G1.
    """
    return tuple(entry for entry in path if not is_injected(entry))


def _messages(entries: Sequence[Entry]) -> tuple[Message, ...]:
    return tuple(entry.message for entry in entries if isinstance(entry, MessageEntry))


def _kept(before: Sequence[Entry], anchor: str) -> Sequence[Entry]:
    ids = [entry.header.id for entry in before]
    return before[ids.index(anchor) :] if anchor in ids else ()
