"""Any liar as a store of the Claude Agent SDK's protocol, so that the SDK's own suite can try it.

The mirror adds nothing that could hide a fault or make one. A liar whose sessions have plain
ids stands for the sessions of one project, and another of its kind for the subpaths of one
session; a liar with keys of several parts gets the protocol's keys as they are. Names of
members are exchanged in the very objects that are handed over, so that a store which shares
them with its caller still does.
"""

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from claude_agent_sdk import fold_session_summary

from storelaw.errors import SessionNotFound
from storelaw.media.claude import ClaudeMedium
from storelaw.medium import Medium
from storelaw.values import Entry

Key: TypeAlias = dict[str, str]

#: A member's name in the protocol, and in the liars. Exchanged both ways, so nothing is lost.
NAMES: Final = {"uuid": "id", "timestamp": "created_at", "parentUuid": "parent_id"}
EXCHANGED: Final = {**NAMES, **{inner: outer for outer, inner in NAMES.items()}}


class Names:
    """Exchanges the names of members, and knows which objects have the protocol's already."""

    def __init__(self) -> None:
        self._outer: dict[int, Entry] = {}

    @contextmanager
    def inside(self, entries: list[Entry]) -> Generator[None]:
        """Entries have the liars' names for as long as this is open."""
        given = {id(each): each for each in entries if isinstance(each, dict)}
        for each in given.values():
            _exchange(each)
        try:
            yield
        finally:
            for each in given.values():
                _exchange(each)
            self._outer.update(given)

    def outside(self, entries: list[Entry]) -> list[Entry]:
        """Entries with the protocol's names: those that a store shares have them already."""
        for each in entries:
            if id(each) not in self._outer:
                _exchange(each)
                self._outer[id(each)] = each
        return entries


def _exchange(entry: Entry) -> None:
    members = [(EXCHANGED.get(name, name), value) for name, value in entry.items()]
    entry.clear()
    entry.update(members)


class Shelf:
    """What all clients of one store share: the liars' media, and what only the protocol has."""

    def __init__(self, kind: type[Medium], workdir: Path) -> None:
        self.kind, self._workdir = kind, workdir
        self.keyed = bool(kind.manifest.key_parts)
        self.written: dict[tuple[str, str], int] = {}
        self.summaries: dict[tuple[str, str], Any] = {}
        self._media: dict[tuple[str, ...], Medium] = {}
        self.names = Names()
        self._now = 0

    def medium(self, place: tuple[str, ...]) -> Any:
        """The liar of a project, of a session's subpaths, or of all keys."""
        if place not in self._media:
            self._media[place] = self.kind(self._workdir)
        return self._media[place]

    def now(self) -> int:
        """The time of a write in milliseconds, later than that of any other."""
        self._now = max(self._now + 1, int(time.time() * 1000))
        return self._now


class Mirror:
    """One client: the protocol's methods over the handles of a liar."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._handles: dict[tuple[str, ...], tuple[Medium, Any]] = {}

    async def append(self, key: Key, entries: list[Entry]) -> None:
        """A batch, and the summary that the protocol lets a store keep."""
        shelf, session = self._shelf, (key["project_key"], key["session_id"])
        handle, name = self._reached(key)
        with shelf.names.inside(entries):
            if entries:
                self._created(handle, name)
            if "threads" in shelf.kind.manifest.writers:
                await asyncio.to_thread(handle.append, name, entries)
            else:
                handle.append(name, entries)
        if "subpath" not in key and entries:
            self._summed(session, key, entries)

    def _created(self, handle: Any, name: Any) -> None:
        """A session is there before the first write to it, where a liar wants that."""
        explicit = self._shelf.kind.manifest.options.get("create") == "explicit"
        if explicit and name not in handle.list_sessions():
            handle.create(name)

    def _summed(self, session: tuple[str, str], key: Key, entries: list[Entry]) -> None:
        shelf = self._shelf
        folded: Any = fold_session_summary
        known = [each for each in entries if isinstance(each, dict)]
        summary = folded(shelf.summaries.get(session), key, known)
        summary["mtime"] = shelf.written[session] = shelf.now()
        shelf.summaries[session] = summary

    async def load(self, key: Key) -> list[Entry] | None:
        """The log, or ``None`` for a key that was never written."""
        handle, name = self._reached(key)
        try:
            entries = handle.load(name)
        except SessionNotFound:
            return None
        if entries or name in handle.list_sessions():
            return self._shelf.names.outside(entries)
        return None

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """The sessions of a project, with the times of their last write."""
        if self._shelf.keyed:
            keys = self._handle(()).list_sessions(project_key)
            found = [each[1] for each in keys if len(each) == 2]
        else:
            found = self._handle((project_key,)).list_sessions()
        return [{"session_id": each, "mtime": self._changed(project_key, each)} for each in found]

    def _changed(self, project: str, session: str) -> int:
        """When a session was last written: what the liar says of it, where it says something."""
        handle, _ = self._reached({"project_key": project, "session_id": session})
        if "record" not in self._shelf.kind.manifest.without:
            updated = handle.record(session).get("updated_at")
            if updated is not None:
                return int(datetime.fromisoformat(updated).timestamp() * 1000)
        return self._shelf.written.get((project, session)) or self._shelf.now()

    async def list_session_summaries(self, project_key: str) -> list[Any]:
        """What the SDK's own fold made of each session."""
        found = self._shelf.summaries.items()
        return [each for (project, _), each in found if project == project_key]

    async def list_subkeys(self, key: Key) -> list[str]:
        """The subpaths of a session."""
        place = (key["project_key"], key["session_id"])
        if self._shelf.keyed:
            return [each[2] for each in self._handle(()).list_sessions(*place) if len(each) == 3]
        return list(self._handle(place).list_sessions())

    async def delete(self, key: Key) -> None:
        """A key, and with a session what lies under it."""
        handle, name = self._reached(key)
        with suppress(SessionNotFound):
            handle.delete(name)
        if "subpath" in key:
            return
        place = (key["project_key"], key["session_id"])
        self._shelf.summaries.pop(place, None)
        self._shelf.written.pop(place, None)
        if not self._shelf.keyed:
            under = self._handle(place)
            for each in list(under.list_sessions()):
                under.delete(each)

    def close(self) -> None:
        """Close all handles."""
        for medium, handle in self._handles.values():
            medium.close(handle)
        self._handles.clear()

    def _reached(self, key: Key) -> tuple[Any, Any]:
        """The handle and the id by which a key is reached."""
        if self._shelf.keyed:
            return self._handle(()), tuple(key.values())
        if "subpath" in key:
            return self._handle((key["project_key"], key["session_id"])), key["subpath"]
        return self._handle((key["project_key"],)), key["session_id"]

    def _handle(self, place: tuple[str, ...]) -> Any:
        if place not in self._handles:
            medium = self._shelf.medium(place)
            self._handles[place] = (medium, medium.open())
        return self._handles[place][1]


#: What an author of such a store would promise: all that the liar does.
PROMISES: Final = ("durable", "batch", "writers", "consistency")


def mirrored(kind: type[Medium]) -> type[ClaudeMedium]:
    """The medium by which this kit reaches a mirror, with the promises of the liar behind it."""
    theirs = kind.manifest
    options = {**theirs.options, **ClaudeMedium.manifest.options, "unknown_delete": "ignore"}

    class MirrorMedium(ClaudeMedium):
        """A mirror of one liar."""

        manifest = replace(
            ClaudeMedium.manifest,
            name=f"claude:{theirs.name}",
            options=options,
            operation_timeout=theirs.operation_timeout,
            **{name: getattr(theirs, name) for name in PROMISES},
        )
        needs_directory = kind.needs_directory

        def __init__(self, workdir: Path) -> None:
            super().__init__(workdir)
            self._shelf = Shelf(kind, workdir)

        def store(self) -> Mirror:
            """A further client."""
            return Mirror(self._shelf)

    return MirrorMedium
