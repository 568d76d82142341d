"""Honest media with the powers ``fail_next`` and ``clock``: what an interruption should leave."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from storelaw.driver import Injected
from storelaw.liars.honest import EXPLICIT, Data, HonestMedium, HonestStore, Log, claiming
from storelaw.manifest import Manifest
from storelaw.values import Entry


@dataclass
class FailingData(Data):
    """What the medium keeps, the failures that are due, and what a liar holds beside the logs."""

    due: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    aside: list[Entry] = field(default_factory=list[Entry])


class FailingStore(HonestStore):
    """A store whose next write fails where it was told to; whole batches or nothing."""

    data: FailingData

    @contextmanager
    def interrupted(
        self, what: str, target: Any, entries: Sequence[Entry] = ()
    ) -> Generator[None, None, None]:
        """Run a write, failing before or after it; a failure at an item is one before it."""
        point, _ = self.data.due.pop(0) if self.data.due else ("", 0)
        if point in ("before-commit", "inside", "item"):
            self.half_done(what, point, target, entries)
            raise Injected(f"the store fails at {point}")
        yield
        if point:
            self.undone(what, target, entries)
            raise Injected(f"the store fails at {point}")

    def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
        """What is left of a write that fails before its commit: nothing."""

    def undone(self, what: str, target: Any, entries: Sequence[Entry]) -> None:
        """What is taken back when a write fails after its commit: nothing."""

    def stored(self, log: Log, entries: list[Entry]) -> None:
        """Put accepted entries at the end of a log, or fail."""
        with self.interrupted("append", log, entries):
            super().stored(log, entries)

    def create(self, session: Any, parent: Any = None) -> None:
        """A new empty session, or a failure."""
        with self.interrupted("create", session):
            super().create(session, parent)

    def replace(self, session: Any, entries: list[Entry]) -> None:
        """Other entries in place of the log, or a failure."""
        with self.interrupted("replace", session, entries):
            super().replace(session, entries)

    def clear(self, session: Any) -> None:
        """Empty a session, or fail."""
        with self.interrupted("clear", session):
            super().clear(session)

    def delete(self, session: Any) -> None:
        """Forget a session, or fail."""
        with self.interrupted("delete", session):
            super().delete(session)

    def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
        """A new session with a part of the log, or a failure."""
        with self.interrupted("fork", new):
            return super().fork(session, new, at)


class FailingHonestMedium(HonestMedium):
    """An honest store that can be told to fail."""

    manifest: ClassVar[Manifest] = claiming(EXPLICIT, name="failing-honest")
    store: ClassVar[type[HonestStore]] = FailingStore

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: FailingData = FailingData()

    def fail_next(self, point: str, k: int = 0) -> None:
        """Let the next write fail at a point."""
        self.data.due.append((point, k))


class PrefixStore(FailingStore):
    """A store that writes entry by entry: what fails leaves the entries before it."""

    def append(self, session: Any, entries: list[Entry]) -> None:
        """Store the entries one after the other."""
        due, last = self.data.due[:1], len(entries) - 1
        del self.data.due[:1]
        for index, each in enumerate(entries):
            if due and index == _failing_at(*due[0], last):
                self.data.due[:0] = due
            super().append(session, [each])
        if not entries:
            super().append(session, entries)
            self.data.due[:0] = due


def _failing_at(point: str, k: int, last: int) -> int:
    """The place of the entry at which a batch fails."""
    return {"before-commit": 0, "after-commit": last}.get(point, min(k, last))


class PrefixHonestMedium(FailingHonestMedium):
    """The same with batches that may be cut short."""

    manifest = claiming(FailingHonestMedium.manifest, name="failing-prefix", batch="prefix")
    store: ClassVar[type[HonestStore]] = PrefixStore
