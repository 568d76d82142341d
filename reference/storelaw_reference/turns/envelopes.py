"""Envelopes: lines around a tool's output that its text can't forge."""

from __future__ import annotations

import re
from collections.abc import Callable
from secrets import token_hex

_ENVELOPES = (
    re.compile(
        r'<untrusted-tool-output nonce="([^"\n]+)">\n(.*)\n</untrusted-tool-output nonce="\1">',
        re.DOTALL,
    ),
    re.compile(
        r'<pt-untrusted(?: id="[^"\n]*")? nonce="([^"\n]+)"(?: id="[^"\n]*")?>\n'
        r'(.*)\n</pt-untrusted nonce="\1">',
        re.DOTALL,
    ),
)


def wrap(payload: str, *, new_nonce: Callable[[], str] = lambda: token_hex(8)) -> str:
    """Put an envelope around a payload, with a nonce that the payload doesn't hold.

    Rule: OA-V10.
    """
    nonce = new_nonce()
    while nonce in payload:
        nonce = new_nonce()
    tag = f'untrusted-tool-output nonce="{nonce}"'
    return f"<{tag}>\n{payload}\n</{tag}>"


def unwrap(text: str) -> str:
    """Take off the outer envelope, if there is a whole one; other text passes unchanged.

    Never raises. Rules: OA-V10, OA-G1, D-OA-4.
    """
    for envelope in _ENVELOPES:
        if match := envelope.fullmatch(text):
            return match[2]
    return text
