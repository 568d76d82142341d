"""The medium for stores of the Claude Agent SDK's protocol."""

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.matrix import accusations
from storelaw.media.claude import ClaudeMedium, ClaudeStore
from storelaw.trial import hold
from storelaw.values import Entry, copied

MAIN, SUB = ("p", "s"), ("p", "s", "subagents/agent-1")
A: Entry = {"type": "user", "uuid": "a"}

Key = dict[str, str]


class SmallStore:
    """The protocol's two required methods, over tuples."""

    def __init__(self) -> None:
        self.logs: dict[tuple[str, ...], list[Entry]] = {}

    async def append(self, key: Key, entries: list[Entry]) -> None:
        """Keep copies."""
        self.logs.setdefault(tuple(key.values()), []).extend(copied(entries))

    async def load(self, key: Key) -> list[Entry] | None:
        """Give copies, or nothing for a key that was never written."""
        return copied(self.logs.get(tuple(key.values())))  # type: ignore[no-any-return]


class FullStore(SmallStore):
    """The optional methods too, and a close."""

    closed = False

    async def delete(self, key: Key) -> None:
        """Forget a key and what lies under it."""
        parts = tuple(key.values())
        for each in [each for each in self.logs if each[: len(parts)] == parts]:
            del self.logs[each]

    async def list_sessions(self, project: str) -> list[dict[str, Any]]:
        """The main transcripts of a project."""
        mains = [each for each in self.logs if each[0] == project and len(each) == 2]
        return [{"session_id": each[1], "mtime": 0} for each in mains]

    async def list_subkeys(self, key: Key) -> list[str]:
        """The subpaths of a session."""
        return [each[2] for each in self.logs if len(each) == 3 and each[:2] == tuple(key.values())]

    async def close(self) -> None:
        """Note it."""
        self.closed = True


class FullMedium(ClaudeMedium):
    """A medium for the full store, in four lines."""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._full = FullStore()

    def store(self) -> FullStore:
        """The one store object, which holds the data."""
        return self._full


def test_keys_are_the_protocols() -> None:
    """A subpath is left out of the key of a main transcript."""
    inner = FullStore()
    store = ClaudeStore(inner)

    async def use() -> tuple[object, ...]:
        await store.append(MAIN, [A])
        await store.append(SUB, [A, A])
        await store.append(("p", "t"), [A])
        await store.append(("q", "s"), [A])
        listed = await store.list_sessions("p"), await store.list_sessions("p", "s")
        await store.delete(MAIN)
        return (*listed, await store.load(MAIN), await store.load(("p", "t")))

    listed, under, deleted, kept = asyncio.run(use())
    assert listed == [MAIN, SUB, ("p", "t")]
    assert under == [MAIN, SUB]
    assert deleted is None
    assert kept == [A]
    assert set(inner.logs) == {("p", "t"), ("q", "s")}


def test_optional_methods_are_absent_where_the_store_has_none() -> None:
    """The port calls that ``NotImplementedError``; closing is no need."""
    store = ClaudeStore(SmallStore())
    with pytest.raises(NotImplementedError, match="delete"):
        asyncio.run(store.delete(MAIN))
    with pytest.raises(NotImplementedError, match="list_sessions"):
        asyncio.run(store.list_sessions())
    assert store.close() is None


def test_the_stores_close_is_used() -> None:
    """Where the store has a ``close``, the handle's is that."""
    inner = FullStore()

    async def use() -> None:
        await ClaudeStore(inner).close()

    asyncio.run(use())
    assert inner.closed


def test_handles_share_the_sdks_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK's store has its data in the object, so all handles of a medium have one."""
    fake = SimpleNamespace(InMemorySessionStore=FullStore)
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", fake)
    medium = ClaudeMedium(tmp_path)

    async def use() -> list[Entry] | None:
        await medium.open().append(MAIN, [A])
        return await medium.open().load(MAIN)

    assert asyncio.run(use()) == [A]


def test_a_right_store_of_the_protocol_holds_every_law() -> None:
    """The medium itself adds no fault to a store that is right."""
    found = accusations([FullMedium], catalogue.all_laws(), "battery")
    assert [(each.law, each.failure, each.reason) for _, each in found] == []


def test_the_sdks_own_store_is_judged_to_the_end() -> None:
    """Each law has a verdict on ``InMemorySessionStore``, and none blames the medium or the kit.

    The laws that are broken are those about sharing entries with the caller, and about
    keys that its store joins with a slash.
    """
    pytest.importorskip(
        "claude_agent_sdk", reason="run: pip install 'storelaw[claude]'", exc_type=ImportError
    )
    verdicts = [hold(law, ClaudeMedium, "battery") for law in catalogue.all_laws()]
    assert not [each for each in verdicts if each.fault]
    broken = {each.law for each in verdicts if each.outcome == "broken"}
    assert "changing_an_appended_entry_changes_nothing_stored" in broken
    assert "entries_load_in_append_order" not in broken
