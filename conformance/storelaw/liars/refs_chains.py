"""Sessions that chain wrongly: what their appends break."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _Rootless(log.Session):
    def _chained(self, drafts: Sequence[log.Entry], tail: str | None) -> list[log.Entry]:
        return super()._chained(drafts, None)


@liar("an_append_follows_the_head", also=["an_event_hangs_off_the_tail"], kinds=["F32"], most=3)
class RootlessAppends(LogHonest):
    """Makes each append a root of its own."""

    variants = varying(refs=_Rootless)


class _Siblings(log.Session):
    def _advanced(self, tail: str | None, draft: log.Entry) -> str | None:
        return tail

    def _tail(self, batch: Sequence[log.Entry], tail: str | None) -> str | None:
        ends = [each["id"] for each in batch if self._is_semantic(each)]
        return ends[-1] if ends else tail


@liar(
    "entries_of_one_append_follow_each_other",
    also=["an_event_hangs_off_the_tail"],
    kinds=["F32"],
    most=2,
)
class Siblings(LogHonest):
    """Gives all entries of a batch the same parent."""

    variants = varying(refs=_Siblings)


class _EventTails(log.Session):
    def _chained(self, drafts: Sequence[log.Entry], tail: str | None) -> list[log.Entry]:
        chained: list[log.Entry] = []
        for draft in drafts:
            chained.append(self._attached(draft, tail))
            tail = draft["id"]
        return chained


@liar("an_event_is_no_parent", kinds=["F30"], most=2)
class EventsInBatchesAreParents(LogHonest):
    """Chains an entry to the event before it in its batch."""

    variants = varying(refs=_EventTails)


class _EventHeads(log.Session):
    def _standable(self, now: log.Snapshot, entry_id: str) -> bool:
        return entry_id in now.by_id and now.by_id[entry_id]["type"] not in log.CONTROLS


@liar(
    "an_event_is_no_parent",
    also=["a_control_entry_is_checked_before_it_is_stored", "the_head_stands_on_conversation_only"],
    kinds=["F30"],
    most=4,
)
class EventsCanBeCheckedOut(LogHonest):
    """Lets a checkout stand on an event, under which the next append goes (D-AP, H7)."""

    variants = varying(refs=_EventHeads)


class _ControlTails(log.Session):
    def append(self, *entries: Any) -> list[log.Entry]:
        last = self.entries()[-1]
        parent = {"parentId": last["id"]} if last["type"] in log.CONTROLS else {}
        first = [{**parent, **each} for each in entries[:1]]
        return super().append(*first, *entries[1:])


@liar("a_control_entry_is_no_parent", kinds=["F30"], most=2)
class ControlsAreParents(LogHonest):
    """Chains an append to the control entry that ends the log."""

    variants = varying(refs=_ControlTails)


class _LooseEvents(log.Session):
    def _parent_of(self, draft: log.Entry, tail: str | None) -> str | None:
        given = super()._parent_of(draft, tail)
        return given if draft["type"] != "event" else draft.get("parentId")


@liar("an_event_hangs_off_the_tail", most=2)
class LooseEvents(LogHonest):
    """Stores the events of an append without a parent."""

    variants = varying(refs=_LooseEvents)


class _Adopting(log.Session):
    def _parent_of(self, draft: log.Entry, tail: str | None) -> str | None:
        return tail


@liar("a_given_parent_is_kept", most=3)
class IgnoresGivenParents(LogHonest):
    """Chains every entry itself, whatever parent the caller names."""

    variants = varying(refs=_Adopting)


class _OwnTails(log.Session):
    def _tail(self, batch: Sequence[log.Entry], tail: str | None) -> str | None:
        if batch[-1].get("parentId") != tail and len(batch) == 1:
            return tail
        return super()._tail(batch, tail)


@liar("the_head_moves_to_the_last_entry", most=3)
class StaysBehindGivenParents(LogHonest):
    """Leaves the head where it is when the caller names another parent than the tail."""

    variants = varying(refs=_OwnTails)


class _Unmoved(log.Session):
    def _moved(self, now: log.Snapshot, tail: str | None) -> list[log.Entry]:
        return [] if now.target is not None else super()._moved(now, tail)


@liar(
    "the_head_moves_to_the_last_entry",
    also=["a_custom_entry_is_a_node", "recovery_takes_in_what_a_torn_append_left"],
    kinds=["F20", "F22"],
    most=3,
)
class MovesTheHeadOnce(LogHonest):
    """Stores no control entry once the head stands on something."""

    variants = varying(refs=_Unmoved)


class _ControlFirst(log.Session):
    def _write(self, batch: Sequence[log.Entry]) -> None:
        rest = [each for each in batch if each["type"] not in log.CONTROLS]
        controls = [each for each in batch if each["type"] in log.CONTROLS]
        super()._write([*controls, *rest])


@liar("the_control_entry_comes_last", kinds=["F19"], most=3)
class ControlsFirst(LogHonest):
    """Moves the ref before it stores the entries that the ref points at."""

    variants = varying(refs=_ControlFirst)


class _KnownOnly(log.Session):
    def _is_semantic(self, each: log.Entry) -> bool:
        return each["type"] in ("input", "state", "compact")


@liar("a_custom_entry_is_a_node", kinds=["F22"], most=2)
class KnowsOnlyItsOwnTypes(LogHonest):
    """Takes an entry of an unknown type for no node."""

    variants = varying(refs=_KnownOnly)


class _BareControls(log.Session):
    def _checkout(self, target: Any) -> log.Entry:
        return {**super()._checkout(target), "timestamp": None}

    def _raw(self) -> list[log.Entry]:
        seen = self._storage.read()
        return [{**each, "timestamp": each.get("timestamp") or 0} for each in seen]


@liar("every_entry_has_the_four_members", most=2)
class TimelessControls(LogHonest):
    """Writes checkouts without a time."""

    variants = varying(refs=_BareControls)


class _EventsMove(log.Session):
    def event(self, data: object, parent_id: str | None = None) -> log.Entry:
        made = super().event(data, parent_id)
        self._write([self._checkout({"type": "id", "id": made["id"]})])
        return made


@liar("an_event_leaves_the_head_alone", also=["an_event_is_no_parent"], most=2)
class EventsMoveTheHead(LogHonest):
    """Lets the head stand on the event that it has recorded."""

    variants = varying(refs=_EventsMove)


class _HeadEvents(log.Session):
    def _event_parent(self, now: log.Snapshot, given: str | None) -> str | None:
        return now.target


@liar("a_recorded_event_hangs_where_it_should", most=3)
class EventsIgnoreTheirParent(LogHonest):
    """Records every event under the head."""

    variants = varying(refs=_HeadEvents)


class _OtherAnswers(log.Session):
    def event(self, data: object, parent_id: str | None = None) -> log.Entry:
        return {**super().event(data, parent_id), "id": self._new_id()}


@liar("a_recorded_event_hangs_where_it_should", most=2)
class AnswersWithAnotherEvent(LogHonest):
    """Gives back an event that isn't the stored one."""

    variants = varying(refs=_OtherAnswers)
