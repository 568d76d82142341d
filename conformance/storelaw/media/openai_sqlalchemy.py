"""The OpenAI Agents SDK's ``SQLAlchemySession`` as a medium, on SQLite and on PostgreSQL.

Items go in as they are, as in :mod:`storelaw.media.openai`. The SDK's guide calls it ready
for production, and its code says that a change waits for those of other instances; so it
promises writers of every kind, but neither whole batches nor one order that all see.

Its docstring wants the tables made ahead in production, and ``create_tables=True`` for
development and tests, where the guide has that everywhere. The media make the tables ahead,
by a session of the SDK; a subclass with ``create_tables = True`` leaves it to each session.
"""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

from storelaw.errors import MediumFault
from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.media.openai import EXTRA, OpenAIMedium, Sessions
from storelaw.media.postgres import EXAMPLE, START, VARIABLE
from storelaw.media.scripted import address
from storelaw.medium import Medium
from storelaw.proxy import Way, routed

#: How long a schema's drop waits for who still holds a lock in it.
PATIENCE = "SET lock_timeout = '10s'"


class SQLAlchemyMedium(Medium):
    """A handle is an engine with one session object for each session; a variant makes engines."""

    manifest: ClassVar[Manifest] = replace(
        OpenAIMedium.manifest,
        name="openai:sqlalchemy",
        writers=frozenset({"tasks", "threads", "processes"}),
        cost=20.0,
    )
    create_tables: ClassVar[bool] = False
    _made = False

    async def open(self) -> Sessions:
        """A further engine."""
        name = "agents.extensions.memory.sqlalchemy_session"
        make = imported(name, EXTRA).SQLAlchemySession
        if not self._made:
            await self._make(make)
            self._made = True
        engine = self.engine()
        async with engine.connect():
            pass  # From now on the pool has a connection: an open handle is one that could connect.
        return Sessions(
            lambda session_id: make(session_id, engine=engine, create_tables=self.create_tables),
            engine.dispose,
        )

    async def _make(self, make: Any) -> None:
        """What a migration does ahead of the first session."""
        if not self.create_tables:
            engine = self.engine()
            await make("", engine=engine, create_tables=True).get_items()
            await engine.dispose()

    @abstractmethod
    def engine(self) -> Any:
        """An engine that sees this medium's tables and no others."""
        ...


class SqliteSQLAlchemyMedium(SQLAlchemyMedium):
    """One SQLite file."""

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def engine(self) -> Any:
        """An engine on the file, by aiosqlite."""
        imported("aiosqlite", EXTRA)
        path = self.workdir / "sessions.db"
        return imported("sqlalchemy.ext.asyncio", EXTRA).create_async_engine(
            f"sqlite+aiosqlite:///{path}"
        )


class PostgresSQLAlchemyMedium(SQLAlchemyMedium):
    """A schema of the medium's name, which ``destroy`` drops.

    The server is the one of ``STORELAW_POSTGRES``, or of the class's ``url``.
    """

    manifest = replace(SQLAlchemyMedium.manifest, name="openai:sqlalchemy-postgres")
    url: ClassVar[str | None] = None
    _through: Way | None = None

    def route(self, through: Way) -> None:
        """Let further handles connect to another host and port than the server's."""
        self._through = through

    def engine(self) -> Any:
        """An engine whose connections look into the schema alone."""
        url = self._address()
        return self._engine(routed(url, self._through) if self._through else url)

    def _address(self) -> str:
        return address(self.url, VARIABLE, EXAMPLE, START)

    def _engine(self, url: str) -> Any:
        imported("asyncpg", EXTRA)
        return imported("sqlalchemy.ext.asyncio", EXTRA).create_async_engine(
            imported("sqlalchemy", EXTRA).make_url(url).set(drivername="postgresql+asyncpg"),
            connect_args={"server_settings": {"search_path": self.name}},
        )

    async def _make(self, make: Any) -> None:
        try:
            await self._ask(f"CREATE SCHEMA IF NOT EXISTS {self.name}")
        except (OSError, imported("sqlalchemy.exc", EXTRA).DBAPIError) as error:
            raise MediumFault(
                f"medium: no PostgreSQL server answers: {' '.join(str(error).split())}; "
                f"correct {VARIABLE}, or start a server with: {START}"
            ) from error
        await super()._make(make)

    async def _ask(self, *statements: str) -> None:
        engine = self._engine(self._address())
        text = imported("sqlalchemy", EXTRA).text
        async with engine.begin() as connection:
            for each in statements:
                await connection.execute(text(each))
        await engine.dispose()

    async def destroy(self) -> None:
        """Drop the schema; who still holds a lock in it after ten seconds makes it fail."""
        if self._made:
            await self._ask(PATIENCE, f"DROP SCHEMA IF EXISTS {self.name} CASCADE")
