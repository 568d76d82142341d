"""Logs in JSON files: one array, which each append replaces as a whole."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from storelaw.media.log_files import FileLogs
from storelaw.media.log_stores import MANIFEST, LogMedium
from storelaw_reference import log


class JsonLogs(FileLogs):
    """A handle on a folder of JSON logs."""

    file = "log.json"

    def file_storage(self, path: Path) -> log.Storage:
        """The array in a file."""
        return log.JsonFile(path)


class LogJsonMedium(LogMedium):
    """A folder in the medium's directory."""

    #: The file is written anew by each append: it has no tail to tear and no line to harm.
    files: ClassVar[None] = None
    damage: ClassVar[None] = None

    manifest = replace(MANIFEST, name="log-json", crash="acknowledged")

    def open(self) -> JsonLogs:
        """A further handle."""
        return JsonLogs(self)
