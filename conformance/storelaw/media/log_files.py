"""Logs in files: a folder for each session, named by the digest of its id, with the id inside."""

import os
from abc import abstractmethod
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from storelaw.media.log_stores import LogMedium, LogStore
from storelaw_reference import log

ID = "id.json"


class FileLogs(LogStore):
    """A handle on a folder of folders."""

    #: The name of a log's file.
    file: str

    def __init__(self, medium: LogMedium) -> None:
        super().__init__(medium)
        self._folder = medium.workdir / "logs"

    @abstractmethod
    def file_storage(self, path: Path) -> log.Storage:
        """The storage in a file."""

    def storage(self, name: str) -> log.Storage:
        """The log in a session's folder."""
        return self.file_storage(self._place(name) / self.file)

    def _place(self, name: str) -> Path:
        """The folder of a session: the same for one id, and for no other on any file system."""
        return self._folder / sha256(name.encode()).hexdigest()

    def path(self, session_id: str) -> Path:
        """The file of a session's log."""
        return self._place(self._name(session_id)) / self.file

    def names(self) -> list[str]:
        """The ids of the folders that have a log."""
        logs = sorted(self._folder.glob(f"*/{self.file}"))
        return [each.with_name(ID).read_text("ascii") for each in logs]

    def forget(self, name: str) -> None:
        """Remove the log first: without it a folder is none that is listed."""
        (self._place(name) / self.file).unlink(missing_ok=True)
        rmtree(self._place(name), ignore_errors=True)

    def begin(self, name: str) -> None:
        """Make the folder of a session, with its id, which is there as a whole or not at all."""
        told = self._place(name) / ID
        if not told.exists():
            told.parent.mkdir(parents=True, exist_ok=True)
            draft = told.with_suffix(f".{os.urandom(8).hex()}")
            draft.write_text(name, "ascii")
            draft.replace(told)
