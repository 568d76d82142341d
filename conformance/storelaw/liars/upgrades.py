"""Liars that can't read what an earlier version of them wrote, or can't go on with it."""

import json
from pathlib import Path

from storelaw.liars.crash_honest import FileHonest, FileStore
from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, Rows
from storelaw.liars.upgrade_honest import FiledRows, Later, LaterStore
from storelaw.medium import Medium
from storelaw.values import Entry, is_object

FORMAT = 2


class NewLines(FileStore):
    """Puts the number of its format on each line."""

    def lines(self, batch: list[Entry]) -> bytes:
        """The lines of a batch: one."""
        return self.encoded({"format": FORMAT, "batch": batch})

    def decoded(self, line: bytes) -> list[Entry]:
        """The entries on a line; ``ValueError`` for anything else."""
        value: object = json.loads(line.decode("utf-8", "surrogatepass"))
        if not is_object(value):
            raise ValueError("no line of this format")
        batch: list[Entry] = value["batch"]
        return batch


@liar("recorded_sessions_are_still_read", kinds=["F49"], most=2)
class ReadsItsNewFormatOnly(FileHonest):
    """Has changed the form of its lines, and fails at those that were written before."""

    store = NewLines

    def former(self) -> type[Medium]:
        """The version without a number on its lines."""
        return FileHonest


@liar("recorded_sessions_are_still_read", kinds=["F49"], most=2)
class LeavesOutOldLines(FileHonest):
    """Passes over the lines that were written before their form was changed."""

    class store(NewLines):
        def damaged(self, line: bytes) -> list[Entry]:
            return [] if line.startswith(b"[") else super().damaged(line)

    def former(self) -> type[Medium]:
        """The version without a number on its lines."""
        return FileHonest


@liar("recorded_sessions_take_further_appends", kinds=["F49"], most=4)
class BeginsOldSessionsAnew(Later):
    """Reads old files, and hides each behind a new one at the first append."""

    class store(LaterStore):
        def carried(self, old: bytes) -> bytes:
            return old.partition(b"\n")[0] + b"\n"


@liar("recorded_rows_are_still_read", kinds=["F49"], most=3)
class LooksInANewTable(FiledRows):
    """Has given its table another name, and looks there only."""

    file = "table.json"


class TwoTables(Rows):
    """Rows of which it is known whether they lie in the old table."""

    old: bool = False


@liar("recorded_scopes_take_further_rows", kinds=["F49"], most=5)
class ReadsTheNewerTable(FiledRows):
    """Reads the old table until there is a row in the new one."""

    file = "table.json"

    class store(HonestBackend):
        rows: TwoTables

        def put(self, entry: Entry) -> None:
            if self.rows.old:
                self.rows.entries.clear()
                self.rows.old = False
            super().put(entry)

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.rows: TwoTables = TwoTables()

    def read(self) -> list[Entry]:
        """The rows of the new table, or those of the old one where there is no new one."""
        old = self.workdir / FiledRows.file
        if old.exists() and not (self.workdir / self.file).exists():
            self.rows.old = True
            rows: list[Entry] = json.loads(old.read_text())
            return rows
        return super().read()
