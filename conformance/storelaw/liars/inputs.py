"""Liars about the input of a run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    CustomEntry,
    Entry,
    Message,
    MessageEntry,
    Receipt,
    Reminder,
    Session,
    is_ephemeral,
    is_injected,
    user_message,
)


def _as_words(entries: Sequence[Entry]) -> list[Message]:
    """Custom entries, as messages that nobody should send."""
    return [user_message(str(e.fields)) for e in entries if isinstance(e, CustomEntry)]


@liar("the_model_reads_all_messages_of_its_input", most=2)
class KeepsMetaFromItsRun(HonestMedium):
    """Stores a meta message and shows it to later runs only."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            read = super()._input_messages(given)
            return [each for each in read if each.injected != "meta"]


@liar(
    "the_model_reads_all_messages_of_its_input",
    also=["the_model_reads_an_ephemeral_entry_in_its_run"],
    most=2,
)
class KeepsEphemeralsFromTheModel(HonestMedium):
    """Shows the model what it has stored."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return super()._input_messages([each for each in given if not is_ephemeral(each)])


@liar("custom_entries_are_never_sent_to_the_model", most=2)
class SendsCustomInput(HonestMedium):
    """Sends every entry of the input in some form."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return [*super()._input_messages(given), *_as_words(given)]


@liar(
    "custom_entries_are_never_sent_to_the_model",
    also=["the_path_follows_parents_and_not_positions"],
    most=3,
)
class ReplaysCustomEntries(HonestMedium):
    """Sends the custom entries of the path with every later run."""

    class session_class(Session):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            return [*_as_words(path), *super()._model_view(path)]


@liar(
    "the_store_keeps_all_input_that_is_not_ephemeral",
    kinds=["F22"],
    most=2,
)
class KeepsMetaInMemory(HonestMedium):
    """Takes meta for another word for ephemeral."""

    class session_class(Session):
        def _is_ephemeral(self, entry: Entry) -> bool:
            return is_injected(entry)


@liar(
    "the_store_keeps_all_input_that_is_not_ephemeral",
    also=["input_is_stored_before_the_model_runs"],
    kinds=["F22"],
    most=2,
)
class KeepsCustomEntriesInMemory(HonestMedium):
    """Stores what the model reads."""

    class session_class(Session):
        def _is_ephemeral(self, entry: Entry) -> bool:
            return isinstance(entry, CustomEntry) or super()._is_ephemeral(entry)


@liar(
    "a_reader_sees_all_input_that_was_not_injected",
    also=["a_reader_sees_everything_after_a_compaction"],
    most=3,
)
class ShowsReadersWhatTheModelReads(HonestMedium):
    """Makes its transcript of messages."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            return [each for each in super().transcript() if not isinstance(each, CustomEntry)]


@liar("a_reader_sees_no_injected_input", most=3)
class ShowsReadersThePath(HonestMedium):
    """Takes the path for the transcript, meta included."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            return list(self.path())


@liar(
    "a_reader_sees_no_injected_input",
    also=["a_resumed_session_has_the_same_transcript"],
    kinds=["F40"],
    most=3,
)
class ShowsReadersEphemerals(HonestMedium):
    """Shows ephemeral messages as long as it holds them in memory."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            return [*super().transcript(), *(e for e in self.entries() if is_ephemeral(e))]


@liar(
    "input_reaches_the_model_in_the_order_given",
    also=["the_model_reads_an_input_in_the_order_it_is_given"],
    most=2,
)
class SortsItsInput(HonestMedium):
    """Puts injected input before what the user says."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return sorted(super()._input_messages(given), key=lambda each: each.injected is None)


@liar(
    "input_reaches_the_model_in_the_order_given",
    also=["the_model_reads_an_input_in_the_order_it_is_given"],
    most=2,
)
class PutsEphemeralsLast(HonestMedium):
    """Shows what it has stored, then the rest."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            read = super()._input_messages(given)
            return sorted(read, key=lambda each: each.injected == "ephemeral")


class _OwnTurn(Session):
    def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
        history = self._history()
        given = self._commit(drafts)
        receipts = [self._receipt(given)]
        for message in model(self.request(history, self._input_messages(given))):
            receipts.extend(self._answered(message))
        return receipts

    def request(self, history: list[Message], given: list[Message]) -> list[Message]:
        """What the model is shown."""
        return [*history, *given]


@liar(
    "history_comes_before_the_input",
    also=["every_call_has_a_result_in_the_view", "the_new_input_is_not_repaired"],
    most=3,
)
class PutsHistoryBehindTheInput(HonestMedium):
    """Builds the request the other way round."""

    class session_class(_OwnTurn):
        def request(self, history: list[Message], given: list[Message]) -> list[Message]:
            return [*given, *history]


@liar(
    "no_input_is_sent_twice",
    also=[
        "input_reaches_the_model_in_the_order_given",
        "the_model_reads_an_input_in_the_order_it_is_given",
    ],
    kinds=["F14"],
    most=2,
)
class SendsItsInputTwice(HonestMedium):
    """Reads the history after the input was stored, and adds the input."""

    class session_class(_OwnTurn):
        def request(self, history: list[Message], given: list[Message]) -> list[Message]:
            return [*self._history(), *given]


@liar("the_model_reads_what_preceded_its_run", most=3)
class SendsTheInputAlone(HonestMedium):
    """Leaves it to the model to remember."""

    class session_class(_OwnTurn):
        def request(self, history: list[Message], given: list[Message]) -> list[Message]:
            return given


@liar(
    "ephemeral_input_is_read_in_one_run_only",
    also=["the_model_reads_an_ephemeral_entry_in_one_run_only"],
    kinds=["F40"],
    most=3,
)
class ReplaysEphemerals(HonestMedium):
    """Keeps what it has shown the model in a list of its own."""

    class session_class(_OwnTurn):
        def request(self, history: list[Message], given: list[Message]) -> list[Message]:
            now = {e.header.id for e in self.entries()[-len(given) :]}
            old = [
                e.message
                for e in self.entries()
                if isinstance(e, MessageEntry) and is_ephemeral(e) and e.header.id not in now
            ]
            return super().request([*history, *old], given)


@liar("a_reminder_inside_a_tool_result_reaches_the_model", most=3)
class KeepsTheTextOfResults(HonestMedium):
    """Shows the model of a later run what a reader saw of a result."""

    class session_class(Session):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            return [_without_reminders(each) for each in super()._model_view(path)]


def _without_reminders(message: Message) -> Message:
    blocks = [each for each in message.content or () if not isinstance(each, Reminder)]
    return replace(message, content=tuple(blocks))
