"""Liars about handles, entry ids and ids with a meaning."""

from typing import Any

from storelaw.liars.honest import (
    MANIFEST,
    Data,
    HonestMedium,
    HonestStore,
    Log,
    claiming,
)
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry, copied


@liar(
    "handles_see_each_others_entries",
    kinds=["F20"],
    mutants=["stale read cache per handle"],
    most=5,
)
class CachesReads(HonestMedium):
    """Caches each log that it read until it writes to it itself."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.cache: dict[Any, list[Entry]] = {}

        def load(self, session: Any, **filters: Any) -> list[Entry]:
            self.usable()
            read = (session, *filters.items())
            if read not in self.cache:
                self.cache[read] = super().load(session, **filters)
            return copied(self.cache[read])  # type: ignore[no-any-return]

        def __getattribute__(self, name: str) -> Any:
            if name in ("append", "delete", "clear", "pop", "replace", "delete_entry", "fork"):
                super().__getattribute__("cache").clear()
            return super().__getattribute__(name)


@liar("a_write_through_one_handle_leaves_the_sessions_of_another", kinds=["F24"], most=6)
class WritesBackAll(HonestMedium):
    """Writes back all sessions as they were when the handle was opened, and its own writes."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.snapshot = self.taken_now()

        def taken_now(self) -> dict[Any, list[Entry]]:
            return {key: list(log.entries) for key, log in self.data.logs.items()}

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            for key, log in self.data.logs.items():
                if key != session:
                    log.entries[:] = self.snapshot.get(key, [])
            self.snapshot = self.taken_now()


@liar("closing_one_handle_leaves_the_others_working", kinds=["F27"], most=3)
class SharesAConnection(HonestMedium):
    """Ends the connection of all handles with the first close."""

    def close(self, handle: Any) -> None:
        for each in self.handles:
            each.close()

    def open(self) -> Any:
        self.handles: list[HonestStore] = [*getattr(self, "handles", ()), super().open()]
        return self.handles[-1]


@liar(
    "an_entry_id_belongs_to_its_session",
    also=["a_fork_holds_the_log_up_to_its_entry"],
    kinds=["F15"],
    mutants=["uuid unique across the whole table, so forks lose entries"],
    most=3,
)
class OneTableOfIds(HonestMedium):
    """Ignores an entry whose id any session knows."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh = super().accepted(log, entries)
            others = [e for each in self.data.logs.values() for e in each.entries]
            return [each for each in fresh if self.twin(others, each) is None]

        def branch_of(self, log: Log, end: int) -> list[Entry]:
            return []


@liar(
    "an_entry_id_belongs_to_its_session",
    kinds=["F15"],
    most=2,
)
class RefusesKnownIds(HonestMedium):
    """Refuses an id that another session knows, against its own declaration."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            others = [e for o in self.data.logs.values() if o is not log for e in o.entries]
            for each in entries:
                if self.twin(others, each) is not None:
                    raise ValueError("UNIQUE constraint failed")
            return super().accepted(log, entries)


class Collated(HonestStore):
    """Compares the ids of entries under a collation, and takes an equal one for a retry."""

    def collated(self, name: str) -> str:
        """The id as the unique index compares it."""
        return name

    def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
        for each in entries:
            if "id" in entry and self.collated(each["id"]) == self.collated(entry["id"]):
                return each
        return None

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        if twin["id"] == entry["id"]:
            super().repeated(log, twin, entry)


@liar("related_entry_ids_are_different_entries", kinds=["F54"], most=2)
class FoldsEntryIds(HonestMedium):
    """Compares entry ids without case, and takes the second for a retry."""

    class store(Collated):
        def collated(self, name: str) -> str:
            return name.casefold()


@liar("related_entry_ids_are_different_entries", kinds=["F54"], most=2)
class CutsEntryIds(HonestMedium):
    """Compares the first 36 characters of entry ids."""

    class store(Collated):
        def collated(self, name: str) -> str:
            return name[:36]


@liar("ids_with_a_meaning_are_ordinary_ids", kinds=["F53"], most=2)
class ResolvesLatest(HonestMedium):
    """Reads the id ``latest`` as an order for the newest session."""

    manifest = claiming(MANIFEST, name="resolves-latest", probe_ids=("latest",))

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            newest = [each for each in self.data.logs if each != "latest"]
            resolved = newest[-1] if session == "latest" and newest else session
            return super().load(resolved, **filters)
