"""Entries: plain JSON objects, copied wherever they change hands.

An entry is a dict with `id`, `type`, `data`, `timestamp` (milliseconds since
1970) and perhaps `parentId`. Its data is the holder's own: storages, sessions
and agents copy in and out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from storelaw_reference.log.errors import Rejected
from storelaw_reference.log.values import copied, is_array, is_object, normal

Entry = dict[str, Any]

CONTROLS = frozenset({"session/ref", "session/checkout"})
"""The types that move refs and the head, and are nobody's parent (AP-T1)."""


def random_id() -> str:
    """Return a random UUID, version 4."""
    return str(uuid4())


def clock_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def entry(
    type: str,
    data: object,
    *,
    new_id: Callable[[], str] = random_id,
    now: Callable[[], int] = clock_ms,
    parent_id: str | None = None,
) -> Entry:
    """Return an entry with a fresh id and the present time; `data` is copied.

    Raises `Rejected` for data that is no JSON value. Rules: AP-T9, AP-A12.
    """
    made = {"id": new_id(), "type": type, "data": normal(data), "timestamp": now()}
    return made if parent_id is None else {**made, "parentId": parent_id}


def checked(value: object) -> Entry:
    """Return a copy of an entry; raise `Rejected` for anything else. Rules: AP-T9, AP-G1."""
    return _shaped(normal(value))


def checked_log(values: object) -> list[Entry]:
    """Return a copy of a stored log; raise `Rejected` if not all of it is entries. Rule: AP-G1."""
    try:
        copies: list[Any] = copied(list(values) if is_array(values) else [values])
    except (RecursionError, TypeError, ValueError) as error:
        raise Rejected(f"no JSON: {error}") from error
    return [_shaped(copy) for copy in copies]


def _shaped(value: Any) -> Entry:
    if not is_object(value) or not _well_formed(value):
        raise Rejected(f"not an entry with id, type, data and timestamp: {value!r:.200}")
    return dict(value)


def checked_control(control: Entry) -> Entry:
    """Return a ref or checkout entry; raise `Rejected` for malformed data. Rule: D-AP-12."""
    data = control["data"]
    fits = _is_ref if control["type"] == "session/ref" else _is_checkout
    if not is_object(data) or not fits(data):
        raise Rejected(f"a malformed {control['type']}: {data!r:.200}")
    return control


def _is_ref(data: Mapping[str, Any]) -> bool:
    named = isinstance(data.get("name"), str)
    return named and isinstance(data.get("targetId"), str | None)


def _is_checkout(data: Mapping[str, Any]) -> bool:
    point: object = data.get("target")
    if not is_object(point):
        return False
    kind = point.get("type")
    member = point.get("name") if kind == "ref" else point.get("id")
    return kind == "empty" or (kind in ("id", "ref") and isinstance(member, str))


def _well_formed(value: Mapping[str, Any]) -> bool:
    stamped = type(value.get("timestamp")) is int
    named = all(isinstance(value.get(key), str) for key in ("id", "type"))
    child = isinstance(value.get("parentId"), str | None)
    return stamped and named and child and value["id"] != "" and "data" in value


def is_semantic(each: Entry) -> bool:
    """Tell whether an entry is a node of the conversation; unknown types are. Rules: AP-T1, AP-T8."""
    return each["type"] != "event" and each["type"] not in CONTROLS


def last_of(entries: Sequence[Entry], type: str) -> Entry | None:
    """Return the last entry of a type, or None. Rules: AP-L4, AP-V3, AP-M2."""
    return next((each for each in reversed(entries) if each["type"] == type), None)
