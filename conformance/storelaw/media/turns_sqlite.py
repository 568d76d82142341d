"""A turn memory's rows on one SQLite file, and its medium.

A row holds an entry as JSON text, exact to the last digit, beside what queries filter and
order by. Texts are ASCII JSON, so that no character is special to the engine and the binary
collation tells all ids apart.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

from storelaw.errors import Rejected
from storelaw.manifest import Manifest
from storelaw.media.turns_memory import MANIFEST, TurnsMedium
from storelaw.moments import nanoseconds
from storelaw.values import Entry

TABLE: Final = """
    CREATE TABLE IF NOT EXISTS rows (
        scope_kind TEXT NOT NULL, scope_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
        moment INTEGER NOT NULL, entry TEXT NOT NULL,
        PRIMARY KEY (scope_kind, scope_id, kind, id)
    ) WITHOUT ROWID
"""
_KEY: Final = "scope_kind = ? AND scope_id = ? AND kind = ? AND id = ?"
_SCOPE: Final = "scope_kind = ? AND scope_id = ?"


def _text(value: Any) -> str:
    """A value as ASCII JSON; ``Rejected`` where it is none."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Rejected(f"no JSON: {error}") from error


def _scope(scope: Entry) -> tuple[str, str]:
    return _text(scope["kind"]), _text(scope["id"])


def _key(entry: Entry) -> tuple[str, str, str, str]:
    return (*_scope(entry["scope"]), _text(entry["kind"]), _text(entry["id"]))


def moment(entry: Entry) -> int:
    """The time of an entry as the engine keeps it; ``Rejected`` where 64 bits are too few."""
    try:
        found = nanoseconds(entry["createdAt"])
    except (KeyError, TypeError, ValueError) as error:
        raise Rejected(f"no time: {entry.get('createdAt')!r}") from error
    if not -(2**63) <= found < 2**63:
        raise Rejected(f"a time outside 64-bit nanoseconds: {entry['createdAt']}")
    return found


class SqliteRows:
    """One connection to the file; it belongs to the thread that opened it.

    ``reached`` is called when a read begins, and before and after each commit.
    """

    def __init__(self, path: Path, reached: Callable[[str], None]) -> None:
        self._reached = reached
        self._db = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(TABLE)

    def put(self, entry: Entry) -> None:
        """Keep an entry under its key; the last write wins."""
        self._written("INSERT OR REPLACE", entry)

    def add(self, entry: Entry) -> Entry | None:
        """Keep an entry if its key is free, or give what holds it, in one statement."""
        self._reached("load")
        written = self._written("INSERT OR IGNORE", entry)
        return None if written else self._one(_key(entry))

    def _written(self, how: str, entry: Entry) -> int:
        row = (*_key(entry), moment(entry), _text(entry))
        self._reached("before-commit")
        written = self._db.execute(f"{how} INTO rows VALUES (?, ?, ?, ?, ?, ?)", row).rowcount
        self._reached("after-commit")
        return written

    def get(self, scope: Entry, kind: str, entry_id: str) -> Entry | None:
        """An entry, or ``None``."""
        self._reached("load")
        return self._one((*_scope(scope), _text(kind), _text(entry_id)))

    def _one(self, key: tuple[str, str, str, str]) -> Entry | None:
        found = self._db.execute(f"SELECT entry FROM rows WHERE {_KEY}", key).fetchone()
        return None if found is None else json.loads(found[0])

    def query(self, query: Entry) -> list[Entry]:
        """The matching entries, in order; tags and the count are looked at last."""
        self._reached("load")
        conditions = list(_conditions(query))
        where = " AND ".join(each for each, _ in conditions) or "1"
        values = [one for _, some in conditions for one in some]
        newest = _is_newest(query)
        order = f"moment {'DESC' if newest else 'ASC'}, scope_kind, scope_id, kind, id"
        texts = self._db.execute(f"SELECT entry FROM rows WHERE {where} ORDER BY {order}", values)
        wanted = set(query.get("tags") or ())
        found = (json.loads(each) for (each,) in texts)
        rows = [each for each in found if wanted <= set(each.get("tags") or ())]
        return _behind(rows, query.get("after"), newest)[: query.get("limit")]

    def delete(self, scope: Entry, kind: str, entry_id: str) -> None:
        """Remove an entry, if it is there."""
        key = (*_scope(scope), _text(kind), _text(entry_id))
        self._db.execute(f"DELETE FROM rows WHERE {_KEY}", key)

    def delete_scope(self, scope: Entry) -> None:
        """Remove all entries of a scope."""
        self._db.execute(f"DELETE FROM rows WHERE {_SCOPE}", _scope(scope))

    def status(self, scope: Entry) -> str:
        """``live`` or ``unknown``."""
        found = self._db.execute(f"SELECT 1 FROM rows WHERE {_SCOPE} LIMIT 1", _scope(scope))
        return "unknown" if found.fetchone() is None else "live"

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


def _conditions(query: Entry) -> Iterator[tuple[str, list[Any]]]:
    if query.get("scope"):
        yield _SCOPE, list(_scope(query["scope"]))
    for name, column in (("kinds", "kind"), ("ids", "id")):
        if query.get(name):
            marks = ", ".join("?" * len(query[name]))
            yield f"{column} IN ({marks})", list(map(_text, query[name]))
    for name, sign in (("since", ">="), ("until", "<")):
        if query.get(name):
            yield f"moment {sign} ?", [moment({"createdAt": query[name]})]


def _is_newest(query: Entry) -> bool:
    """Newest first where a query says so, or has a limit and no order."""
    order = query.get("order")
    return order == "newest" or (order is None and query.get("limit") is not None)


def _behind(rows: list[Entry], after: Entry | None, newest: bool) -> list[Entry]:
    """The rows behind one, in the order that they have."""
    if not after:
        return rows
    return [each for each in rows if _rank(each, newest) > _rank(after, newest)]


def _rank(entry: Entry, newest: bool) -> tuple[Any, ...]:
    return (-moment(entry) if newest else moment(entry), *_key(entry))


class TurnsSqliteMedium(TurnsMedium):
    """One file in the medium's directory."""

    manifest: ClassVar[Manifest] = replace(
        MANIFEST, name="turns-sqlite", writers=frozenset({"tasks", "threads", "processes"})
    )

    def open(self) -> SqliteRows:
        """A further connection."""
        return SqliteRows(self.workdir / "turns.db", self.reached)
