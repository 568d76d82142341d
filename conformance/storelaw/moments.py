"""Time stamps as whole nanoseconds, finer than the standard library's times."""

import re
from datetime import UTC, datetime
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION: Final = re.compile(r"\.(\d+)")


def nanoseconds(text: str) -> int:
    """An RFC 3339 time in nanoseconds since 1970; ``ValueError`` or ``TypeError`` for none."""
    found = _FRACTION.search(text)
    whole = datetime.fromisoformat(_FRACTION.sub("", text)) - EPOCH
    below = found[1].ljust(9, "0")[:9] if found else "0"
    return (whole.days * 86400 + whole.seconds) * 10**9 + int(below)
