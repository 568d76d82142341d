"""Logs in memory: as durable as the medium itself."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from storelaw.media.log_stores import MANIFEST, LogMedium, LogStore
from storelaw_reference import log


class MemoryLogs(LogStore):
    """A handle on the medium's logs."""

    def __init__(self, medium: "LogMemoryMedium") -> None:
        super().__init__(medium)
        self._logs = medium.logs

    def storage(self, name: str) -> log.Storage:
        """The log under a name; a new one is kept when something is appended."""
        return self._logs.get(name) or _Unwritten(self._logs, name)

    def names(self) -> list[str]:
        """The logs that are kept."""
        return list(self._logs)

    def forget(self, name: str) -> None:
        """Drop the log."""
        self._logs.pop(name, None)


class _Unwritten(log.Mem):
    """An empty log, whose first append goes to the one that all handles keep from then on."""

    def __init__(self, logs: dict[str, log.Mem], name: str) -> None:
        super().__init__()
        self._logs, self._name = logs, name

    def append(self, *entries: object) -> None:
        self._logs.setdefault(self._name, log.Mem()).append(*entries)


class LogMemoryMedium(LogMedium):
    """Logs that live as long as the medium."""

    manifest = replace(MANIFEST, name="log-memory")
    needs_directory: ClassVar[bool] = False

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.logs: dict[str, log.Mem] = {}

    def open(self) -> MemoryLogs:
        """A further handle."""
        return MemoryLogs(self)
