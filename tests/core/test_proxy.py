"""The proxy: what a client and its server see of each cut."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import pytest

from storelaw.errors import Misconfigured
from storelaw.proxy import POINTS, Proxy

#: How long a test waits for what must come, in seconds.
PATIENCE: Final = 20.0


class Echo(socketserver.ThreadingTCPServer):
    """Answers each request with itself, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(socketserver.BaseRequestHandler):
    """One connection."""

    def handle(self) -> None:
        """Answer until the client has ended."""
        while data := self.request.recv(100):
            self.echo().asked.append(data)
            self.request.sendall(data)

    def echo(self) -> Any:
        """The server."""
        return self.server


@pytest.fixture
def echo() -> Iterator[Echo]:
    """A server that runs."""
    with Echo() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def proxy(echo: Echo) -> Iterator[Proxy]:
    """A proxy before the server; it leaves no thread behind."""
    host, port = echo.server_address[:2]
    with Proxy(str(host), int(port)) as proxy:
        yield proxy
    assert not [one for one in threading.enumerate() if one.name == "storelaw-proxy"]


@pytest.fixture
def client(proxy: Proxy) -> Iterator[socket.socket]:
    """A connection by way of the proxy."""
    with closing(socket.create_connection(proxy.address, PATIENCE)) as client:
        yield client


def answer(client: socket.socket, request: bytes) -> bytes:
    """What comes back, to the size of the request or to the end of the connection."""
    found = b""
    try:
        client.sendall(request)
        while len(found) < len(request) and (data := client.recv(100)):
            found += data
    except ConnectionError:
        pass
    return found


def test_without_a_cut_everything_passes(echo: Echo, client: socket.socket, proxy: Proxy) -> None:
    """Requests and replies, and the client's own end."""
    assert [answer(client, each) for each in (b"one", b"two")] == [b"one", b"two"]
    client.shutdown(socket.SHUT_WR)
    assert client.recv(10) == b""
    assert (echo.asked, proxy.struck) == ([b"one", b"two"], 0)


@pytest.mark.parametrize(
    ("point", "seen", "asked"),
    [
        ("before-request", b"", []),
        ("before-reply", b"", [b"four"]),
        ("in-reply", b"fo", [b"four"]),
    ],
)
def test_a_cut_ends_the_connection_once(
    echo: Echo, client: socket.socket, proxy: Proxy, point: Any, seen: bytes, asked: list[bytes]
) -> None:
    """At its point; the next connection is not disturbed."""
    proxy.cut(point)
    assert answer(client, b"four") == seen
    assert (echo.asked, proxy.struck) == (asked, 1)
    with closing(socket.create_connection(proxy.address, PATIENCE)) as other:
        assert answer(other, b"five") == b"five"
    assert proxy.struck == 1


def test_a_cut_may_let_requests_pass_before(
    echo: Echo, client: socket.socket, proxy: Proxy
) -> None:
    """The requests of all connections are counted."""
    proxy.cut("before-reply", after=2)
    with closing(socket.create_connection(proxy.address, PATIENCE)) as other:
        assert answer(other, b"1") == b"1"
    assert [answer(client, each) for each in (b"2", b"3")] == [b"2", b""]
    assert echo.asked == [b"1", b"2", b"3"]


def test_a_request_may_come_in_parts() -> None:
    """What a client sends before an answer is one request."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        Proxy(*listener.getsockname()) as proxy,
        closing(socket.create_connection(proxy.address, PATIENCE)) as client,
        closing(listener.accept()[0]) as server,
    ):
        server.settimeout(PATIENCE)
        proxy.cut("before-reply", after=1)
        for part in (b"a", b"b"):
            client.sendall(part)
            assert server.recv(10) == part
        server.sendall(b"x")
        assert client.recv(10) == b"x"
        client.sendall(b"c")
        assert server.recv(10) == b"c"
        server.sendall(b"y")
        assert client.recv(10) == b""


def test_a_stalled_reply_comes_when_it_is_healed(client: socket.socket, proxy: Proxy) -> None:
    """Until then nothing comes, and the connection stays."""
    proxy.cut("stall")
    client.sendall(b"one")
    client.settimeout(0.05)
    with pytest.raises(TimeoutError):
        client.recv(10)
    client.settimeout(PATIENCE)
    proxy.heal()
    assert (client.recv(10), proxy.struck) == (b"one", 1)
    assert answer(client, b"two") == b"two"


def test_a_cut_that_was_healed_does_not_come(client: socket.socket, proxy: Proxy) -> None:
    """It is forgotten."""
    proxy.cut("before-request")
    proxy.heal()
    assert answer(client, b"one") == b"one"


def test_a_proxy_that_ends_lets_nobody_wait(echo: Echo) -> None:
    """Open and stalled connections are ended with it."""
    host, port = echo.server_address[:2]
    with Proxy(str(host), int(port)) as proxy:
        stalled = socket.create_connection(proxy.address, PATIENCE)
        idle = socket.create_connection(proxy.address, PATIENCE)
        assert answer(idle, b"one") == b"one"
        proxy.cut("stall")
        stalled.sendall(b"two")
    for each in (stalled, idle):
        with closing(each):
            assert answer(each, b"three") in (b"", b"two")


def test_a_server_that_is_not_there_ends_the_connection() -> None:
    """As it would without the proxy, but for the moment."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        host, port = gone.getsockname()
    with (
        Proxy(host, port) as proxy,
        closing(socket.create_connection(proxy.address, PATIENCE)) as client,
    ):
        assert answer(client, b"one") == b""


def test_a_url_goes_by_way_of_the_proxy() -> None:
    """User, password, path and query stay."""
    url = "postgresql://me:secret@127.0.0.1:5432/db?sslmode=disable"
    with Proxy.before(url) as proxy:
        host, port = proxy.address
        assert proxy.url(url) == f"postgresql://me:secret@{host}:{port}/db?sslmode=disable"
        assert proxy.url("redis://127.0.0.1:1/0") == f"redis://{host}:{port}/0"


@pytest.mark.parametrize("url", ["redis://127.0.0.1/0", "postgresql:///db?host=/tmp"])
def test_a_url_without_host_or_port_is_refused(url: str) -> None:
    """The message says what is missing."""
    with pytest.raises(Misconfigured, match=r"^configuration: a proxy needs the server's host"):
        Proxy.before(url)


def test_an_unknown_point_is_refused(proxy: Proxy) -> None:
    """The message has those that are known."""
    wrong: Any = "after"
    with pytest.raises(Misconfigured) as told:
        proxy.cut(wrong)
    assert str(told.value) == (
        f"configuration: no point of a cut is called 'after'; known: {', '.join(POINTS)}"
    )
