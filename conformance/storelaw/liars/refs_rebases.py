"""Sessions that rebase wrongly."""

from collections.abc import Mapping, Sequence
from typing import Any

from storelaw.liars.log_honest import LogDuplicates, LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _Sharing(log.Session):
    def _to_copy(
        self, ours: Sequence[log.Entry], shared: str | None, base: str | None
    ) -> Sequence[log.Entry]:
        fresh = super()._to_copy(ours, shared, base)
        return self._without_events(ours) if fresh and base is not None else fresh


@liar("a_rebase_puts_copies_on_its_target", also=["a_rebase_tells_what_went_where"], most=7)
class CopiesTheSharedPartToo(LogHonest):
    """Copies the whole path, also what the target has already."""

    variants = varying(refs=_Sharing)


class _Inputs(log.Session):
    def _without_events(self, entries: Sequence[log.Entry]) -> Sequence[log.Entry]:
        return [each for each in entries if each["type"] in ("input", "state", "compact")]


@liar(
    "a_rebase_puts_copies_on_its_target",
    also=["a_rebase_tells_what_went_where", "a_rebase_onto_nothing_copies_the_whole_chain"],
    kinds=["F22"],
    most=7,
)
class RebaseDropsCustomEntries(LogHonest):
    """Copies only entries of the types that it knows."""

    variants = varying(refs=_Inputs)


class _Again(log.Session):
    def _copies(self, entries: Sequence[log.Entry], base: str | None) -> list[log.Entry]:
        now = self._now()
        fresh = [{**each, "timestamp": now, "parentId": None} for each in entries]
        return self._chained(fresh, base)


@liar(
    "a_copy_is_a_new_entry",
    also=[
        "a_rebase_puts_copies_on_its_target",
        "a_rebase_tells_what_went_where",
        "a_rebase_onto_nothing_copies_the_whole_chain",
    ],
    kinds=["F31"],
    most=7,
)
class WritesTheSameIdsAgain(LogDuplicates):
    """Writes the copies under the ids of what they copy."""

    variants = varying(refs=_Again)


class _SameTimes(log.Session):
    def _remapped(self, copy: log.Entry, ids: Mapping[str, str]) -> log.Entry:
        names = {new: old for old, new in ids.items()}
        old = next(each for each in self.entries() if each["id"] == names[copy["id"]])
        return super()._remapped({**copy, "timestamp": old["timestamp"]}, ids)


@liar("a_copy_has_a_time_of_its_own", most=7)
class KeepsTheTimes(LogHonest):
    """Copies the times of the entries."""

    variants = varying(refs=_SameTimes)


class _Backwards(log.Session):
    def rebase(self, name: str, onto: str | None = None) -> dict[str, Any]:
        told = super().rebase(name, onto)
        return {**told, "entries": told["entries"][::-1]}


@liar("a_rebase_tells_what_went_where", most=7)
class TellsCopiesBackwards(LogHonest):
    """Names the last copy first."""

    variants = varying(refs=_Backwards)


class _Busy(log.Session):
    def _to_copy(
        self, ours: Sequence[log.Entry], shared: str | None, base: str | None
    ) -> Sequence[log.Entry]:
        if shared is not None and shared == base:
            return ours[-1:]
        return super()._to_copy(ours, shared, base)


@liar(
    "an_up_to_date_rebase_copies_nothing",
    also=["a_rebase_tells_what_went_where"],
    most=3,
)
class RebasesAgain(LogHonest):
    """Copies the last entry of a branch that is up to date."""

    variants = varying(refs=_Busy)


class _AtHead(log.Session):
    def _base(self, now: log.Snapshot, onto: str | None) -> str | None:
        return now.target if onto is None else super()._base(now, onto)


@liar(
    "a_rebase_onto_nothing_copies_the_whole_chain",
    also=["a_copy_is_a_new_entry", "a_rebase_tells_what_went_where"],
    most=3,
)
class RebasesOntoTheHead(LogHonest):
    """Takes no target for the head."""

    variants = varying(refs=_AtHead)


class _Creating(log.Session):
    def _ref_target(self, now: log.Snapshot, name: str) -> str | None:
        return now.refs.get(name)


@liar("an_unknown_ref_is_not_rebased", most=3)
class MakesTheRefItRebases(LogHonest):
    """Takes an unknown ref for an empty one."""

    variants = varying(refs=_Creating)


class _WithEvents(log.Session):
    def _new_head(
        self,
        old: str | None,
        base: str | None,
        shared: str | None,
        copies: Sequence[log.Entry],
    ) -> str | None:
        head = super()._new_head(old, base, shared, copies)
        if copies and old is not None:
            branch = self._branch(self.snapshot(), old)
            events = [each for each in branch if each["type"] == "event"]
            self._write([{**e, "id": self._new_id(), "parentId": head} for e in events])
        return head


@liar("a_rebase_leaves_events_behind", kinds=["F30"], most=7)
class RebaseCopiesEvents(LogHonest):
    """Copies the events of a branch along with its entries."""

    variants = varying(refs=_WithEvents)


class _OldAnchors(log.Session):
    def _remapped(self, copy: log.Entry, ids: Mapping[str, str]) -> log.Entry:
        return copy


@liar("an_anchor_names_the_copy", kinds=["F36"], most=7)
class KeepsOldAnchors(LogHonest):
    """Leaves what a compaction covers in old ids (D-AP-3)."""

    variants = varying(refs=_OldAnchors)


class _Following(log.Session):
    def rebase(self, name: str, onto: str | None = None) -> dict[str, Any]:
        told = super().rebase(name, onto)
        if told["entries"]:
            self.checkout(name)
        return told


@liar(
    "a_rebase_moves_its_own_ref",
    kinds=["F33"],
    most=7,
)
class ChecksOutWhatItRebases(LogHonest):
    """Checks the rebased ref out."""

    variants = varying(refs=_Following)
