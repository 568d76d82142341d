"""The reference memory store as a medium, in two variants."""

from pathlib import Path
from typing import ClassVar

from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw_reference.transcript import (
    EntryConflict,
    MemoryData,
    MemoryStore,
    Reappend,
    SessionExists,
    SessionNotFound,
)

ERRORS = {
    "SessionNotFound": SessionNotFound,
    "SessionExists": SessionExists,
    "EntryConflict": EntryConflict,
}


class ReferenceMedium(Medium):
    """The store of the specification: in memory, as durable as the medium itself."""

    manifest = Manifest(
        name="reference",
        durable=True,
        batch="atomic",
        errors=ERRORS,
        options={
            "reappend": "duplicate",
            "create": "explicit",
            "unknown_session": "raise",
            "id_scope": "session",
            "ids": "optional",
        },
    )
    reappend: ClassVar[Reappend] = "duplicate"

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data = MemoryData()

    def open(self) -> MemoryStore:
        """A handle on the medium's data."""
        return MemoryStore(self.reappend, data=self.data)


class IdempotentReferenceMedium(ReferenceMedium):
    """The same store, where an append of a known id is idempotent or a conflict."""

    manifest = Manifest(
        name="reference:idempotent",
        durable=True,
        batch="atomic",
        errors=ERRORS,
        options={**ReferenceMedium.manifest.options, "reappend": "idempotent-or-conflict"},
    )
    reappend: ClassVar[Reappend] = "idempotent-or-conflict"
