"""Forks: copies of one path under fresh ids, and where a failed one is taken up again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from storelaw_reference.transcript.entries import CompactionEntry, Entry, Header
from storelaw_reference.transcript.errors import SessionExists, SessionNotFound
from storelaw_reference.transcript.stores import Store


@dataclass(frozen=True, slots=True)
class Copy:
    """The JSON of a child's log, and the ids of the path that it was copied from."""

    source: tuple[str, ...]
    entries: list[dict[str, Any]]


def rekeyed(path: Sequence[Entry], new_ids: Sequence[str]) -> list[Entry]:
    """Return the path in one chain under new ids, times kept. Rule: PI-F1."""
    parents = ["", *new_ids]
    return [
        replace(entry, header=Header(fresh, parent, entry.header.created_at))
        for entry, fresh, parent in zip(path, new_ids, parents[:-1], strict=True)
    ]


def remapped(entry: Entry, ids: Mapping[str, str]) -> Entry:
    """Return an entry whose anchor names the copy; an unknown anchor stays. Rule: PI-F5."""
    if not isinstance(entry, CompactionEntry):
        return entry
    return replace(entry, first_kept_id=ids.get(entry.first_kept_id, entry.first_kept_id))


class Nursery:
    """The children that a session began and could not finish (PI-F7, D-PI-7)."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun: dict[str, Copy] = {}

    def deliver(self, child_id: str, parent_id: str, copy: Copy) -> list[dict[str, Any]]:
        """Create the child and fill it; return what it holds now.

        A child of ours that failed before is filled up, also one whose
        creation failed without a word on whether it took place. Raises
        `SessionExists` for any other taken id, and the store's own error,
        after which a retry may follow. Rules: PI-F2, PI-F7, D-PI-7.
        """
        held = self._left_over(child_id)
        if held is None:
            self._create(child_id, parent_id, copy)
        elif held:
            copy = self._continued(child_id, held, copy)
        self._fill(child_id, copy, len(held or ()))
        return copy.entries

    def _create(self, child_id: str, parent_id: str, copy: Copy) -> None:
        try:
            self._store.create(child_id, parent=parent_id)
        except SessionExists:
            raise
        except BaseException:
            self._begun[child_id] = copy
            raise

    def _left_over(self, child_id: str) -> Sequence[dict[str, Any]] | None:
        """Return what a child that we began holds; None if there is no such child."""
        if child_id not in self._begun:
            return None
        try:
            return self._store.load(child_id)
        except SessionNotFound:
            return None

    def _continued(self, child_id: str, held: Sequence[dict[str, Any]], copy: Copy) -> Copy:
        """Return the copy whose first part the child holds, if it still is what is asked for."""
        begun = self._begun[child_id]
        ids = [each["id"] for each in begun.entries[: len(held)]]
        if begun.source != copy.source or ids != [each.get("id") for each in held]:
            raise SessionExists(child_id, "it holds something else")
        return begun

    def _fill(self, child_id: str, copy: Copy, held: int) -> None:
        try:
            if missing := copy.entries[held:]:
                self._store.append(child_id, missing)
        except BaseException:
            self._begun[child_id] = copy
            if self._undone(child_id):
                del self._begun[child_id]
            raise
        self._begun.pop(child_id, None)

    def _undone(self, child_id: str) -> bool:
        delete: Callable[[str], object] | None = getattr(self._store, "delete", None)
        if delete is None:
            return False
        with suppress(Exception):
            delete(child_id)
            return True
        return False
