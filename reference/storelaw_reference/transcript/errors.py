"""The ways in which a store, a codec or a session says no.

Each refusal has one class, so that a caller can tell them apart by identity,
and a message that shows the value it refused.
"""

from __future__ import annotations

from reprlib import Repr

_shown = Repr()
_shown.maxlevel, _shown.maxstring, _shown.maxother = 4, 200, 200


class _Refusal(Exception):
    """An exception whose first argument is the offending value."""

    said = "refused"

    def __init__(self, value: object, why: str = "") -> None:
        super().__init__(value, why)

    def __str__(self) -> str:
        value, why = self.args
        return f"{self.said}: {_shown.repr(value)}" + (f" ({why})" if why else "")


class DecodeError(_Refusal):
    """A JSON value is not an entry, or a value would not read back as one.

    Rules: PI-R4, PI-G3, D-PI-4.
    """

    said = "not an entry that can be read"


class EntryConflict(_Refusal):
    """An id is taken by an entry with another payload."""

    said = "this entry id holds another payload"


class Rejected(_Refusal):
    """A request is outside what a session or a store allows at this moment.

    Rules: PI-B2, PI-E6, PI-L10, PI-N3.
    """

    said = "rejected"


class SessionExists(_Refusal):
    """A session id is taken. Rules: PI-L1, PI-F2."""

    said = "this session exists already"


class SessionNotFound(_Refusal):
    """A session was never created. Rule: PI-L4."""

    said = "no such session"


class Stale(_Refusal):
    """The leaf moved while work that depended on it was under way. Rule: D-PI-5."""

    said = "the leaf has moved away from"
