"""Storages: the contract, and the two that touch no medium.

A storage is one log of JSON values. It knows nothing of turns, roles or
parents (AP-A11) and accepts any JSON value, also a scalar (AP-A9).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from storelaw_reference.log.queues import Queue, queue_of
from storelaw_reference.log.values import line_of, normal, parsed


class Storage(Protocol):
    """All that an agent or a session asks for. Rule: AP-A11."""

    def append(self, *entries: Any) -> object:
        """Add entries at the end, in order. Rules: AP-A1, AP-A2."""
        ...

    def read(self) -> list[Any]:
        """Return the whole log, oldest first. Rule: AP-A3."""
        ...

    def clear(self) -> object:
        """Empty the log. Rule: AP-A4."""
        ...


def place_of(storage: Storage) -> Hashable:
    """Return what two storages over one log have in common. Rules: AP-K2, D-AP-11."""
    return getattr(storage, "place", ("object", id(storage)))


class Log:
    """A storage over something that a subclass keeps: `_all`, `_add` and `_empty`.

    Nothing is cached: a read tells what the medium holds at that moment (AP-A8).
    """

    def __init__(self, place: Hashable | None = None) -> None:
        self.place: Hashable = ("object", id(self)) if place is None else place
        self._queue: Queue = queue_of(self.place)

    def append(self, *entries: Any) -> None:
        """Add entries at the end: all of them, in order, or none.

        Raises `Rejected` for what is no JSON value, `Damaged` where the
        medium can't be read, and the medium's own errors; then nothing of
        the call is visible. Appending nothing touches nothing.
        Rules: AP-A1, AP-A2, AP-A5, AP-A7, AP-A12, D-AP-9, D-AP-10, D-AP-14.
        """
        values = [self._taken(entry) for entry in entries]
        if values:
            with self._queue:
                self._add(values)

    def read(self) -> list[Any]:
        """Return the log as the caller's own copy; a read writes nothing.

        Raises `Damaged` for what can't be read. Rules: AP-A3, AP-A6, AP-A8, D-AP-8, D-AP-10.
        """
        with self._queue:
            return self._all()

    def clear(self) -> None:
        """Empty the log for every storage over this place. Rule: AP-A4."""
        with self._queue:
            self._empty()

    def _taken(self, entry: Any) -> Any:
        return normal(entry)

    def _all(self) -> list[Any]:
        """The values of the log, fresh ones for each call."""
        return []

    def _add(self, values: list[Any]) -> None:
        """Put values, none of them shared, at the end."""

    def _empty(self) -> None:
        """Let go of all values."""


class Mem(Log):
    """A log in memory, kept as text so that nothing is shared. Rule: D-AP-10."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[str] = []

    def _all(self) -> list[Any]:
        return [parsed(line) for line in self._texts]

    def _add(self, values: list[Any]) -> None:
        self._texts.extend(map(line_of, values))

    def _empty(self) -> None:
        self._texts.clear()


class Nothing(Log):
    """The `none` storage: it takes entries, and keeps none of them."""
