"""Liars about opening: walks that fail on odd parents, sessions that begin anew."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.liars.registry import liar
from storelaw.media.reference import ReferenceMedium
from storelaw_reference.transcript import (
    DecodeError,
    Entry,
    Rejected,
    Session,
    SessionExists,
    SessionNotFound,
    Store,
)

FAR = 40
"""How long a walk goes on that would never end."""


@liar("a_missing_parent_ends_the_path_in_silence", kinds=["F29"], most=3)
class FailsAtAMissingParent(HonestMedium):
    """Raises where a parent can't be found."""

    class session_class(Session):
        def path(self) -> tuple[Entry, ...]:
            path = super().path()
            if path and path[0].header.parent_id not in self._durable and path[0].header.parent_id:
                raise Rejected(path[0].header.parent_id, "no such parent")
            return path


@liar("a_missing_parent_ends_the_path_in_silence", kinds=["F29"], most=3)
class GivesNothingForAPart(HonestMedium):
    """Gives no path where it can't be walked to a root."""

    class session_class(Session):
        def path(self) -> tuple[Entry, ...]:
            path = super().path()
            parent = path[0].header.parent_id if path else ""
            return () if parent and parent not in self._durable else path


class _Circling(Session):
    """A session whose walk follows parents and nothing else."""

    def path(self) -> tuple[Entry, ...]:
        walked: list[Entry] = []
        leaf = self._leaf
        while leaf in self._durable and len(walked) < FAR:
            walked.append(self._durable[leaf])
            leaf = self._durable[leaf].header.parent_id
        return tuple(reversed(walked))


@liar("a_cycle_of_parents_ends_the_path", kinds=["F29"], most=3)
class WalksInCircles(HonestMedium):
    """Walks on where it has been before."""

    session_class = _Circling


@liar(
    "an_id_that_stands_twice_is_on_the_path_once",
    kinds=["F31"],
    most=4,
)
class FollowsTwinsByPosition(ReferenceMedium):
    """Puts every entry on the path whose id is on it."""

    class session_class(Session):
        def path(self) -> tuple[Entry, ...]:
            ids = {each.header.id for each in super().path()}
            return tuple(each for each in self._log if each.header.id in ids)


@liar(
    "the_path_follows_parents_and_not_positions",
    also=[
        "a_branch_above_a_compaction_brings_the_old_view_back",
        "a_fork_copies_the_active_path",
        "a_missing_parent_ends_the_path_in_silence",
        "a_cycle_of_parents_ends_the_path",
        "a_session_shows_its_active_branch_only",
    ],
    kinds=["F30", "F32"],
    most=3,
)
class ReadsFromTheTop(HonestMedium):
    """Takes the whole log for the path."""

    class session_class(Session):
        def path(self) -> tuple[Entry, ...]:
            return tuple(self._durable.values())


class _Undaunted(Session):
    """A session that opens whatever it is given."""

    def __init__(
        self, store: Store, session_id: str, log: Sequence[dict[str, Any]], **named: Any
    ) -> None:
        try:
            super().__init__(store, session_id, log, **named)
        except DecodeError:
            super().__init__(store, session_id, [], **named)


@liar(
    "a_log_that_cannot_be_read_is_an_error",
    kinds=["F17", "F39"],
    most=2,
)
class BeginsAnewOnAnyError(HonestMedium):
    """Opens an empty session where it can't read the log."""

    session_class = _Undaunted


@liar("a_log_that_cannot_be_read_is_an_error", kinds=["F17"], most=2)
class PassesOverTheUnknown(HonestMedium):
    """Leaves out entries of a type that it doesn't know."""

    class session_class(Session):
        def __init__(
            self, store: Store, session_id: str, log: Sequence[dict[str, Any]], **named: Any
        ) -> None:
            known = [each for each in log if each.get("type") != "bogus"]
            super().__init__(store, session_id, known, **named)


@liar("a_load_that_fails_is_not_a_new_session", kinds=["F39"], most=3)
class CreatesWhatItCannotLoad(HonestMedium):
    """Takes any error of a load for a session that isn't there."""

    class session_class(Session):
        @classmethod
        def _loaded(
            cls, store: Store, session_id: str, parent: str | None
        ) -> tuple[Sequence[dict[str, Any]], bool]:
            try:
                return super()._loaded(store, session_id, parent)
            except Exception:
                return [], True


class _Doubting(Session):
    """A session that takes an empty log for none."""

    @classmethod
    def _loaded(
        cls, store: Store, session_id: str, parent: str | None
    ) -> tuple[Sequence[dict[str, Any]], bool]:
        try:
            log: Sequence[dict[str, Any]] = store.load(session_id)
        except SessionNotFound:
            log = ()
        if not log:
            store.create(session_id, parent=parent)
        return log, not log


@liar(
    "a_session_without_entries_opens_again",
    also=["a_session_that_was_created_opens"],
    kinds=["F15"],
    most=2,
)
class TakesEmptyForNone(HonestExplicit):
    """Creates a session whose log is empty, whether it exists or not."""

    session_class = _Doubting


@liar(
    "a_session_that_was_created_opens",
    also=["a_session_without_entries_opens_again"],
    kinds=["F15"],
    most=2,
)
class OpensOnlyItsOwn(HonestExplicit):
    """Opens an empty session only if it has created it itself."""

    class session_class(Session):
        @classmethod
        def _loaded(
            cls, store: Store, session_id: str, parent: str | None
        ) -> tuple[Sequence[dict[str, Any]], bool]:
            own: set[Any] = store.__dict__.setdefault("begun", set())
            log, created = super()._loaded(store, session_id, parent)
            if created:
                own.add(session_id)
            if not log and session_id not in own:
                raise SessionExists(session_id)
            return log, created


@liar(
    "a_resumed_session_goes_on_from_the_stored_log",
    also=[
        "a_session_resumes_at_the_last_entry",
        "a_resumed_session_has_the_same_messages",
        "a_resumed_session_has_the_same_transcript",
        "a_fork_gives_the_model_what_its_source_gives",
        "a_fork_goes_on_from_the_end_of_its_path",
    ],
    kinds=["F29"],
    most=3,
)
class BeginsASecondRoot(HonestMedium):
    """Resumes without a leaf."""

    class session_class(Session):
        def _resume_leaf(self) -> str:
            return ""
