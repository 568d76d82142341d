"""What a raw log says: its entries, its refs and its head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storelaw_reference.log.entries import Entry


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One reading of a raw log.

    `head` is `{"type": "ref", "name"}` or `{"type": "detached"}`, the latter
    with a `targetId` if it points at something; `target` is the id of the
    entry that the head stands on. `refs` keep the order of first mention.
    """

    entries: Sequence[Entry]
    by_id: Mapping[str, Entry]
    refs: Mapping[str, str | None]
    head: Mapping[str, Any]
    target: str | None
