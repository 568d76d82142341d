"""Chains: how drafts become the entries of a log, each off the one before it.

Each rule sits in one small method, so that a session which breaks just that
rule is a subclass of three lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from threading import RLock
from typing import Any, Self

from storelaw_reference.transcript.codec import CODEC, Codec
from storelaw_reference.transcript.entries import Entry, Header, is_ephemeral
from storelaw_reference.transcript.errors import Rejected, SessionExists, SessionNotFound
from storelaw_reference.transcript.events import Event, Publish, unheard
from storelaw_reference.transcript.forks import Nursery
from storelaw_reference.transcript.ids import fresh_id, random_id
from storelaw_reference.transcript.paths import walk
from storelaw_reference.transcript.stores import Store
from storelaw_reference.transcript.times import stamp, utc_now


class Chain:
    """A session's log, and the leaf at which it grows.

    Reads and appends of several threads are safe.
    """

    def __init__(
        self,
        store: Store,
        session_id: str,
        log: Sequence[dict[str, Any]],
        *,
        new_id: Callable[[], str] = random_id,
        now: Callable[[], datetime] = utc_now,
        publish: Publish | None = None,
        codec: Codec = CODEC,
    ) -> None:
        self.id = session_id
        self._backing = store
        self._new_id, self._now, self._codec = new_id, now, codec
        self._publish = publish or unheard
        self._log = [codec.decode(json) for json in log]
        self._durable = {entry.header.id: entry for entry in self._log}
        self._ids = set(self._durable)
        self._leaf = self._resume_leaf()
        self._nursery = Nursery(store)
        self._lock = RLock()

    @classmethod
    def open(
        cls,
        store: Store,
        session_id: str,
        *,
        parent: str | None = None,
        new_id: Callable[[], str] = random_id,
        now: Callable[[], datetime] = utc_now,
        publish: Publish | None = None,
        codec: Codec = CODEC,
    ) -> Self:
        """Load a session, or create it if the store says `SessionNotFound`.

        Any other error of the load propagates, and nothing is created; whoever
        loses a race of two first opens loads what the winner made.
        Rules: PI-L7, PI-S1, PI-B3, D-PI-8.
        """
        log, created = cls._loaded(store, session_id, parent)
        session = cls(store, session_id, log, new_id=new_id, now=now, publish=publish, codec=codec)
        if created:
            session._publish(Event("session_init", session_id, parent_id=parent or ""))
        return session

    @property
    def leaf(self) -> str:
        """The id of the entry that the next one will hang off; empty before the first."""
        return self._leaf

    def entries(self) -> list[Entry]:
        """Return this instance's log in order, ephemeral entries included.

        Rules: PI-R5, PI-E2.
        """
        with self._lock:
            return list(self._log)

    def path(self) -> tuple[Entry, ...]:
        """Return the path from the root to the leaf. Rules: PI-T2, PI-T3, PI-T4, PI-E5."""
        with self._lock:
            return walk(self._durable, self._leaf)

    def append(self, drafts: Iterable[Entry]) -> list[Entry]:
        """Take drafts in as one batch; return them with their headers, in order.

        If the store refuses the batch, nothing has happened here.
        Rules: PI-A4, PI-A5, PI-A6, PI-E1, PI-E2, PI-E3, PI-E9, PI-T6, PI-I1, D-PI-4.
        """
        given = list(drafts)
        with self._lock:
            return self._commit(given)

    # Opening

    @classmethod
    def _loaded(
        cls, store: Store, session_id: str, parent: str | None
    ) -> tuple[Sequence[dict[str, Any]], bool]:
        """Return the stored log, and whether this call created the session."""
        try:
            return store.load(session_id), False
        except SessionNotFound:
            pass
        try:
            store.create(session_id, parent=parent)
        except SessionExists:
            return store.load(session_id), False
        return [], True

    def _resume_leaf(self) -> str:
        """The leaf of a reopened session: its last entry, wherever it was branched."""
        return self._log[-1].header.id if self._log else ""

    # Appending

    def _commit(self, drafts: Sequence[Entry]) -> list[Entry]:
        settled = self._assigned(drafts)
        if batch := [json for json, entry in settled if not self._is_ephemeral(entry)]:
            self._store(batch)
        entries = [entry for _, entry in settled]
        for entry in entries:
            self._admit(entry)
        return entries

    def _assigned(self, drafts: Sequence[Entry]) -> list[tuple[dict[str, Any], Entry]]:
        """Give each draft its header, and return its JSON beside it."""
        created_at, leaf = stamp(self._now()), self._leaf
        settled: list[tuple[dict[str, Any], Entry]] = []
        for draft in drafts:
            header = Header(self._drawn(), self._parent_of(draft, leaf), created_at)
            json, entry = self._settled(draft, header)
            leaf = self._advance(leaf, entry)
            settled.append((json, entry))
        return settled

    def _settled(self, draft: object, header: Header) -> tuple[dict[str, Any], Entry]:
        if not isinstance(draft, Entry):
            raise Rejected(draft, "a draft is an entry")
        return self._codec.settle(replace(draft, header=header))

    def _drawn(self) -> str:
        """A fresh id; it stays taken if the append fails, for the store may hold it."""
        drawn = fresh_id(self._new_id, self._ids)
        self._ids.add(drawn)
        return drawn

    def _parent_of(self, draft: Entry, leaf: str) -> str:
        """The parent of a draft, where `leaf` is the chain's end before it."""
        return leaf

    def _is_ephemeral(self, entry: Entry) -> bool:
        return is_ephemeral(entry)

    def _store(self, batch: list[dict[str, Any]]) -> None:
        self._backing.append(self.id, batch)

    def _advance(self, leaf: str, entry: Entry) -> str:
        """The chain's end behind an entry; an ephemeral one hangs off it and moves nothing."""
        return leaf if self._is_ephemeral(entry) else entry.header.id

    def _admit(self, entry: Entry) -> None:
        self._log.append(entry)
        if not self._is_ephemeral(entry):
            self._durable[entry.header.id] = entry
        self._leaf = self._advance(self._leaf, entry)
