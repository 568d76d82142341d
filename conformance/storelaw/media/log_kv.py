"""Logs in segments of a key-value table in one SQLite file; an append is one transaction."""

import sqlite3
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from storelaw.media.log_stores import MANIFEST, LogMedium, LogStore
from storelaw_reference import log

TABLE: Final = "CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, text TEXT NOT NULL)"

HEAD: Final = ":head"

#: How many entries a segment holds: few, so that a test comes to the next one.
SEGMENT: Final = 4


class SqliteTexts:
    """Keys and texts in one table: the backend of the reference's key-value storage."""

    def __init__(self, path: Path) -> None:
        self.place: Hashable = ("sqlite", str(path))
        self._db = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(TABLE)

    @contextmanager
    def transaction(self, how: str = "IMMEDIATE") -> Generator[None]:
        """All of what happens inside, or nothing; a ``DEFERRED`` one that reads sees one state."""
        self._db.execute(f"BEGIN {how}")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def get(self, key: str) -> str | None:
        """The text under a key, or ``None``."""
        row = self._db.execute("SELECT text FROM texts WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set(self, key: str, text: str) -> None:
        """Put a text under a key."""
        self._db.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (key, text))

    def delete(self, key: str) -> None:
        """Remove a key."""
        self._db.execute("DELETE FROM texts WHERE key = ?", (key,))

    def keys(self, ending: str) -> list[str]:
        """The keys with an ending, in order."""
        query = "SELECT key FROM texts WHERE substr(key, -length(?)) = ? ORDER BY key"
        return [str(key) for (key,) in self._db.execute(query, (ending, ending))]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


class KeyValueLogs(LogStore):
    """A handle with a connection of its own.

    A log's prefix is its id as a JSON text, whose last quote no other id has at that place.
    """

    def __init__(self, medium: LogMedium) -> None:
        super().__init__(medium)
        self._texts = SqliteTexts(medium.workdir / "logs.db")

    @contextmanager
    def writing(self) -> Generator[None]:
        """One transaction, which the storage's several writes share."""
        with self._texts.transaction():
            yield
            self.reached("before-commit")

    @contextmanager
    def reading(self) -> Generator[None]:
        """One transaction, so that the head and the segments are of one moment."""
        with self._texts.transaction("DEFERRED"):
            yield

    def storage(self, name: str) -> log.Storage:
        """The segments under a prefix."""
        return log.KeyValue(self._texts, name, SEGMENT)

    def names(self) -> list[str]:
        """The prefixes that have a head."""
        return [each.removesuffix(HEAD) for each in self._texts.keys(HEAD)]

    def forget(self, name: str) -> None:
        """Empty the log, then remove its head."""
        self.storage(name).clear()
        self._texts.delete(name + HEAD)

    def close(self) -> None:
        """Let go of the file too."""
        super().close()
        self._texts.close()


class LogKvMedium(LogMedium):
    """One file in the medium's directory."""

    #: A database has no append-only files, and no line of an entry that could be harmed.
    files: ClassVar[None] = None
    damage: ClassVar[None] = None

    manifest = replace(
        MANIFEST,
        name="log-kv",
        crash="acknowledged",
        writers=frozenset({"tasks", "threads", "processes"}),
    )

    def open(self) -> KeyValueLogs:
        """A further connection."""
        return KeyValueLogs(self)
