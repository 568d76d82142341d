"""Stores: the contract that a session needs, and an implementation in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any, Literal, Protocol, get_args

from storelaw_reference.transcript.errors import (
    EntryConflict,
    Rejected,
    SessionExists,
    SessionNotFound,
)
from storelaw_reference.transcript.times import stamp, utc_now

Reappend = Literal["duplicate", "idempotent-or-conflict"]


class Store(Protocol):
    """All that a session asks of a store. Rule: PI-L6."""

    def create(self, session_id: str, parent: str | None = None) -> object:
        """Begin an empty session, or raise `SessionExists`. Rules: PI-L1, PI-L2."""
        ...

    def load(self, session_id: str) -> Sequence[dict[str, Any]]:
        """Return all entries, oldest first, or raise `SessionNotFound`. Rules: PI-L4, PI-A1."""
        ...

    def append(self, session_id: str, entries: list[dict[str, Any]]) -> object:
        """Add entries at the end, or raise `SessionNotFound`. Rules: PI-L4, PI-A1."""
        ...


@dataclass(slots=True)
class _Log:
    """One session: its record and its entries as JSON text, the first place of each id."""

    record: dict[str, Any]
    texts: list[str] = field(default_factory=list[str])
    places: dict[str, int] = field(default_factory=dict[str, int])

    def text(self, key: str) -> str:
        """Return the first text under an id; empty where there is none."""
        return self.texts[self.places[key]] if key in self.places else ""

    def add(self, fresh: list[tuple[object, str]]) -> None:
        """Put texts, each with its entry's id, at the end."""
        for key, text in fresh:
            if isinstance(key, str):
                self.places.setdefault(key, len(self.texts))
            self.texts.append(text)


@dataclass(slots=True)
class MemoryData:
    """The medium of memory stores: several handles may be opened on one."""

    logs: dict[str, _Log] = field(default_factory=dict[str, _Log])
    lock: Lock = field(default_factory=Lock)


class MemoryStore:
    """A store that keeps each entry as JSON text, so nothing is shared with a caller.

    Entries are opaque to it, but for the `id` under `idempotent-or-conflict`.
    Safe for threads (PI-N1). Raises `ValueError` for another `reappend`.
    """

    def __init__(
        self,
        reappend: Reappend = "duplicate",
        *,
        data: MemoryData | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        if reappend not in get_args(Reappend):
            raise ValueError(f"reappend is one of {get_args(Reappend)}: {reappend!r}")
        self._merges = reappend == "idempotent-or-conflict"
        self._data = MemoryData() if data is None else data
        self._now = now

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Begin an empty session; its record is written here and never again.

        Raises `SessionExists`; the parent need not exist.
        Rules: PI-L1, PI-L2, PI-L3, PI-L5.
        """
        lineage = {"parent_id": parent} if parent else {}
        record = {"id": session_id, **lineage, "created_at": stamp(self._now())}
        with self._data.lock:
            if session_id in self._data.logs:
                raise SessionExists(session_id)
            self._data.logs[session_id] = _Log(record)

    def load(self, session_id: str) -> list[dict[str, Any]]:
        """Return the entries in append order, as copies of the caller's own.

        Raises `SessionNotFound`. Rules: PI-A1, PI-A8, PI-L4, PI-L5, PI-R2, D-PI-9.
        """
        with self._data.lock:
            texts = self._log(session_id).texts[:]
        return [json.loads(text) for text in texts]

    def append(self, session_id: str, entries: list[dict[str, Any]]) -> None:
        """Add entries at the end, all of them or none.

        Under `idempotent-or-conflict` an entry whose id is there with an
        equal payload is skipped, and with another raises `EntryConflict`.
        Raises `SessionNotFound`; `Rejected` for what isn't a JSON object.
        Rules: PI-A1, PI-A2, PI-A3, PI-A7, PI-I2, PI-L4, PI-N1.
        """
        batch = [_kept(entry) for entry in entries]
        with self._data.lock:
            log = self._log(session_id)
            log.add(_merged(log, batch) if self._merges else batch)

    def record(self, session_id: str) -> dict[str, Any]:
        """Return `id`, `parent_id` where one was given, and `created_at`.

        Raises `SessionNotFound`. Rules: PI-L2, PI-L3.
        """
        with self._data.lock:
            return dict(self._log(session_id).record)

    def close(self) -> None:
        """Let go of the handle; the data stays with its other handles. Rule: PI-L8."""

    def _log(self, session_id: str) -> _Log:
        if session_id not in self._data.logs:
            raise SessionNotFound(session_id)
        return self._data.logs[session_id]


def _kept(entry: dict[str, Any]) -> tuple[object, str]:
    """Return the id of an entry and its text, or refuse one that would come back changed."""
    try:
        text = json.dumps(entry, allow_nan=False)
        intact = text[0] == "{" and json.loads(text) == entry
    except (RecursionError, TypeError, ValueError) as error:
        raise Rejected(entry, str(error)) from error
    if not intact:
        raise Rejected(entry, "no JSON object that comes back equal")
    return entry.get("id"), text


def _merged(log: _Log, batch: list[tuple[object, str]]) -> list[tuple[object, str]]:
    """Return what of a batch is new to the log."""
    fresh: list[tuple[object, str]] = []
    arrived: dict[str, str] = {}
    for key, text in batch:
        if isinstance(key, str):
            held = arrived.get(key) or log.text(key)
            if held and _payload(held) != _payload(text):
                raise EntryConflict(key)
            if held:
                continue
            arrived[key] = text
        fresh.append((key, text))
    return fresh


def _payload(text: str) -> str:
    """Return text that is equal for equal JSON values, and tells 1, 1.0 and true apart."""
    return json.dumps(json.loads(text), sort_keys=True)
