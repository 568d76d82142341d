"""Liars about runs: prompts that show too much or too little, turns that are no chain."""

from collections.abc import Iterable, Sequence
from typing import Any

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    Entry,
    Message,
    MessageEntry,
    Rejected,
    Session,
    is_ephemeral,
    user_message,
)
from storelaw_reference.transcript.events import Receipt


@liar(
    "the_model_reads_an_ephemeral_entry_in_its_run",
    also=["the_model_reads_all_messages_of_its_input"],
    kinds=["F40"],
    most=2,
)
class ShowsWhatItStored(HonestMedium):
    """Builds the prompt from the durable entries."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return super()._input_messages([each for each in given if not is_ephemeral(each)])


@liar(
    "the_model_reads_an_input_in_the_order_it_is_given",
    also=["input_reaches_the_model_in_the_order_given"],
    most=2,
)
class PutsRemindersLast(HonestMedium):
    """Moves ephemeral entries behind the rest of the input."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return super()._input_messages(sorted(given, key=is_ephemeral))


@liar(
    "the_model_reads_an_input_in_the_order_it_is_given",
    also=["input_reaches_the_model_in_the_order_given"],
    most=2,
)
class PutsRemindersFirst(HonestMedium):
    """Moves ephemeral entries in front of the rest of the input."""

    class session_class(Session):
        def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
            return super()._input_messages(sorted(given, key=lambda each: not is_ephemeral(each)))


@liar(
    "the_model_reads_an_ephemeral_entry_in_one_run_only",
    also=[
        "a_resumed_session_has_the_same_messages",
        "a_fork_gives_the_model_what_its_source_gives",
        "a_missing_parent_ends_the_path_in_silence",
        "a_cycle_of_parents_ends_the_path",
        "the_path_follows_parents_and_not_positions",
        "a_session_shows_its_active_branch_only",
        "the_summary_takes_the_place_of_what_it_covers",
        "ephemeral_input_is_read_in_one_run_only",
    ],
    kinds=["F40"],
    most=3,
)
class ReplaysReminders(HonestMedium):
    """Shows the model all that the session has taken in, in each run."""

    class session_class(Session):
        def _history(self) -> list[Message]:
            held = [each.message for each in self._log if isinstance(each, MessageEntry)]
            return self._repaired(held)


@liar("a_run_of_only_ephemeral_input_runs", most=2)
class RefusesAnEmptyInput(HonestMedium):
    """Takes an input without durable entries for none."""

    class session_class(Session):
        def run(self, drafts: Iterable[Entry], model: Any) -> list[Receipt]:
            given = list(drafts)
            if given and all(is_ephemeral(each) for each in given):
                raise Rejected(given, "nothing to store")
            return super().run(given, model)


@liar("a_run_is_one_chain", kinds=["F29"], most=2)
class HangsAnswersOffTheInput(HonestMedium):
    """Gives every answer of a turn the input's last entry as its parent."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            def speaking(messages: list[Message]) -> Iterable[Message]:
                start = self._leaf
                for each in model(messages):
                    self._leaf = start
                    yield each

            return super()._turn(drafts, speaking)


@liar("a_run_without_input_goes_on_from_the_leaf", kinds=["F38"], most=2)
class InsertsAnEmptyInput(HonestMedium):
    """Puts an empty user message where a run has no input."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            return super()._turn(drafts or [MessageEntry(user_message(""))], model)


class _Collecting(Session):
    """Writes what a run brings when the run is over."""

    waiting: list[dict[str, Any]] | None = None
    whole = True

    def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
        def speaking(messages: list[Message]) -> Iterable[Message]:
            if not self.whole:
                self.waiting = []
            yield from model(messages)

        if self.whole:
            self.waiting = []
        receipts = super()._turn(drafts, speaking)
        batch, self.waiting = self.waiting, None
        if batch:
            self._store(batch)
        return receipts

    def _store(self, batch: list[dict[str, Any]]) -> None:
        if self.waiting is None:
            super()._store(batch)
        else:
            self.waiting.extend(batch)


@liar(
    "input_is_stored_before_the_model_runs",
    also=[
        "a_model_that_fails_leaves_exactly_the_input",
        "each_answer_is_stored_by_an_append_of_its_own",
    ],
    kinds=["F22"],
    most=2,
)
class WritesTheTurnWhenItIsOver(HonestMedium):
    """Stores input and answers at the end of the run."""

    session_class = _Collecting


class _CollectingAnswers(_Collecting):
    whole = False


@liar("each_answer_is_stored_by_an_append_of_its_own", kinds=["F22"], most=2)
class WritesAnswersAtTheEnd(HonestMedium):
    """Stores the answers of a turn in one append when the run is over."""

    session_class = _CollectingAnswers


@liar("a_model_that_fails_leaves_exactly_the_input", kinds=["F37"], most=2)
class StoresAnApology(HonestMedium):
    """Stores an answer of its own when the model fails."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            try:
                return super()._turn(drafts, model)
            except Exception:
                self._answered(Message("assistant", error="the model failed"))
                raise


@liar(
    "a_model_that_fails_leaves_exactly_the_input",
    also=["input_is_stored_before_the_model_runs"],
    kinds=["F37"],
    most=2,
)
class TakesTheInputBack(HonestMedium):
    """Stores the input only if the model has anything to say to it."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            history = [*self._history(), *self._input_messages(drafts)]
            answered = list(model(history))
            return super()._turn(drafts, lambda _: answered)


@liar("a_run_inside_a_run_is_refused", kinds=["F28"], most=2)
class RunsTwiceAtOnce(HonestMedium):
    """Lets a second run begin while the first goes on."""

    class session_class(Session):
        def _begin(self) -> None:
            self._running = False
            super()._begin()


@liar(
    "a_failed_write_fails_the_run",
    also=["a_receipt_names_only_what_is_stored"],
    kinds=["F20"],
    most=4,
)
class GivesTheReceiptFirst(HonestMedium):
    """Tells that an entry is stored, and lets go of the error when it isn't."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            self._swallows = True
            try:
                return super()._turn(drafts, model)
            finally:
                self._swallows = False

        _swallows = False

        def _store(self, batch: list[dict[str, Any]]) -> None:
            try:
                super()._store(batch)
            except Exception:
                if not self._swallows:
                    raise
