"""What the tests of the reference share: ids and a clock that count, and failing stores."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from storelaw_reference.transcript import Event, MemoryStore, Session

Open = Callable[..., Session]


class Faulty(MemoryStore):
    """A memory store whose next call of one name fails, and which counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.fail: dict[str, BaseException] = {}

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if name in self.fail:
            raise self.fail.pop(name)

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Create, unless told to fail."""
        self._called("create")
        super().create(session_id, parent)

    def load(self, session_id: str) -> list[dict[str, Any]]:
        """Load, unless told to fail."""
        self._called("load")
        return super().load(session_id)

    def append(self, session_id: str, entries: list[dict[str, Any]]) -> None:
        """Append, unless told to fail."""
        self._called("append")
        super().append(session_id, entries)


@pytest.fixture
def store() -> Faulty:
    """Return a store that can be told to fail."""
    return Faulty()


@pytest.fixture
def events() -> list[Event]:
    """Return the list that the opened sessions publish to."""
    return []


@pytest.fixture
def opened(store: Faulty, events: list[Event]) -> Open:
    """Return a function that opens a session with ids e1, e2, … and a clock of seconds."""
    ids, seconds = count(1), count(1)
    start = datetime(2024, 1, 1, tzinfo=UTC)

    def open_session(session_id: str = "s", kind: type[Session] = Session) -> Session:
        return kind.open(
            store,
            session_id,
            new_id=lambda: f"e{next(ids)}",
            now=lambda: start + timedelta(seconds=next(seconds)),
            publish=events.append,
        )

    return open_session
