"""The media for the OpenAI Agents SDK's ``SQLAlchemySession``."""

import asyncio
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.errors import MediumFault, Misconfigured
from storelaw.media.openai_sqlalchemy import (
    PostgresSQLAlchemyMedium,
    SQLAlchemyMedium,
    SqliteSQLAlchemyMedium,
)
from storelaw.trial import hold

#: Processes that one test starts serve the next: they must know the servers from the start.
pytestmark = pytest.mark.usefixtures("servers")

A, B = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}
WRITERS = ("writers_lose_nothing_of_each_other", "writers_wait_for_each_other")
TABLES = ["agent_messages", "agent_sessions"]

#: A port on which nothing listens: it needs root, and is no service's.
NOWHERE = "postgresql://postgres@127.0.0.1:1/postgres"

needs_sdk = pytest.mark.usefixtures("sdk")


class CreatingMedium(SqliteSQLAlchemyMedium):
    """Each session makes the tables that it misses."""

    create_tables = True


@pytest.fixture
def sdk() -> None:
    """The SDK with its part for SQLAlchemy, or the reason why there is none."""
    for each in ("agents.extensions.memory.sqlalchemy_session", "aiosqlite"):
        pytest.importorskip(
            each, reason="run: pip install 'storelaw[openai]'", exc_type=ImportError
        )


@pytest.fixture
def server(sdk: None, postgres_url: str, tmp_path: Path) -> Iterator[PostgresSQLAlchemyMedium]:
    """A medium on a server."""
    medium = PostgresSQLAlchemyMedium(tmp_path)
    yield medium
    asyncio.run(medium.destroy())


async def use(medium: SQLAlchemyMedium) -> list[object]:
    """What two handles see of each other's changes."""
    one: Any = await medium.open()
    other: Any = await medium.open()
    await one.append("s", [A, B])
    await other.append("t", [A])
    seen: list[object] = [await other.load("s", last=1), await other.pop("s")]
    await other.clear("t")
    seen += [await one.load("s"), await one.load("t")]
    await one.close()
    await other.close()
    return seen


async def opened(medium: SQLAlchemyMedium) -> None:
    """Open a handle and close it."""
    handle = await medium.open()
    await handle.close()


def tables(path: Path) -> list[str]:
    """The tables of a file."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'agent%' ORDER BY 1"
    with closing(sqlite3.connect(path)) as connection:
        return [each for (each,) in connection.execute(query)]


def judged(medium: type[SQLAlchemyMedium], *families: str) -> set[str]:
    """The laws held by battery; none is broken, and none blames the medium or the kit."""
    verdicts = [hold(law, medium, "battery") for law in catalogue.chosen(families, "transcript")]
    assert [(each.law, each.reason) for each in verdicts if each.fault or each.failure] == []
    return {each.law for each in verdicts if each.outcome == "held"}


@needs_sdk
@pytest.mark.parametrize("medium", [SqliteSQLAlchemyMedium, CreatingMedium])
def test_handles_share_sessions(medium: type[SQLAlchemyMedium], tmp_path: Path) -> None:
    """What one handle appends another one reads, whoever makes the tables."""
    assert asyncio.run(use(medium(tmp_path))) == [[B], B, [A], []]
    assert tables(tmp_path / "sessions.db") == TABLES


@needs_sdk
def test_the_tables_are_made_ahead_unless_sessions_make_them(tmp_path: Path) -> None:
    """An opened medium has its tables; with ``create_tables`` it has none until a session came."""
    asyncio.run(opened(CreatingMedium(tmp_path)))
    assert tables(tmp_path / "sessions.db") == []
    asyncio.run(opened(SqliteSQLAlchemyMedium(tmp_path)))
    assert tables(tmp_path / "sessions.db") == TABLES


@needs_sdk
def test_the_sdks_session_holds_what_it_promises() -> None:
    """On a file, writers of every kind among it."""
    held = judged(SqliteSQLAlchemyMedium, "fidelity", "window", *WRITERS)
    assert held >= {"entries_load_equal_to_what_was_appended", "writers_wait_for_each_other"}


def test_handles_share_sessions_on_a_server(
    server: PostgresSQLAlchemyMedium, postgres_url: str
) -> None:
    """The tables lie in the schema, and go with it."""
    psycopg: Any = import_module("psycopg")

    def found() -> list[str]:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1"
        with psycopg.connect(postgres_url) as connection:
            return [each for (each,) in connection.execute(query, [server.name])]

    assert asyncio.run(use(server)) == [[B], B, [A], []]
    assert found() == TABLES
    asyncio.run(server.destroy())
    assert found() == []


@pytest.mark.usefixtures("server")
def test_the_sdks_session_holds_what_it_promises_on_a_server() -> None:
    """Writers, and replies that are lost."""
    held = judged(PostgresSQLAlchemyMedium, "atomicity", *WRITERS)
    assert held >= {"a_cut_connection_leaves_no_lock", "writers_wait_for_each_other"}


@pytest.mark.usefixtures("server")
def test_a_server_that_does_not_answer_is_the_mediums_fault(tmp_path: Path) -> None:
    """The message says where it was looked for, and what to do."""

    class Nowhere(PostgresSQLAlchemyMedium):
        """A medium with a URL of its own."""

        url = NOWHERE

    medium = Nowhere(tmp_path)
    with pytest.raises(MediumFault) as told:
        asyncio.run(opened(medium))
    assert str(told.value) == (
        "medium: no PostgreSQL server answers: [Errno 111] Connect call failed "
        "('127.0.0.1', 1); correct STORELAW_POSTGRES, or start a server with: "
        "initdb -D pg -U postgres -A trust && pg_ctl -D pg -o '-p 5432 -k /tmp' -l pg/log -w start"
    )
    asyncio.run(medium.destroy())


def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message holds the package and the command that installs it."""
    package = "agents.extensions.memory.sqlalchemy_session"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Misconfigured, match=rf"{package}.*pip install 'storelaw\[openai\]'"):
        asyncio.run(opened(SqliteSQLAlchemyMedium(tmp_path)))


@needs_sdk
@pytest.mark.parametrize(
    ("medium", "driver"),
    [(SqliteSQLAlchemyMedium, "aiosqlite"), (PostgresSQLAlchemyMedium, "asyncpg")],
)
def test_a_missing_driver_is_named_with_the_extra(
    medium: type[SQLAlchemyMedium],
    driver: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SQLAlchemy comes without drivers."""
    monkeypatch.setenv("STORELAW_POSTGRES", "postgresql://postgres@127.0.0.1:1/postgres")
    monkeypatch.setitem(sys.modules, driver, None)
    with pytest.raises(Misconfigured, match=rf"{driver}.*pip install 'storelaw\[openai\]'"):
        asyncio.run(opened(medium(tmp_path)))
