"""Sessions that begin wrongly, or find another head than the log has."""

from collections.abc import Mapping, Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _Backwards(log.Session):
    def _missing(self, log: Sequence[log.Entry], name: str) -> list[log.Entry]:
        return super()._missing(log, name)[::-1]


@liar("an_empty_log_begins_on_its_default_ref", most=2)
class ChecksOutBeforeTheRef(LogHonest):
    """Writes the first checkout before the ref that it checks out."""

    variants = varying(refs=_Backwards)


class _Unbegun(log.Session):
    def _missing(self, log: Sequence[log.Entry], name: str) -> list[log.Entry]:
        return []


@liar(
    "an_empty_log_begins_on_its_default_ref",
    also=[
        "a_lost_checkout_is_made_up_for",
        "an_event_leaves_the_head_alone",
        "a_foreign_log_is_refused_or_seen",
    ],
    kinds=["F20"],
    most=2,
)
class NeverBegins(LogHonest):
    """Writes no default ref: all is detached."""

    variants = varying(refs=_Unbegun)


class _Restarting(log.Session):
    _begun = False

    def _ready(self) -> list[log.Entry]:
        entries = super()._ready()
        if not self._begun and self._default_ref and entries[-1]["type"] != "session/checkout":
            self._write([self._checkout({"type": "ref", "name": self._default_ref})])
            entries = super()._ready()
        self._begun = True
        return entries


@liar(
    "a_log_begins_once",
    also=[
        "head_refs_and_views_survive_a_reopen",
        "recovery_takes_in_what_a_torn_append_left",
        "a_torn_append_is_seen",
    ],
    kinds=["F38"],
    most=4,
)
class BeginsOnEachOpening(LogHonest):
    """Checks the default ref out whenever it is opened."""

    variants = varying(refs=_Restarting)


class _MadeUp(log.Session):
    def _ready(self) -> list[log.Entry]:
        if self._default_ref is None and not self._storage.read():
            self._write([self._ref("main", None)])
        return super()._ready()


@liar("without_a_default_ref_the_head_is_detached", most=2)
class MakesUpARef(LogHonest):
    """Writes a ref that nobody named."""

    variants = varying(refs=_MadeUp)


class _AnyDefault(log.Session):
    def _ready(self) -> list[log.Entry]:
        entries = self._raw()
        missing = [] if self._default_ref is None else self._missing(entries, self._default_ref)
        if missing:
            self._write(missing)
        return [*entries, *missing]


@liar("a_bad_default_ref_is_refused_at_first_use", most=2)
class TakesAnyDefaultRef(LogHonest):
    """Doesn't look at the name of the default ref."""

    variants = varying(refs=_AnyDefault)


class _Forgetful(log.Session):
    _moved_here = False

    def checkout(self, target: str | None = None) -> None:
        super().checkout(target)
        self._moved_here = True

    def head(self) -> dict[str, Any]:
        told = super().head()
        if self._moved_here or self._default_ref is None:
            return told
        return {"type": "ref", "name": self._default_ref}


@liar(
    "head_refs_and_views_survive_a_reopen",
    also=["the_log_says_where_refs_and_head_are"],
    kinds=["F32"],
    most=6,
)
class ForgetsTheCheckout(LogHonest):
    """Stands on the default ref until it is told otherwise."""

    variants = varying(refs=_Forgetful)


class _LastLine(log.Session):
    _own = False

    def append(self, *entries: Any) -> list[log.Entry]:
        self._own = True
        return super().append(*entries)

    def _followed(self, head: Mapping[str, Any], refs: Mapping[str, str | None]) -> str | None:
        if self._own:
            return super()._followed(head, refs)
        last = [each["id"] for each in self._raw() if self._is_semantic(each)]
        return last[-1] if last else None


@liar(
    "head_refs_and_views_survive_a_reopen",
    also=["the_log_says_where_refs_and_head_are", "recovery_takes_in_what_a_torn_append_left"],
    kinds=["F32"],
    most=6,
)
class ResumesAtTheLastLine(LogHonest):
    """Takes the last entry of the log for the head when it opens one."""

    variants = varying(refs=_LastLine)


class _FirstTarget(log.Session):
    def refs(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for each in self.entries():
            if each["type"] == "session/ref" and found.get(each["data"]["name"]) is None:
                found[each["data"]["name"]] = each["data"].get("targetId")
        return found


@liar("the_log_says_where_refs_and_head_are", kinds=["F32"], most=3)
class KeepsTheFirstTarget(LogHonest):
    """Tells the first target that a ref had."""

    variants = varying(refs=_FirstTarget)


class _Frozen(log.Session):
    def _head(self, log: Sequence[log.Entry]) -> dict[str, Any]:
        first = [each for each in log if each["type"] == "session/checkout"][:1]
        return super()._head(first)


@liar(
    "the_log_says_where_refs_and_head_are",
    also=[
        "the_input_is_that_of_the_branch",
        "a_branch_goes_its_own_way",
        "a_clone_stands_where_it_was_told",
    ],
    kinds=["F32"],
    most=3,
)
class KeepsTheFirstCheckout(LogHonest):
    """Takes the first checkout for the head."""

    variants = varying(refs=_Frozen)


class _StaysCut(log.Session):
    def _missing(self, log: Sequence[log.Entry], name: str) -> list[log.Entry]:
        return super()._missing(log, name) if not log else []


@liar(
    "a_lost_checkout_is_made_up_for",
    also=["a_foreign_log_is_refused_or_seen"],
    kinds=["F19"],
    most=3,
)
class StaysDetachedForEver(LogHonest):
    """Goes on detached over a log whose first checkout was lost (K3)."""

    variants = varying(refs=_StaysCut)


class _LeavesOrphans(log.Session):
    def _adopted(self, now: log.Snapshot) -> str | None:
        return now.target


@liar("recovery_takes_in_what_a_torn_append_left", kinds=["F20"], most=3)
class LeavesOrphans(LogHonest):
    """Recovers nothing of a torn append (D-AP-5)."""

    variants = varying(refs=_LeavesOrphans)


class _SeesNoOrphans(log.Session):
    def orphans(self) -> list[log.Entry]:
        return []


@liar("a_torn_append_is_seen", kinds=["F20"], most=3)
class SeesNoOrphans(LogHonest):
    """Says that nothing was torn."""

    variants = varying(refs=_SeesNoOrphans)
