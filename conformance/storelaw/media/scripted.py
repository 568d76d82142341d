"""Stores of servers: each operation is written once, for plain and for async clients.

An operation is a *script*: a generator that yields what the server is to be asked, is sent
the answer, and returns what the caller gets. A handle plays scripts; a plain one gives
their results, an async one awaitables of them.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any, Protocol, TypeAlias, TypeVar

from storelaw.errors import Misconfigured
from storelaw.values import Entry

T = TypeVar("T")

#: Yields questions, is sent their answers, returns a ``T``.
Script: TypeAlias = Generator[Any, Any, T]


class Scripts(Protocol):
    """The operations of a store, as scripts."""

    def create(self, session_id: str, parent: str | None) -> Script[None]:
        """Make an empty session."""
        ...

    def record(self, session_id: str) -> Script[dict[str, Any]]:
        """What is known of a session."""
        ...

    def list_sessions(self) -> Script[list[str]]:
        """The ids of all sessions."""
        ...

    def delete(self, session_id: str) -> Script[None]:
        """Forget a session."""
        ...

    def fork(self, session_id: str, new_id: str, at: str | None) -> Script[str]:
        """Copy a log up to an entry."""
        ...

    def append(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Add entries at the end."""
        ...

    def replace(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Put other entries in place of the log."""
        ...

    def clear(self, session_id: str) -> Script[None]:
        """Empty a session."""
        ...

    def delete_entry(self, session_id: str, which: str) -> Script[None]:
        """Take an entry out."""
        ...

    def pop(self, session_id: str) -> Script[Entry | None]:
        """Take the newest entry off."""
        ...

    def load(
        self,
        session_id: str,
        last: int | None,
        first: int | None,
        after: str | None,
        before: str | None,
    ) -> Script[list[Entry]]:
        """Read the log or a slice of it."""
        ...

    def headers(self, session_id: str) -> Script[list[Entry]]:
        """What the store itself knows of each entry."""
        ...


class ScriptedStore(ABC):
    """A handle that plays the scripts of a store.

    A subclass says in ``_played`` how one is played; ``_closed`` is set by its ``close``,
    after which every operation raises ``ValueError``.
    """

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts
        self._closed = False

    @abstractmethod
    def _played(self, script: Script[Any], *, writes: bool) -> Any:
        """What a script gives, or an awaitable of it."""
        ...

    def _read(self, script: Script[Any]) -> Any:
        return self._open_for(script, writes=False)

    def _write(self, script: Script[Any]) -> Any:
        return self._open_for(script, writes=True)

    def _open_for(self, script: Script[Any], *, writes: bool) -> Any:
        if self._closed:
            raise ValueError("the store is closed")
        return self._played(script, writes=writes)

    def create(self, session_id: str, parent: str | None = None) -> Any:
        """A new empty session; its record is written here and never again."""
        return self._write(self._scripts.create(session_id, parent))

    def record(self, session_id: str) -> Any:
        """The id, the parent where there is one, and the time of creation."""
        return self._read(self._scripts.record(session_id))

    def list_sessions(self) -> Any:
        """The ids of all sessions."""
        return self._read(self._scripts.list_sessions())

    def delete(self, session_id: str) -> Any:
        """Forget a session; one that isn't there is none to forget."""
        return self._write(self._scripts.delete(session_id))

    def fork(self, session_id: str, new_id: str, at: str | None = None) -> Any:
        """A new session with the log up to and including the first entry with the id ``at``."""
        return self._write(self._scripts.fork(session_id, new_id, at))

    def append(self, session_id: str, entries: list[Entry]) -> Any:
        """Add entries at the end, all of them or none."""
        return self._write(self._scripts.append(session_id, entries))

    def replace(self, session_id: str, entries: list[Entry]) -> Any:
        """Other entries in place of the log, all of them or the old ones."""
        return self._write(self._scripts.replace(session_id, entries))

    def clear(self, session_id: str) -> Any:
        """Empty a session."""
        return self._write(self._scripts.clear(session_id))

    def delete_entry(self, session_id: str, which: str) -> Any:
        """Take the entries with an id out; the rest keeps its order."""
        return self._write(self._scripts.delete_entry(session_id, which))

    def pop(self, session_id: str) -> Any:
        """Take the newest entry off, or nothing."""
        return self._write(self._scripts.pop(session_id))

    def load(
        self,
        session_id: str,
        *,
        last: int | None = None,
        first: int | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> Any:
        """The log, oldest first, or a slice of it: bounds by entry id first, then counts.

        An id that the session doesn't hold bounds nothing; a count below one gives nothing.
        """
        return self._read(self._scripts.load(session_id, last, first, after, before))

    def headers(self, session_id: str) -> Any:
        """What the store itself knows of each entry: its id."""
        return self._read(self._scripts.headers(session_id))


def address(given: str | None, variable: str, example: str, start: str) -> str:
    """The URL of a medium's server: the one given, else the environment's.

    :class:`~storelaw.errors.Misconfigured` says what to set, and how a server is started.
    """
    url = given or os.environ.get(variable)
    if not url:
        raise Misconfigured(
            f"configuration: this medium needs a server, and {variable} is not set; "
            f"set it to a URL such as {example}, or give a subclass of the medium "
            f"an attribute url; a server for tests starts with: {start}"
        )
    return url
