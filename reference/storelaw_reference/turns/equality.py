"""When two entries are the same, after whatever a backend does to their spelling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from storelaw_reference.transcript.values import is_array, is_object
from storelaw_reference.turns.moments import microseconds


def canonical(value: object) -> str:
    """Return JSON text that is the same for equal values: sorted keys, no white space.

    Numbers are written by their exact value, so 1.0 is 1 and 2^53 + 1 is
    not 2^53; text is ASCII with escapes, so nothing collapses.
    Rules: OA-A6, D-OA-9.
    """
    if is_object(value):
        return "{" + ",".join(_member(key, value[key]) for key in sorted(value)) + "}"
    if is_array(value):
        return "[" + ",".join(map(canonical, value)) + "]"
    return _number(value) if isinstance(value, float) else json.dumps(value)


def equivalent(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two entries under one key are the same write.

    Content by its canonical form, time in microseconds, tags as a set, links
    in order; provenance doesn't count. Rules: OA-A6, OA-A10.
    """
    return _compared(one) == _compared(other)


def tags_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the set of an entry's tags, sorted; none is empty. Rule: OA-A6."""
    return sorted(set(entry.get("tags") or ()))


def _compared(entry: Mapping[str, Any]) -> tuple[object, ...]:
    links = canonical(entry.get("links") or [])
    return canonical(entry.get("content")), microseconds(entry["createdAt"]), tags_of(entry), links


def _member(key: str, value: object) -> str:
    return f"{json.dumps(key)}:{canonical(value)}"


def _number(value: float) -> str:
    """A float as its shortest decimal; a whole one as the integer that it is."""
    exact = Decimal(repr(value))
    return str(int(exact)) if exact == exact.to_integral_value() else repr(value)
