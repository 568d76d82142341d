"""Branches: the side of a session that reads.

Each rule sits in one small method that a subclass can break.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import Any

from storelaw_reference.log.entries import (
    CONTROLS,
    Entry,
    checked_control,
    checked_log,
    clock_ms,
    entry,
    is_semantic,
    last_of,
    random_id,
)
from storelaw_reference.log.errors import Rejected, SessionError
from storelaw_reference.log.inputs import Input, to_agent_input
from storelaw_reference.log.ref_names import checked_name
from storelaw_reference.log.snapshots import Snapshot
from storelaw_reference.log.storages import Storage, place_of

EMPTY = {"type": "empty"}
"""The target of a checkout of nothing."""


class Branches:
    """A log read as a tree with refs and a head, over any storage.

    With a default ref, the first operation on an empty log writes the ref and
    its checkout, whatever the operation; an invalid name is refused then. A
    log that lost the checkout gets it again. Entries without any control
    entry are no session's log: with a default ref they are refused with code
    `storage`, and `session.append(*plain.read())` into an empty storage
    adopts them. Nothing is kept between two operations but the storage.
    Rules: AP-S1, AP-S2, AP-S3, AP-S4, AP-S5, AP-K3, AP-G1, AP-Q1, D-AP-17.
    """

    def __init__(
        self,
        storage: Storage,
        default_ref: str | None = None,
        *,
        new_id: Callable[[], str] = random_id,
        now: Callable[[], int] = clock_ms,
        on_change: Callable[[dict[str, Any]], object] | None = None,
    ) -> None:
        self._storage, self._default_ref = storage, default_ref
        self._new_id, self._now = new_id, now
        self._on_change = on_change
        self._lock = RLock()
        self.place = place_of(storage)

    def snapshot(self) -> Snapshot:
        """Return the raw log with what it says of refs and head. Rules: AP-T4."""
        with self._lock:
            return self._replayed(self._ready())

    def entries(self) -> list[Entry]:
        """Return the raw log: every branch, every control entry. Rule: AP-A1."""
        return list(self.snapshot().entries)

    def head(self) -> dict[str, Any]:
        """Return the head, as `{"type": "ref", "name"}` or `{"type": "detached"}` with `targetId`.

        Rules: AP-S5, AP-T4.
        """
        return dict(self.snapshot().head)

    def refs(self) -> dict[str, str | None]:
        """Return each ref's target, None where it points at nothing. Rule: AP-T4."""
        return dict(self.snapshot().refs)

    def path(self, target: str | None = None) -> list[Entry]:
        """Return the entries from the root to a target, by parents; None is the head.

        Raises `SessionError` `not_found` for an unknown target, for a parent
        that is not in the log, and for a cycle. Rules: AP-T5, AP-T6, AP-H1, D-AP-1.
        """
        now = self.snapshot()
        return self._walk(now, self._resolved(now, target))

    def branch_path(self, target: str | None = None) -> list[Entry]:
        """Return the path and the events that hang off it, in the order of the raw log.

        Raises as `path` does. Rules: AP-T7, AP-T8, AP-V4.
        """
        now = self.snapshot()
        return self._branch(now, self._resolved(now, target))

    def read(self) -> list[Entry]:
        """Return the branch path of the head: a session is a storage too. Rules: AP-T7, AP-M7."""
        return self.branch_path()

    def build_input(self, target: str | None = None) -> list[Input]:
        """Return what of a branch a model would read, compaction not applied.

        Raises as `path` does. Rules: AP-V1, AP-V2, AP-V4.
        """
        return to_agent_input(self.branch_path(target))

    def build_state(self, target: str | None = None) -> dict[str, Any]:
        """Return the last state snapshot on a branch, `{}` where there is none.

        Raises as `path` does. Rules: AP-V3, AP-V4.
        """
        return self._state(self.branch_path(target))

    def _state(self, branch: Sequence[Entry]) -> dict[str, Any]:
        found = last_of(branch, "state")
        return {} if found is None else found["data"]

    # Opening

    def _ready(self) -> list[Entry]:
        """The raw log, with a default ref in its place."""
        log = self._raw()
        if self._default_ref is None:
            return log
        missing = self._missing(log, checked_name(self._default_ref))
        if missing:
            self._write(missing)
        return [*log, *missing]

    def _missing(self, log: Sequence[Entry], name: str) -> list[Entry]:
        """What a log lacks to stand on its default ref."""
        types = {each["type"] for each in log}
        if not log:
            return [self._ref(name, None), self._checkout({"type": "ref", "name": name})]
        if "session/checkout" in types:
            return []
        if "session/ref" not in types:
            return self._unowned(log)
        lost = name in self._refs(log)
        return [self._checkout({"type": "ref", "name": name})] if lost else []

    def _unowned(self, log: Sequence[Entry]) -> list[Entry]:
        """What to do about entries that no session has written."""
        raise SessionError("storage", f"{len(log)} entries, and no ref or checkout: a plain log")

    def _raw(self) -> list[Entry]:
        log = self._stored(self._storage.read)
        try:
            return [self._known(each) for each in checked_log(log)]
        except Rejected as error:
            raise SessionError("storage", f"the log holds what is no entry: {error}") from error

    def _known(self, each: Entry) -> Entry:
        return checked_control(each) if each["type"] in CONTROLS else each

    def _write(self, batch: Sequence[Entry]) -> None:
        """Hand a batch to the storage, in one call."""
        self._stored(self._storage.append, *batch)

    def _stored(self, call: Callable[..., Any], *entries: Entry) -> Any:
        """Whatever a storage raises has one code, and keeps its cause (AP-Q1)."""
        try:
            return call(*entries)
        except SessionError:
            raise
        except Exception as error:
            raise SessionError("storage", f"{type(error).__name__}: {error}") from error

    def _made(self, type: str, data: object, parent_id: str | None = None) -> Entry:
        return entry(type, data, new_id=self._new_id, now=self._now, parent_id=parent_id)

    def _ref(self, name: str, target: str | None) -> Entry:
        points = {} if target is None else {"targetId": target}
        return self._made("session/ref", {"name": name, **points})

    def _checkout(self, target: Mapping[str, str]) -> Entry:
        return self._made("session/checkout", {"target": target})

    # Replaying

    def _replayed(self, log: Sequence[Entry]) -> Snapshot:
        by_id = {each["id"]: each for each in log}
        refs, head = self._refs(log), self._head(log)
        return Snapshot(log, by_id, refs, head, self._followed(head, refs))

    def _refs(self, log: Sequence[Entry]) -> dict[str, str | None]:
        """The last target of each name."""
        found = [each["data"] for each in log if each["type"] == "session/ref"]
        return {data["name"]: data.get("targetId") for data in found}

    def _head(self, log: Sequence[Entry]) -> dict[str, Any]:
        """What the last checkout attached to."""
        last = last_of(log, "session/checkout")
        target = EMPTY if last is None else last["data"]["target"]
        if target["type"] == "ref":
            return {"type": "ref", "name": target["name"]}
        held = {"targetId": target["id"]} if target["type"] == "id" else {}
        return {"type": "detached", **held}

    def _followed(self, head: Mapping[str, Any], refs: Mapping[str, str | None]) -> str | None:
        """The entry that a head stands on; an attached one goes where its ref goes."""
        return refs.get(head["name"]) if head["type"] == "ref" else head.get("targetId")

    # Walking

    def _resolved(self, now: Snapshot, target: str | None) -> str | None:
        """The entry behind a target: the head's, a ref's, or the one of that id, in this order."""
        if target is None:
            return now.target
        if target in now.refs:
            return now.refs[target]
        if not self._standable(now, target):
            raise SessionError("not_found", f"no ref and no entry to stand on: {target!r}")
        return target

    def _standable(self, now: Snapshot, entry_id: str) -> bool:
        """Tell whether a head may stand on an entry: it is there, and no event or control."""
        return entry_id in now.by_id and self._is_semantic(now.by_id[entry_id])

    def _is_semantic(self, each: Entry) -> bool:
        return is_semantic(each)

    def _walk(self, now: Snapshot, target: str | None) -> list[Entry]:
        """The path to an entry, root first."""
        path: list[Entry] = []
        seen: set[str] = set()
        while target is not None:
            if target in seen or target not in now.by_id:
                return self._broken(path[::-1], target, target in seen)
            seen.add(target)
            path.append(now.by_id[target])
            target = path[-1].get("parentId")
        return path[::-1]

    def _broken(self, walked: list[Entry], at: str, cycle: bool) -> list[Entry]:
        """What a walk that finds no root comes to."""
        why = "the walk comes back to" if cycle else "the walk finds no"
        raise SessionError("not_found", f"{why} {at!r}")

    def _branch(self, now: Snapshot, target: str | None) -> list[Entry]:
        on_path = {each["id"] for each in self._walk(now, target)}
        return [each for each in now.entries if self._belongs(each, on_path)]

    def _belongs(self, each: Entry, on_path: set[str]) -> bool:
        """Tell whether an entry is on a path, or an event that hangs off it."""
        attached = each["type"] == "event" and each.get("parentId") in on_path
        return each["id"] in on_path or attached
