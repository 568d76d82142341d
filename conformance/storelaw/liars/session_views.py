"""Liars about the views of a session."""

from collections.abc import Iterable, Sequence
from typing import Any

from storelaw.families.tolerance import FUTURE
from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import Entry, Message, MessageEntry, Session, is_injected

MESSAGES = "the_messages_of_a_session_are_the_view_of_its_path"
TRANSCRIPT = "the_transcript_of_a_session_is_the_view_of_its_path"


@liar(MESSAGES, most=5)
class KeepsItsHistory(HonestMedium):
    """Reads the history once, and forgets to follow the log."""

    class session_class(Session):
        _kept: list[Message] | None = None

        def messages(self) -> list[Message]:
            if self._kept is None:
                self._kept = super().messages()
            return self._kept


@liar(
    MESSAGES,
    also=[
        "a_missing_parent_ends_the_path_in_silence",
        "a_cycle_of_parents_ends_the_path",
        "the_path_follows_parents_and_not_positions",
        "every_call_has_a_result_in_the_view",
        "a_resumed_session_has_the_same_messages",
        "a_fork_gives_the_model_what_its_source_gives",
    ],
    kinds=["F38"],
    most=5,
)
class WelcomesBack(HonestMedium):
    """Leaves out the last message when it resumes."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Sequence[Any], **more: Any) -> None:
            super().__init__(store, session_id, log, **more)
            self._resumed = len(log)

        def messages(self) -> list[Message]:
            heard = super().messages()
            return heard[:-1] if self._resumed and len(self._log) == self._resumed else heard


@liar(TRANSCRIPT, most=5)
class KeepsItsTranscript(HonestMedium):
    """Makes the transcript once, and forgets to follow the log."""

    class session_class(Session):
        _kept: list[Entry] | None = None

        def transcript(self) -> list[Entry]:
            if self._kept is None:
                self._kept = super().transcript()
            return self._kept


@liar(
    TRANSCRIPT,
    also=[
        "a_session_shows_legacy_meta_entries",
        "a_log_of_another_writer_opens",
        "a_resumed_session_has_the_same_transcript",
    ],
    kinds=["F38"],
    most=5,
)
class ShowsThisInstanceOnly(HonestMedium):
    """Shows its reader what was said since it was opened."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Sequence[Any], **more: Any) -> None:
            super().__init__(store, session_id, log, **more)
            self._past = {each.header.id for each in self._log}

        def transcript(self) -> list[Entry]:
            return [each for each in super().transcript() if each.header.id not in self._past]


@liar("a_session_shows_its_active_branch_only", kinds=["F32"], most=5)
class ShowsTheWholeLog(HonestMedium):
    """Makes its transcript from the first line of the log to the last."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            return [each for each in self._durable.values() if not is_injected(each)]


@liar(
    "a_session_shows_its_active_branch_only",
    also=[
        "the_summary_takes_the_place_of_what_it_covers",
        "a_missing_parent_ends_the_path_in_silence",
        "a_cycle_of_parents_ends_the_path",
        "the_path_follows_parents_and_not_positions",
        "every_call_has_a_result_in_the_view",
    ],
    kinds=["F32"],
    most=5,
)
class TellsTheModelEverything(HonestMedium):
    """Makes its history from the first line of the log to the last."""

    class session_class(Session):
        def messages(self) -> list[Message]:
            return [e.message for e in self._durable.values() if isinstance(e, MessageEntry)]


def _translated(entry: dict[str, Any]) -> dict[str, Any]:
    if entry.get("meta") is not True:
        return entry
    return {**entry, "message": {**entry["message"], "injected": "meta"}}


@liar("a_session_shows_legacy_meta_entries", also=["a_legacy_meta_entry_begins_a_turn"], most=4)
class TranslatesLegacyMeta(HonestMedium):
    """Reads the old flag as the new marker."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Sequence[Any], **more: Any) -> None:
            super().__init__(store, session_id, [_translated(each) for each in log], **more)


@liar("a_log_of_another_writer_opens", kinds=["F17"], most=3)
class OpensKnownMembersOnly(HonestMedium):
    """Decodes its log strictly."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Sequence[Any], **more: Any) -> None:
            if any(FUTURE in each for each in log):
                raise TypeError(f"unexpected member {FUTURE!r}")
            super().__init__(store, session_id, log, **more)


@liar(
    "a_log_of_another_writer_opens",
    also=[
        "the_path_follows_parents_and_not_positions",
        "a_log_that_cannot_be_read_is_an_error",
        "a_resumed_session_has_the_same_messages",
        "a_resumed_session_has_the_same_transcript",
        "the_entries_of_a_resumed_session_are_the_stored_ones",
        "a_session_resumes_at_the_last_entry",
        "a_fork_gives_the_model_what_its_source_gives",
    ],
    kinds=["F29"],
    most=3,
)
class DropsUnknownKinds(HonestMedium):
    """Leaves out custom entries that it has no decoder for, and what hangs above them."""

    class session_class(Session):
        def __init__(self, store: Any, session_id: str, log: Iterable[Any], **more: Any) -> None:
            known = [each for each in log if each.get("kind", "registered") == "registered"]
            super().__init__(store, session_id, known, **more)
