"""Liars about forks of sessions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Self

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import Entry, MessageEntry, Session
from storelaw_reference.transcript.forks import Copy


@liar("a_fork_copies_the_active_path", kinds=["F33"], most=5)
class CopiesAbandonedBranches(HonestMedium):
    """Copies the whole log."""

    class session_class(Session):
        def _inherited(self) -> Sequence[Entry]:
            return list(self._durable.values())


@liar("a_fork_gives_fresh_ids", kinds=["F33"], most=3)
class KeepsIds(HonestMedium):
    """Copies entries with their ids."""

    class session_class(Session):
        def _copied(self, path: Sequence[Entry]) -> Copy:
            ids = [each.header.id for each in path]
            copies = self._rekeyed(path, ids)
            return Copy(tuple(ids), [self._codec.encode(each) for each in copies])


@liar(
    "a_fork_is_one_chain_from_a_root",
    also=["every_stored_parent_is_stored"],
    kinds=["F29", "F33"],
    most=3,
)
class KeepsParents(HonestMedium):
    """Gives the child's first entry the source's leaf as its parent."""

    class session_class(Session):
        def _rekeyed(self, path: Sequence[Entry], new_ids: Sequence[str]) -> list[Entry]:
            copies = super()._rekeyed(path, new_ids)
            for first in copies[:1]:
                copies[0] = replace(first, header=replace(first.header, parent_id=self._leaf))
            return copies


@liar("a_fork_keeps_the_times", kinds=["F06"], most=4)
class StampsTheCopies(HonestMedium):
    """Gives copies the time of the fork."""

    class session_class(Session):
        def _rekeyed(self, path: Sequence[Entry], new_ids: Sequence[str]) -> list[Entry]:
            now = "2027-07-07T07:07:07Z"
            return [
                replace(each, header=replace(each.header, created_at=now))
                for each in super()._rekeyed(path, new_ids)
            ]


@liar(
    "a_fork_copies_no_ephemeral_entry",
    also=["a_fork_copies_the_active_path", "a_fork_gives_the_model_what_its_source_gives"],
    kinds=["F40"],
    most=3,
)
class MakesRemindersDurable(HonestMedium):
    """Copies ephemeral entries, without their mark."""

    class session_class(Session):
        def _inherited(self) -> Sequence[Entry]:
            path = {each.header.id for each in self.path()}
            return [
                self._unmarked(each)
                for each in self._log
                if each.header.id in path or self._is_ephemeral(each)
            ]

        def _unmarked(self, entry: Entry) -> Entry:
            if isinstance(entry, MessageEntry) and self._is_ephemeral(entry):
                return replace(entry, message=replace(entry.message, injected=None, origin=""))
            return entry


@liar("a_fork_gives_the_model_what_its_source_gives", kinds=["F33", "F36"], most=7)
class ForgetsTheAnchor(HonestMedium):
    """Leaves the anchor of a copied compaction as it was."""

    class session_class(Session):
        def _remapped(self, entry: Entry, ids: Mapping[str, str]) -> Entry:
            return entry


@liar("a_fork_onto_a_taken_id_is_refused", kinds=["F15", "F33"], most=5)
class ForksOntoAnything(HonestMedium):
    """Appends the path to the session that has the id."""

    class session_class(Session):
        def fork(self, new_id: str) -> Self:
            copies = self._copied(self._inherited()).entries
            self._backing.append(new_id, copies)
            return self._opened(new_id, self._backing.load(new_id))


@liar(
    "a_forked_session_and_its_source_are_independent",
    also=["every_stored_parent_is_stored"],
    kinds=["F33"],
    most=4,
)
class WritesToItsSource(HonestMedium):
    """Lets the child write to the session that it came from."""

    class session_class(Session):
        def fork(self, new_id: str) -> Self:
            child = super().fork(new_id)
            child.id = self.id
            return child


@liar(
    "a_fork_goes_on_from_the_end_of_its_path",
    also=["every_stored_parent_is_stored", "a_fork_gives_the_model_what_its_source_gives"],
    kinds=["F33"],
    most=4,
)
class GoesOnFromTheSource(HonestMedium):
    """Leaves the child with the leaf of its source."""

    class session_class(Session):
        def fork(self, new_id: str) -> Self:
            child = super().fork(new_id)
            child._leaf = self._leaf
            return child


@liar("a_failed_fork_can_be_tried_again", kinds=["F15", "F19"], most=5)
class LeavesAHalfMadeChild(HonestMedium):
    """Creates a child before it copies, and finds it in the way the next time."""

    class session_class(Session):
        begun: tuple[str, ...] = ()

        def fork(self, new_id: str) -> Self:
            if new_id in self.begun:
                self._backing.create(self.id)
            self.begun = (*self.begun, new_id)
            return super().fork(new_id)
