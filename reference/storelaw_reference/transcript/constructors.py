"""Drafts of the four kinds of input, as short to write as what they say (PI-V3)."""

from __future__ import annotations

from dataclasses import replace

from storelaw_reference.transcript.blocks import Block, File, Image
from storelaw_reference.transcript.entries import MessageEntry
from storelaw_reference.transcript.messages import Injected, Message, user_message


def text(words: str) -> MessageEntry:
    """Return an ordinary user message of one text block."""
    return MessageEntry(user_message(words))


def image(data: str, mime_type: str) -> MessageEntry:
    """Return an ordinary user message of one picture; `data` is base64."""
    return _user(Image(data, mime_type))


def file(
    data: str = "", *, url: str = "", file_id: str = "", mime_type: str = "", filename: str = ""
) -> MessageEntry:
    """Return an ordinary user message of one file: by base64 data, by url or by file id.

    Raises `ValueError` unless exactly one of the three is given.
    """
    if sum(map(bool, (data, url, file_id))) != 1:
        raise ValueError("a file is given by exactly one of data, url and file_id")
    return _user(File(data, url, file_id, mime_type, filename))


def meta(entry: MessageEntry, origin: str = "") -> MessageEntry:
    """Return the message as stored context that a reader doesn't see. Rules: PI-V2, PI-V3."""
    return _injected(entry, "meta", origin)


def ephemeral(entry: MessageEntry, origin: str = "") -> MessageEntry:
    """Return the message as context for one run that is never stored. Rules: PI-E1, PI-E4."""
    return _injected(entry, "ephemeral", origin)


def _user(block: Block) -> MessageEntry:
    return MessageEntry(Message("user", (block,)))


def _injected(entry: MessageEntry, lifetime: Injected, origin: str) -> MessageEntry:
    return replace(entry, message=replace(entry.message, injected=lifetime, origin=origin))
