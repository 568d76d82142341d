"""What the tests of the turns reference share: a scope, a clock that counts, odd backends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from storelaw_reference.turns import Appender, Json, Memory, MemoryBackend, Query, Scope

Clock = Callable[[], datetime]


class Faulty(MemoryBackend):
    """A backend whose next call of one name fails, and which counts its puts."""

    def __init__(self) -> None:
        super().__init__()
        self.fail: dict[str, BaseException] = {}
        self.puts = 0

    def _called(self, name: str) -> None:
        if name in self.fail:
            raise self.fail.pop(name)

    def put(self, entry: Json) -> None:
        """Put, unless told to fail."""
        self._called("put")
        self.puts += 1
        super().put(entry)

    def query(self, query: Query) -> list[Json]:
        """Query, unless told to fail."""
        self._called("query")
        return super().query(query)


class Reshaping(MemoryBackend):
    """A backend that gives back the same entries in another spelling."""

    def get(self, scope: Scope, kind: str, entry_id: str) -> Json | None:
        """Get an entry, reshaped."""
        held = super().get(scope, kind, entry_id)
        return None if held is None else reshaped(held)

    def query(self, query: Query) -> list[Json]:
        """Query, reshaped."""
        return [reshaped(row) for row in super().query(query)]


def reshaped(value: Any) -> Any:
    """Reverse key order, turn whole numbers into floats, cut times, add empty lists."""
    if isinstance(value, dict):
        turned: Json = {key: reshaped(value[key]) for key in reversed(list(value))}
        if "createdAt" in turned:
            whole, _, fraction = turned["createdAt"].rstrip("Z").partition(".")
            turned |= {"createdAt": f"{whole}.{fraction[:6].ljust(6, '0')}+00:00"}
            turned |= {"tags": turned.get("tags", [])[::-1], "links": turned.get("links")}
        return turned
    return [reshaped(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def scope() -> Scope:
    """Return the scope of one session."""
    return Scope("session", "ns/one")


@pytest.fixture
def backend() -> Faulty:
    """Return a backend that can be told to fail."""
    return Faulty()


@pytest.fixture
def reshaping() -> Reshaping:
    """Return a backend that respells what it holds."""
    return Reshaping()


@pytest.fixture
def memory(backend: Faulty) -> Memory:
    """Return a memory over that backend."""
    return Memory(backend)


@pytest.fixture
def now() -> Clock:
    """Return a clock that is a second later at each call."""
    seconds = count(1)
    return lambda: datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=next(seconds))


@pytest.fixture
def appender(memory: Memory, scope: Scope, now: Clock) -> Appender:
    """Return an appender for the scope."""
    return Appender(memory, scope, now=now)
