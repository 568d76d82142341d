"""Sessions: checkout, fork, rebase, clone and recovery, over any storage."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

from storelaw_reference.log.branches import EMPTY
from storelaw_reference.log.chains import Chain
from storelaw_reference.log.entries import Entry
from storelaw_reference.log.errors import SessionError
from storelaw_reference.log.ref_names import checked_name
from storelaw_reference.log.snapshots import Snapshot
from storelaw_reference.log.storages import Storage
from storelaw_reference.log.turn_ids import open_turns, turn_event
from storelaw_reference.log.values import copied, is_object

_log = logging.getLogger(__name__)


class Session(Chain):
    """A log with refs, as git has them; it is itself a storage for an agent.

    While a turn is open, whatever moves branches raises `SessionError` `busy`
    (AP-B1); `recover` ends the turns that a crash left open (D-AP-2).
    `on_change` hears of each move of the head, after it is stored; if it
    raises, that is logged and changes nothing (AP-E2).
    """

    def checkout(self, target: str | None = None) -> None:
        """Attach the head to a ref, detach it at an entry, or, for None, at nothing.

        A ref comes before an entry of the same name. One control entry is
        written. Raises `SessionError` `not_found` for what isn't there, for
        an event or control entry, and where the path has no root; `busy`.
        Rules: AP-H1, AP-H2, AP-H4, AP-H7, AP-B1, AP-E2, D-AP-12.
        """
        with self._lock:
            now = self._idle()
            self._write([self._checkout(self._point(now, target))])
        self._tell("checkout", ref=target if target in now.refs else None)

    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        """Make a ref at the head or at a target, and check it out unless told not to.

        Raises `SessionError` `invalid_ref`; `conflict` for a name that is
        taken, so that no branch is lost; `not_found`; `busy`.
        Rules: AP-F1, AP-F2, AP-F3, AP-H6, AP-B1, AP-E2, D-AP-16.
        """
        checked_name(name)
        with self._lock:
            now = self._idle()
            self._require_free(now, name)
            target = self._require_path(now, self._resolved(now, at))
            attach = [self._checkout({"type": "ref", "name": name})] if checkout else []
            self._write([self._ref(name, target), *attach])
        if checkout:
            self._tell("fork", ref=name)

    def rebase(self, name: str, onto: str | None = None) -> dict[str, Any]:
        """Put copies of a ref's entries on top of a target, or, for None, of nothing.

        Copied is what follows the last entry that both paths share: new ids
        and times, same type and data, but that anchors name the copies;
        events are left behind. The ref then points at the last copy. If the
        target is on the ref's path, nothing happens; if the ref is on the
        target's, it moves there.

        Return `name`, `entries` (`oldId` and `newId` of each copy, in path
        order) and, where there is one, `oldHeadId`, `oldBaseId`, `newBaseId`
        and `newHeadId`. Raises `SessionError` `not_found`; `invalid_rebase`
        for a target that is an event or a control entry; `busy`.
        Rules: AP-R1, AP-R2, AP-R3, AP-R4, AP-R5, AP-R6, AP-R7, AP-R8, D-AP-3.
        """
        with self._lock:
            now = self._idle()
            old = self._ref_target(now, name)
            ours = self._walk(now, old)
            base = self._base(now, onto)
            theirs = self._walk(now, base)
            shared = self._shared(ours, theirs)
            fresh = self._to_copy(ours, shared, base)
            copies = self._copies(fresh, base)
            new = self._new_head(old, base, shared, copies)
            if new != old:
                self._write([*copies, self._ref(name, new)])
        if new != old and now.head.get("name") == name:
            self._tell("rebase", ref=name)
        return self._rebased(name, (old, shared, base, new), fresh, copies)

    def clone(
        self,
        destination: Storage,
        refs: Sequence[str] | Literal["all"] | None = None,
        at: str | None = None,
    ) -> Self:
        """Copy refs, and what `at` or the head stands on, into an empty storage.

        `refs` are names, `"all"`, or, for None, the active one. Entries keep
        ids, parents and order; events come with the entries they hang off,
        but for those of a turn whose end stays behind. Return the open clone.
        Raises `SessionError` `not_found`; `conflict` for a destination that
        isn't empty; `busy`.
        Rules: AP-C1, AP-C2, AP-C3, AP-C4, D-AP-4.
        """
        with self._lock:
            now = self._idle()
            names = self._chosen(now, refs)
            point = self._point(now, at) if at is not None else self._stand(now, names)
            tips = [self._ref_target(now, name) for name in names]
            kept = self._carried(now, [*tips, self._resolved(now, at)])
            moves = [self._ref(name, now.refs[name]) for name in names]
            if self._stored(destination.read):
                raise SessionError("conflict", "a clone goes into an empty storage")
            self._stored(destination.append, *kept, *moves, self._checkout(point))
        return self._opened(destination)

    def orphans(self) -> list[Entry]:
        """Return what an append has left of which only a part was stored.

        A whole append ends with its control entry, so these are the semantic
        entries behind the last one. Rules: AP-K1, D-AP-5.
        """
        return self._dangling(self.snapshot().entries)

    def recover(self) -> list[Entry]:
        """Take up the log after a crash, and return what was written for it.

        Orphans that continue the head become part of it, and each open turn
        gets a `turn.aborted` event. To be called when nobody else works on
        the log. Rules: AP-B2, AP-K1, D-AP-2, D-AP-5.
        """
        with self._lock:
            now = self._replayed(self._ready())
            tail = self._adopted(now)
            ends = [self._ended(turn, tail) for turn in open_turns(now.entries)]
            batch = [*ends, *self._moved(now, tail)]
            if batch:
                self._write(batch)
        return copied(batch)

    # The busy guard

    def _idle(self) -> Snapshot:
        """A reading of the log in which no turn is open."""
        now = self._replayed(self._ready())
        if busy := self._open_turns(now.entries):
            raise SessionError("busy", f"these turns are open: {', '.join(busy)}")
        return now

    def _open_turns(self, log: Sequence[Entry]) -> list[str]:
        return open_turns(log)

    def _ended(self, turn: str, parent: str | None) -> Entry:
        data = {"type": "turn.aborted", "turnId": turn, "reason": "recovered"}
        return self._made("event", data, parent)

    # Checking out and forking

    def _point(self, now: Snapshot, target: str | None) -> Mapping[str, str]:
        """What a checkout of a target attaches to."""
        if target is None:
            return EMPTY
        self._require_path(now, self._resolved(now, target))
        if target in now.refs:
            return {"type": "ref", "name": target}
        return {"type": "id", "id": target}

    def _require_free(self, now: Snapshot, name: str) -> None:
        if name in now.refs or now.head.get("name") == name:
            raise SessionError("conflict", f"this ref exists: {name!r}")

    def _ref_target(self, now: Snapshot, name: str) -> str | None:
        if name not in now.refs:
            raise SessionError("not_found", f"no such ref: {name!r}")
        return now.refs[name]

    # Rebasing

    def _base(self, now: Snapshot, onto: str | None) -> str | None:
        if onto is None:
            return None
        if onto not in now.refs and onto in now.by_id and not self._standable(now, onto):
            raise SessionError("invalid_rebase", f"onto an event or a control entry: {onto!r}")
        return self._resolved(now, onto)

    def _shared(self, ours: Sequence[Entry], theirs: Sequence[Entry]) -> str | None:
        """The last entry of a path that is on the other one too."""
        on_theirs = {each["id"] for each in theirs}
        return next((each["id"] for each in reversed(ours) if each["id"] in on_theirs), None)

    def _to_copy(
        self, ours: Sequence[Entry], shared: str | None, base: str | None
    ) -> Sequence[Entry]:
        """What of a path goes on top of the base: nothing, if it stands there."""
        ids = [each["id"] for each in ours]
        later = ours[ids.index(shared) + 1 :] if shared is not None else ours
        return [] if base is not None and shared == base else self._without_events(later)

    def _without_events(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        return [each for each in entries if self._is_semantic(each)]

    def _copies(self, entries: Sequence[Entry], base: str | None) -> list[Entry]:
        ids = {each["id"]: self._new_id() for each in entries}
        copies: list[Entry] = []
        for each in entries:
            fresh = {"id": ids[each["id"]], "timestamp": self._now(), "parentId": None}
            copies.append(self._attached(self._remapped({**each, **fresh}, ids), base))
            base = ids[each["id"]]
        return copies

    def _remapped(self, copy: Entry, ids: Mapping[str, str]) -> Entry:
        """A copy, with what it says of other entries put into the ids of their copies."""
        data: object = copy["data"]
        if copy["type"] != "compact" or not is_object(data):
            return copy
        anchor = str(data.get("lastEntryId", ""))
        if anchor not in ids:
            return copy
        return {**copy, "data": {**data, "lastEntryId": ids[anchor]}}

    def _new_head(
        self, old: str | None, base: str | None, shared: str | None, copies: Sequence[Entry]
    ) -> str | None:
        """Where a rebased ref points: at its last copy, or on at the base if that lies ahead."""
        if copies:
            return str(copies[-1]["id"])
        return base if shared == old else old

    def _rebased(
        self,
        name: str,
        ends: tuple[str | None, ...],
        fresh: Sequence[Entry],
        copies: Sequence[Entry],
    ) -> dict[str, Any]:
        pairs = zip(fresh, copies, strict=True)
        mapping = [{"oldId": old["id"], "newId": new["id"]} for old, new in pairs]
        keys = ("oldHeadId", "oldBaseId", "newBaseId", "newHeadId")
        known = {key: value for key, value in zip(keys, ends, strict=True) if value is not None}
        return {"name": name, "entries": mapping, **known}

    # Cloning

    def _chosen(self, now: Snapshot, refs: Sequence[str] | Literal["all"] | None) -> list[str]:
        if refs is None:
            return [now.head["name"]] if now.head.get("name") in now.refs else []
        return list(now.refs) if refs == "all" else list(dict.fromkeys(refs))

    def _stand(self, now: Snapshot, names: Sequence[str]) -> Mapping[str, str]:
        """Where a clone without `at` stands: where this session does."""
        if now.head.get("name") in names:
            return {"type": "ref", "name": now.head["name"]}
        return EMPTY if now.target is None else {"type": "id", "id": now.target}

    def _carried(self, now: Snapshot, tips: Iterable[str | None]) -> list[Entry]:
        """The raw entries on the paths to the tips, and their events."""
        on_paths = {each["id"] for tip in tips for each in self._walk(now, tip)}
        return self._balanced([each for each in now.entries if self._belongs(each, on_paths)])

    def _balanced(self, entries: Sequence[Entry]) -> list[Entry]:
        """Entries without the events of turns that would stay open in the copy."""
        cut = set(open_turns(entries))
        return [each for each in entries if turn_event(each)[1] not in cut]

    def _opened(self, storage: Storage) -> Self:
        return type(self)(storage, self._default_ref, new_id=self._new_id, now=self._now)

    # Recovering

    def _dangling(self, log: Sequence[Entry]) -> list[Entry]:
        last = max((i for i, each in enumerate(log, 1) if self._ends_append(each)), default=0)
        return [each for each in log[last:] if self._is_semantic(each)]

    def _ends_append(self, each: Entry) -> bool:
        return each["type"] in ("session/ref", "session/checkout")

    def _adopted(self, now: Snapshot) -> str | None:
        """The tail after recovery: the last orphan, if all of them continue the head in one chain."""
        orphans = [each["id"] for each in self._dangling(now.entries)]
        if not orphans:
            return now.target
        try:
            path = [each["id"] for each in self._walk(now, orphans[-1])]
        except SessionError:
            return now.target
        stem = path.index(now.target) + 1 if now.target in path else 0
        continues = (stem > 0) == (now.target is not None)
        return orphans[-1] if continues and path[stem:] == orphans else now.target

    # Telling

    def _tell(self, kind: str, ref: str | None) -> None:
        """Let the handler know, and survive whatever it does (AP-E2)."""
        if self._on_change is None:
            return
        try:
            self._on_change(self._change(kind, ref))
        except Exception:  # noqa: BLE001 - whatever a handler raises, the move is stored (AP-E2)
            _log.exception("a handler of session changes failed")

    def _change(self, kind: str, ref: str | None) -> dict[str, Any]:
        target = self.snapshot().target
        known = {"ref": ref, "targetId": target}
        said = {key: value for key, value in known.items() if value is not None}
        return {"type": kind, **said, "state": self.build_state()}
