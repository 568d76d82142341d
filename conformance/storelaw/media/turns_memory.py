"""The reference memory backend as a medium, and what media of turns share."""

from pathlib import Path
from typing import ClassVar, Final

from storelaw.driver import Injected
from storelaw.engine_memory import query_of
from storelaw.engine_timeline import ReferenceTimeline
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.values import Entry
from storelaw_reference import turns

MANIFEST: Final = Manifest(
    name="turns-memory",
    profile="turns",
    doors=frozenset({"backend", "memory", "appender", "timeline"}),
    durable=True,
    writers=frozenset({"tasks", "threads"}),
    options={"reappend": "idempotent-or-conflict", "create": "implicit"},
)


class TurnsMedium(ReferenceTimeline, Medium):
    """A medium whose handles say which point of an operation they have ``reached``.

    The points are ``load`` (a read begins), ``before-commit`` and ``after-commit`` of a put;
    ``inside`` and ``item`` are the last moment before the commit.
    """

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._failure = ""

    def fail_next(self, point: str, k: int = 0) -> None:
        """Let the next operation that gets to a point fail there, once."""
        self._failure = "before-commit" if point in ("inside", "item") else point

    def reached(self, point: str) -> None:
        """Fail, if this is the point."""
        if self._failure == point:
            self._failure = ""
            raise Injected(f"harness: the backend fails at {point}")


class MemoryHandle:
    """A handle on the reference's rows, speaking JSON."""

    def __init__(self, medium: "TurnsMemoryMedium") -> None:
        self._medium = medium
        self._backend = turns.MemoryBackend(medium.rows)

    def put(self, entry: Entry) -> None:
        """Keep an entry under its key."""
        self._medium.reached("before-commit")
        self._backend.put(entry)
        self._medium.reached("after-commit")

    def add(self, entry: Entry) -> Entry | None:
        """Keep an entry if its key is free, or give what holds it."""
        self._medium.reached("load")
        self._medium.reached("before-commit")
        held = self._backend.add(entry)
        self._medium.reached("after-commit")
        return held

    def get(self, scope: Entry, kind: str, entry_id: str) -> Entry | None:
        """An entry, or ``None``."""
        self._medium.reached("load")
        return self._backend.get(turns.Scope(**scope), kind, entry_id)

    def query(self, query: Entry) -> list[Entry]:
        """The matching entries, in order."""
        self._medium.reached("load")
        return self._backend.query(query_of(query))

    def delete(self, scope: Entry, kind: str, entry_id: str) -> None:
        """Remove an entry, if it is there."""
        self._backend.delete(turns.Scope(**scope), kind, entry_id)

    def delete_scope(self, scope: Entry) -> None:
        """Remove all entries of a scope."""
        self._backend.delete_scope(turns.Scope(**scope))

    def status(self, scope: Entry) -> str:
        """``live`` or ``unknown``."""
        return self._backend.status(turns.Scope(**scope))

    def close(self) -> None:
        """Let go of the handle; the rows stay."""
        self._backend.close()


class TurnsMemoryMedium(TurnsMedium):
    """Rows as JSON texts, in memory, as durable as the medium itself."""

    manifest: ClassVar[Manifest] = MANIFEST
    needs_directory: ClassVar[bool] = False

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.rows = turns.MemoryRows()

    def open(self) -> MemoryHandle:
        """A handle on the medium's rows."""
        return MemoryHandle(self)
