"""What the tests of the log profile share: counting ids, a fixed clock, failing storages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from storelaw_reference.log import Agent, Mem, Session, Storage

Make = Callable[[str], dict[str, Any]]
Open = Callable[..., Session]
Live = Callable[..., Agent]


class Faulty(Mem):
    """A memory storage that counts its appends, and fails or tears when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []
        self.fail: Exception | None = None
        self.tear: int | None = None

    def append(self, *entries: Any) -> None:
        """Append, unless told to fail; a torn append keeps its first entries only."""
        self.calls.append(len(entries))
        if self.fail is not None:
            super().append(*entries[: self.tear or 0])
            raise self.fail
        super().append(*entries)


@pytest.fixture
def storage() -> Faulty:
    """Return a storage that can be told to fail."""
    return Faulty()


@pytest.fixture
def ids() -> Callable[[], str]:
    """Return a source of the ids x1, x2, …"""
    numbers = count(1)
    return lambda: f"x{next(numbers)}"


@pytest.fixture
def opened(ids: Callable[[], str]) -> Open:
    """Return a function that opens a session on `main`, at the time 7."""

    def opening(storage: Storage, default_ref: str | None = "main", **more: Any) -> Session:
        return Session(storage, default_ref, new_id=ids, now=lambda: 7, **more)

    return opening


@pytest.fixture
def alive(ids: Callable[[], str]) -> Live:
    """Return a function that makes an agent, at the time 7."""

    def living(storage: Storage, **more: Any) -> Agent:
        return Agent(storage, new_id=ids, now=lambda: 7, **more)

    return living
