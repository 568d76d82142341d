"""Liars about what is seen of a compacted session."""

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
)


@liar("kept_turns_stay_in_a_sessions_messages", kinds=["F36"], most=7)
class ForgetsWhatTheFirstOneKept(HonestMedium):
    """Loses what is kept at the second compaction."""

    class session_class(Session):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            places = [at for at, each in enumerate(path) if isinstance(each, CompactionEntry)]
            if len(places) < 2:
                return super()._model_view(path)
            return super()._model_view(path[places[-1] :])


@liar(
    "the_summary_takes_the_place_of_what_it_covers",
    also=["the_path_follows_parents_and_not_positions"],
    kinds=["F36"],
    most=5,
)
class ReadsPastTheBoundary(HonestMedium):
    """Stores the boundary and shows the whole history behind the summary."""

    class session_class(Session):
        def messages(self) -> list[Message]:
            path = self.path()
            whole = [each for each in path if isinstance(each, MessageEntry)]
            heard = super().messages()
            return heard if len(whole) == len(path) else [heard[0], *model_view(whole)]


@liar("the_summary_takes_the_place_of_what_it_covers", kinds=["F36"], most=5)
class LosesTheSummary(HonestMedium):
    """Cuts the history and has nothing to show for it."""

    class session_class(Session):
        def messages(self) -> list[Message]:
            heard = super().messages()
            compacted = any(isinstance(each, CompactionEntry) for each in self.path())
            return heard[1:] if compacted else heard


@liar("what_is_said_after_a_compaction_is_heard", kinds=["F36"], most=5)
class StaysAtTheSummary(HonestMedium):
    """Answers with the view that the compaction made."""

    class session_class(Session):
        def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
            places = [at for at, each in enumerate(path) if isinstance(each, CompactionEntry)]
            return super()._model_view(path[: places[-1] + 1] if places else path)


@liar("a_reader_sees_everything_after_a_compaction", kinds=["F36"], most=5)
class ShowsWhatIsLeft(HonestMedium):
    """Gives its reader what is left for the model."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            shown = super().transcript()
            places = [at for at, each in enumerate(shown) if isinstance(each, CompactionEntry)]
            return shown[places[-1] :] if places else shown


@liar("a_reader_sees_everything_after_a_compaction", most=5)
class HidesTheSummary(HonestMedium):
    """Hides compaction entries from its reader."""

    class session_class(Session):
        def transcript(self) -> list[Entry]:
            return [each for each in super().transcript() if not isinstance(each, CompactionEntry)]


@liar("what_is_said_during_a_compaction_is_heard", kinds=["F36"], most=5)
class HangsTheSummaryOffTheOldLeaf(HonestMedium):
    """Puts the finished summary beside what came meanwhile."""

    class session_class(Session):
        def _require_leaf(self, leaf: str) -> None:
            self._leaf = leaf
