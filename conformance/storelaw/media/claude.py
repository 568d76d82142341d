"""Any implementation of the Claude Agent SDK's ``SessionStore`` protocol as a medium.

The protocol's key is a project, a session, and for the transcript of a subagent a subpath;
an entry's id is its ``uuid``. What the manifest says is what the protocol's documentation
says: ``load`` gives ``None`` for a key that was never written, deleting a session deletes
its subpaths. Of a repeated ``uuid`` it says that a store *should* update or ignore it, which
leaves two answers open, so ``reappend`` is undeclared; a subclass for a store that chose
one declares it.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeAlias

from storelaw.driver import LEADING
from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.medium import Medium
from storelaw.values import Entry

#: Project, session, and the subpath where there is one.
Parts: TypeAlias = tuple[str, ...]


class ClaudeStore:
    """A handle that turns key parts into the protocol's key, and does nothing else."""

    def __init__(self, store: Any) -> None:
        self._store = store

    async def append(self, parts: Parts, entries: list[Entry]) -> None:
        """The protocol's ``append``."""
        await self._store.append(_key(parts), entries)

    async def load(self, parts: Parts) -> list[Entry] | None:
        """The protocol's ``load``."""
        answer: list[Entry] | None = await self._store.load(_key(parts))
        return answer

    async def delete(self, parts: Parts) -> None:
        """The protocol's ``delete``, where the store has it."""
        await _optional(self._store, "delete")(_key(parts))

    async def list_sessions(self, project: str = LEADING, session: str = "") -> list[Parts]:
        """The keys of one project, or of one session of it: the protocol lists no projects."""
        listed = await _optional(self._store, "list_sessions")(project)
        keys: list[Parts] = []
        for each in _ids(listed):
            if session in ("", each):
                keys += [(project, each), *await self._subkeys(project, each)]
        return keys

    async def _subkeys(self, project: str, session: str) -> list[Parts]:
        list_subkeys = _optional(self._store, "list_subkeys")
        subpaths: Iterable[str] = await list_subkeys(_key((project, session)))
        return [(project, session, each) for each in subpaths]

    def close(self) -> Any:
        """The store's own ``close``, where it has one."""
        close = getattr(self._store, "close", None)
        return close() if callable(close) else None


def _key(parts: Parts) -> dict[str, str]:
    return dict(zip(("project_key", "session_id", "subpath"), parts, strict=False))


def _ids(listed: Iterable[dict[str, Any]]) -> list[str]:
    return [each["session_id"] for each in listed]


def _optional(store: Any, method: str) -> Any:
    call = getattr(store, method, None)
    if not callable(call):
        raise NotImplementedError(method)
    return call


class ClaudeMedium(Medium):
    """The SDK's own ``InMemorySessionStore``; a subclass overrides ``store`` and ``manifest``."""

    manifest: ClassVar[Manifest] = Manifest(
        name="claude",
        entry_id="uuid",
        fields={"parent_id": "parentUuid", "created_at": "timestamp"},
        key_parts=("project_key", "session_id", "subpath"),
        optional_parts=1,
        options={"create": "implicit", "unknown_session": "none"},
    )

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None
    _shared: Any = None

    def open(self) -> ClaudeStore:
        """A further client."""
        return ClaudeStore(self.store())

    def store(self) -> Any:
        """A store on this medium's data; the SDK's own has its data in the object itself."""
        if self._shared is None:
            self._shared = imported("claude_agent_sdk", "claude").InMemorySessionStore()
        return self._shared
