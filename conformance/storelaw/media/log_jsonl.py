"""Logs in JSONL files: one entry on each line, each append one write at the end."""

from dataclasses import replace
from pathlib import Path

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

    manifest = replace(MANIFEST, name="log-jsonl")

    def open(self) -> JsonlLogs:
        """A further handle."""
        return JsonlLogs(self)

    def files(self) -> list[Path]:
        """The append-only files that hold the data."""
        return sorted((self.workdir / "logs").glob(f"*/{JsonlLogs.file}"))
