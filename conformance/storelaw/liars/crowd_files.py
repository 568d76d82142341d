"""A store for processes, honest and not: one file, read and written again by each operation."""

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from storelaw.liars.crowd_honest import THREADED, LockedStore, SharedData, ThreadedMedium
from storelaw.liars.honest import HonestStore, Log, claiming
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest

FILED = claiming(
    THREADED,
    name="filed",
    writers=frozenset({"tasks", "threads", "processes"}),
    without=frozenset(
        {"fork", "clear", "pop", "replace", "delete_entry", "list_sessions", "record", "headers"}
    ),
)


class FiledData(SharedData):
    """The logs of a handle, and the file in which all handles keep them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.file, self.gate = folder / "logs.json", folder / "gate"

    def read(self) -> None:
        """Take the logs from the file."""
        kept: list[Any] = json.loads(self.file.read_bytes()) if self.file.exists() else []
        self.logs = {name: Log(entries, record) for name, entries, record in kept}

    def write(self) -> None:
        """Put a new file with the logs in place of the old one."""
        kept = [[name, each.entries, each.record] for name, each in self.logs.items()]
        draft = self.file.with_suffix(f".{os.urandom(8).hex()}")
        draft.write_text(json.dumps(kept), encoding="ascii")
        draft.replace(self.file)


class FiledStore(LockedStore):
    """A store whose operations have the file to themselves."""

    @contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else is at work on the file."""
        with self.data.gate.open("wb") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            self.data.read()
            yield
            self.data.write()


class FiledMedium(ThreadedMedium):
    """A medium whose handles may be used by processes at once."""

    manifest: ClassVar[Manifest] = FILED
    store: ClassVar[type[HonestStore]] = FiledStore
    needs_directory = True

    def open(self) -> Any:
        """A handle with data of its own, which it takes from the file."""
        return self.store(FiledData(self.workdir), self.manifest)


@liar(
    "writers_lose_nothing_of_each_other",
    perhaps=["one_of_several_creators_wins", "a_session_deleted_beside_writers_stays_deleted"],
    kinds=["F24", "F28"],
)
class LocksNothing(FiledMedium):
    """Reads the file and writes it again, with nothing to keep others from doing the same."""

    manifest = claiming(FILED, consistency="per-writer")

    class store(FiledStore):
        @contextmanager
        def alone(self) -> Generator[None]:
            self.data.read()
            yield
            self.gap()
            self.data.write()
