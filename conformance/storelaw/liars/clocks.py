"""Liars that order entries by the time at which they wrote them."""

from collections.abc import Callable
from datetime import datetime
from heapq import merge
from pathlib import Path

from storelaw.liars.honest import Data, HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry


class Stamped(Data):
    """What the medium keeps, with the handle and the time of each write."""

    def __init__(self) -> None:
        super().__init__()
        self.handles = 0
        self.stamps: dict[int, tuple[int, datetime]] = {}


class StampingStore(HonestStore):
    """Notes the number of its handle and the time with each entry."""

    data: Stamped

    def __init__(self, data: Stamped, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        data.handles += 1
        self.number = data.handles

    def stored(self, log: Log, entries: list[Entry]) -> None:
        super().stored(log, entries)
        now = self.data.now()
        self.data.stamps.update({id(each): (self.number, now) for each in entries})

    def time(self) -> Callable[[Entry], datetime]:
        """When an entry was written; one that was copied by a fork comes first."""
        early = datetime.fromisoformat("0001-01-01T00:00:00+00:00")
        return lambda entry: self.data.stamps.get(id(entry), (0, early))[1]

    def owner(self, entry: Entry) -> int:
        """The handle that wrote an entry; none for one that was copied by a fork."""
        return self.data.stamps[id(entry)][0] if id(entry) in self.data.stamps else 0


class StampingMedium(HonestMedium):
    """A medium of such stores."""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = Stamped()


@liar(
    "the_stores_own_clock_does_not_change_the_order",
    also=["writers_with_clocks_apart_keep_one_order"],
    kinds=["F04"],
    most=5,
)
class SortsByWriteTime(StampingMedium):
    """Reads in the order of the times at which it wrote."""

    class store(StampingStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            return sorted(entries, key=self.time())


@liar("writers_with_clocks_apart_keep_one_order", kinds=["F04"], most=7)
class MergesClientsByTime(StampingMedium):
    """Keeps each client's own order, and merges the clients by the time of their writes."""

    class store(StampingStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            clients = dict.fromkeys(map(self.owner, entries))
            logs = [[e for e in entries if self.owner(e) == each] for each in clients]
            return list(merge(*logs, key=self.time()))
