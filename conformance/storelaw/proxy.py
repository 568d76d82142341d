"""A proxy on loopback that loses requests and replies on purpose.

It stands between a client and its server, for any protocol over TCP in which a client asks
and a server answers. What the client sends after an answer, or first of all, is a request;
what the server then sends is the reply. Everything passes, until a cut is asked for.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias, get_args
from urllib.parse import urlsplit

from storelaw.errors import Misconfigured

#: Where a connection is cut: the server never sees the request; it has answered and the
#: client sees nothing of it; the client sees the first half of what came. Or nothing is
#: cut, and the reply waits.
Point: TypeAlias = Literal["before-request", "before-reply", "in-reply", "stall"]

POINTS: Final[tuple[Point, ...]] = get_args(Point)

#: From the host and port of a server to those that a client shall connect to.
Way: TypeAlias = Callable[[str, int], tuple[str, int]]

#: How many bytes are passed on at once.
CHUNK: Final = 1 << 16


@dataclass(eq=False, slots=True)
class _Line:
    """A client's connection and the one to the server that belongs to it."""

    client: socket.socket
    server: socket.socket
    asking: bool = False
    fate: Point | None = None
    ends: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def cut(self) -> None:
        """End both connections for whoever reads or writes on them."""
        for each in (self.client, self.server):
            _ended(each, socket.SHUT_RDWR)

    def left(self) -> None:
        """One direction has ended; with the second one both sockets are closed."""
        with self.lock:
            self.ends += 1
            if self.ends == 2:
                self.client.close()
                self.server.close()


def routed(url: str, through: Way) -> str:
    """A URL of a server, which must name host and port, by way of others."""
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    host, port = through(*_server_of(url))
    return parts._replace(netloc=f"{user}{at}{host}:{port}").geturl()


def _server_of(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    if parts.hostname is None or parts.port is None:
        raise Misconfigured(
            f"configuration: a proxy needs the server's host and port, and {parts.netloc!r} "
            "names no such pair; write them out, as in redis://127.0.0.1:6379/0"
        )
    return parts.hostname, parts.port


#: What of some bytes is the last thing to pass; ``None`` where all goes on.
Allowed: TypeAlias = Callable[[_Line, bytes], bytes | None]


class Proxy:
    """Passes connections on to ``host:port``, and cuts one where it is told to.

    Works in threads of its own from ``with`` to the end of the block, so that plain and async
    clients can be served alike. ``struck`` counts the cuts and stalls that happened.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._lock = threading.Lock()
        self._plan: tuple[Point, int] | None = None
        self._healed = threading.Event()
        self._closing = False
        self._lines: list[_Line] = []
        self._threads: list[threading.Thread] = []
        self.struck = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._listener.getsockname()

    @classmethod
    def before(cls, url: str) -> Self:
        """A proxy before the server of a URL, which must name host and port."""
        return cls(*_server_of(url))

    def url(self, url: str) -> str:
        """A URL of the server, by way of the proxy."""
        return routed(url, lambda host, port: self.address)

    def cut(self, point: Point, after: int = 0) -> None:
        """Cut the next request, or the one ``after`` so many more, at a point; once.

        The requests of all connections are counted. ``stall`` lasts until ``heal``.
        """
        if point not in POINTS:
            raise Misconfigured(
                f"configuration: no point of a cut is called {point!r}; known: {', '.join(POINTS)}"
            )
        with self._lock:
            self._plan = (point, after)

    def heal(self) -> None:
        """Forget a cut that has not happened, and let stalled replies go on."""
        with self._lock:
            self._plan = None
            for each in self._lines:
                each.fate = None
            self._healed.set()
            self._healed = threading.Event()

    def __enter__(self) -> Self:
        self._begin(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closing = True
        self.heal()
        socket.create_connection(self.address).close()
        self._threads[0].join()
        for line in self._lines:
            line.cut()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _begin(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name="storelaw-proxy", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            if self._closing:
                client.close()
                return
            self._connect(client)

    def _connect(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(self._target)
        except OSError:
            client.close()
            return
        line = _Line(client, server)
        self._lines.append(line)
        self._begin(lambda: self._pass(client, server, line, self._requested))
        self._begin(lambda: self._pass(server, client, line, self._replied))

    def _pass(
        self, source: socket.socket, target: socket.socket, line: _Line, allowed: Allowed
    ) -> None:
        """One direction of a connection, to its end or to a cut."""
        ended = False
        with suppress(OSError):
            ended = _passed(source, target, line, allowed)
        if not ended:
            line.cut()
        _ended(target, socket.SHUT_WR)
        line.left()

    def _requested(self, line: _Line, data: bytes) -> bytes | None:
        """What of a request is the last thing to pass; ``None`` where all goes on."""
        with self._lock:
            if not line.asking:
                line.asking = True
                line.fate = self._fate()
            if line.fate != "before-request":
                return None
            self.struck += 1
        return b""

    def _fate(self) -> Point | None:
        """What is to happen to the request that begins."""
        if self._plan is None:
            return None
        point, after = self._plan
        self._plan = (point, after - 1) if after else None
        return None if after else point

    def _replied(self, line: _Line, data: bytes) -> bytes | None:
        """What of a reply is the last thing to pass; ``None`` where all goes on."""
        with self._lock:
            line.asking = False
            fate, healed = line.fate, self._healed
            self.struck += fate is not None
        match fate:
            case "before-reply":
                return b""
            case "in-reply":
                return data[: (len(data) + 1) // 2]
            case "stall":
                healed.wait()
            case _:
                pass
        return None


def _passed(source: socket.socket, target: socket.socket, line: _Line, allowed: Allowed) -> bool:
    """Pass on what is allowed; whether the source came to its own end."""
    while data := source.recv(CHUNK):
        last = allowed(line, data)
        target.sendall(data if last is None else last)
        if last is not None:
            return False
    return True


def _ended(one: socket.socket, how: int) -> None:
    """Shut a socket down, if it is not already."""
    with suppress(OSError):
        one.shutdown(how)
