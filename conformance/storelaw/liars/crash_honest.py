"""The honest store on files that the liars of the crash family vary.

A session is a file of lines in JSON: its record, then a line for each batch. What only a
crash or damage brings about sits in methods of its own, so that a liar overrides one of them.
"""

import json
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final

from storelaw.errors import EntryConflict, Rejected, SessionExists, SessionNotFound
from storelaw.liars.honest import is_json
from storelaw.manifest import Manifest
from storelaw.media.harms import harmed
from storelaw.medium import Medium
from storelaw.values import Entry, is_array, same

MANIFEST: Final = Manifest(
    name="honest-on-files",
    durable=True,
    batch="atomic",
    crash="acknowledged",
    closed_is_final=True,
    options={
        "reappend": "idempotent-or-conflict",
        "id_scope": "session",
        "ids": "optional",
        "create": "explicit",
        "unknown_session": "raise",
        "empty_append": "ignored",
    },
)


class Unreadable(Exception):
    """A line that is no torn tail can't be read."""


class FileStore:
    """A folder of session files."""

    def __init__(self, folder: Path, manifest: Manifest = MANIFEST) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.manifest = folder, manifest
        self.is_closed = False

    # --------------------------------------------------- what a crash shows

    def torn(self, path: Path, tail: bytes) -> list[Entry]:
        """What a last line is worth that has no end and can't be read: nothing."""
        return []

    def mended(self, path: Path, tail: bytes) -> bytes:
        """What must come before the next line, where the last one has no end.

        A line that can be read gets its end, any other is cut off.
        """
        try:
            self.decoded(tail)
        except ValueError:
            os.truncate(path, path.stat().st_size - len(tail))
            return b""
        return b"\n"

    def damaged(self, line: bytes) -> list[Entry]:
        """What a line is worth that has an end and can't be read: an error."""
        raise Unreadable(f"a line can't be read: {line[:20]!r}")

    def headless(self) -> Entry:
        """What a file without a record is worth: an error."""
        raise Unreadable("a file has no record")

    def refused(self, error: Unreadable) -> list[Entry]:
        """What an append makes of a log that it can't read: an error."""
        raise error

    # ------------------------------------------------------------- the file

    def path(self, session: str) -> Path:
        """The file of a session."""
        if self.is_closed:
            raise ValueError("the store is closed")
        name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{name}.lines"

    def encoded(self, value: Any) -> bytes:
        """A value as a line."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "surrogatepass") + b"\n"

    def lines(self, batch: list[Entry]) -> bytes:
        """The lines of a batch: one."""
        return self.encoded(batch)

    def decoded(self, line: bytes) -> list[Entry]:
        """The entries on a line; ``ValueError`` for anything else."""
        value: object = json.loads(line.decode("utf-8", "surrogatepass"))
        if not is_array(value):
            raise ValueError("no batch")
        return value

    def read(self, session: str) -> tuple[Entry, list[Entry]]:
        """The record and the entries of a session."""
        path = self.path(session)
        if not path.exists():
            raise SessionNotFound(repr(session))
        first, *lines = path.read_bytes().split(b"\n")
        record = json.loads(first) if lines else self.headless()
        return record, [each for batch in self._batches(path, lines) for each in batch]

    def _batches(self, path: Path, lines: list[bytes]) -> Iterator[list[Entry]]:
        for each in lines[:-1]:
            yield self._batch(each)
        if lines and lines[-1].strip():
            try:
                yield self.decoded(lines[-1])
            except ValueError:
                yield self.torn(path, lines[-1])

    def _batch(self, line: bytes) -> list[Entry]:
        try:
            return self.decoded(line)
        except ValueError:
            return self.damaged(line)

    def written(self, path: Path, batch: list[Entry]) -> None:
        """Put a batch at the end of a file, by one write."""
        self.added(path, self.lines(batch))

    def added(self, path: Path, data: bytes) -> None:
        """Put bytes at the end of a file, behind whole lines."""
        tail = path.read_bytes().rpartition(b"\n")[2]
        if tail:
            data = self.mended(path, tail) + data
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, data)
        finally:
            os.close(file)

    def made(self, path: Path, data: bytes) -> None:
        """A new file as a whole."""
        draft = path.with_suffix(f".{os.urandom(8).hex()}")
        draft.write_bytes(data)
        try:
            os.link(draft, path)
        except FileExistsError:
            raise SessionExists(path.name) from None
        finally:
            draft.unlink()

    @contextmanager
    def alone(self, path: Path) -> Generator[None]:
        """What surrounds a write."""
        yield

    # ----------------------------------------------------------- operations

    def create(self, session: str, parent: str | None = None) -> None:
        """A new empty session."""
        record = {"id": session} | ({} if parent is None else {"parent": parent})
        self.made(self.path(session), self.beginning(record))

    def beginning(self, record: Entry) -> bytes:
        """The first line of a session."""
        return json.dumps(record).encode() + b"\n"

    def record(self, session: str) -> Entry:
        """The record of a session."""
        return self.read(session)[0]

    def list_sessions(self) -> list[str]:
        """The ids of all sessions."""
        paths = self.path("").parent.glob("*.lines")
        return [json.loads(each.read_bytes().partition(b"\n")[0])["id"] for each in paths]

    def load(self, session: str) -> list[Entry]:
        """The log, oldest first."""
        return self.read(session)[1]

    def append(self, session: str, entries: list[Entry]) -> None:
        """Add a batch, all or nothing; a known id is a retry or a conflict."""
        if not all(map(is_json, entries)):
            raise Rejected("no JSON object")
        path = self.path(session)
        with self.alone(path):
            fresh = self.fresh(self.known(session), entries)
            if fresh:
                self.written(path, fresh)

    def known(self, session: str) -> list[Entry]:
        """The log to which an append adds."""
        try:
            return self.load(session)
        except Unreadable as error:
            return self.refused(error)

    def fresh(self, log: list[Entry], entries: list[Entry]) -> list[Entry]:
        """The entries that a log does not have."""
        ids = {each["id"]: each for each in log if each.get("id") is not None}
        fresh: list[Entry] = []
        for each in entries:
            twin = ids.setdefault(each["id"], each) if each.get("id") is not None else each
            if twin is each:
                fresh.append(each)
            elif not same(twin, each):
                raise EntryConflict(f"{each['id']!r} is known with another payload")
        return fresh

    def fork(self, session: str, new: str, at: str | None = None) -> str:
        """A new session with the log up to and including an entry."""
        log = self.load(session)
        ids = [each.get("id") for each in log]
        if at is not None and at not in ids:
            raise Rejected(f"no entry {at!r}")
        kept = log if at is None else log[: ids.index(at) + 1]
        record = self.beginning({"id": new, "parent": session})
        self.made(self.path(new), record + (self.lines(kept) if kept else b""))
        return new

    def close(self) -> None:
        """No work after this."""
        self.is_closed = True


class FileHonest(Medium):
    """A folder in the medium's directory; liars name another store class."""

    manifest: ClassVar[Manifest] = MANIFEST
    store: ClassVar[type[FileStore]] = FileStore
    needs_directory: ClassVar[bool] = False
    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def open(self) -> FileStore:
        """A further store object on the folder."""
        return self.store(self.workdir / "sessions", self.manifest)

    def files(self) -> list[Path]:
        """The files of the sessions."""
        return sorted((self.workdir / "sessions").glob("*.lines"))

    def damage(self, session: str, index: int, how: str) -> None:
        """Do harm to the line of an append."""
        harmed(self.open().path(session), index + 1, how)
