"""Entries, to and from JSON. Their shapes are the schemas'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from storelaw_reference.transcript import fields
from storelaw_reference.transcript.entries import (
    CompactionEntry,
    CustomEntry,
    Entry,
    Header,
    MessageEntry,
)
from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.times import nanoseconds
from storelaw_reference.transcript.values import is_object, thawed
from storelaw_reference.transcript.wire import decode_message, encode_message

Decode = Callable[[Mapping[str, Any]], object]
Encode = Callable[[Any], Mapping[str, Any]]

_RESERVED = frozenset({"type", "id", "parent_id", "created_at", "kind"})
_LEGACY = {"parentId": "parent_id", "createdAt": "created_at"}


@dataclass(frozen=True, slots=True)
class _Kind:
    decode: Decode
    encode: Encode


class Codec:
    """A reader and writer of entries that knows an application's custom kinds."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}

    def register_custom(self, kind: str, decode: Decode, encode: Encode) -> None:
        """Teach the codec a kind: `decode` makes a value of its fields, `encode` undoes it.

        Raises `ValueError` for an empty kind and for one that is known.
        """
        if not kind or kind in self._kinds:
            raise ValueError(f"a kind is named, and registered once: {kind!r}")
        self._kinds[kind] = _Kind(decode, encode)

    def decode(self, json: Mapping[str, Any]) -> Entry:
        """Read a stored entry; its id and creation time must be there.

        Raises `DecodeError`. A legacy top-level `meta` is an unknown member.
        Rules: PI-R1, PI-R3, PI-R4, PI-G1, PI-G3, PI-G4.
        """
        return replace(self.decode_draft(json), header=_header(json))

    def decode_draft(self, json: Mapping[str, Any]) -> Entry:
        """Read an entry that a session has yet to take in; a header in it is dropped.

        Raises `DecodeError`. Rules: PI-A4, PI-R4.
        """
        match _object(json).get("type"):
            case "message":
                return MessageEntry(decode_message(fields.mapping(json, "message")))
            case "compaction":
                return _compaction(json)
            case "custom":
                return self._custom(json)
            case other:
                raise DecodeError(other, "unknown entry type")

    def encode(self, entry: Entry) -> dict[str, Any]:
        """Write an entry as JSON of its own.

        Raises `DecodeError` for what `decode` would not read. Rules: PI-R1, D-PI-4.
        """
        return self.settle(entry)[0]

    def settle(self, entry: Entry) -> tuple[dict[str, Any], Entry]:
        """Return an entry's JSON, and the entry as every later reader will see it.

        Raises `DecodeError`. Rules: PI-S1, D-PI-4.
        """
        json = self.written(entry)
        return json, self.decode(json)

    def written(self, entry: Entry) -> dict[str, Any]:
        """Write an entry that was read or settled before, so that nothing is left to check."""
        return {**_written_header(entry), **self._body(entry)}

    def _custom(self, json: Mapping[str, Any]) -> CustomEntry:
        kind = fields.string(json, "kind")
        own = {name: value for name, value in json.items() if name not in _RESERVED}
        entry = CustomEntry(kind, own)
        if kind not in self._kinds:
            return entry
        return replace(entry, value=self._kinds[kind].decode(entry.fields))

    def _known(self, kind: str) -> _Kind:
        if kind not in self._kinds:
            raise DecodeError(kind, "only a registered kind can write a value")
        return self._kinds[kind]

    def _body(self, entry: Entry) -> dict[str, Any]:
        if isinstance(entry, MessageEntry):
            return {"message": encode_message(entry.message)}
        if isinstance(entry, CompactionEntry):
            return _written_compaction(entry)
        return {"kind": entry.kind, **self._own(entry)}

    def _own(self, entry: CustomEntry) -> dict[str, Any]:
        own = entry.fields
        if entry.value is not None:
            own = self._known(entry.kind).encode(entry.value)
        if taken := _RESERVED & own.keys():
            raise DecodeError(sorted(taken), "an application field hides a header")
        fresh: dict[str, Any] = thawed(own)
        return fresh


def _object(json: object) -> Mapping[str, Any]:
    if not is_object(json):
        raise DecodeError(json, "an entry is a JSON object")
    return json


def _header(json: Mapping[str, Any]) -> Header:
    for legacy, name in _LEGACY.items():
        if legacy in json and name not in json and json["type"] != "custom":
            raise DecodeError(legacy, f"a header spells it {name!r}")
    header = Header(*(fields.string(json, name) for name in ("id", "parent_id", "created_at")))
    if not header.id:
        raise DecodeError(json, "an entry has an id")
    nanoseconds(header.created_at)
    return header


def _written_header(entry: object) -> dict[str, Any]:
    if not isinstance(entry, MessageEntry | CompactionEntry | CustomEntry):
        raise DecodeError(entry, "no entry")
    header, kind = entry.header, type(entry).__name__.removesuffix("Entry").lower()
    parent = {"parent_id": header.parent_id} if header.parent_id else {}
    return {"type": kind, "id": header.id, **parent, "created_at": header.created_at}


def _compaction(json: Mapping[str, Any]) -> CompactionEntry:
    summary, anchor = fields.needed(json, "summary"), fields.needed(json, "first_kept_id")
    return CompactionEntry(summary, anchor, fields.integer(json, "tokens_before"))


def _written_compaction(entry: CompactionEntry) -> dict[str, Any]:
    return {
        "summary": entry.summary,
        "first_kept_id": entry.first_kept_id,
        "tokens_before": entry.tokens_before,
    }


CODEC = Codec()
"""The codec that a session uses unless it is given another."""

decode = CODEC.decode
decode_draft = CODEC.decode_draft
encode = CODEC.encode
written = CODEC.written
register_custom = CODEC.register_custom
