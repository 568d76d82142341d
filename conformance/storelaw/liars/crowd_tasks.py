"""A store for tasks, honest and not: each operation suspends in the middle."""

import asyncio
from pathlib import Path
from typing import Any, ClassVar

from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, claiming
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry

TASKED = claiming(MANIFEST, name="tasked", consistency="real-time", options={"reappend": None})


class TaskedStore:
    """An honest store behind a queue of tasks; what isn't named here doesn't suspend."""

    def __init__(self, inner: HonestStore, lock: asyncio.Lock) -> None:
        self.inner, self.lock = inner, lock

    async def append(self, session: Any, entries: list[Entry]) -> None:
        """One task after another."""
        async with self.lock:
            await asyncio.sleep(0)
            self.inner.append(session, entries)
            await asyncio.sleep(0)

    async def load(self, session: Any, **filters: Any) -> list[Entry]:
        """One task after another."""
        async with self.lock:
            await asyncio.sleep(0)
            return self.inner.load(session, **filters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class TaskedMedium(HonestMedium):
    """A medium whose handle may be used by tasks at once."""

    manifest: ClassVar[Manifest] = TASKED
    front: ClassVar[type[TaskedStore]] = TaskedStore

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.lock = asyncio.Lock()

    def open(self) -> TaskedStore:
        """A handle on the shared data."""
        return self.front(HonestStore(self.data, self.manifest), self.lock)


@liar("writers_lose_nothing_of_each_other", kinds=["F24"])
class AwaitsBetweenReadAndWrite(TaskedMedium):
    """Reads the log, awaits, and writes it back with the new entries."""

    manifest = claiming(TASKED, consistency="per-writer")

    class front(TaskedStore):
        async def append(self, session: Any, entries: list[Entry]) -> None:
            before = self.kept(session)
            await asyncio.sleep(0)
            count = len(self.kept(session))
            self.inner.append(session, entries)
            log = self.inner.found(session)
            if log is not None:
                log.entries[:] = [*before, *log.entries[count:]]

        def kept(self, session: Any) -> list[Entry]:
            log = self.inner.found(session)
            return [] if log is None else list(log.entries)
