"""Liars about branching: targets that aren't, leaves that stray, branches that write."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    CompactionEntry,
    CustomEntry,
    Entry,
    Message,
    Rejected,
    Session,
    model_view,
)


@liar(
    "a_branch_to_an_ephemeral_entry_is_refused",
    also=["every_stored_parent_is_stored"],
    kinds=["F29"],
    most=3,
)
class BranchesOntoTheEphemeral(HonestMedium):
    """Looks a branch's target up among all entries that it shows."""

    class session_class(Session):
        def _branchable(self, entry_id: str) -> bool:
            return entry_id in {each.header.id for each in self.entries()}


@liar(
    "a_branch_to_an_unknown_entry_is_refused",
    also=["every_stored_parent_is_stored"],
    kinds=["F29"],
    most=3,
)
class BelievesTheCaller(HonestMedium):
    """Branches to any id but an empty one or an ephemeral entry's."""

    class session_class(Session):
        def _branchable(self, entry_id: str) -> bool:
            fleeting = {each.header.id for each in self.entries()} - set(self._durable)
            return bool(entry_id) and entry_id not in fleeting


@liar("a_branch_to_nothing_is_refused", most=2)
class BranchesToNothing(HonestMedium):
    """Takes the empty id for the place before the first entry."""

    class session_class(Session):
        def _branchable(self, entry_id: str) -> bool:
            return not entry_id or super()._branchable(entry_id)


@liar(
    "a_refused_branch_leaves_the_leaf",
    also=["every_stored_parent_is_stored"],
    kinds=["F29"],
    most=3,
)
class MovesBeforeItChecks(HonestMedium):
    """Sets the leaf, and then finds that the target is none."""

    class session_class(Session):
        def _target(self, entry_id: str) -> str:
            self._leaf = entry_id
            return super()._target(entry_id)


@liar(
    "a_branch_moves_the_leaf_to_its_target",
    also=["an_append_after_a_branch_grows_a_sibling"],
    most=3,
)
class BranchesToTheParent(HonestMedium):
    """Moves the leaf to the entry before the target, so that the target can be said anew."""

    class session_class(Session):
        def _target(self, entry_id: str) -> str:
            target = super()._target(entry_id)
            return self._durable[target].header.parent_id or target


@liar("a_branch_writes_nothing", kinds=["F32"], most=3)
class NotesTheBranch(HonestMedium):
    """Appends a record of the new leaf to the log."""

    class session_class(Session):
        def branch(self, entry_id: str) -> None:
            super().branch(entry_id)
            self._commit([CustomEntry("leaf", {"at": entry_id})])
            self._leaf = entry_id


@liar("an_append_after_a_branch_grows_a_sibling", kinds=["F32"], most=5)
class GoesOnFromTheEnd(HonestMedium):
    """Hangs each append off the last entry of the log, wherever the leaf is."""

    class session_class(Session):
        def _assigned(self, drafts: Sequence[Entry]) -> Any:
            leaf, self._leaf = self._leaf, next(reversed(self._durable), "")
            try:
                return super()._assigned(drafts)
            finally:
                self._leaf = leaf


@liar("a_custom_entry_is_a_branch_target", most=3)
class BranchesToMessagesOnly(HonestMedium):
    """Refuses a branch to a custom entry."""

    class session_class(Session):
        def _branchable(self, entry_id: str) -> bool:
            return not isinstance(self._durable.get(entry_id), CustomEntry) and (
                super()._branchable(entry_id)
            )


@liar("a_compaction_entry_is_a_branch_target", most=5)
class TakesTheBoundaryForAWall(HonestMedium):
    """Refuses a branch to a compaction entry."""

    class session_class(Session):
        def _target(self, entry_id: str) -> str:
            if isinstance(self._durable.get(entry_id), CompactionEntry):
                raise Rejected(entry_id, "a boundary")
            return super()._target(entry_id)


@liar(
    "a_branch_above_a_compaction_brings_the_old_view_back",
    kinds=["F36", "F37"],
    most=7,
)
class CompactsEveryPath(HonestMedium):
    """Puts the last summary of the log before whatever path is read."""

    class session_class(Session):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            last = [each for each in self._log if isinstance(each, CompactionEntry)]
            missing = [each for each in last[-1:] if each not in path]
            return model_view([*path, *missing])
