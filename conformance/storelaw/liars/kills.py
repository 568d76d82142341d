"""Liars that a killed process leaves in a state from which they don't recover."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from storelaw.errors import SessionExists, SessionNotFound
from storelaw.liars.crash_honest import FileHonest, FileStore
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied


@liar(
    "a_killed_store_opens_again", also=["a_retry_after_a_kill_stores_once"], kinds=["F19"], most=1
)
class LeavesItsLockFile(FileHonest):
    """Makes a file that keeps others out, and removes it when it has written."""

    class store(FileStore):
        @contextmanager
        def alone(self, path: Path) -> Generator[None]:
            lock = path.with_suffix(".lock")
            try:
                os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                raise TimeoutError("the session is locked") from None
            try:
                yield
            finally:
                lock.unlink()


@liar("a_killed_writer_loses_nothing_acknowledged", kinds=["F20"], most=1)
class AcknowledgesFromMemory(FileHonest):
    """Keeps what it has acknowledged in memory, and writes it when somebody reads or it is closed.

    All its handles in one process know of it, so that nothing but a death shows it.
    """

    class store(FileStore):
        waiting: ClassVar[dict[Path, list[list[Entry]]]] = {}

        def written(self, path: Path, batch: list[Entry]) -> None:
            self.waiting.setdefault(path, []).append(copied(batch))

        def read(self, session: str) -> tuple[Entry, list[Entry]]:
            self.flush()
            return super().read(session)

        def known(self, session: str) -> list[Entry]:
            held = super().read(session)[1]
            return [*held, *(e for b in self.waiting.get(self.path(session), ()) for e in b)]

        def flush(self) -> None:
            while self.waiting:
                path, batches = self.waiting.popitem()
                for each in batches:
                    super().written(path, each)

        def close(self) -> None:
            self.flush()
            super().close()


@liar("a_killed_writer_leaves_a_prefix", kinds=["F19"], most=1)
class WritesTheLastEntryFirst(FileHonest):
    """Writes the newest entry of a batch, then all of them in its place."""

    class store(FileStore):
        def written(self, path: Path, batch: list[Entry]) -> None:
            end = path.stat().st_size
            super().written(path, batch[-1:])
            if batch[1:]:
                os.truncate(path, end)
                super().written(path, batch)


@liar(
    "a_killed_batch_is_absent_or_whole",
    also=["a_torn_batch_is_absent_or_whole"],
    kinds=["F19"],
    most=1,
)
class WritesEntryByEntry(FileHonest):
    """Writes each entry of a batch by itself."""

    class store(FileStore):
        def written(self, path: Path, batch: list[Entry]) -> None:
            for each in batch:
                super().written(path, [each])


@liar("the_list_after_a_kill_is_what_loads", kinds=["F19"], most=1)
class WritesItsListAnew(FileHonest):
    """Lists its sessions from a file, which it writes anew with the newest session in front."""

    class store(FileStore):
        @property
        def index(self) -> Path:
            return self.path("").with_name("index.json")

        def list_sessions(self) -> list[str]:
            text = self.index.read_text() if self.index.exists() else ""
            return json.loads(text) if text else []

        def append(self, session: str, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.put_first(session)

        def made(self, path: Path, data: bytes) -> None:
            super().made(path, data)
            self.put_first(json.loads(data.partition(b"\n")[0])["id"])

        def put_first(self, session: str) -> None:
            others = [each for each in self.list_sessions() if each != session]
            with self.index.open("w") as file:
                json.dump([session, *others], file)


@liar("a_retry_after_a_kill_stores_once", kinds=["F13", "F15"], most=1)
class NotesIdsAfterwards(FileHonest):
    """Knows ids by a list of its own, which it writes when the entries are stored."""

    class store(FileStore):
        def known(self, session: str) -> list[Entry]:
            notes = self.path(session).with_suffix(".known")
            self.load(session)
            return json.loads(notes.read_text()) if notes.exists() else []

        def written(self, path: Path, batch: list[Entry]) -> None:
            notes = path.with_suffix(".known")
            held: list[Entry] = json.loads(notes.read_text()) if notes.exists() else []
            super().written(path, batch)
            draft = path.with_suffix(".draft")
            draft.write_text(json.dumps([*held, *batch]))
            draft.replace(notes)


@liar("a_killed_create_leaves_the_session_absent_or_whole", kinds=["F17", "F19"], most=1)
class NamesTheFileFirst(FileHonest):
    """Makes a file, and then writes its beginning."""

    class store(FileStore):
        def create(self, session: str, parent: str | None = None) -> None:
            path = self.path(session)
            if path.exists():
                raise SessionExists(session)
            path.touch()
            path.unlink()
            super().create(session, parent)


@liar(
    "a_killed_create_leaves_the_session_absent_or_whole",
    also=["a_killed_fork_leaves_the_session_absent_or_whole"],
    kinds=["F19"],
    most=1,
)
class EmptiesItsIndex(FileHonest):
    """Knows its sessions by one file, which it empties and then writes again."""

    class store(FileStore):
        @property
        def index(self) -> Path:
            return self.folder / "index.json"

        def listed(self) -> list[str]:
            text = self.index.read_text() if self.index.exists() else ""
            return json.loads(text) if text else []

        def made(self, path: Path, data: bytes) -> None:
            names = self.listed()
            super().made(path, data)
            with self.index.open("w") as file:
                json.dump([*names, path.name], file)

        def read(self, session: str) -> tuple[Entry, list[Entry]]:
            if self.path(session).name not in self.listed():
                raise SessionNotFound(repr(session))
            return super().read(session)


@liar("a_killed_fork_leaves_the_session_absent_or_whole", kinds=["F19"], most=3)
class CopiesAForkEntryByEntry(FileHonest):
    """Makes the child, and then adds the entries to it, one after another."""

    class store(FileStore):
        def fork(self, session: str, new: str, at: str | None = None) -> str:
            log = self.load(session)
            super().fork(session, new, at)
            path = self.path(new)
            whole = path.read_bytes()
            if len(log) > 1:
                os.truncate(path, whole.index(b"\n") + 1)
                for each in log[:-1]:
                    self.written(path, [each])
                path.write_bytes(whole)
            return new
