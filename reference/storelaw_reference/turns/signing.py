"""Signing: a memory whose append-only entries join its publisher's chain."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from storelaw_reference.turns.backends import Backend, Query
from storelaw_reference.turns.entries import Json, Scope, checked, publisher_of, scope_of
from storelaw_reference.turns.kinds import Kinds
from storelaw_reference.turns.memory import Memory
from storelaw_reference.turns.provenance import Signer, Verifier, entry_digest, signed

Tail = tuple[int, str]
"""The last position of a chain and its digest; (0, "") before the first."""


class SigningMemory(Memory):
    """A memory that signs what it appends, one chain for each scope.

    A position is used up only by an entry that was stored: each write goes
    on from what storage holds.
    Entries that come signed are left as they are. Rules: OA-P1, OA-P2, OA-P3.
    """

    def __init__(
        self,
        backend: Backend,
        signer: Signer,
        *,
        kinds: Kinds | None = None,
        verifier: Verifier | None = None,
        caller: str = "",
    ) -> None:
        super().__init__(backend, kinds=kinds, verifier=verifier, caller=caller)
        self._signer = signer
        self._chain = Lock()

    def put(self, entry: Mapping[str, Any]) -> Json:
        """Sign and keep an entry. Raises as `Memory.put` does. Rules: OA-P2, OA-P3."""
        draft = checked(entry)
        kind = self._kind(draft["kind"])
        if not kind.append_only or "provenance" in draft:
            return super().put(draft)
        with self._chain:
            return self._chained(draft, scope_of(draft))

    def _chained(self, draft: Json, scope: Scope) -> Json:
        seq, digest = self._tail(scope)
        return super().put(signed(draft, self._signer, seq + 1, digest))

    def _tail(self, scope: Scope) -> Tail:
        """Where storage says that the chain ends. Rule: OA-P3."""
        kinds = tuple(kind.name for kind in self.kinds if kind.append_only)
        rows = self.query(Query(scope, kinds)).entries
        mine = [row for row in rows if publisher_of(row) == self._signer.publisher]
        last = max(mine, key=lambda row: row["provenance"]["seq"], default=None)
        return (0, "") if last is None else (last["provenance"]["seq"], entry_digest(last))
