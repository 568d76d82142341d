"""Entries: JSON objects with a scope, a kind, an id, a time and what they say.

Its shape is the schema `turns/entry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.values import is_array, is_object
from storelaw_reference.turns.equality import canonical
from storelaw_reference.turns.errors import InvalidEntry
from storelaw_reference.turns.moments import is_storable

Json = dict[str, Any]
Key = tuple[str, str, str, str]
"""Scope kind, scope id, kind and id: what is unique."""

MAX_SEQ = 2**63 - 1
"""The last position of a chain that every backend can keep. Rule: D-OA-10."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_MEMBERS = ("scope", "kind", "id", "createdAt", "links", "tags", "content", "provenance")
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory this is; a session's is `session` and `<namespace>/<name>`."""

    kind: str
    id: str

    def json(self) -> Json:
        """Return the scope as an entry holds it."""
        return {"kind": self.kind, "id": self.id}


def scope_of(entry: Mapping[str, Any]) -> Scope:
    """Return the scope of a well-formed entry."""
    return Scope(entry["scope"]["kind"], entry["scope"]["id"])


def key_of(entry: Mapping[str, Any]) -> Key:
    """Return what no two entries share. Rule: OA-L3."""
    return entry["scope"]["kind"], entry["scope"]["id"], entry["kind"], entry["id"]


def publisher_of(entry: Mapping[str, Any]) -> str:
    """Return who signed an entry; nobody is empty."""
    held: Json | None = entry.get("provenance")
    return held["publisher"] if held else ""


def checked(entry: object) -> Json:
    """Return a well-formed entry as a copy of one's own, its empty members left out.

    Refused with `InvalidEntry`: what JSON can't say; U+0000 and lone
    surrogates anywhere; a time outside 64-bit nanoseconds, so the zero time
    too; members of other names or types.
    Rules: OA-A9, OA-L5, D-OA-6, D-OA-8, D-OA-11.
    """
    try:
        kept = copied(entry)
        canonical(kept)
    except (RecursionError, ValueError) as error:
        raise InvalidEntry(type(entry), str(error)) from error
    _check(entry, is_object(kept) and set(kept) <= set(_MEMBERS), "members")
    kept = {name: kept[name] for name in _MEMBERS if kept.get(name) is not None}
    _check_envelope(kept)
    return {name: value for name, value in kept.items() if name == "content" or value}


def copied(value: object) -> Any:
    """Return a deep copy of a JSON value. Raises `InvalidEntry`. Rules: D-OA-6, D-OA-11."""
    if is_object(value):
        return {_text(key): copied(item) for key, item in value.items()}
    if is_array(value):
        return [copied(item) for item in value]
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    raise InvalidEntry(value, "no JSON value")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidEntry(value, "the key of a JSON object is a string")
    if _UNSTORABLE.search(value):
        raise InvalidEntry(value, "text has neither U+0000 nor lone surrogates")
    return value


def _check(value: object, right: bool, name: str) -> None:
    if not right:
        raise InvalidEntry(value, f"by its {name}")


def _check_envelope(entry: Json) -> None:
    _check(entry, _is_scope(entry.get("scope")), "scope")
    _check(entry, all(isinstance(entry.get(name), str) for name in ("kind", "id")), "kind and id")
    _check(entry, _is_time(entry.get("createdAt")), "createdAt")
    _check(entry, _is_all(entry.get("tags", []), _is_string), "tags")
    _check(entry, _is_all(entry.get("links", []), _is_link), "links")
    _check(entry, _is_provenance(entry.get("provenance")), "provenance")


def _is_all(values: object, test: Callable[[object], bool]) -> bool:
    return is_array(values) and all(test(value) for value in values)


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_strings(value: object, *names: str) -> bool:
    return is_object(value) and all(isinstance(value.get(name), str) for name in names)


def _is_scope(value: object) -> bool:
    return _is_strings(value, "kind", "id") and is_object(value) and len(value) == 2


def _is_link(value: object) -> bool:
    named = _is_strings(value, "relation", "kind", "id") and is_object(value) and len(value) == 4
    return named and is_object(value) and _is_scope(value.get("scope"))


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and is_storable(value)
    except DecodeError:
        return False


def _is_provenance(value: object) -> bool:
    """Absent, or an envelope with a bounded position and, from the second on, a link back."""
    if value is None:
        return True
    if not is_object(value) or not _is_strings(value, "publisher", "keyId", "sig"):
        return False
    seq, back = value.get("seq"), value.get("prevHash")
    if type(seq) is not int or not 1 <= seq <= MAX_SEQ:
        return False
    return back is None if seq == 1 else isinstance(back, str) and bool(_HASH.fullmatch(back))
