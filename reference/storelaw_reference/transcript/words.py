"""The words of a message, as a renderer shows them."""

from __future__ import annotations

from storelaw_reference.transcript.blocks import Text
from storelaw_reference.transcript.messages import Message


def text_of(message: Message) -> str:
    """Return the text blocks of a message, joined.

    Thinking, calls and reminders are not text. Rule: PI-V6.
    """
    return "".join(block.text for block in message.content or () if isinstance(block, Text))
