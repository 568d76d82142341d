"""The memory: a backend, and the rules that entries are kept by.

Each rule sits in one small method, so that a memory which breaks just that
rule is a subclass of three lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.turns.backends import Adding, Backend, Query, Status, position
from storelaw_reference.turns.entries import Json, Scope, checked, key_of, scope_of
from storelaw_reference.turns.equality import equivalent
from storelaw_reference.turns.errors import (
    AppendOnlyConflict,
    AppendOnlyKind,
    BadProvenance,
    InvalidEntry,
    InvalidQuery,
    ProvenanceRequired,
    WriteDenied,
)
from storelaw_reference.turns.kinds import Kind, Kinds
from storelaw_reference.turns.moments import microseconds
from storelaw_reference.turns.provenance import Verifier, fault_of


@dataclass(frozen=True, slots=True)
class Page:
    """The entries that a query gave, and whether more matched than its limit let through."""

    entries: tuple[Json, ...]
    truncated: bool


class Memory:
    """Entries of registered kinds, of which some are written once and for all.

    `caller` is whoever writes through this memory, as `<type>:<id>`; empty is
    trusted code. A caller of type `session` writes its own scope only where a
    kind asks for that. With a verifier, append-only entries must be signed.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        kinds: Kinds | None = None,
        verifier: Verifier | None = None,
        caller: str = "",
    ) -> None:
        self.kinds = Kinds() if kinds is None else kinds
        self.caller = caller
        self._backend = backend
        self._verifier = verifier
        self._lock = Lock()

    def put(self, entry: Mapping[str, Any]) -> Json:
        """Keep an entry, and return it as it is stored.

        Under an append-only kind an equivalent entry changes nothing and the
        stored one is returned; another is an `AppendOnlyConflict`.
        Raises `InvalidEntry`, `WriteDenied`, `ProvenanceRequired`, `BadProvenance`.
        Rules: OA-L3, OA-L5, OA-A6, OA-A10, OA-N1, OA-P1, D-OA-8, D-OA-11.
        """
        fresh = checked(entry)
        kind = self._kind(fresh["kind"])
        self._check_id(fresh, kind)
        self._check_links(fresh)
        self._check_authority(kind, scope_of(fresh))
        self._check_provenance(fresh, kind)
        if kind.append_only:
            return self._write_once(fresh, kind)
        self._backend.put(fresh)
        self._stored(fresh, kind)
        return fresh

    def get(self, scope: Scope, kind: str, entry_id: str) -> Json | None:
        """Return an entry, or None where there is none. Rules: OA-L1, OA-L2."""
        return self._backend.get(scope, kind, entry_id)

    def query(self, query: Query) -> Page:
        """Return the matching entries, and whether the limit held some back.

        Goes on asking until a backend with a cap of its own has no more.
        Raises `InvalidQuery`. Rules: OA-L1, OA-R4, OA-R5.
        """
        self._check_query(query)
        wanted = None if query.limit is None else query.limit + 1
        rows: list[Json] = []
        for row in self._rows(query, wanted):
            rows.append(row)
            if len(rows) == wanted:
                return Page(tuple(rows[:-1]), True)
        return Page(tuple(rows), False)

    def delete(self, scope: Scope, kind: str, entry_id: str) -> None:
        """Remove an entry of a mutable kind, if it is there.

        Raises `AppendOnlyKind`, whoever asks; `WriteDenied`; `InvalidEntry` for
        an unregistered kind. Rules: OA-L2, OA-L4.
        """
        known = self._kind(kind)
        self._check_deletable(known)
        self._check_authority(known, scope)
        self._backend.delete(scope, kind, entry_id)
        known.new_scope_hooks(scope).deleted(entry_id)

    def delete_scope(self, scope: Scope) -> None:
        """Remove the mutable entries of a scope and keep the append-only ones. Rule: OA-L4."""
        for entry in self.query(Query(scope)).entries:
            kind = self.kinds.find(entry["kind"])
            if kind is None:
                self._backend.delete(scope, entry["kind"], entry["id"])
            elif not self._outlives_scope(kind):
                self.delete(scope, kind.name, entry["id"])

    def status(self, scope: Scope) -> Status:
        """Tell whether a scope holds entries. Rule: OA-L1."""
        return self._backend.status(scope)

    # What may be written

    def _kind(self, name: str) -> Kind:
        kind = self.kinds.find(name)
        if kind is None:
            raise InvalidEntry(name, "no such kind is registered")
        return kind

    def _check_id(self, entry: Json, kind: Kind) -> None:
        if not entry["id"].startswith(kind.prefix):
            raise InvalidEntry(entry["id"], f"an id of this kind starts with {kind.prefix!r}")

    def _check_links(self, entry: Json) -> None:
        for link in entry.get("links", ()):
            self._check_id(link, self._kind(link["kind"]))

    def _check_authority(self, kind: Kind, scope: Scope) -> None:
        """A session authors its own conversation; other callers are judged elsewhere."""
        stranger = self.caller.startswith("session:") and self.caller != _session(scope)
        if kind.write_authority == "session" and stranger:
            raise WriteDenied(self.caller, f"{kind.name} in {scope.id}")

    def _check_provenance(self, entry: Json, kind: Kind) -> None:
        if self._verifier is None or not kind.append_only:
            return
        if "provenance" not in entry:
            raise ProvenanceRequired(entry["id"])
        if not self._may_publish(entry["provenance"]["publisher"], scope_of(entry)):
            raise BadProvenance(entry["id"], "a session signs as itself only")
        if fault := fault_of(entry, self._verifier):
            raise BadProvenance(entry["id"], fault)

    def _may_publish(self, publisher: str, scope: Scope) -> bool:
        if self.caller.startswith("session:"):
            return publisher == self.caller
        return not publisher.startswith("session:") or publisher == _session(scope)

    def _check_deletable(self, kind: Kind) -> None:
        if kind.append_only:
            raise AppendOnlyKind(kind.name)

    def _outlives_scope(self, kind: Kind) -> bool:
        return kind.append_only

    # Writing

    def _write_once(self, fresh: Json, kind: Kind) -> Json:
        held = self._add(fresh)
        if held is None:
            self._stored(fresh, kind)
            return fresh
        if not self._is_same(held, fresh):
            raise AppendOnlyConflict(fresh["id"], held)
        return held

    def _add(self, fresh: Json) -> Json | None:
        """Write unless the key is taken; a backend that can't do that in one step is locked."""
        if isinstance(self._backend, Adding):
            return self._backend.add(fresh)
        with self._lock:
            held = self._backend.get(scope_of(fresh), fresh["kind"], fresh["id"])
            if held is None:
                self._backend.put(fresh)
            return held

    def _is_same(self, held: Json, fresh: Json) -> bool:
        return equivalent(held, fresh)

    def _stored(self, entry: Json, kind: Kind) -> None:
        kind.new_scope_hooks(scope_of(entry)).stored(entry)

    # Reading

    def _check_query(self, query: Query) -> None:
        if query.limit is not None and query.limit < 0:
            raise InvalidQuery(query.limit, "a limit is not negative")
        kinds = [kind for kind in self.kinds if not query.kinds or kind.name in query.kinds]
        for path, _ in query.where:
            if not kinds or any(path not in kind.indexed_fields for kind in kinds):
                raise InvalidQuery(path, "not an indexed field")
        for text in filter(None, (query.since, query.until)):
            try:
                microseconds(text)
            except DecodeError as error:
                raise InvalidQuery(text, "no RFC 3339 time") from error

    def _rows(self, query: Query, wanted: int | None) -> Iterator[Json]:
        """All rows in order, page after page; ends when a page brings nothing new."""
        order = query.order or ("oldest" if wanted is None else "newest")
        step = replace(query, order=order, limit=wanted)
        seen: set[object] = set()
        while fresh := [row for row in self._backend.query(step) if key_of(row) not in seen]:
            yield from fresh
            seen.update(map(key_of, fresh))
            step = replace(step, after=position(fresh[-1]))


def _session(scope: Scope) -> str:
    return f"session:{scope.id}"
