"""Memories that are right as long as one writer is at work at a time."""

import time
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Final

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, Rows, TurnsHonest
from storelaw.manifest import Manifest
from storelaw.values import Entry
from storelaw_reference import turns

#: How long another writer may come in between, in seconds.
GAP: Final = 2e-3


class SharedRows(Rows):
    """Rows with a lock."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = RLock()


class AddingBackend(HonestBackend):
    """A backend that can write once by itself."""

    rows: SharedRows

    def add(self, entry: Entry) -> Entry | None:
        """Keep an entry if its key is free, or give what holds it."""
        with self.rows.lock:
            held: Entry | None = self.get(entry["scope"], entry["kind"], entry["id"])
            if held is None:
                self.put(entry)
            return held


class SharedMedium(TurnsHonest):
    """A medium whose handles may be used by threads at once."""

    manifest: ClassVar[Manifest] = replace(
        TurnsHonest.manifest, name="turns-shared", writers=frozenset({"tasks", "threads"})
    )
    store: ClassVar[type[HonestBackend]] = AddingBackend

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.rows = SharedRows()


class Looking(turns.Memory):
    """Looks for the id, and writes then."""

    def _add(self, fresh: Entry) -> Entry | None:
        held = self._backend.get(turns.scope_of(fresh), fresh["kind"], fresh["id"])
        if held is None:
            time.sleep(GAP)
            self._backend.put(fresh)
        return held


@liar("of_several_writers_of_an_id_exactly_one_succeeds", kinds=["F15", "F24"], most=1)
class LooksBeforeItWrites(SharedMedium):
    """Tells two writers of one id that theirs is stored."""

    variants: ClassVar[dict[str, Any]] = {"memory": Looking}


class Suspicious(turns.Memory):
    """Takes whoever came between the look and the write for another entry."""

    def _add(self, fresh: Entry) -> Entry | None:
        held = self._backend.get(turns.scope_of(fresh), fresh["kind"], fresh["id"])
        if held is not None:
            return held
        time.sleep(GAP)
        meanwhile = super()._add(fresh)
        if meanwhile is not None:
            raise turns.AppendOnlyConflict(fresh["id"], meanwhile)
        return None


@liar("several_writers_of_one_entry_all_succeed", kinds=["F13", "F15"], most=1)
class RefusesRetriesThatMeet(SharedMedium):
    """Calls an equal entry a conflict where it came from another writer a moment ago."""

    variants: ClassVar[dict[str, Any]] = {"memory": Suspicious}


class Rewriting(AddingBackend):
    """Writes all rows back with each new one."""

    def put(self, entry: Entry) -> None:
        before = dict(self.rows.entries)
        time.sleep(GAP)
        super().put(entry)
        key = self.key(entry["scope"], entry["kind"], entry["id"])
        self.rows.entries = {**before, key: self.rows.entries[key]}

    def add(self, entry: Entry) -> Entry | None:
        held: Entry | None = self.get(entry["scope"], entry["kind"], entry["id"])
        if held is None:
            self.put(entry)
        return held


@liar(
    "writers_of_other_ids_never_meet",
    perhaps=["of_several_writers_of_an_id_exactly_one_succeeds"],
    kinds=["F24"],
    most=1,
)
class WritesAllRowsBack(SharedMedium):
    """Reads all rows, adds one, and writes them back."""

    store = Rewriting
