"""Earlier versions of honest stores, and the honest later ones that liars of upgrades vary."""

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from storelaw.liars.crash_honest import FileHonest, FileStore
from storelaw.liars.turns_honest import MANIFEST, HonestBackend, RowKey, TurnsHonest
from storelaw.medium import Medium
from storelaw.values import Entry


class EarlierStore(FileStore):
    """The same lines, in files of another name."""

    def path(self, session: str) -> Path:
        """The file of a session."""
        return super().path(session).with_suffix(".log")


class Earlier(FileHonest):
    """The first version of the store on files."""

    store = EarlierStore


class LaterStore(FileStore):
    """Reads the files of the first version, and copies one before it adds to it."""

    def old(self, session: str) -> Path | None:
        """The file of the first version, where no newer one has come instead."""
        path = self.path(session)
        old = path.with_suffix(".log")
        return old if old.exists() and not path.exists() else None

    def read(self, session: str) -> tuple[Entry, list[Entry]]:
        """The record and the entries of a session, from whichever file there is."""
        if self.old(session) is None:
            return super().read(session)
        return EarlierStore(self.folder, self.manifest).read(session)

    def carried(self, old: bytes) -> bytes:
        """What the new file begins with."""
        return old

    def added(self, path: Path, data: bytes) -> None:
        """Put bytes at the end of a file, which may have to be carried over first."""
        old = path.with_suffix(".log")
        if old.exists() and not path.exists():
            self.made(path, self.carried(old.read_bytes()))
        super().added(path, data)


class Later(FileHonest):
    """The second version of the store on files."""

    manifest = replace(FileHonest.manifest, name="second version")
    store: ClassVar[type[FileStore]] = LaterStore

    def former(self) -> type[Medium]:
        """The first version."""
        return Earlier


def _key(row: Entry) -> RowKey:
    return row["scope"]["kind"], row["scope"]["id"], row["kind"], row["id"]


class FiledRows(TurnsHonest):
    """Rows that are written to a file when a handle is closed; its format never changed."""

    manifest = replace(MANIFEST, name="filed rows")
    file: ClassVar[str] = "rows.json"

    def read(self) -> list[Entry]:
        """The rows in the medium's directory."""
        file = self.workdir / self.file
        rows: list[Entry] = json.loads(file.read_text()) if file.exists() else []
        return rows

    def open(self) -> HonestBackend:
        """A handle on the rows of the file, and on those that wait to be written."""
        handle = super().open()
        for each in self.read() if not self.rows.entries else ():
            self.rows.entries[_key(each)] = each
        return handle

    def close(self, handle: HonestBackend) -> None:
        """Write the rows."""
        text = json.dumps(list(self.rows.entries.values()))
        (self.workdir / self.file).write_text(text)
        handle.close()

    def former(self) -> type[Medium]:
        """An earlier version, which was the same."""
        return FiledRows
