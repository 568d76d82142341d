"""The tables of a session store on PostgreSQL, and its operations as scripts of statements.

A write begins with the row of its session, which it locks: so writers of one session come
one after the other, and the places of entries are given in the order of the commits.
Texts are ASCII JSON; they are found by their SHA-256, because an index takes no long ones.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final

from storelaw.errors import Rejected, SessionExists, SessionNotFound
from storelaw.media.powers import nothing
from storelaw.media.scripted import Script
from storelaw.media.texts import entry_text, id_text, now_utc, repeats, text_of
from storelaw.values import Entry

TABLES: Final = """
    CREATE SCHEMA IF NOT EXISTS {schema};
    CREATE TABLE {schema}.sessions (
        key bytea PRIMARY KEY, name text NOT NULL, parent text, created_at text NOT NULL,
        places bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE {schema}.entries (
        session bytea NOT NULL, place bigint NOT NULL, key bytea, id text,
        entry {column} NOT NULL, PRIMARY KEY (session, place)
    );
    CREATE {unique} INDEX entries_by_id ON {schema}.entries (session, key);
"""

#: A string, which stays as it is, or a number with an exponent.
_EXPONENTS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9.]+e[+-]?[0-9]+')

#: The largest count that a LIMIT takes.
_MOST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Statement:
    """What the server is asked: a statement with its values, or with many rows of them."""

    text: str
    values: Sequence[Any] | None = None
    rows: Iterable[tuple[Any, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is stored: its id as text, where it has one, and itself as text."""

    id: str | None
    text: str

    @property
    def key(self) -> bytes | None:
        """What the id is found by."""
        return None if self.id is None else digest(self.id)


def digest(text: str) -> bytes:
    """What a text is found by."""
    return sha256(text.encode("ascii")).digest()


class PostgresScripts:
    """The operations of a store in one schema.

    ``column`` is ``text`` or ``jsonb``; ``merges`` says that a known entry id is a retry or
    a conflict; ``now`` dates sessions; ``reached`` is called at each ``item`` of a batch.
    """

    def __init__(
        self,
        schema: str,
        *,
        column: str = "text",
        merges: bool = False,
        now: Callable[[], datetime] = now_utc,
        reached: Callable[[str, int], None] = nothing,
    ) -> None:
        self._column, self._merges = column, merges
        self._now, self._reached = now, reached
        self._schema = f'"{schema}"'
        self._sessions, self._entries = f"{self._schema}.sessions", f"{self._schema}.entries"

    def make(self) -> Script[None]:
        """The schema and its tables, unless they are there; one maker at a time."""
        yield Statement("SELECT pg_advisory_xact_lock(hashtext(%s))", [self._schema])
        ((known,),) = yield Statement("SELECT to_regclass(%s)", [self._entries])
        if known is None:
            unique = "UNIQUE" if self._merges else ""
            yield Statement(TABLES.format(schema=self._schema, column=self._column, unique=unique))

    def drop(self) -> Script[None]:
        """The schema with all that is in it; fails where somebody still holds a lock there."""
        yield Statement("SET LOCAL lock_timeout = '10s'")
        yield Statement(f"DROP SCHEMA IF EXISTS {self._schema} CASCADE")

    def settle(self) -> Script[None]:
        """Nothing, after every transaction that has written is over."""
        yield Statement(f"LOCK TABLE {self._sessions} IN SHARE MODE")

    # ------------------------------------------------------------- sessions

    def create(self, session_id: str, parent: str | None) -> Script[None]:
        """Make an empty session, dated by the clock."""
        name = text_of(session_id)
        values = (
            digest(name),
            name,
            None if parent is None else text_of(parent),
            self._now().isoformat(),
        )
        made = yield Statement(
            f"INSERT INTO {self._sessions} VALUES (%s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING RETURNING key",
            values,
        )
        if not made:
            raise SessionExists(name)

    def record(self, session_id: str) -> Script[dict[str, Any]]:
        """What the row of a session says."""
        query = f"SELECT parent, created_at FROM {self._sessions} WHERE key = %s"
        rows = yield Statement(query, [digest(text_of(session_id))])
        ((parent, created),) = _found(rows, session_id)
        lineage = {} if parent is None else {"parent_id": json.loads(parent)}
        return {"id": session_id, **lineage, "created_at": created}

    def list_sessions(self) -> Script[list[str]]:
        """The ids of all sessions."""
        rows = yield Statement(f"SELECT name FROM {self._sessions}")
        return [json.loads(name) for (name,) in rows]

    def _held(self, session_id: str, count: int = 0) -> Script[tuple[bytes, int | None]]:
        """The session's key, and its next place after ``count`` were taken; the row is locked.

        The place is ``None`` where there is no such session.
        """
        key = digest(text_of(session_id))
        rows = yield Statement(
            f"UPDATE {self._sessions} SET places = places + %s WHERE key = %s RETURNING places",
            [count, key],
        )
        return key, rows[0][0] if rows else None

    def delete(self, session_id: str) -> Script[None]:
        """Forget a session and its entries."""
        key, _ = yield from self._held(session_id)
        yield Statement(f"DELETE FROM {self._entries} WHERE session = %s", [key])
        yield Statement(f"DELETE FROM {self._sessions} WHERE key = %s", [key])

    def fork(self, session_id: str, new_id: str, at: str | None) -> Script[str]:
        """Copy a log up to an entry; the places stay."""
        key, places = yield from self._held(session_id)
        _found(places is not None, session_id)
        end: int | None = places
        if at is not None:
            query = f"SELECT min(place) FROM {self._entries} WHERE session = %s AND key = %s"
            ((end,),) = yield Statement(query, [key, digest(text_of(at))])
        if end is None:
            raise Rejected(f"the session has no entry {at!r}")
        yield from self.create(new_id, session_id)
        new, _ = yield from self._held(new_id, places or 0)
        yield Statement(
            f"INSERT INTO {self._entries} SELECT %s, place, key, id, entry FROM {self._entries}"
            " WHERE session = %s AND place <= %s",
            [new, key, end],
        )
        return new_id

    # --------------------------------------------------------------- writes

    def append(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Add entries at the end."""
        batch = self._rows(entries)
        key, places = yield from self._held(session_id, len(batch))
        _found(places is not None, session_id)
        yield from self._insert(key, (places or 0) - len(batch), batch)

    def _rows(self, entries: list[Entry]) -> list[Row]:
        rows = [Row(text=entry_text(each), id=id_text(each)) for each in entries]
        if self._column == "text":
            return rows
        return [Row(each.id, written_out(each.text)) for each in rows]

    def _insert(self, session: bytes, place: int, batch: list[Row]) -> Script[None]:
        if self._merges:
            batch = yield from self._fresh(session, batch)
        yield Statement(
            f"INSERT INTO {self._entries} VALUES (%s, %s, %s, %s, %s)",
            rows=self._numbered(session, place, batch),
        )

    def _numbered(self, session: bytes, place: int, batch: list[Row]) -> Iterator[tuple[Any, ...]]:
        for k, each in enumerate(batch):
            self._reached("item", k)
            yield session, place + k, each.key, each.id, each.text

    def _fresh(self, session: bytes, batch: list[Row]) -> Script[list[Row]]:
        """The rows that are no retries, of entries in the table or earlier in the batch."""
        rows = yield Statement(
            f"SELECT id, entry FROM {self._entries} WHERE session = %s AND key = ANY(%s)",
            [session, [each.key for each in batch if each.key is not None]],
        )
        known: dict[str, str] = dict(rows)
        fresh: list[Row] = []
        for each in batch:
            if each.id is None or not repeats(known.get(each.id), each.text):
                fresh.append(each)
                known |= {} if each.id is None else {each.id: each.text}
        return fresh

    def replace(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Put other entries in place of the log."""
        batch = self._rows(entries)
        key, places = yield from self._held(session_id, len(batch))
        _found(places is not None, session_id)
        yield Statement(f"DELETE FROM {self._entries} WHERE session = %s", [key])
        yield from self._insert(key, (places or 0) - len(batch), batch)

    def clear(self, session_id: str) -> Script[None]:
        """Empty a session."""
        key, _ = yield from self._held(session_id)
        yield Statement(f"DELETE FROM {self._entries} WHERE session = %s", [key])

    def delete_entry(self, session_id: str, which: str) -> Script[None]:
        """Take the entries with an id out."""
        key, _ = yield from self._held(session_id)
        query = f"DELETE FROM {self._entries} WHERE session = %s AND key = %s"
        yield Statement(query, [key, digest(text_of(which))])

    def pop(self, session_id: str) -> Script[Entry | None]:
        """Take the newest entry off."""
        key, _ = yield from self._held(session_id)
        rows = yield Statement(
            f"DELETE FROM {self._entries} WHERE session = %s AND place ="
            f" (SELECT max(place) FROM {self._entries} WHERE session = %s) RETURNING entry::text",
            [key, key],
        )
        return json.loads(rows[0][0]) if rows else None

    # ---------------------------------------------------------------- reads

    def load(
        self,
        session_id: str,
        last: int | None,
        first: int | None,
        after: str | None,
        before: str | None,
    ) -> Script[list[Entry]]:
        """Read the log or a slice of it, in one statement and so in one snapshot."""
        newest = first is None and last is not None
        entries = yield from self._slice(
            session_id, after, before, last if newest else first, newest
        )
        if newest or last is None:
            return entries
        return entries[max(len(entries) - max(last, 0), 0) :]

    def _slice(
        self, session_id: str, after: str | None, before: str | None, most: int | None, newest: bool
    ) -> Script[list[Entry]]:
        """At most so many of the oldest or newest entries between two ids."""
        bounds = [
            (sign, digest(text_of(each)))
            for sign, each in ((">", after), ("<", before))
            if each is not None
        ]
        where = "".join(f" AND {self._beyond(sign)}" for sign, _ in bounds)
        rows = yield Statement(
            f"SELECT slice.entry FROM {self._sessions} AS one LEFT JOIN LATERAL ("
            f"SELECT place, entry::text FROM {self._entries} WHERE session = one.key{where}"
            f" ORDER BY place {'DESC' if newest else 'ASC'} LIMIT %s"
            ") AS slice ON true WHERE one.key = %s ORDER BY slice.place",
            [*(key for _, key in bounds), _limit(most), digest(text_of(session_id))],
        )
        return [json.loads(each) for (each,) in _found(rows, session_id) if each is not None]

    def _beyond(self, sign: str) -> str:
        """The condition on a place beyond that of an entry; true where there is no such entry."""
        return (
            f"coalesce(place {sign} (SELECT min(place) FROM {self._entries}"
            " WHERE session = one.key AND key = %s), true)"
        )

    def headers(self, session_id: str) -> Script[list[Entry]]:
        """The ids in the table."""
        rows = yield Statement(
            f"SELECT place, id FROM {self._sessions} AS one LEFT JOIN {self._entries}"
            " ON session = one.key WHERE one.key = %s ORDER BY place",
            [digest(text_of(session_id))],
        )
        found = [(place, id) for place, id in _found(rows, session_id) if place is not None]
        return [{} if id is None else {"id": json.loads(id)} for _, id in found]


def _found(rows: Any, session_id: str) -> Any:
    """The rows, of which a session that exists has at least one."""
    if not rows:
        raise SessionNotFound(session_id)
    return rows


def _limit(count: int | None) -> int | None:
    return None if count is None else min(max(count, 0), _MOST)


def written_out(text: str) -> str:
    """JSON text without exponents, each float with a fraction.

    A jsonb column keeps a number's digits and not its exponent, so that ``1e+16`` would be
    read as an integer; with all its digits and a ``.0`` it stays a float.
    """
    return _EXPONENTS.sub(lambda found: _plain(found[0]), text)


def _plain(token: str) -> str:
    if token.startswith('"'):
        return token
    digits = format(Decimal(token), "f")
    return digits if "." in digits else f"{digits}.0"
