"""Servers for the media that need one: the environment's, or started for the session."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from importlib.util import find_spec

import pytest

from ..servers.started import ASKED, KINDS, NoServer, url_of

#: The client that each kind of server needs.
CLIENTS = {"postgres": "psycopg", "redis": "redis"}


@pytest.fixture(scope="session")
def servers() -> Iterator[Mapping[str, str | NoServer]]:
    """The URL of each server, or why there is none.

    All URLs stand in the environment before the first test: the kit keeps the processes that
    it starts, and they see the environment of that moment.
    """
    with ExitStack() as started, pytest.MonkeyPatch.context() as patch:
        found = {name: _found(name, started) for name in KINDS}
        for name, each in found.items():
            if isinstance(each, str):
                patch.setenv(KINDS[name].variable, each)
        yield found


def _found(name: str, started: ExitStack) -> str | NoServer:
    if find_spec(CLIENTS[name]) is None:
        return NoServer(
            f"run: pip install 'storelaw[{name}]', and set {ASKED}=1 to have a server started"
        )
    try:
        return started.enter_context(url_of(name))
    except NoServer as none:
        return none


def _url(name: str, servers: Mapping[str, str | NoServer]) -> str:
    found = servers[name]
    if isinstance(found, NoServer):
        pytest.skip(str(found))
    assert os.environ[KINDS[name].variable] == found
    return found


@pytest.fixture
def postgres_url(servers: Mapping[str, str | NoServer]) -> str:
    """The URL of a PostgreSQL server, which is in the environment too."""
    return _url("postgres", servers)


@pytest.fixture
def redis_url(servers: Mapping[str, str | NoServer]) -> str:
    """The URL of a Redis server, which is in the environment too."""
    return _url("redis", servers)
