"""Ids of entries: drawn by the session, never by a store or a caller (PI-A4)."""

from __future__ import annotations

import os
from collections.abc import Callable, Container

from storelaw_reference.transcript.errors import Rejected

_DRAWS = 1000


def random_id() -> str:
    """Return 16 lower-case hex characters from the operating system."""
    return os.urandom(8).hex()


def fresh_id(new_id: Callable[[], str], taken: Container[str]) -> str:
    """Draw until an id is neither empty nor taken; `Rejected` after 1000 draws. Rule: PI-I1."""
    for drawn in (new_id() for _ in range(_DRAWS)):
        if drawn and drawn not in taken:
            return drawn
    raise Rejected(new_id, f"new_id gave no fresh id in {_DRAWS} draws")
