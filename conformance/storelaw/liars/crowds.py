"""Liars that are right as long as one client is at work at a time."""

from pathlib import Path
from typing import Any

from storelaw.liars.crowd_honest import (
    LaggingMedium,
    LockedStore,
    LooseMedium,
    SharedData,
    ThreadedMedium,
)
from storelaw.liars.honest import Data, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry, copied


@liar(
    "writers_lose_nothing_of_each_other",
    kinds=["F24"],
    mutants=["concurrent append loses entries"],
)
class WritesTheLogBack(LooseMedium):
    """Reads the log, adds to it and writes it back; somebody else may write between the two."""

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            with self.alone():
                self.usable()
                batch = self.checked([self.kept(each) for each in entries])
                log = self.writable(session, batch)
                whole = [*log.entries, *self.accepted(log, batch)]
            self.gap()
            with self.alone():
                log.entries[:] = whole


@liar("entries_of_several_writers_are_stored_once", kinds=["F24"])
class WritesAgainBesideOthers(LooseMedium):
    """Writes again when somebody else wrote meanwhile, though its own write went through."""

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            before = self.count(session)
            super().append(session, entries)
            self.gap()
            with self.alone():
                if entries and before and self.count(session) > before + len(entries):
                    self.known(session).entries.extend(map(copied, entries))

        def count(self, session: Any) -> int:
            log = self.found(session)
            return len(log.entries) if log is not None else 0


class Buffered(SharedData):
    """Shared data with the one buffer in which entries are encoded."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer: Entry = {}


@liar(
    "entries_of_several_writers_are_not_mixed",
    perhaps=[
        "writers_lose_nothing_of_each_other",
        "entries_of_several_writers_are_stored_once",
        "batches_of_several_writers_stay_together",
    ],
    kinds=["F27"],
)
class SharesAnEncoder(LooseMedium):
    """Encodes all entries in one buffer, before it takes the lock."""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = Buffered()

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, [self.encoded(each) for each in entries])

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            return None

        def encoded(self, entry: Entry) -> Entry:
            self.data.buffer.clear()
            for name, value in entry.items():
                self.data.buffer.update({name: value})
                self.gap()
            return dict(self.data.buffer)


@liar("each_writer_keeps_its_order", kinds=["F05", "F21"])
class PutsBusyWritesOff(LooseMedium):
    """Puts a write off while somebody else writes, and makes up for it after the next one."""

    class store(LockedStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.late: list[tuple[Any, list[Entry]]] = []

        def append(self, session: Any, entries: list[Entry]) -> None:
            if self.late:
                self.data.lock.acquire()
            elif not self.free():
                self.late.append((session, entries))
                return
            try:
                super().append(session, entries)
                self.made_up()
            finally:
                self.data.lock.release()

        def made_up(self) -> None:
            late, self.late = self.late, []
            for session, entries in late:
                if self.found(session) is not None:
                    super().append(session, entries)

        def close(self) -> None:
            self.made_up()
            super().close()


@liar("batches_of_several_writers_stay_together", kinds=["F05"])
class LocksForEachEntry(ThreadedMedium):
    """Takes the lock for each entry of a batch anew."""

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            with self.alone():
                self.usable()
                batch = self.checked([self.kept(each) for each in entries])
                log = self.writable(session, batch)
                fresh = self.accepted(log, batch)
            for each in fresh:
                with self.alone():
                    log.entries.append(each)
                self.gap()


class Owned(SharedData):
    """Shared data that remembers through which handle an entry came, and when handles opened."""

    def __init__(self) -> None:
        super().__init__()
        self.handles: list[HonestStore] = []
        self.owners: dict[int, tuple[int, int]] = {}


class OwningStore(LockedStore):
    """Remembers of each entry the number of its handle, and how many that one wrote before."""

    def __init__(self, data: Owned, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        data.handles.append(self)
        self.number, self.written = len(data.handles), 0

    def stored(self, log: Log, entries: list[Entry]) -> None:
        super().stored(log, entries)
        for each in entries:
            self.written += 1
            self.data.owners[id(each)] = (self.number, self.written)


class OwningMedium(ThreadedMedium):
    """A medium of such stores."""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = Owned()


@liar("readers_agree_on_one_order", kinds=["F24"], most=6)
class ShowsClientsInTurn(OwningMedium):
    """Shows the entries of one client after those of another, once several have met."""

    manifest = LaggingMedium.manifest

    class store(OwningStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            if not self.data.crowded:
                return entries
            return sorted(entries, key=lambda each: self.data.owners[id(each)])


@liar(
    "appends_of_all_writers_keep_their_order_in_time",
    perhaps=[
        "readers_agree_on_one_order",
        "batches_of_several_writers_stay_together",
        "a_reader_sees_all_that_was_acknowledged",
    ],
    kinds=["F04", "F21"],
    most=6,
)
class CountsForEachClient(OwningMedium):
    """Orders entries by how many its client wrote before, once several have met."""

    class store(OwningStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            if not self.data.crowded:
                return entries
            return sorted(entries, key=lambda each: self.data.owners[id(each)][::-1])


class PatchyStore(LockedStore):
    """Shows a beginning of the log while somebody else is at work."""

    def __init__(self, data: SharedData, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        self.shown: dict[int, int] = {}

    def load(self, session: Any, **filters: Any) -> list[Entry]:
        log = self.found(session)
        if log is not None and not self.free():
            return copied(log.entries[: self.shown.get(id(log), 0)])  # type: ignore[no-any-return]
        try:
            loaded = super().load(session, **filters)
            if log is not None:
                self.shown[id(log)] = len(log.entries)
            return loaded
        finally:
            if log is not None:
                self.data.lock.release()


@liar(
    "a_reader_never_sees_less_than_before",
    perhaps=["a_writer_sees_its_own_entries_beside_others"],
    kinds=["F21"],
    most=6,
)
class AsksAStoppedReplicaInTurn(LaggingMedium):
    """Answers every other read of a client from a replica that copies no more, once several met."""

    class store(LockedStore):
        def __init__(self, data: SharedData, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.replicas: dict[Any, list[Entry]] = {}
            self.reads = 0

        def load(self, session: Any, **filters: Any) -> list[Entry]:
            loaded = super().load(session, **filters)
            if not self.data.crowded:
                return loaded
            self.reads += 1
            replica = self.replicas.setdefault(session, loaded)
            return copied(replica) if self.reads % 2 == 0 else loaded


@liar("a_writer_sees_its_own_entries_beside_others", kinds=["F20", "F21"], most=6)
class ShowsWhatItShowedWhenBusy(LaggingMedium):
    """Shows a client what it saw last while somebody else is at work."""

    class store(PatchyStore):
        pass


@liar("a_reader_sees_all_that_was_acknowledged", kinds=["F20"], most=6)
class ShowsItsOwnWritesWhenBusy(ThreadedMedium):
    """Shows a client what it saw or wrote last while somebody else is at work."""

    class store(PatchyStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries)
            self.shown[id(log)] = len(log.entries)


@liar("writers_wait_for_each_other", kinds=["F25"])
class FailsWhenBusy(ThreadedMedium):
    """Raises where another client is at work."""

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            if not self.free():
                raise TimeoutError("the database is locked")
            try:
                super().append(session, entries)
            finally:
                self.data.lock.release()
