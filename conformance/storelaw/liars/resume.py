"""Liars about resuming: sessions that come back as somebody else, and stores that help them."""

from collections.abc import Sequence
from typing import Any

from storelaw.engine import EngineSession
from storelaw.liars.chain import Direct
from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    CompactionEntry,
    Entry,
    Message,
    MessageEntry,
    Rejected,
    Session,
    repaired,
)

BROKEN_LEAF = [
    "a_resumed_session_has_the_same_messages",
    "a_resumed_session_has_the_same_transcript",
]


class _Resumed(Session):
    """A session that knows how much of its log it has read from the store."""

    read = 0

    def _resume_leaf(self) -> str:
        self.read = len(self._log)
        return super()._resume_leaf()


@liar(
    "a_resumed_session_has_the_same_messages",
    also=[
        "a_fork_gives_the_model_what_its_source_gives",
        "a_missing_parent_ends_the_path_in_silence",
        "a_cycle_of_parents_ends_the_path",
        "the_path_follows_parents_and_not_positions",
        "the_messages_of_a_session_are_the_view_of_its_path",
    ],
    kinds=["F38"],
    most=6,
)
class ForgetsHowItBegan(HonestMedium):
    """Leaves the first message out when it resumes."""

    class session_class(_Resumed):
        def _history(self) -> list[Message]:
            return super()._history()[1 if self.read else 0 :]


@liar("a_resumed_session_has_the_same_transcript", kinds=["F22", "F38"], most=6)
class ShowsFromMemory(HonestMedium):
    """Shows custom entries as long as it is live."""

    class session_class(_Resumed):
        def transcript(self) -> list[Entry]:
            shown = super().transcript()
            if self.read:
                return [each for each in shown if isinstance(each, MessageEntry)]
            return shown


@liar("the_entries_of_a_resumed_session_are_the_stored_ones", kinds=["F22"], most=5)
class BeginsALogOfItsOwn(HonestMedium):
    """Tells as its entries what it took in since it was opened."""

    class session_class(_Resumed):
        def entries(self) -> list[Entry]:
            return super().entries()[self.read :]


@liar(
    "a_session_resumes_at_the_last_entry",
    also=[
        *BROKEN_LEAF,
        "a_fork_gives_the_model_what_its_source_gives",
        "a_fork_goes_on_from_the_end_of_its_path",
        "a_resumed_session_goes_on_from_the_stored_log",
    ],
    kinds=["F04", "F32"],
    most=3,
)
class ResumesAtTheNewest(HonestMedium):
    """Takes the entry with the latest creation time for the leaf."""

    class session_class(Session):
        def _resume_leaf(self) -> str:
            newest = max(self._log, key=lambda each: each.header.created_at, default=None)
            return newest.header.id if newest else ""


@liar("a_session_resumes_at_the_last_entry", kinds=["F30", "F32"], most=5)
class ResumesAtTheLastMessage(HonestMedium):
    """Takes the last message for the leaf, whatever the application has put behind it."""

    class session_class(Session):
        def _resume_leaf(self) -> str:
            messages = [each for each in self._log if isinstance(each, MessageEntry)]
            return messages[-1].header.id if messages else ""


class _Remembering(Session):
    """A session that keeps its leaf beside the log."""

    leaves: dict[str, str]

    def branch(self, entry_id: str) -> None:
        super().branch(entry_id)
        self.leaves[self.id] = entry_id


@liar("a_session_resumes_at_the_last_entry", kinds=["F32"], most=6)
class RemembersTheBranch(HonestMedium):
    """Resumes where the session was branched to last."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that goes back to its branch."""
        leaves: dict[str, str] = self.__dict__.setdefault("leaves", {})
        opened = _Remembering.open(Direct(handle), session_id)
        opened.leaves = leaves
        if session_id in leaves:
            opened.branch(leaves[session_id])
        return EngineSession(opened)


@liar(
    "opening_a_session_writes_nothing",
    also=["a_resumed_session_has_the_same_messages"],
    kinds=["F38"],
)
class GreetsOnResume(HonestMedium):
    """Adds a start-up message each time that it is opened."""

    class session_class(Session):
        @classmethod
        def open(cls, *args: Any, **named: Any) -> Any:
            opened = super().open(*args, **named)
            if opened._log:
                opened._commit([MessageEntry(Message("user", (), injected="meta"))])
            return opened


@liar(
    "reading_a_session_writes_nothing",
    also=["a_made_up_result_is_never_stored"],
    kinds=["F34", "F38", "F39"],
    most=3,
)
class StoresTheRepair(HonestMedium):
    """Stores the results that it makes up, when its messages are read."""

    class session_class(Session):
        def messages(self) -> list[Message]:
            given = list(self._model_view(self.path()))
            made = [each for each in repaired(given) if each not in given]
            self._commit([MessageEntry(each) for each in made])
            return super().messages()


class _Cutting(Session):
    """A session that takes out of its log what a summary covers."""

    handle: Any

    def compact(self, summarize: Any, keep_turns: int) -> CompactionEntry | None:
        entry = super().compact(summarize, keep_turns)
        if entry is not None:
            log = self.handle.load(self.id)
            ids = [each["id"] for each in log]
            start = ids.index(entry.first_kept_id) if entry.first_kept_id in ids else len(ids) - 1
            self.handle.replace(self.id, log[start:])
        return entry


@liar(
    "a_session_only_adds_to_its_stored_log",
    also=["a_compaction_removes_nothing_from_the_log"],
    kinds=["F36"],
    most=4,
)
class CutsOffWhatItSummarized(HonestMedium):
    """Removes the entries that a compaction stands for."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that may replace its log."""
        opened = _Cutting.open(Direct(handle), session_id)
        opened.handle = handle
        return EngineSession(opened)


@liar(
    "a_compaction_holds_after_a_restart",
    also=["a_fork_gives_the_model_what_its_source_gives"],
    kinds=["F36"],
    most=7,
)
class ForgetsTheSummaryOnResume(HonestMedium):
    """Gives the model the whole history when it resumes."""

    class session_class(_Resumed):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            read = set(list(self._durable)[: self.read])
            return super()._model_view(
                [
                    each
                    for each in path
                    if not (isinstance(each, CompactionEntry) and each.header.id in read)
                ]
            )


@liar("two_live_sessions_grow_siblings", kinds=["F32"], most=5)
class JoinsTheOther(HonestMedium):
    """Goes on from whatever came last in the store."""

    class session_class(Session):
        def _assigned(self, drafts: Sequence[Entry]) -> Any:
            own, log = self._leaf, self._backing.load(self.id)
            if log and log[-1]["id"] not in self._durable:
                self._leaf = log[-1]["id"]
            try:
                return super()._assigned(drafts)
            finally:
                self._leaf = own


@liar("two_live_sessions_grow_siblings", kinds=["F26"], most=5)
class RefusesTheSecond(HonestMedium):
    """Refuses to append where another session has appended."""

    class session_class(Session):
        def _store(self, batch: list[dict[str, Any]]) -> None:
            if len(self._backing.load(self.id)) != len(self._durable):
                raise Rejected(self.id, "out of date")
            super()._store(batch)


class _Owning(Session):
    """A session that writes its whole log."""

    handle: Any

    def _store(self, batch: list[dict[str, Any]]) -> None:
        own = [self._codec.encode(each) for each in self._durable.values()]
        self.handle.replace(self.id, [*own, *batch])


@liar(
    "two_live_sessions_lose_nothing",
    kinds=["F24", "F28"],
    most=5,
)
class WritesTheWholeLog(HonestMedium):
    """Writes back the log as it knows it with each append."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that replaces its log."""
        opened = _Owning.open(Direct(handle), session_id)
        opened.handle = handle
        return EngineSession(opened)


@liar("a_closed_session_runs_no_more", kinds=["F59"], most=3)
class ReopensInSilence(HonestMedium):
    """Runs on after it was closed."""

    class session_class(Session):
        def close(self) -> None:
            pass


class _Locking(EngineSession):
    """A session that notes its end in a shared place."""

    closed: set[Any]
    key: Any

    def close(self) -> None:
        super().close()
        self.closed.add(self.key)


@liar("a_closed_session_can_be_opened_again", kinds=["F28", "F59"], most=3)
class LeavesItsLock(HonestMedium):
    """Refuses to open a session that was closed."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session, unless its lock lies there."""
        closed: set[Any] = self.__dict__.setdefault("closed", set())
        if session_id in closed:
            raise Rejected(session_id, "locked")
        opened = _Locking(Session.open(Direct(handle), session_id))
        opened.closed, opened.key = closed, session_id
        return opened
