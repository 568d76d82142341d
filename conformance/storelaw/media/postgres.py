"""A session store on PostgreSQL by psycopg 3, and its media.

A write is one transaction, so a batch is there as a whole or not at all, and what was
acknowledged is committed. Each medium has a schema of its own, which ``destroy`` drops.
The server is the one of ``STORELAW_POSTGRES``, or of the class's ``url``.
A crash is one of a client; the server keeps what was committed by its own means.
Handles have no retries: an operation whose connection breaks raises, and whether it has
happened is unknown; the next one has a fresh connection.
"""

import asyncio
import os
import select
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Final, TypeAlias

from storelaw.errors import MediumFault, Rejected
from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.media.postgres_statements import PostgresScripts, Statement
from storelaw.media.powers import DATABASE, DatabaseMedium, nothing
from storelaw.media.scripted import Script, ScriptedStore, address
from storelaw.proxy import Way, routed

#: What is told each point of a write.
Reached: TypeAlias = Callable[[str, int], None]

VARIABLE: Final = "STORELAW_POSTGRES"
EXAMPLE: Final = "postgresql://postgres@127.0.0.1:5432/postgres"
START: Final = (
    "initdb -D pg -U postgres -A trust && pg_ctl -D pg -o '-p 5432 -k /tmp' -l pg/log -w start"
)

#: Prepared statements would be kept beyond the schema that they name.
SETTINGS: Final = {"autocommit": True, "prepare_threshold": None, "connect_timeout": 10}


class Spares:
    """Open connections without work, kept for the next handle, which saves most of its cost.

    One is used again by the same process only, and an async one on the same event loop.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], list[Any]] = {}
        self._lock = threading.Lock()

    def take(self, *key: object) -> Any:
        """A connection, or ``None`` where no open one is kept."""
        with self._lock:
            kept = self._kept.get((os.getpid(), *key), [])
            while kept:
                connection = kept.pop()
                if not _is_over(connection):
                    return connection
                connection.pgconn.finish()
        return None

    def keep(self, connection: Any, *key: object) -> None:
        """Keep a connection that is between two transactions, and close any other."""
        if connection.info.transaction_status.name == "IDLE":
            self._kept.setdefault((os.getpid(), *key), []).append(connection)
        else:
            connection.pgconn.finish()

    def clear(self) -> None:
        """Close all that are kept."""
        for kept in self._kept.values():
            for each in kept:
                each.pgconn.finish()
            kept.clear()


def _is_over(connection: Any) -> bool:
    """Whether a connection on which nothing is due is closed, or has something to read: its end."""
    return connection.closed or bool(select.select([connection.fileno()], [], [], 0)[0])


SPARES: Final = Spares()


def connected(url: str) -> Any:
    """A connection in which each statement outside a transaction is one."""
    return SPARES.take(url) or imported("psycopg", "postgres").connect(url, **SETTINGS)


# ------------------------------------------------------------------ plain


def driven(script: Script[Any], connection: Any) -> Any:
    """What a script returns, its statements asked on a connection."""
    cursor, rows = connection.cursor(), None
    try:
        while True:
            rows = _asked(cursor, script.send(rows))
    except StopIteration as end:
        return end.value


def _asked(cursor: Any, statement: Statement) -> Any:
    try:
        if statement.rows is not None:
            return cursor.executemany(statement.text, statement.rows)
        cursor.execute(statement.text, statement.values)
    except imported("psycopg", "postgres").DataError as error:
        raise Rejected(str(error)) from error
    return cursor.fetchall() if cursor.description else None


def committed(script: Script[Any], connection: Any, reached: Reached) -> Any:
    """What a script returns that was run in a transaction of its own."""
    with connection.transaction():
        answer = driven(script, connection)
        reached("before-commit", 0)
    reached("after-commit", 0)
    return answer


class OneConnection:
    """A connection, lent to one operation at a time, and replaced when it is broken."""

    def __init__(self, url: str) -> None:
        self._url, self._lock = url, threading.Lock()
        self._connection = connected(url)

    @contextmanager
    def lent(self) -> Generator[Any]:
        """The connection, for one operation."""
        with self._lock:
            if self._connection.closed:
                self._connection = connected(self._url)
            yield self._connection

    def close(self) -> None:
        """Give the connection back."""
        SPARES.keep(self._connection, self._url)


class Pool:
    """A few connections, of which each operation gets one."""

    def __init__(self, url: str) -> None:
        make = imported("psycopg_pool", "postgres").ConnectionPool
        self._pool = make(url, kwargs=SETTINGS, min_size=1, max_size=4, num_workers=1, open=True)
        self.lent = self._pool.connection
        self.close = self._pool.close


class PostgresStore(ScriptedStore):
    """A handle for plain callers, which may be threads."""

    def __init__(
        self, scripts: PostgresScripts, connections: OneConnection | Pool, reached: Reached
    ) -> None:
        super().__init__(scripts)
        self._connections, self._reached = connections, reached

    def _played(self, script: Script[Any], *, writes: bool) -> Any:
        with self._connections.lent() as connection:
            if writes:
                return committed(script, connection, self._reached)
            return driven(script, connection)

    def close(self) -> None:
        """No work after this."""
        if not self._closed:
            self._closed = True
            self._connections.close()


# ------------------------------------------------------------------ async


async def connected_later(url: str) -> Any:
    """An async connection in which each statement outside a transaction is one."""
    connecting = imported("psycopg", "postgres").AsyncConnection.connect
    spare = SPARES.take(url, asyncio.get_running_loop())
    return spare or await connecting(url, **SETTINGS)


async def _driven_later(script: Script[Any], connection: Any) -> Any:
    cursor, rows = connection.cursor(), None
    try:
        while True:
            rows = await _asked_later(cursor, script.send(rows))
    except StopIteration as end:
        return end.value


async def _asked_later(cursor: Any, statement: Statement) -> Any:
    try:
        if statement.rows is not None:
            return await cursor.executemany(statement.text, statement.rows)
        await cursor.execute(statement.text, statement.values)
    except imported("psycopg", "postgres").DataError as error:
        raise Rejected(str(error)) from error
    return await cursor.fetchall() if cursor.description else None


async def _committed_later(script: Script[Any], connection: Any, reached: Reached) -> Any:
    async with connection.transaction():
        answer = await _driven_later(script, connection)
        reached("before-commit", 0)
    reached("after-commit", 0)
    return answer


class AsyncPostgresStore(ScriptedStore):
    """A handle for tasks; one operation at a time has its connection."""

    def __init__(
        self, scripts: PostgresScripts, connection: Any, url: str, reached: Reached
    ) -> None:
        super().__init__(scripts)
        self._connection, self._url, self._reached = connection, url, reached
        self._lock = asyncio.Lock()

    async def _played(self, script: Script[Any], *, writes: bool) -> Any:
        async with self._lock:
            if self._connection.closed:
                self._connection = await connected_later(self._url)
            if writes:
                return await _committed_later(script, self._connection, self._reached)
            return await _driven_later(script, self._connection)

    async def close(self) -> None:
        """No work after this."""
        if not self._closed:
            self._closed = True
            SPARES.keep(self._connection, self._url, asyncio.get_running_loop())


# ------------------------------------------------------------------ media


class PostgresMedium(DatabaseMedium):
    """A schema of the medium's name; a handle has a connection of its own.

    A subclass may set ``url``, and ``column`` to ``jsonb``.
    """

    manifest: ClassVar[Manifest] = replace(DATABASE, name="postgres", cost=100.0)
    url: ClassVar[str | None] = None
    column: ClassVar[str] = "text"
    _made = False
    _through: Way | None = None

    @classmethod
    def stop(cls) -> None:
        """Close the connections that are kept from program to program."""
        SPARES.clear()

    def open(self) -> Any:
        """A further connection."""
        return PostgresStore(self._scripts(), OneConnection(self._way()), self.reached)

    def _scripts(self) -> PostgresScripts:
        return PostgresScripts(
            self.name,
            column=self.column,
            merges=self.manifest.options["reappend"] == "idempotent-or-conflict",
            now=self.time,
            reached=self.reached,
        )

    def _prepared(self) -> str:
        """The URL, after the schema was made there."""
        url = address(self.url, VARIABLE, EXAMPLE, START)
        if not self._made:
            try:
                connection = connected(url)
            except imported("psycopg", "postgres").Error as error:
                raise MediumFault(
                    f"medium: no PostgreSQL server answers: {' '.join(str(error).split())}; "
                    f"correct {VARIABLE}, or start a server with: {START}"
                ) from error
            committed(self._scripts().make(), connection, nothing)
            SPARES.keep(connection, url)
            self._made = True
        return url

    def route(self, through: Way) -> None:
        """Let further handles connect to another host and port than the server's."""
        self._through = through

    def _way(self) -> str:
        """The URL that a further handle connects to, after the schema was made."""
        url = self._prepared()
        return routed(url, self._through) if self._through else url

    def settle(self) -> None:
        """Wait for writes under way: the commit that a client sent before it died may come yet."""
        self._alone(self._scripts().settle())

    def destroy(self) -> None:
        """Drop the schema; who still holds a lock in it after ten seconds makes it fail."""
        if self._made:
            self._alone(self._scripts().drop())

    def _alone(self, script: Script[None]) -> None:
        with closing(OneConnection(self._prepared())) as one, one.lent() as connection:
            committed(script, connection, nothing)


class IdempotentPostgresMedium(PostgresMedium):
    """The same store, where a known id is a retry, or a conflict if the payload differs."""

    manifest = replace(
        PostgresMedium.manifest,
        name="postgres:idempotent",
        options={**PostgresMedium.manifest.options, "reappend": "idempotent-or-conflict"},
    )


class JsonbPostgresMedium(PostgresMedium):
    """Entries in a ``jsonb`` column.

    It takes no NUL and no half of a surrogate pair, and has no negative zero; the order of
    members, which it changes too, is none of an entry's.
    """

    manifest = replace(
        PostgresMedium.manifest,
        name="postgres:jsonb",
        refuses=frozenset({"nul", "surrogates"}),
        equality="json",
    )
    column = "jsonb"


class PooledPostgresMedium(PostgresMedium):
    """A handle is a pool, and each operation has the connection that is free."""

    manifest = replace(PostgresMedium.manifest, name="postgres:pooled", cost=50.0)

    def open(self) -> Any:
        """A further pool."""
        return PostgresStore(self._scripts(), Pool(self._way()), self.reached)


class AsyncPostgresMedium(PostgresMedium):
    """The store for async callers."""

    manifest = replace(PostgresMedium.manifest, name="postgres:async")

    async def open(self) -> AsyncPostgresStore:
        """A further connection."""
        url = self._way()
        connection = await connected_later(url)
        return AsyncPostgresStore(self._scripts(), connection, url, self.reached)
