"""The honest store behind TCP that the liars about lost replies vary.

A server on loopback belongs to the medium, and keeps an honest store in memory. A client sends
an operation as one line of JSON and gets one line back. What only a broken connection brings
about sits in methods of its own, so that a liar overrides one of them.
"""

import json
import selectors
import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

from storelaw.errors import IDENTITIES, Rejected
from storelaw.liars.honest import Data, HonestStore, Log, is_json
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.proxy import Way
from storelaw.values import Entry

MANIFEST: Final = Manifest(
    name="honest-by-wire",
    durable=True,
    batch="atomic",
    closed_is_final=True,
    options={
        "reappend": "idempotent-or-conflict",
        "id_scope": "session",
        "ids": "optional",
        "create": "implicit",
        "unknown_session": "empty",
        "empty_append": "ignored",
    },
    without=frozenset({"create", "record"}),
)

#: Seconds that a client waits for its server.
PATIENCE: Final = 5.0


class Line:
    """A client's connection, at either end."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._file = connection.makefile("rb")

    def send(self, value: Any) -> None:
        """Put a value on the line."""
        self.connection.sendall(json.dumps(value).encode() + b"\n")

    def read(self) -> Any:
        """The next value; ``EOFError`` where there is no whole one."""
        text = self._file.readline()
        if not text.endswith(b"\n"):
            raise EOFError("the connection ended")
        return json.loads(text)

    def close(self) -> None:
        """No more of it."""
        self._file.close()
        self.connection.close()


class Server:
    """Answers all clients on one thread, so that each request is alone; liars override one rule."""

    def __init__(self, manifest: Manifest) -> None:
        self.store = self.keeper(manifest)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._listener.getsockname()
        self._end, self._ended = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="storelaw-wire", daemon=True)
        self._thread.start()

    def keeper(self, manifest: Manifest) -> HonestStore:
        """The store that does the work."""
        return HonestStore(Data(), manifest)

    def append(self, line: Line, session: str, entries: list[Entry]) -> None:
        """Add a batch that came on a line."""
        self.store.append(session, entries)

    def load(self, line: Line, session: str) -> list[Entry]:
        """The log, oldest first."""
        return self.store.load(session)

    def stop(self) -> None:
        """End the thread, and with it all connections."""
        self._end.send(b"x")
        self._thread.join()
        for each in (self._end, self._ended, self._listener):
            each.close()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as ready:
            ready.register(self._listener, selectors.EVENT_READ)
            ready.register(self._ended, selectors.EVENT_READ)
            going = True
            while going:
                found = [key for key, _ in ready.select()]
                going = all(each.fileobj is not self._ended for each in found)
                for each in found if going else ():
                    self._turn(ready, each.data)
            for key in list(ready.get_map().values()):
                if isinstance(key.data, Line):
                    key.data.close()

    def _turn(self, ready: selectors.BaseSelector, line: Line | None) -> None:
        """Take a new client in, or answer the next request of a known one."""
        if line is None:
            connection = self._listener.accept()[0]
            ready.register(connection, selectors.EVENT_READ, Line(connection))
            return
        try:
            line.send(self._answer(line, line.read()))
        except (OSError, EOFError):
            ready.unregister(line.connection)
            line.close()

    def _answer(self, line: Line, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"value": getattr(self, request["do"])(line, *request["args"])}
        except Exception as error:
            return {"error": type(error).__name__, "text": str(error)}


class Client:
    """A handle: one connection; liars override one rule."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self._line: Line | None = None
        self.connect()

    def connect(self) -> None:
        """A connection, fresh."""
        self._line = Line(socket.create_connection(self.address, PATIENCE))

    def ask(self, do: str, *args: Any) -> Any:
        """What the server answers, or raises."""
        if self._line is None:
            raise ValueError("the client is closed")
        try:
            self._line.send({"do": do, "args": args})
            answer: dict[str, Any] = self._line.read()
        except (OSError, EOFError) as error:
            return self.lost(error, do, *args)
        if "error" in answer:
            raise IDENTITIES.get(answer["error"], RuntimeError)(answer["text"])
        return answer["value"]

    def lost(self, error: Exception, do: str, *args: Any) -> Any:
        """What comes of a request whose reply doesn't come: nobody knows."""
        raise ConnectionError(f"nothing is known of {do}: {error}") from error

    def append(self, session: str, entries: list[Entry]) -> None:
        """All of the batch, or nothing."""
        if not all(map(is_json, entries)):
            raise Rejected("no JSON object")
        self.sent(session, entries)

    def sent(self, session: str, entries: list[Entry]) -> None:
        """Hand a good batch to the server."""
        self.ask("append", session, entries)

    def load(self, session: str) -> list[Entry]:
        """The log, oldest first."""
        log: list[Entry] = self.ask("load", session)
        return log

    def close(self) -> None:
        """No work after this."""
        if self._line is not None:
            self._line.close()
            self._line = None


class WireHonest(Medium):
    """A server of its own; liars name another client or server."""

    manifest: ClassVar[Manifest] = MANIFEST
    store: ClassVar[type[Client]] = Client
    server: ClassVar[type[Server]] = Server
    needs_directory: ClassVar[bool] = False

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._server = self.server(self.manifest)
        self._through: Way = _straight

    def open(self) -> Client:
        """A further client."""
        return self.store(self._through(*self._server.address))

    def route(self, through: Way) -> None:
        """Let further clients connect elsewhere."""
        self._through = through

    def destroy(self) -> None:
        """End the server."""
        self._server.stop()


def _straight(host: str, port: int) -> tuple[str, int]:
    return host, port


class DuplicateServer(Server):
    """Looks at no id."""

    def keeper(self, manifest: Manifest) -> HonestStore:
        """A store that keeps what it is given."""
        return _Duplicates(Data(), manifest)


class _Duplicates(HonestStore):
    def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
        """All of the batch."""
        return entries


class WireDuplicates(WireHonest):
    """The same store, where an entry that is appended twice is there twice."""

    manifest = replace(
        MANIFEST,
        name="honest-by-wire-duplicates",
        options={**MANIFEST.options, "reappend": "duplicate"},
    )
    server = DuplicateServer
