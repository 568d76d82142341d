"""Strangers with another surface: async, one entry at a time, one object for each session."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, claiming
from storelaw.manifest import Manifest
from storelaw.medium import Medium, PerSession
from storelaw.values import Entry


class Later:
    """An object whose methods are coroutines that do what another object's methods do."""

    def __init__(self, now: Any) -> None:
        self._now = now

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self._now, name)

        async def later(*args: Any, **named: Any) -> Any:
            return call(*args, **named)

        return later


class Async(HonestMedium):
    """All of it is awaited: opening, every operation, closing, destroying."""

    manifest = claiming(name="async")

    async def open(self) -> Later:
        """A handle of coroutines."""
        return Later(super().open())

    async def destroy(self) -> None:
        """Nothing, later."""


class OneByOneStore:
    """Takes one entry at a time; the rest is the honest store's."""

    append = None

    def __init__(self, store: HonestStore) -> None:
        self._store = store

    def append_one(self, session: Any, entry: Entry) -> None:
        """Append a single entry."""
        self._store.append(session, [entry])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class AppendsOne(HonestMedium):
    """No batches: ``append_one`` stands in for ``append``."""

    manifest = claiming(name="appends one", batch="one")

    def open(self) -> OneByOneStore:
        """A handle without batches."""
        return OneByOneStore(super().open())


class Conversation:
    """One session as an object, under names of its own, in one JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def items(self, limit: int | None = None) -> list[Entry]:
        """The newest ``limit`` items, oldest first."""
        items: list[Entry] = json.loads(self._path.read_text()) if self._path.exists() else []
        return items if limit is None else items[max(len(items) - max(limit, 0), 0) :]

    async def add(self, items: list[Entry]) -> None:
        """Add items at the end."""
        self._path.write_text(json.dumps([*await self.items(), *items], allow_nan=False))

    async def take(self) -> Entry | None:
        """Take the newest item off."""
        items = await self.items()
        popped = items.pop() if items else None
        self._path.write_text(json.dumps(items))
        return popped

    async def wipe(self) -> None:
        """Forget all items."""
        self._path.unlink(missing_ok=True)


class PerSessionObjects(Medium):
    """One object for each session, by the ready wrapper; entries have no id to it."""

    manifest = Manifest(
        name="per session",
        durable=True,
        batch="atomic",
        entry_id=None,
        filters=frozenset({"last"}),
        options={"unknown_session": "empty", "negative_count": "nothing"},
    )

    def open(self) -> PerSession:
        """The wrapper over conversations, each made by a coroutine."""
        return PerSession(
            self._conversation,
            append="add",
            load="items",
            pop="take",
            clear="wipe",
            filters={"last": "limit"},
        )

    async def _conversation(self, session_id: str) -> Conversation:
        name = session_id.encode("utf-8", "surrogatepass").hex()
        folder = self.workdir.joinpath(*(name[at : at + 200] for at in range(0, len(name), 200)))
        folder.mkdir(parents=True, exist_ok=True)
        return Conversation(folder / "items.json")


class BareStore:
    """``append`` and ``load``."""

    def __init__(self, logs: dict[str, list[str]]) -> None:
        self._logs = logs

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Keep the entries as text."""
        texts = [json.dumps(each, allow_nan=False) for each in entries]
        self._logs.setdefault(session_id, []).extend(texts)

    def load(self, session_id: str) -> list[Entry]:
        """The entries, parsed anew."""
        return [json.loads(each) for each in self._logs.get(session_id, [])]


class Bare(Medium):
    """Only ``append`` and ``load``, and a manifest that declares nothing."""

    manifest = Manifest(name="bare")

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._logs: dict[str, list[str]] = {}

    def open(self) -> BareStore:
        """A handle on the texts."""
        return BareStore(self._logs)


class OneHandle(HonestMedium):
    """Only one handle may be open at a time."""

    manifest = claiming(name="one handle", handles=1)
    _open: HonestStore | None = None

    def open(self) -> HonestStore:
        """The handle; ``RuntimeError`` while another is open."""
        if self._open is not None and not self._open.is_closed:
            raise RuntimeError("the store is open already")
        handle: HonestStore = super().open()
        self._open = handle
        return handle
