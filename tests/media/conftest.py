"""Servers for the media that need one: the environment's, or started for the session."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from ..servers.started import ASKED, KINDS, NoServer, url_of


def served(name: str, package: str) -> Iterator[str]:
    """The URL of a server, where its client is installed too; else the test is skipped."""
    reason = f"run: pip install 'storelaw[{name}]', and set {ASKED}=1 to have a server started"
    pytest.importorskip(package, reason=reason, exc_type=ImportError)
    with ExitStack() as servers:
        try:
            url = servers.enter_context(url_of(name))
        except NoServer as none:
            pytest.skip(str(none))
        yield url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    yield from served("postgres", "psycopg")


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of a Redis server."""
    yield from served("redis", "redis")


@pytest.fixture
def postgres_url(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a PostgreSQL server, which is in the environment too."""
    monkeypatch.setenv(KINDS["postgres"].variable, postgres_server)
    return postgres_server


@pytest.fixture
def redis_url(redis_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a Redis server, which is in the environment too."""
    monkeypatch.setenv(KINDS["redis"].variable, redis_server)
    return redis_server
