"""Storages in files: one JSON array, or one JSON value on each line."""

from __future__ import annotations

import json
import os
from io import FileIO
from pathlib import Path
from typing import Any

from storelaw_reference.log.errors import Damaged
from storelaw_reference.log.storages import Log
from storelaw_reference.log.values import is_array, line_of, parsed

_BLOCK = 4096


class _File(Log):
    """A log at a path; two spellings of one path are one place. Rule: D-AP-11."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.realpath(path))
        super().__init__(("file", os.path.normcase(self.path)))

    def _held(self) -> bytes:
        """The bytes of the file; a missing one is empty, and stays missing (AP-A3)."""
        return self.path.read_bytes() if self.path.exists() else b""

    def _replace(self, held: bytes) -> None:
        """Put a whole new file in place, so that a crash leaves the old one or the new."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            beside.write_bytes(held)
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)

    def _empty(self) -> None:
        self._replace(b"")


class JsonFile(_File):
    """A log as one array, indented by two spaces; each append replaces the file.

    One writing process at a time. Rules: AP-A6, AP-A7.
    """

    def _all(self) -> list[Any]:
        held = self._held()
        try:
            values: object = parsed(held) if held.strip() else []
        except ValueError as error:
            raise Damaged(f"{self.path.name}: {error}") from error
        if not is_array(values):
            raise Damaged(f"{self.path.name}: not an array")
        return list(values)

    def _add(self, values: list[Any]) -> None:
        self._replace(json.dumps([*self._all(), *values], indent=2).encode() + b"\n")


class JsonLines(_File):
    """A log as one JSON value on each line, each ended by LF.

    The bytes behind the last LF are a torn tail: a whole value there counts,
    and gets its LF from the next append; anything else is what a crash left
    of an append that was never acknowledged, and the next append takes its
    place. One writing process at a time.
    Rules: AP-A6, AP-A7, D-AP-6, D-AP-7, D-AP-19.
    """

    def _all(self) -> list[Any]:
        *lines, tail = self._held().split(b"\n")
        values = [self._line(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        return [*values, *self._tail(tail)]

    def _line(self, number: int, line: bytes) -> Any:
        try:
            return parsed(line)
        except ValueError as error:
            raise Damaged(f"{self.path.name}, line {number}: {error}") from error

    def _tail(self, tail: bytes) -> list[Any]:
        """What a last line without LF is worth: its value, or nothing."""
        try:
            return [parsed(tail)]
        except ValueError:
            return []

    def _add(self, values: list[Any]) -> None:
        added = "".join(line_of(value) + "\n" for value in values).encode()
        if self.path.exists() and self.path.stat().st_size:
            self._extend(added)
        else:
            self._replace(added)

    def _extend(self, added: bytes) -> None:
        """Write behind what is whole; after an error the file ends there again (AP-A7)."""
        with self.path.open("r+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            tail = self._torn_off(file, size)
            whole = self._mended(size, tail)
            try:
                file.truncate(whole)
                file.seek(whole)
                self._write(
                    file.fileno(), b"\n" + added if self._unended(whole, size, tail) else added
                )
            except BaseException:
                file.truncate(whole)
                raise

    def _torn_off(self, file: FileIO, size: int) -> bytes:
        """The bytes behind the last LF, looked for from the end (D-AP-19)."""
        tail, at = b"", size
        while at and b"\n" not in tail:
            step = min(at, _BLOCK)
            at -= step
            file.seek(at)
            tail = file.read(step) + tail
        return tail[tail.rfind(b"\n") + 1 :]

    def _mended(self, size: int, tail: bytes) -> int:
        """How many bytes an append leaves standing."""
        return size if self._tail(tail) else size - len(tail)

    def _unended(self, whole: int, size: int, tail: bytes) -> bool:
        """Tell whether what stands lacks its last LF."""
        return whole == size and tail != b""

    def _write(self, handle: int, added: bytes) -> None:
        while added:
            added = added[os.write(handle, added) :]
