"""A session store on one SQLite file, and its medium: the embedded default of the kit.

An append is one transaction, so a batch is there as a whole or not at all. The file is in
WAL mode with ``synchronous=NORMAL``: what was acknowledged outlives the process; a power
cut may cost the last transactions, never the file.
Texts are ASCII JSON, ids included, so that no character is special to the engine and the
binary collation tells all ids apart.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

from storelaw.errors import Rejected, SessionExists, SessionNotFound
from storelaw.manifest import Manifest
from storelaw.media.powers import DATABASE, DatabaseMedium, nothing
from storelaw.media.texts import entry_text, id_text, now_utc, repeats, text_of
from storelaw.values import Entry

#: The id of an entry as text, where it has one, and the entry as text.
Row: TypeAlias = tuple[str | None, str]

TABLES: Final = """
    CREATE TABLE sessions (
        session TEXT PRIMARY KEY, parent TEXT, created_at TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE entries (
        session TEXT NOT NULL, place INTEGER NOT NULL, id TEXT, entry TEXT NOT NULL,
        PRIMARY KEY (session, place)
    ) WITHOUT ROWID;
    CREATE INDEX entries_by_id ON entries (session, id);
"""


class SqliteStore:
    """One connection to the file; it belongs to the thread that opened it.

    ``reappend`` is ``duplicate`` or ``idempotent-or-conflict``; ``now`` dates sessions;
    ``reached`` is called at each ``item``, ``before-commit`` and ``after-commit`` of a write.
    """

    def __init__(
        self,
        path: Path,
        *,
        reappend: str = "duplicate",
        now: Callable[[], datetime] = now_utc,
        reached: Callable[[str, int], None] = nothing,
    ) -> None:
        self._merges = reappend == "idempotent-or-conflict"
        self._now, self._reached = now, reached
        if not path.exists():
            _make(path)
        self._db = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._db.execute("PRAGMA synchronous=NORMAL")

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """A transaction that begins with the lock it will need."""
        with self._transaction("IMMEDIATE") as db:
            yield db
            self._reached("before-commit", 0)
        self._reached("after-commit", 0)

    @contextmanager
    def _transaction(self, kind: str) -> Generator[sqlite3.Connection]:
        """All of what happens inside, or nothing; it never stays open."""
        self._db.execute(f"BEGIN {kind}")
        try:
            yield self._db
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    # ------------------------------------------------------------- sessions

    def create(self, session_id: str, parent: str | None = None) -> None:
        """A new empty session; its record is written here and never again."""
        with self._writing():
            self._insert_session(text_of(session_id), parent)

    def _insert_session(self, session: str, parent: str | None) -> None:
        row = (session, None if parent is None else text_of(parent), self._now().isoformat())
        try:
            self._db.execute("INSERT INTO sessions VALUES (?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise SessionExists(session) from None

    def record(self, session_id: str) -> dict[str, Any]:
        """The id, the parent where there is one, and the time of creation."""
        parent, created = self._session(text_of(session_id))
        lineage = {} if parent is None else {"parent_id": json.loads(parent)}
        return {"id": session_id, **lineage, "created_at": created}

    def _session(self, session: str) -> tuple[str | None, str]:
        query = "SELECT parent, created_at FROM sessions WHERE session = ?"
        row: tuple[str | None, str] | None = self._db.execute(query, (session,)).fetchone()
        if row is None:
            raise SessionNotFound(session)
        return row

    def list_sessions(self) -> list[str]:
        """The ids of all sessions."""
        return [json.loads(each) for (each,) in self._db.execute("SELECT session FROM sessions")]

    def delete(self, session_id: str) -> None:
        """Forget a session; one that isn't there is none to forget."""
        session = text_of(session_id)
        with self._writing() as db:
            db.execute("DELETE FROM entries WHERE session = ?", (session,))
            db.execute("DELETE FROM sessions WHERE session = ?", (session,))

    def fork(self, session_id: str, new_id: str, at: str | None = None) -> str:
        """A new session with the log up to and including the entry ``at``."""
        session, new = text_of(session_id), text_of(new_id)
        with self._writing() as db:
            self._session(session)
            end = sys.maxsize if at is None else self._place(session, at)
            if end is None:
                raise Rejected(f"the session has no entry {at!r}")
            self._insert_session(new, session_id)
            db.execute(
                "INSERT INTO entries SELECT ?, place, id, entry FROM entries"
                " WHERE session = ? AND place <= ?",
                (new, session, end),
            )
        return new_id

    # --------------------------------------------------------------- writes

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Add entries at the end, all of them or none."""
        session, batch = text_of(session_id), _rows(entries)
        with self._writing():
            self._session(session)
            self._insert(session, batch)

    def _insert(self, session: str, batch: Iterable[Row]) -> None:
        place = self._next_place(session)
        for k, (name, text) in enumerate(batch):
            self._reached("item", k)
            if not (self._merges and name and repeats(self._known(session, name), text)):
                row = (session, place, name, text)
                self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", row)
                place += 1

    def _next_place(self, session: str) -> int:
        query = "SELECT max(place) FROM entries WHERE session = ?"
        (last,) = self._db.execute(query, (session,)).fetchone()
        return 0 if last is None else int(last) + 1

    def _known(self, session: str, name: str) -> str | None:
        query = "SELECT entry FROM entries WHERE session = ? AND id = ? LIMIT 1"
        row: tuple[str] | None = self._db.execute(query, (session, name)).fetchone()
        return None if row is None else row[0]

    def replace(self, session_id: str, entries: list[Entry]) -> None:
        """Other entries in place of the log, all of them or the old ones."""
        session, batch = text_of(session_id), _rows(entries)
        with self._writing() as db:
            self._session(session)
            db.execute("DELETE FROM entries WHERE session = ?", (session,))
            self._insert(session, batch)

    def clear(self, session_id: str) -> None:
        """Empty a session."""
        with self._writing() as db:
            db.execute("DELETE FROM entries WHERE session = ?", (text_of(session_id),))

    def delete_entry(self, session_id: str, which: str) -> None:
        """Take the entry with an id out; the rest keeps its order."""
        which_one = (text_of(session_id), text_of(which))
        with self._writing() as db:
            db.execute("DELETE FROM entries WHERE session = ? AND id = ?", which_one)

    def pop(self, session_id: str) -> Entry | None:
        """Take the newest entry off, or nothing."""
        with self._writing() as db:
            rows = db.execute(
                "DELETE FROM entries WHERE (session, place) IN (SELECT session, max(place)"
                " FROM entries WHERE session = ? GROUP BY session) RETURNING entry",
                (text_of(session_id),),
            ).fetchall()
        return json.loads(rows[0][0]) if rows else None

    # ---------------------------------------------------------------- reads

    def load(
        self,
        session_id: str,
        *,
        last: int | None = None,
        first: int | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> list[Entry]:
        """The log, oldest first, or a slice of it: bounds by entry id first, then counts.

        An id that the session doesn't hold bounds nothing; a count below one gives nothing.
        """
        session = text_of(session_id)
        with self._transaction("DEFERRED"):
            self._session(session)
            low = -1 if after is None else self._place(session, after)
            high = None if before is None else self._place(session, before)
            bounds = (session, -1 if low is None else low, sys.maxsize if high is None else high)
            texts = self._texts(bounds, first, last)
        return [json.loads(each) for each in texts]

    def _texts(
        self, bounds: tuple[str, int, int], first: int | None, last: int | None
    ) -> list[str]:
        newest = first is None and last is not None
        query = (
            "SELECT entry FROM entries WHERE session = ? AND place > ? AND place < ?"
            f" ORDER BY place {'DESC' if newest else 'ASC'} LIMIT ?"
        )
        limit = _limit(last if newest else first)
        texts = [each for (each,) in self._db.execute(query, (*bounds, limit))]
        if newest:
            return texts[::-1]
        return texts if last is None else texts[max(len(texts) - max(last, 0), 0) :]

    def _place(self, session: str, name: str) -> int | None:
        query = "SELECT min(place) FROM entries WHERE session = ? AND id = ?"
        (place,) = self._db.execute(query, (session, text_of(name))).fetchone()
        return None if place is None else int(place)

    def headers(self, session_id: str) -> list[Entry]:
        """What the table knows of each entry: its id."""
        session = text_of(session_id)
        query = "SELECT id FROM entries WHERE session = ? ORDER BY place"
        with self._transaction("DEFERRED") as db:
            self._session(session)
            names = [each for (each,) in db.execute(query, (session,))]
        return [{} if each is None else {"id": json.loads(each)} for each in names]

    def close(self) -> None:
        """Let go of the file; every later call raises ``sqlite3.ProgrammingError``."""
        self._db.close()


def _make(path: Path) -> None:
    """A file with empty tables, in WAL mode; it gets its name only when it is whole.

    Two processes that switch one file to WAL at once would find it locked.
    """
    draft = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    with closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.executescript(
            f"PRAGMA journal_mode=MEMORY; BEGIN; {TABLES} COMMIT; PRAGMA journal_mode=WAL;"
        )
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


def _rows(entries: Iterable[Entry]) -> list[Row]:
    texts = [(each, entry_text(each)) for each in entries]
    return [(id_text(each), text) for each, text in texts]


def _limit(count: int | None) -> int:
    return -1 if count is None else min(max(count, 0), sys.maxsize)


class SqliteMedium(DatabaseMedium):
    """One file in the medium's directory."""

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    manifest: ClassVar[Manifest] = replace(DATABASE, name="sqlite")

    def open(self) -> SqliteStore:
        """A further connection."""
        return SqliteStore(
            self.workdir / "sessions.db",
            reappend=self.manifest.options["reappend"],
            now=self.time,
            reached=self.reached,
        )


class IdempotentSqliteMedium(SqliteMedium):
    """The same store, where a known id is a retry, or a conflict if the payload differs."""

    manifest = replace(
        SqliteMedium.manifest,
        name="sqlite:idempotent",
        options={**SqliteMedium.manifest.options, "reappend": "idempotent-or-conflict"},
    )
