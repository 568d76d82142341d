"""The reference memory store as a medium, in two variants."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Final

from storelaw.driver import Injected
from storelaw.engine_views import ReferenceViews
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.values import Entry
from storelaw_reference.transcript import (
    EntryConflict,
    MemoryData,
    MemoryStore,
    Reappend,
    Rejected,
    SessionExists,
    SessionNotFound,
    utc_now,
)

MANIFEST: Final = Manifest(
    name="reference",
    doors=frozenset({"store", "session", "views"}),
    durable=True,
    batch="atomic",
    writers=frozenset({"tasks", "threads"}),
    consistency="real-time",
    options={
        "reappend": "duplicate",
        "create": "explicit",
        "unknown_session": "raise",
        "id_scope": "session",
        "ids": "optional",
    },
    errors={
        "SessionNotFound": SessionNotFound,
        "SessionExists": SessionExists,
        "EntryConflict": EntryConflict,
        "Rejected": Rejected,
    },
)


class ReferenceHandle(MemoryStore):
    """A handle whose next write fails where its medium was told so."""

    def __init__(self, medium: "ReferenceMedium") -> None:
        super().__init__(medium.reappend, data=medium.data, now=medium.time)
        self._medium = medium

    def create(self, session_id: str, parent: str | None = None) -> None:
        """A new empty session."""
        with self._medium.failing():
            super().create(session_id, parent)

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """All of the batch, or nothing."""
        with self._medium.failing():
            super().append(session_id, entries)


class ReferenceMedium(ReferenceViews, Medium):
    """The store of the specification: in memory, as durable as the medium itself."""

    manifest: ClassVar[Manifest] = MANIFEST
    reappend: ClassVar[Reappend] = "duplicate"
    needs_directory: ClassVar[bool] = False
    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = MemoryData()
        self._now = utc_now
        self._failure = ""

    def open(self) -> ReferenceHandle:
        """A handle on the medium's data."""
        return ReferenceHandle(self)

    def time(self) -> datetime:
        """The time that the store dates its sessions with."""
        return self._now()

    def clock(self, fn: Callable[[], datetime]) -> None:
        """Let the store read the time from a function."""
        self._now = fn

    def fail_next(self, point: str, k: int = 0) -> None:
        """Let the next write fail before or after its commit.

        Memory has nothing between the two, so ``inside`` and ``item`` fail before.
        """
        self._failure = point

    @contextmanager
    def failing(self) -> Generator[None]:
        """A write that fails where it was told to, once."""
        point, self._failure = self._failure, ""
        if point not in ("", "after-commit"):
            raise Injected(f"harness: the store fails at {point}")
        yield
        if point:
            raise Injected(f"harness: the store fails at {point}")


class IdempotentReferenceMedium(ReferenceMedium):
    """The same store, where an append of a known id is idempotent or a conflict."""

    manifest = replace(
        MANIFEST,
        name="reference:idempotent",
        options={**MANIFEST.options, "reappend": "idempotent-or-conflict"},
    )
    reappend = "idempotent-or-conflict"
