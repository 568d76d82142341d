"""Chains: how a session takes entries in, and what moves its head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from storelaw_reference.log.branches import EMPTY, Branches
from storelaw_reference.log.entries import CONTROLS, Entry, checked, checked_control
from storelaw_reference.log.errors import Rejected, SessionError
from storelaw_reference.log.ref_names import checked_name
from storelaw_reference.log.snapshots import Snapshot
from storelaw_reference.log.values import copied


class Chain(Branches):
    """The side of a session that appends.

    One object's operations are serialized, and a failed one doesn't block the
    next; two objects over one storage are not coordinated (AP-N1).
    """

    def append(self, *entries: Any) -> list[Entry]:
        """Take entries in at the head, and return them as stored.

        An entry without a parent gets the tail as its parent; a semantic one
        becomes the tail, also under a parent of its own; events and control
        entries don't. If the tail has moved, the same storage call ends with
        the control entry that says so. Nothing is stored if anything is wrong.

        Raises `Rejected` for what is no entry, and for control entries mixed
        with others; `SessionError` `conflict` for an id that the log or the
        batch has already, so that a retry is told and changes nothing;
        `invalid_ref` or `not_found` for a control entry that names what isn't
        there; `storage`.
        Rules: AP-T1, AP-T2, AP-T3, AP-T8, AP-H3, AP-N1, D-AP-1, D-AP-12, D-AP-14.
        """
        drafts = [checked(each) for each in entries]
        with self._lock:
            log = self._ready()
            now = self._replayed(log)
            self._require_new(now, drafts)
            self._require_sound(log, drafts)
            batch = self._chained(drafts, now.target)
            if batch:
                self._write([*batch, *self._moved(now, self._tail(batch, now.target))])
        return copied(batch)

    def event(self, data: object, parent_id: str | None = None) -> Entry:
        """Record an event at the head, or under the given parent; the head stays.

        Rules: AP-E1, AP-B1.
        """
        with self._lock:
            now = self._replayed(self._ready())
            made = self._made("event", data, self._event_parent(now, parent_id))
            self._write([made])
        return copied(made)

    def clear(self) -> None:
        """Check out nothing: history and refs stay, and later entries move no ref.

        Rules: AP-H5, AP-B1.
        """
        with self._lock:
            self._ready()
            self._write([self._checkout(EMPTY)])

    def reset(self) -> None:
        """Let the active ref begin anew; a detached head becomes an empty one.

        History stays in the raw log. `Agent.reset` calls it, so that later
        turns still reach the ref. Rule: D-AP-15.
        """
        with self._lock:
            head = self._replayed(self._ready()).head
            attached = head["type"] == "ref"
            self._write([self._ref(head["name"], None) if attached else self._checkout(EMPTY)])

    # Appending

    def _require_new(self, now: Snapshot, drafts: Sequence[Entry]) -> None:
        """Refuse an id that is taken, before it can become its own ancestor."""
        taken = set(now.by_id)
        for draft in drafts:
            if draft["id"] in taken:
                raise SessionError("conflict", f"this entry is in the log: {draft['id']!r}")
            taken.add(draft["id"])

    def _require_sound(self, log: Sequence[Entry], drafts: Sequence[Entry]) -> None:
        """Let control entries in only if each means something once those before it hold."""
        controls = [draft for draft in drafts if draft["type"] in CONTROLS]
        if controls and len(controls) < len(drafts):
            raise Rejected("a control entry is appended apart from other entries")
        for number, control in enumerate(controls):
            self._require_meaning(self._replayed([*log, *controls[:number]]), control)

    def _require_meaning(self, now: Snapshot, control: Entry) -> None:
        data = checked_control(control)["data"]
        point = data if control["type"] == "session/ref" else data["target"]
        if control["type"] == "session/ref":
            checked_name(point["name"])
        elif point.get("type") == "ref" and point["name"] not in now.refs:
            raise SessionError("not_found", f"no such ref: {point['name']!r}")
        target = point.get("targetId") if control["type"] == "session/ref" else point.get("id")
        self._require_path(now, target)

    def _require_path(self, now: Snapshot, target: str | None) -> str | None:
        """Refuse to stand where no root can be reached (D-AP-12)."""
        if target is not None and not self._standable(now, target):
            raise SessionError("not_found", f"no entry to stand on: {target!r}")
        self._walk(now, target)
        return target

    def _chained(self, drafts: Sequence[Entry], tail: str | None) -> list[Entry]:
        """Give each draft that lacks one its parent."""
        chained: list[Entry] = []
        for draft in drafts:
            chained.append(self._attached(draft, tail))
            tail = self._advanced(tail, draft)
        return chained

    def _attached(self, draft: Entry, tail: str | None) -> Entry:
        parent = self._parent_of(draft, tail)
        rest = {key: value for key, value in draft.items() if key != "parentId"}
        return rest if parent is None else {**rest, "parentId": parent}

    def _parent_of(self, draft: Entry, tail: str | None) -> str | None:
        """The parent of a draft, where `tail` is the chain's end before it."""
        given: str | None = draft.get("parentId")
        return tail if given is None else given

    def _advanced(self, tail: str | None, draft: Entry) -> str | None:
        """The chain's end behind an entry; events and control entries move nothing."""
        return draft["id"] if self._is_semantic(draft) else tail

    def _tail(self, batch: Sequence[Entry], tail: str | None) -> str | None:
        for each in batch:
            tail = self._advanced(tail, each)
        return tail

    def _moved(self, now: Snapshot, tail: str | None) -> list[Entry]:
        """The control entry that moves the head to a new tail: its ref's target, or a checkout."""
        if tail is None or tail == now.target:
            return []
        if now.head["type"] == "ref":
            return [self._ref(now.head["name"], tail)]
        return [self._checkout({"type": "id", "id": tail})]

    def _event_parent(self, now: Snapshot, given: str | None) -> str | None:
        return now.target if given is None else given
