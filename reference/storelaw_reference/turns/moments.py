"""Points in time: RFC 3339 text, compared in UTC and in microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.times import nanoseconds, stamp

_YEAR_ONE = datetime(1, 1, 1, tzinfo=UTC)
_ZERO = nanoseconds("0001-01-01T00:00:00Z")
_EPOCH = nanoseconds("1970-01-01T00:00:00Z")


def microseconds(text: str) -> int:
    """Return RFC 3339 text as whole microseconds, cut and not rounded. Rule: OA-A6.

    Raises the transcript profile's `DecodeError` for any other text.
    """
    return nanoseconds(text) // 1000


def shortened(text: str) -> str:
    """Return a time as every backend can give it back: UTC, in microseconds. Rule: OA-P2."""
    return stamp(_YEAR_ONE + timedelta(microseconds=microseconds(text) - _ZERO // 1000))


def is_zero(text: str) -> bool:
    """Tell whether a time was never set: empty, or the first moment of year 1. Rule: OA-A8."""
    try:
        return not text or nanoseconds(text) == _ZERO
    except DecodeError:
        return False


def is_storable(text: str) -> bool:
    """Tell whether a time fits in 64-bit nanoseconds around 1970, as every backend keeps it.

    The zero time doesn't. Rule: D-OA-8.
    """
    return -(2**63) <= nanoseconds(text) - _EPOCH < 2**63
