"""Liars about what a summarizer reads."""

from collections.abc import Sequence

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    CompactionEntry,
    Entry,
    Message,
    MessageEntry,
    Session,
    model_view,
    user_message,
)
from storelaw_reference.transcript.sessions import INSTRUCTION

SUMMARIZER = "the_summarizer_reads_what_it_summarizes"


class _Reading(Session):
    def _summary_input(self, prefix: Sequence[Entry]) -> list[Message]:
        return [*self.read(prefix), user_message(INSTRUCTION)]

    def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
        """What the summarizer is shown of the prefix."""
        return self._repaired(self._model_view(prefix))


@liar(SUMMARIZER, most=5)
class SummarizesWithoutMeta(HonestMedium):
    """Keeps injected context from the summarizer."""

    class session_class(_Reading):
        def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
            return [each for each in super().read(prefix) if each.injected is None]


@liar(SUMMARIZER, also=["the_summarizer_reads_the_earlier_summary"], most=4)
class SummarizesTheLastTurnOnly(HonestMedium):
    """Shows the summarizer the last two messages of what it cuts."""

    class session_class(_Reading):
        def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
            return super().read(prefix)[-1:]


@liar("the_summarizer_reads_no_kept_turn", most=4)
class SummarizesEverything(HonestMedium):
    """Shows the summarizer the kept turns too."""

    class session_class(_Reading):
        def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
            return self._history()


@liar("the_summarizer_reads_the_earlier_summary", kinds=["F36"], most=5)
class SummarizesTheRawLog(HonestMedium):
    """Starts from the raw text again."""

    class session_class(_Reading):
        def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
            return model_view([each for each in prefix if isinstance(each, MessageEntry)])


@liar("the_summarizer_reads_the_earlier_summary", kinds=["F36"], most=5)
class ForgetsTheEarlierSummary(HonestMedium):
    """Summarizes only what came after the last summary."""

    class session_class(_Reading):
        def read(self, prefix: Sequence[Entry]) -> Sequence[Message]:
            compacted = any(isinstance(each, CompactionEntry) for each in prefix)
            return super().read(prefix)[1:] if compacted else super().read(prefix)


@liar("the_instruction_to_the_summarizer_comes_last", most=4)
class InstructsFirst(HonestMedium):
    """Asks first, and lets the conversation have the last word."""

    class session_class(Session):
        def _summary_input(self, prefix: Sequence[Entry]) -> list[Message]:
            *messages, instruction = super()._summary_input(prefix)
            return [instruction, *messages]
