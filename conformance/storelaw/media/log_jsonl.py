"""Logs in JSONL files: one entry on each line, each append one write at the end."""

from dataclasses import replace
from pathlib import Path

from storelaw.media.harms import harmed
from storelaw.media.log_files import FileLogs
from storelaw.media.log_stores import MANIFEST, LogMedium
from storelaw_reference import log


class JsonlLogs(FileLogs):
    """A handle on a folder of JSONL logs."""

    file = "log.jsonl"

    def file_storage(self, path: Path) -> log.Storage:
        """The lines of a file."""
        return log.JsonLines(path)


class LogJsonlMedium(LogMedium):
    """A folder in the medium's directory."""

    #: A batch is a line for each entry, so a crash may leave the first of them.
    manifest = replace(MANIFEST, name="log-jsonl", crash="prefix-safe")

    def open(self) -> JsonlLogs:
        """A further handle."""
        return JsonlLogs(self)

    def files(self) -> list[Path]:
        """The append-only files that hold the data."""
        return sorted((self.workdir / "logs").glob(f"*/{JsonlLogs.file}"))

    def damage(self, session_id: str, index: int, how: str) -> None:
        """Do harm to the line of an entry."""
        harmed(self.open().path(session_id), index, how)
