"""The medium for the OpenAI Agents SDK's sessions."""

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.media.openai import OpenAIMedium
from storelaw.trial import hold
from storelaw.values import Entry

A, B = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}


class Items:
    """The surface of the SDK's session, in memory."""

    def __init__(self, session_id: str, db_path: Path) -> None:
        self.session_id, self.db_path = session_id, db_path
        self.items: list[Entry] = []
        self.closed = False

    async def add_items(self, items: list[Entry]) -> None:
        """Add items at the end."""
        self.items += items

    async def get_items(self, limit: int | None = None) -> list[Entry]:
        """The latest ``limit`` items."""
        return self.items if limit is None else self.items[-limit:]

    async def pop_item(self) -> Entry | None:
        """Take the latest item off."""
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        """Forget all items."""
        self.items.clear()

    def close(self) -> None:
        """Note it."""
        self.closed = True


def test_operations_are_the_sdks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each operation of the port goes to the method that the SDK has for it, on one file."""
    made: list[Items] = []

    def make(session_id: str, db_path: Path) -> Items:
        made.append(Items(session_id, db_path))
        return made[-1]

    monkeypatch.setitem(sys.modules, "agents", SimpleNamespace(SQLiteSession=make))
    store: Any = OpenAIMedium(tmp_path).open()

    async def use() -> list[object]:
        await store.append("s", [A, B])
        seen: list[object] = [await store.load("s", last=1), await store.pop("s")]
        await store.append("t", [A])
        await store.clear("s")
        return [*seen, await store.load("s"), await store.load("t")]

    assert asyncio.run(use()) == [[B], B, [], [A]]
    assert [each.session_id for each in made] == ["s", "t"]
    assert {each.db_path for each in made} == {tmp_path / "sessions.db"}
    store.close()
    assert all(each.closed for each in made)


def test_the_sdks_own_session_is_judged_to_the_end() -> None:
    """Each law has a verdict on ``SQLiteSession``, and none blames the medium or the kit."""
    pytest.importorskip(
        "agents", reason="run: pip install 'storelaw[openai]'", exc_type=ImportError
    )
    verdicts = [hold(law, OpenAIMedium, "battery") for law in catalogue.all_laws()]
    assert not [each for each in verdicts if each.fault]
    held = {each.law for each in verdicts if each.outcome == "held"}
    assert "entries_load_in_append_order" in held
