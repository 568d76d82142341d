"""A medium that notes what is asked of it, for the tests of the player."""

from pathlib import Path
from typing import Any

from storelaw.manifest import Manifest
from storelaw.medium import Medium

#: The calls that the media of a test got, in order.
LIFE: list[str] = []


class Plain:
    """A store in memory with nothing but append and load."""

    def __init__(self, logs: dict[Any, list[Any]]) -> None:
        self.logs = logs

    def append(self, session_id: Any, entries: list[Any]) -> None:
        """Keep the caller's own objects: careless, and so good for looking at."""
        self.logs.setdefault(session_id, []).extend(entries)

    def load(self, session_id: Any, **filters: Any) -> Any:
        """The list itself."""
        return self.logs.get(session_id)

    def close(self) -> None:
        """Note it."""
        LIFE.append("close")


class PlainMedium(Medium):
    """A medium that notes what is asked of it."""

    manifest = Manifest(name="plain", operation_timeout=10.0)

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.logs: dict[Any, list[Any]] = {}

    def open(self) -> Any:
        """A handle."""
        LIFE.append("open")
        return Plain(self.logs)

    def destroy(self) -> None:
        """Note it."""
        LIFE.append("destroy")
