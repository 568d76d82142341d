"""Points in time, kept as the RFC 3339 text in which they were written.

A text keeps the nanoseconds and the offset that a `datetime` would lose.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from storelaw_reference.transcript.errors import DecodeError

_RFC3339 = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))",
    re.ASCII,
)


def utc_now() -> datetime:
    """Return the present moment, timezone-aware."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return an aware moment as RFC 3339 text in UTC, trailing zeros trimmed.

    Raises `ValueError` for a moment without a time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"a moment needs a time zone: {moment!r}")
    whole, _, fraction = moment.astimezone(UTC).replace(tzinfo=None).isoformat().partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}Z" if fraction else f"{whole}Z"


def nanoseconds(text: str) -> int:
    """Return RFC 3339 text as nanoseconds since the start of year 1, UTC.

    Raises `DecodeError` for any other text.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise DecodeError(text, "no RFC 3339 time")
    whole, fraction, sign, hours, minutes = match.groups()
    offset = int(f"{sign}1") * (int(hours) * 3600 + int(minutes) * 60) if sign else 0
    return (_seconds(whole) - offset) * 10**9 + int((fraction or "").ljust(9, "0"))


def _seconds(whole: str) -> int:
    try:
        moment = datetime.fromisoformat(whole)
    except ValueError as error:
        raise DecodeError(whole, str(error)) from error
    return moment.toordinal() * 86400 + moment.hour * 3600 + moment.minute * 60 + moment.second
