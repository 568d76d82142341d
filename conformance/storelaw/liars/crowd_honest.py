"""Honest stores that many may write to at once: one behind a lock, one on an event loop, one on
a file. Liars vary how they keep out of each other's way.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Final

from storelaw.liars.honest import EXPLICIT, Data, HonestMedium, HonestStore, claiming
from storelaw.manifest import Manifest
from storelaw.values import Entry

#: How long others may come between the two halves of an operation, in seconds.
GAP: Final = 1e-3


class SharedData(Data):
    """What the handles of a medium share, with the lock that each operation takes.

    ``crowded`` says that two operations have met.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lock = RLock()
        self.crowded = False


class LockedStore(HonestStore):
    """A store whose operations come one after another."""

    #: :class:`SharedData`, or what a medium has in its place.
    data: Any

    @contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else is at work inside."""
        if not self.free():
            self.data.lock.acquire()
        try:
            yield
        finally:
            self.data.lock.release()

    def free(self) -> bool:
        """Take the lock, if nobody has it."""
        taken: bool = self.data.lock.acquire(blocking=False)
        self.data.crowded |= not taken
        return taken

    def gap(self, times: int = 1) -> None:
        """A moment in which others come between, where there are others."""
        if self.data.crowded:
            time.sleep(GAP * times)

    def append(self, session: Any, entries: list[Entry]) -> None:
        """Alone."""
        with self.alone():
            super().append(session, entries)

    def load(self, session: Any, **filters: Any) -> list[Entry]:
        """Alone."""
        with self.alone():
            return super().load(session, **filters)

    def create(self, session: Any, parent: Any = None) -> None:
        """Alone."""
        with self.alone():
            super().create(session, parent)

    def delete(self, session: Any) -> None:
        """Alone."""
        with self.alone():
            super().delete(session)

    def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
        """Alone."""
        with self.alone():
            return super().fork(session, new, at)


THREADED = claiming(
    EXPLICIT,
    name="threaded",
    writers=frozenset({"tasks", "threads"}),
    consistency="real-time",
    without=frozenset({"fork"}),
    options={"reappend": None},
)


class ThreadedMedium(HonestMedium):
    """A medium whose handles may be used by threads at once."""

    manifest: ClassVar[Manifest] = THREADED
    store: ClassVar[type[HonestStore]] = LockedStore

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = SharedData()


class LooseMedium(ThreadedMedium):
    """Promises no order but each writer's own."""

    manifest = claiming(THREADED, name="threaded loosely", consistency="per-writer")


class LaggingMedium(ThreadedMedium):
    """Promises one order, which may lag behind."""

    manifest = claiming(THREADED, name="threaded with a lag", consistency="sequential")


class ContestedMedium(ThreadedMedium):
    """Promises all that clients can contest: forks too, and known ids as retries or conflicts."""

    manifest = claiming(
        EXPLICIT,
        name="contested",
        writers=frozenset({"tasks", "threads"}),
        consistency="real-time",
    )
