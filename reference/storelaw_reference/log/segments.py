"""A storage in segments of a key-value backend."""

from __future__ import annotations

import re
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Protocol

from storelaw_reference.log.errors import Damaged
from storelaw_reference.log.storages import Log
from storelaw_reference.log.values import is_array, line_of, parsed

_NUMBER = re.compile(r"0|[1-9][0-9]*")


class Backend(Protocol):
    """Keys and texts. A backend may name its `place`, so that two of one place share a queue."""

    def get(self, key: str, /) -> str | None:
        """Return the text under a key, or None."""
        ...

    def set(self, key: str, text: str, /) -> object:
        """Put a text under a key."""
        ...

    def delete(self, key: str, /) -> object:
        """Remove a key; no error where there is none."""
        ...


class KeyValue(Log):
    """A log cut into segments: `P:head` counts them, `P:seg:0000001` and on hold arrays.

    Each append reads the backend afresh, in a queue that all storages over
    that backend and prefix share. Across processes there is to be one writer.
    The head is written last, so segments beyond it are what a crash left of
    an append, and the next append takes their place; what the head counts
    must be there. Raises `ValueError` for a segment size below 1.
    Rules: AP-A5, AP-A7, AP-A10, D-AP-8.
    """

    def __init__(self, backend: Backend, prefix: str = "apeira", segment_size: int = 100) -> None:
        if segment_size < 1:
            raise ValueError(f"a segment holds at least one entry: {segment_size}")
        at: Hashable = getattr(backend, "place", ("backend", id(backend)))
        super().__init__(("segments", at, prefix))
        self._backend, self._prefix, self._size = backend, prefix, segment_size

    def _all(self) -> list[Any]:
        return [value for number in range(self._head()) for value in self._segment(number + 1)]

    def _add(self, values: list[Any]) -> None:
        before, head = self._held(), self._head()
        last = self._segment(head) if head else []
        try:
            self._begin(before)
            self._write(head, last, values)
        except BaseException:
            self._undo(head, last, before)
            raise

    def _write(self, head: int, last: list[Any], values: list[Any]) -> None:
        """Write the new segments, then the one that was last, then the head."""
        room = max(self._size - len(last), 0) if head else 0
        added = self._spill(head, values[room:])
        if room:
            self._put(self._key(head), line_of([*last, *values[:room]]))
        if added:
            self._put(self._head_key(), str(head + added))

    def _begin(self, before: str | None) -> None:
        """Say that there is a log, so that a lost head can be told from a first append."""
        if before is None:
            self._put(self._head_key(), "0")

    def _spill(self, head: int, values: list[Any]) -> int:
        """Put values into new segments; return how many there are."""
        cuts = range(0, len(values), self._size)
        for number, cut in enumerate(cuts, head + 1):
            self._put(self._key(number), line_of(values[cut : cut + self._size]))
        return len(cuts)

    def _undo(self, head: int, last: list[Any], before: str | None) -> None:
        """Put back what a failed append has touched, as far as the backend lets us (AP-A7)."""
        with suppress(Exception):
            self._backend.set(self._head_key(), before or "0")
        if head:
            with suppress(Exception):
                self._backend.set(self._key(head), line_of(last))

    def _empty(self) -> None:
        """Set the head first: a crash in the middle leaves segments that nobody counts."""
        self._put(self._head_key(), "0")
        number = 1
        while self._backend.get(self._key(number)) is not None:
            self._backend.delete(self._key(number))
            number += 1

    def _head(self) -> int:
        """How many segments there are; a missing head means none, if no segment is there."""
        held = self._held()
        if held is None:
            return self._headless()
        if not _NUMBER.fullmatch(held):
            raise Damaged(f"{self._head_key()}: not a number of segments")
        return int(held)

    def _headless(self) -> int:
        if self._backend.get(self._key(1)) is not None:
            raise Damaged(f"{self._head_key()}: missing, though {self._key(1)} is there")
        return 0

    def _segment(self, number: int) -> list[Any]:
        key = self._key(number)
        held = self._backend.get(key)
        try:
            values: object = None if held is None else parsed(held)
        except ValueError as error:
            raise Damaged(f"{key}: {error}") from error
        if not is_array(values):
            raise Damaged(f"{key}: " + ("missing" if held is None else "not an array"))
        return list(values)

    def _held(self) -> str | None:
        return self._backend.get(self._head_key())

    def _put(self, key: str, held: str) -> None:
        self._backend.set(key, held)

    def _head_key(self) -> str:
        return f"{self._prefix}:head"

    def _key(self, number: int) -> str:
        return f"{self._prefix}:seg:{number:07}"
