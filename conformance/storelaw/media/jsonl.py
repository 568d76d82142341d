"""A session store on append-only files, one for each session, and its medium.

A file's first line is the session's record, each further line an entry, in ASCII JSON, or
the array of a batch of several: one line is there as a whole or not at all.
A process that dies in the middle of a write leaves a torn last line, which readers drop and
the next append takes away. Nothing is synced to the disk: what was acknowledged outlives the
process, not a power cut.
Writers of a session take turns, in whichever process they are: each holds the file locked.
"""

import fcntl
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from storelaw.errors import Rejected, SessionExists, SessionNotFound
from storelaw.manifest import Manifest
from storelaw.media.harms import harmed
from storelaw.media.powers import PoweredMedium, nothing
from storelaw.media.texts import DEPTH, entry_text, id_text, now_utc, repeats, text_of
from storelaw.values import Entry

#: The ``type`` of a file's first line.
RECORD: Final = "session_init"


class Damaged(Exception):
    """A line other than a torn last one can't be read, or the record isn't this session's."""


class JsonlStore:
    """A folder of session files.

    ``reappend`` is ``duplicate`` or ``idempotent-or-conflict``; ``now`` dates sessions;
    ``reached`` is called at each ``item``, ``before-commit`` and ``after-commit`` of a write.
    """

    def __init__(
        self,
        folder: Path,
        *,
        reappend: str = "duplicate",
        now: Callable[[], datetime] = now_utc,
        reached: Callable[[str, int], None] = nothing,
    ) -> None:
        self._merges = reappend == "idempotent-or-conflict"
        self._folder, self._now, self._reached = folder, now, reached
        self._closed = False
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, session_id: str) -> Path:
        """The file of a session: the same for one id, and for no other on any file system."""
        if self._closed:
            raise ValueError("the store is closed")
        return self._folder / f"{sha256(text_of(session_id).encode()).hexdigest()}.jsonl"

    @contextmanager
    def _writing(self) -> Generator[None]:
        """The one step by which a change becomes visible."""
        self._reached("before-commit", 0)
        yield
        self._reached("after-commit", 0)

    # ------------------------------------------------------------- sessions

    def create(self, session_id: str, parent: str | None = None) -> None:
        """A new empty session; its record is written here and never again."""
        self._write_new(self.path(session_id), [self._record(session_id, parent)])

    def _record(self, session_id: str, parent: str | None) -> str:
        lineage = {} if parent is None else {"parent_id": parent}
        created = self._now().isoformat()
        return text_of({"type": RECORD, "id": session_id, **lineage, "created_at": created})

    def _write_new(self, path: Path, lines: Iterable[str]) -> None:
        """A whole file or none: it gets its name only when it is written."""
        draft = path.with_suffix(f".{os.urandom(8).hex()}.tmp")
        draft.write_bytes(_joined(lines))
        try:
            with self._writing():
                os.link(draft, path)
        except FileExistsError:
            raise SessionExists(path.name) from None
        finally:
            draft.unlink()

    def record(self, session_id: str) -> dict[str, Any]:
        """The id, the parent where there is one, and the time of creation."""
        record, _ = self._read(session_id)
        return {name: value for name, value in record.items() if name != "type"}

    def list_sessions(self) -> list[str]:
        """The ids of all sessions."""
        paths = self.path("").parent.glob("*.jsonl")
        return [_record_of(each.read_bytes().split(b"\n")[0], each)["id"] for each in paths]

    def delete(self, session_id: str) -> None:
        """Forget a session; one that isn't there is none to forget."""
        path = self.path(session_id)
        with self._writing():
            path.unlink(missing_ok=True)

    def fork(self, session_id: str, new_id: str, at: str | None = None) -> str:
        """A new session with the log up to and including the first entry with the id ``at``."""
        _, entries = self._read(session_id)
        names = [each.get("id") for each in entries]
        if at is not None and at not in names:
            raise Rejected(f"the session has no entry {at!r}")
        kept = entries if at is None else entries[: names.index(at) + 1]
        lines = [self._record(new_id, session_id), *map(text_of, kept)]
        self._write_new(self.path(new_id), lines)
        return new_id

    # -------------------------------------------------------------- entries

    def load(self, session_id: str) -> list[Entry]:
        """The log, oldest first; :class:`Damaged` where a line before the last can't be read."""
        return self._read(session_id)[1]

    def _read(self, session_id: str) -> tuple[Entry, list[Entry]]:
        path = self.path(session_id)
        with _held(path, session_id, fcntl.LOCK_SH) as file:
            return _contents(file, path, session_id)

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Add entries at the end, by one write; an append that raises leaves nothing."""
        batch = [(id_text(each), entry_text(each)) for each in entries]
        path = self.path(session_id)
        with _held(path, session_id, fcntl.LOCK_EX) as file:
            lines = [text for _, text in batch]
            if self._merges:
                lines = self._fresh(_contents(file, path, session_id)[1], batch)
            for k, _ in enumerate(batch):
                self._reached("item", k)
            with self._writing():
                _append(file, path, _joined(_line(lines)))

    def _fresh(self, log: Sequence[Entry], batch: Iterable[tuple[str | None, str]]) -> list[str]:
        known = {
            name: entry_text(each) for each in reversed(log) if (name := id_text(each)) is not None
        }
        fresh: list[str] = []
        for name, text in batch:
            if name is None or not repeats(known.get(name), text):
                fresh.append(text)
                known |= {} if name is None else {name: text}
        return fresh

    def close(self) -> None:
        """No work after this: every later call raises ``ValueError``."""
        self._closed = True


def _joined(lines: Iterable[str]) -> bytes:
    return "".join(f"{each}\n" for each in lines).encode("ascii")


def _line(texts: list[str]) -> list[str]:
    """The line of a batch, or none of nothing."""
    return [f"[{', '.join(texts)}]"] if len(texts) > 1 else texts


def _decoded(line: bytes) -> list[Entry] | None:
    """The objects on a line, or ``None`` where there is anything else."""
    try:
        value: object = json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    batch = cast("list[object]", value) if isinstance(value, list) else [value]
    return cast("list[Entry]", batch) if all(isinstance(e, dict) for e in batch) else None


def _record_of(line: bytes, path: Path) -> Entry:
    record = (_decoded(line) or [{}])[0]
    if record.get("type") != RECORD:
        raise Damaged(f"{path.name} does not begin with a session's record")
    return record


def _entries(lines: list[bytes], path: Path) -> Iterator[Entry]:
    """The entries of all lines; only the last, which no line feed ends, may be torn."""
    for number, each in enumerate(lines, 1):
        batch = _decoded(each)
        if batch is not None:
            yield from batch
        elif each.strip() and number < len(lines):
            raise Damaged(f"{path.name}, line {number + 1} can't be read")


@contextmanager
def _held(path: Path, session_id: str, how: int) -> Generator[int]:
    """An existing file, which nobody writes meanwhile; many may read it."""
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND)
    except FileNotFoundError:
        raise SessionNotFound(session_id) from None
    try:
        fcntl.flock(file, how)
        yield file
    finally:
        os.close(file)


def _contents(file: int, path: Path, session_id: str) -> tuple[Entry, list[Entry]]:
    """The record and the entries of a file."""
    first, *lines = os.pread(file, os.fstat(file).st_size, 0).split(b"\n")
    record = _record_of(first if lines else b"", path)
    if record.get("id") != session_id:
        raise Damaged(f"{path.name} is the file of another session")
    return record, list(_entries(lines, path))


def _append(file: int, path: Path, data: bytes) -> None:
    """One write at the end of a file, after its torn tail has been seen to."""
    data = _mended(file, path) + data
    size = os.fstat(file).st_size
    if os.write(file, data) != len(data):
        os.ftruncate(file, size)
        raise OSError(f"{path.name}: the disk took a part of the batch only")


def _mended(file: int, path: Path) -> bytes:
    """What must come before the next line: an entry without its line feed gets one.

    A torn tail is cut off.
    """
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) == b"\n":
        return b""
    text = os.pread(file, size, 0)
    end = text.rfind(b"\n") + 1
    if not end:
        raise Damaged(f"{path.name} does not begin with a session's record")
    if _decoded(text[end:]) is not None:
        return b"\n"
    os.ftruncate(file, end)
    return b""


class JsonlMedium(PoweredMedium):
    """A folder in the medium's directory."""

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    manifest: ClassVar[Manifest] = Manifest(
        name="jsonl",
        durable=True,
        batch="atomic",
        crash="acknowledged",
        writers=frozenset({"tasks", "threads", "processes"}),
        consistency="real-time",
        closed_is_final=True,
        max_depth=DEPTH,
        options={
            "reappend": "duplicate",
            "id_scope": "session",
            "ids": "optional",
            "create": "explicit",
            "unknown_session": "raise",
            "unknown_delete": "ignore",
        },
    )

    def open(self) -> JsonlStore:
        """A further store object on the folder."""
        return JsonlStore(
            self.workdir / "sessions",
            reappend=self.manifest.options["reappend"],
            now=self.time,
            reached=self.reached,
        )

    def files(self) -> list[Path]:
        """The append-only files that hold the data."""
        return sorted((self.workdir / "sessions").glob("*.jsonl"))

    def damage(self, session_id: str, index: int, how: str) -> None:
        """Do harm to the line of an append, counted from 0."""
        harmed(self.open().path(session_id), index + 1, how)


class IdempotentJsonlMedium(JsonlMedium):
    """The same store, where a known id is a retry, or a conflict if the payload differs."""

    manifest = replace(
        JsonlMedium.manifest,
        name="jsonl:idempotent",
        options={**JsonlMedium.manifest.options, "reappend": "idempotent-or-conflict"},
    )
