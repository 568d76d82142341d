"""The OpenAI Agents SDK's ``SQLAlchemySession`` as a medium, on SQLite and on PostgreSQL.

Items go in as they are, as in :mod:`storelaw.media.openai`. The SDK's guide calls it ready
for production, and its code says that a change waits for those of other instances; so it
promises writers of every kind, but neither whole batches nor one order that all see.

Its docstring wants the tables made ahead in production, and ``create_tables=True`` for
development and tests, where the guide has that everywhere. The media make the tables ahead,
by a session of the SDK; a subclass with ``create_tables = True`` leaves it to each session.
"""

from dataclasses import replace
from typing import Any, ClassVar

from storelaw.errors import MediumFault
from storelaw.media.extras import imported
from storelaw.media.openai import EXTRA, OpenAIMedium, Sessions
from storelaw.media.postgres import EXAMPLE, START, VARIABLE
from storelaw.media.scripted import address

#: How long a schema's drop waits for who still holds a lock in it.
PATIENCE = "SET lock_timeout = '10s'"


class SQLAlchemyMedium(OpenAIMedium):
    """One SQLite file; a handle is an engine with one session object for each session."""

    manifest = replace(
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
        make, engine = imported(name, EXTRA).SQLAlchemySession, self.engine()
        if not self._made:
            await self._make(engine, make)
            self._made = True
        return Sessions(
            lambda session_id: make(session_id, engine=engine, create_tables=self.create_tables),
            engine.dispose,
        )

    async def _make(self, engine: Any, make: Any) -> None:
        """What a migration does ahead of the first session."""
        if not self.create_tables:
            await make("", engine=engine, create_tables=True).get_items()

    def engine(self) -> Any:
        """An engine that sees this medium's tables and no others."""
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

    def engine(self) -> Any:
        """An engine whose connections look into the schema alone."""
        imported("asyncpg", EXTRA)
        url = address(self.url, VARIABLE, EXAMPLE, START)
        return imported("sqlalchemy.ext.asyncio", EXTRA).create_async_engine(
            imported("sqlalchemy", EXTRA).make_url(url).set(drivername="postgresql+asyncpg"),
            connect_args={"server_settings": {"search_path": self.name}},
        )

    async def _make(self, engine: Any, make: Any) -> None:
        try:
            await self._ask(engine, f"CREATE SCHEMA IF NOT EXISTS {self.name}")
        except (OSError, imported("sqlalchemy.exc", EXTRA).DBAPIError) as error:
            raise MediumFault(
                f"medium: no PostgreSQL server answers: {' '.join(str(error).split())}; "
                f"correct {VARIABLE}, or start a server with: {START}"
            ) from error
        await super()._make(engine, make)

    async def _ask(self, engine: Any, *statements: str) -> None:
        text = imported("sqlalchemy", EXTRA).text
        async with engine.begin() as connection:
            for each in statements:
                await connection.execute(text(each))

    async def destroy(self) -> None:
        """Drop the schema; who still holds a lock in it after ten seconds makes it fail."""
        if self._made:
            engine = self.engine()
            drop = f"DROP SCHEMA IF EXISTS {self.name} CASCADE"
            await self._ask(engine, PATIENCE, drop)
            await engine.dispose()
