"""Sessions whose heads and refs go astray."""

from collections.abc import Mapping

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _IdsFirst(log.Session):
    def _point(self, now: log.Snapshot, target: str | None) -> Mapping[str, str]:
        if target is not None and self._standable(now, target):
            return {"type": "id", "id": target}
        return super()._point(now, target)


@liar("a_ref_comes_before_an_entry_of_its_name", kinds=["F31"], most=3)
class LooksForIdsFirst(LogHonest):
    """Takes a target for an entry's id before it looks at the refs."""

    variants = varying(refs=_IdsFirst)


class _EmptyUnknown(log.Session):
    def _resolved(self, now: log.Snapshot, target: str | None) -> str | None:
        known = target in now.refs or target in now.by_id
        return super()._resolved(now, target) if known or target is None else None


@liar("an_unknown_target_is_an_error", also=["an_unknown_ref_is_not_cloned"], most=3)
class TakesUnknownForEmpty(LogHonest):
    """Takes a target that it doesn't know for an empty branch."""

    variants = varying(refs=_EmptyUnknown)


class _Homing(log.Session):
    def _point(self, now: log.Snapshot, target: str | None) -> Mapping[str, str]:
        if target is None and self._default_ref is not None:
            return {"type": "ref", "name": self._default_ref}
        return super()._point(now, target)


@liar("a_checkout_moves_the_head", kinds=["F32"], most=3)
class ChecksOutTheDefault(LogHonest):
    """Takes a checkout of nothing for one of the default ref."""

    variants = varying(refs=_Homing)


class _Attaching(log.Session):
    def _point(self, now: log.Snapshot, target: str | None) -> Mapping[str, str]:
        at = [name for name, held in now.refs.items() if target is not None and held == target]
        return {"type": "ref", "name": at[0]} if at else super()._point(now, target)


@liar("a_checkout_moves_the_head", kinds=["F32"], most=4)
class AttachesToWhatIsThere(LogHonest):
    """Attaches the head to a ref that stands on the entry that is checked out."""

    variants = varying(refs=_Attaching)


class _Dragging(log.Session):
    def _moved(self, now: log.Snapshot, tail: str | None) -> list[log.Entry]:
        moved = super()._moved(now, tail)
        detached = moved and now.head["type"] != "ref" and self._default_ref is not None
        return [self._ref(str(self._default_ref), tail), *moved] if detached else moved


@liar("a_branch_goes_its_own_way", kinds=["F33"], most=4)
class DragsTheDefaultRef(LogHonest):
    """Moves the default ref along while the head is detached."""

    variants = varying(refs=_Dragging)


class _Sparing(log.Session):
    def checkout(self, target: str | None = None) -> None:
        if target is None or self.head().get("name") != target:
            super().checkout(target)
            self._write([self._ref(name, held) for name, held in self.refs().items()])


@liar("a_checkout_is_one_control_entry", most=3)
class RewritesRefsOnCheckout(LogHonest):
    """Writes all refs anew with each checkout."""

    variants = varying(refs=_Sparing)


class _Emptying(log.Session):
    def clear(self) -> None:
        self.reset()


@liar("clear_keeps_the_history", kinds=["F37"], most=3)
class ClearEmptiesTheRef(LogHonest):
    """Lets the active ref point at nothing when the session is cleared."""

    variants = varying(refs=_Emptying)


class _Detaching(log.Session):
    def reset(self) -> None:
        self.clear()


@liar("a_reset_stays_on_its_ref", kinds=["F32"], most=2)
class ResetDetaches(LogHonest):
    """Detaches the head on reset (D-AP-15)."""

    variants = varying(refs=_Detaching)


class _AtTheHead(log.Session):
    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        super().fork(name, None, checkout)


@liar("a_fork_points_where_it_was_made", also=["an_unknown_target_is_an_error"], kinds=["F33"])
class ForksAtTheHead(LogHonest):
    """Forks at the head, whatever target is named."""

    variants = varying(refs=_AtTheHead)


class _Unborn(log.Session):
    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        super().fork(name, at, checkout)
        self._write([self._ref(name, None)])


@liar("a_fork_points_where_it_was_made", kinds=["F33"])
class ForksAtNothing(LogHonest):
    """Makes refs that point at nothing until the first append."""

    variants = varying(refs=_Unborn)


class _Always(log.Session):
    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        super().fork(name, at, True)


@liar("a_fork_checks_out_unless_told_not_to", kinds=["F33"], most=3)
class AlwaysChecksForksOut(LogHonest):
    """Checks every fork out."""

    variants = varying(refs=_Always)


class _Overtaking(log.Session):
    def _require_free(self, now: log.Snapshot, name: str) -> None:
        pass


@liar("a_fork_never_moves_another_ref", kinds=["F33"], most=5)
class TakesNamesOver(LogHonest):
    """Moves the ref that has the name of a new fork (D-AP-16)."""

    variants = varying(refs=_Overtaking)


class _Lax(log.Session):
    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        if name.endswith(".lock"):
            self._write([self._ref(name, self.snapshot().target)])
        else:
            super().fork(name, at, checkout)


@liar("a_bad_name_is_no_ref", most=2)
class TakesLockNames(LogHonest):
    """Lets a ref's name end in ``.lock``."""

    variants = varying(refs=_Lax)


class _Strict(log.Session):
    def fork(self, name: str, at: str | None = None, checkout: bool = True) -> None:
        if not name.isascii():
            raise log.SessionError("invalid_ref", "ASCII only")
        super().fork(name, at, checkout)


@liar("a_good_name_is_a_ref", most=3)
class TakesAsciiNamesOnly(LogHonest):
    """Refuses names of other scripts."""

    variants = varying(refs=_Strict)


class _Anywhere(log.Session):
    def _standable(self, now: log.Snapshot, entry_id: str) -> bool:
        return entry_id in now.by_id


@liar(
    "the_head_stands_on_conversation_only",
    also=[
        "an_event_is_no_parent",
        "a_control_entry_is_no_parent",
        "a_control_entry_is_checked_before_it_is_stored",
    ],
    kinds=["F30"],
    most=3,
)
class StandsAnywhere(LogHonest):
    """Checks out any id, those of events and control entries included (H7)."""

    variants = varying(refs=_Anywhere)
