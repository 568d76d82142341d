"""Strangers that keep their data in files of an unusual form, and come through crashes."""

import json
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from storelaw.errors import SessionNotFound
from storelaw.liars.crash_honest import MANIFEST, FileHonest, FileStore, Unreadable
from storelaw.liars.kills import AcknowledgesFromMemory
from storelaw.values import Entry

#: The bytes of a number: a record's length, or its checksum.
NUMBER: Final = 4


class RecordStore(FileStore):
    """Keeps records of bytes, each behind its length and before its checksum.

    The first one is the session's record, each further one a batch.
    """

    def encoded(self, value: Any) -> bytes:
        """A value as a record."""
        body = json.dumps(value, allow_nan=False).encode()
        return _number(len(body)) + body + _number(zlib.crc32(body))

    def _values(self, path: Path) -> tuple[list[Any], int]:
        """The values of all whole records, and where they end."""
        held = path.read_bytes()
        values: list[Any] = []
        at = 0
        while (end := _end(held, at)) <= len(held):
            body = held[at + NUMBER : end - NUMBER]
            if held[end - NUMBER : end] != _number(zlib.crc32(body)) or not body:
                break
            values.append(json.loads(body))
            at = end
        if held[end:].strip(b"\0"):
            raise Unreadable(f"a record at {at} can't be read")
        return values, at

    def read(self, session: str) -> tuple[Entry, list[Entry]]:
        """The record and the entries of a session."""
        path = self.path(session)
        if not path.exists():
            raise SessionNotFound(repr(session))
        values, _ = self._values(path)
        first, *batches = values or [self.headless()]
        return first, [each for batch in batches for each in batch]

    def added(self, path: Path, data: bytes) -> None:
        """Put a record in the place of what is torn."""
        os.truncate(path, self._values(path)[1])
        with path.open("ab") as file:
            file.write(data)

    def beginning(self, record: Entry) -> bytes:
        """The session's record."""
        return self.encoded(record)

    def list_sessions(self) -> list[str]:
        """The ids of all sessions."""
        paths = self.path("").parent.glob("*.lines")
        return [self._values(each)[0][0]["id"] for each in paths]

    def place(self, session: str, index: int) -> tuple[Path, int, int]:
        """Where the body of a batch lies."""
        path = self.path(session)
        held, at = path.read_bytes(), 0
        for _ in range(index + 1):
            at = _end(held, at)
        return path, at + NUMBER, _end(held, at) - NUMBER


def _number(value: int) -> bytes:
    return value.to_bytes(NUMBER)


def _end(held: bytes, at: int) -> int:
    """Where the record ends that begins here, if it is whole."""
    return at + NUMBER + int.from_bytes(held[at : at + NUMBER]) + NUMBER


class LengthPrefixed(FileHonest):
    """Records of bytes, with lengths and checksums, and no line feed."""

    manifest = replace(MANIFEST, name="length-prefixed")
    store = RecordStore

    def damage(self, session: str, index: int, how: str) -> None:
        """Do harm to the body of a record."""
        path, begin, end = RecordStore(self.workdir / "sessions").place(session, index)
        held, size = path.read_bytes(), end - begin
        body = {"junk": b"#" * size, "cut": held[begin : begin + size // 2], "zero": bytes(size)}
        path.write_bytes(held[:begin] + body[how] + held[end:])


class LineStore(FileStore):
    """Writes a batch as so many lines."""

    def lines(self, batch: list[Entry]) -> bytes:
        """A line for each entry."""
        return b"".join(self.encoded([each]) for each in batch)


class LineForEachEntry(FileHonest):
    """A crash may leave the first entries of a batch, and that is all it may do."""

    manifest = replace(MANIFEST, name="line for each entry", batch="prefix")
    store = LineStore


class WritesLater(FileHonest):
    """What it acknowledges may die with the process, in whole batches, and it says so."""

    manifest = replace(MANIFEST, name="writes later", crash="batch-atomic")
    store = AcknowledgesFromMemory.store
