"""Backends: where entries lie. The last write wins; rules are the memory's business."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Literal, Protocol, runtime_checkable

from storelaw_reference.transcript.times import nanoseconds
from storelaw_reference.transcript.values import is_object
from storelaw_reference.turns.entries import Json, Key, Scope, key_of, scope_of
from storelaw_reference.turns.equality import canonical

Status = Literal["live", "unknown", "archived"]
"""What is known of a scope; nothing here archives."""

Order = Literal["oldest", "newest"]
"""By `createdAt`; ties by scope, kind and id, ascending."""

Position = tuple[str, Key]
"""Where a row stands in an order: its time and its key."""


@dataclass(frozen=True, slots=True)
class Query:
    """Which entries, in which order, how many; every filter that is set must hold.

    `tags` must all be there; `where` compares indexed content fields;
    `since` is inclusive and `until` exclusive; `after` goes on behind a row.
    An order of None is oldest first, or newest first where there is a limit.
    """

    scope: Scope | None = None
    kinds: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    since: str = ""
    until: str = ""
    order: Order | None = None
    limit: int | None = None
    after: Position | None = None

    def matches(self, entry: Mapping[str, Any]) -> bool:
        """Tell whether an entry passes the filters, `after` and `limit` aside."""
        return (
            self.scope in (None, scope_of(entry))
            and (not self.kinds or entry["kind"] in self.kinds)
            and (not self.ids or entry["id"] in self.ids)
            and set(self.tags) <= set(entry.get("tags") or ())
            and all(canonical(_field(entry, path)) == canonical(it) for path, it in self.where)
            and (not self.since or nanoseconds(entry["createdAt"]) >= nanoseconds(self.since))
            and (not self.until or nanoseconds(entry["createdAt"]) < nanoseconds(self.until))
        )

    def slice(self, entries: Iterable[Json]) -> list[Json]:
        """Return the answer to this query out of all entries. Rule: OA-R4."""
        rows = sorted(filter(self.matches, entries), key=lambda row: self._rank(position(row)))
        if self.after is not None:
            past = self._rank(self.after)
            rows = [row for row in rows if self._rank(position(row)) > past]
        return rows if self.limit is None else rows[: self.limit]

    def _rank(self, place: Position) -> tuple[int, Key]:
        newest = self.order == "newest" or (self.order is None and self.limit is not None)
        moment = nanoseconds(place[0])
        return -moment if newest else moment, place[1]


def position(entry: Mapping[str, Any]) -> Position:
    """Return where a row stands, for `Query.after`."""
    return entry["createdAt"], key_of(entry)


def _field(entry: Mapping[str, Any], path: str) -> object:
    value: object = entry.get("content")
    for name in path.split("."):
        value = value.get(name) if is_object(value) else None
    return value


class Backend(Protocol):
    """All that a memory asks of a backend. A scope needs no creating (OA-L1)."""

    def put(self, entry: Json) -> object:
        """Keep an entry under its key; the last write wins. Rule: OA-L3."""
        ...

    def get(self, scope: Scope, kind: str, entry_id: str) -> Json | None:
        """Return an entry, or None where there is none. Rule: OA-L2."""
        ...

    def query(self, query: Query) -> Sequence[Json]:
        """Return matching entries in order; an unknown scope is empty. Rules: OA-L1, OA-R4."""
        ...

    def delete(self, scope: Scope, kind: str, entry_id: str) -> object:
        """Remove an entry; one that isn't there is fine. Rule: OA-L2."""
        ...

    def delete_scope(self, scope: Scope) -> object:
        """Remove every entry of a scope, and of no other. Rule: OA-L2."""
        ...

    def status(self, scope: Scope) -> Status:
        """Tell whether a scope holds entries. Rule: OA-L1."""
        ...


@runtime_checkable
class Adding(Protocol):
    """A backend that can write once by itself, whoever else writes. Rule: D-OA-14."""

    def add(self, entry: Json) -> Json | None:
        """Keep an entry if its key is free, or return what holds the key, in one step."""
        ...


@dataclass(slots=True)
class MemoryRows:
    """The medium of memory backends: entries as JSON text, by key."""

    texts: dict[Key, str] = field(default_factory=dict[Key, str])
    lock: RLock = field(default_factory=RLock)


class MemoryBackend:
    """A backend that keeps JSON text, so nothing is shared with a caller.

    Several may be opened on the same rows. Rules: OA-L1, OA-L2, OA-L3, D-OA-6.
    """

    def __init__(self, rows: MemoryRows | None = None) -> None:
        self._rows = MemoryRows() if rows is None else rows

    def put(self, entry: Json) -> None:
        """Keep a copy of an entry; the last write wins. Rules: OA-L3, D-OA-6."""
        with self._rows.lock:
            self._rows.texts[key_of(entry)] = json.dumps(entry)

    def add(self, entry: Json) -> Json | None:
        """Keep an entry if its key is free, or return what holds it. Rules: OA-N1, D-OA-14."""
        with self._rows.lock:
            held = self.get(scope_of(entry), entry["kind"], entry["id"])
            if held is None:
                self.put(entry)
            return held

    def get(self, scope: Scope, kind: str, entry_id: str) -> Json | None:
        """Return a copy of an entry, or None. Rules: OA-L2, D-OA-6."""
        with self._rows.lock:
            text = self._rows.texts.get((scope.kind, scope.id, kind, entry_id))
        return None if text is None else json.loads(text)

    def query(self, query: Query) -> list[Json]:
        """Return copies of the matching entries. Rules: OA-L1, OA-R4, D-OA-6."""
        with self._rows.lock:
            texts = list(self._rows.texts.values())
        return query.slice(json.loads(text) for text in texts)

    def delete(self, scope: Scope, kind: str, entry_id: str) -> None:
        """Remove an entry, if it is there. Rule: OA-L2."""
        with self._rows.lock:
            self._rows.texts.pop((scope.kind, scope.id, kind, entry_id), None)

    def delete_scope(self, scope: Scope) -> None:
        """Remove what is in a scope, append-only or not. Rules: OA-L2, OA-L4."""
        with self._rows.lock:
            for key in [key for key in self._rows.texts if Scope(*key[:2]) == scope]:
                del self._rows.texts[key]

    def status(self, scope: Scope) -> Status:
        """Tell `live` from `unknown`. Rule: OA-L1."""
        with self._rows.lock:
            return (
                "live" if any(Scope(*key[:2]) == scope for key in self._rows.texts) else "unknown"
            )

    def close(self) -> None:
        """Let go of the handle; the rows stay with its other handles."""
