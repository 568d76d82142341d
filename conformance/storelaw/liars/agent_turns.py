"""Liars about what a turn reads, what it stores, and when."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from storelaw.liars.failing import FailingHonestMedium
from storelaw.liars.honest import MANIFEST, claiming
from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference.log import (
    BOUNDARY,
    Agent,
    Answer,
    Entry,
    Input,
    Run,
    Runner,
    developer,
    to_agent_input,
    user,
)

SAID = "a_turn_stores_what_was_said_in_it"
READS = "the_runner_reads_the_history"
LIVE = "the_runner_reads_the_live_input_last"
BOUNDED = "an_interrupt_stores_one_boundary"
SENT = "what_is_sent_during_a_turn_is_stored_in_it"
TRANSFORMED = "the_runner_reads_the_transformed_history"
TELLS = "the_end_of_a_turn_tells_how_it_ended"
NEXT = "the_next_turn_reads_the_compaction"
FOLLOWS = "drained_inputs_follow_the_answer_before_them"
CALLED = "what_is_sent_during_a_turn_gets_its_own_call"


class LogFailing(FailingHonestMedium):
    """The honest medium of the log profile that can be told to fail."""

    manifest = claiming(MANIFEST, name="log-failing", profile="log")
    variants: ClassVar[Mapping[str, Any]] = {}


class _OutputsOnly(Agent):
    def _taken_in(self, live: Sequence[Input], outputs: Sequence[Input]) -> Sequence[Input]:
        return outputs


@liar(SAID, also=[SENT], most=3)
class StoresAnswersOnly(LogHonest):
    """Stores what the runner answered, and not what it was asked."""

    variants = varying(agent=_OutputsOnly)


class _OutputsFirst(Agent):
    def _taken_in(self, live: Sequence[Input], outputs: Sequence[Input]) -> Sequence[Input]:
        return [*outputs, *live]


@liar(SAID, also=[FOLLOWS], most=3)
class StoresTheAnswerFirst(LogHonest):
    """Stores the answer before its question."""

    variants = varying(agent=_OutputsFirst)


class _InputsFirst(Agent):
    def _drive(self, run: Run, runner: Runner) -> list[Entry]:
        asked = [self._made("input", each) for each in run.live]

        def running(shown: list[Input]) -> Any:
            self._store(asked)
            live, run.live = run.live, []
            try:
                return runner(shown)
            except Exception:
                run.live = live
                self._withdraw(asked)
                raise

        try:
            return [*asked, *super()._drive(run, running)]
        finally:
            if run.aborted:
                self._withdraw(asked)

    def _withdraw(self, asked: Sequence[Entry]) -> None:
        ids = {each["id"] for each in asked}
        held = [each for each in self.storage.read() if each["id"] not in ids]
        self.storage.clear()
        self.storage.append(*held)


@liar("a_turn_stores_no_input_before_it_succeeded", most=3)
class StoresTheQuestionFirst(LogHonest):
    """Stores the inputs before the runner has answered, and takes them out if it doesn't."""

    variants = varying(agent=_InputsFirst)


class _KeepsFailed(Agent):
    def _lost(self, run: Run, error: Exception) -> None:
        super()._lost(run, error)
        if not run.aborted:
            self._store([self._made("input", each) for each in run.live])


@liar("a_failed_turn_stores_no_input", most=3)
class KeepsTheInputOfAFailure(LogHonest):
    """Stores the inputs of a turn that failed."""

    variants = varying(agent=_KeepsFailed)


class _Deaf(Agent):
    def _drive(self, run: Run, runner: Runner) -> list[Entry]:
        def running(shown: list[Input]) -> Any:
            answer = runner(shown)
            run.aborted = False
            return answer

        return super()._drive(run, running)


@liar("an_aborted_turn_stores_no_input", also=[TELLS], most=3)
class IgnoresAborts(LogHonest):
    """Doesn't look whether the turn was given up while the runner ran."""

    variants = varying(agent=_Deaf)


class _KeepsAborted(Agent):
    def _lost(self, run: Run, error: Exception) -> None:
        super()._lost(run, error)
        if run.aborted:
            self._store([self._made("input", each) for each in run.live])


@liar("an_aborted_turn_stores_no_input", most=3)
class KeepsTheInputOfAnAbort(LogHonest):
    """Stores the inputs of a turn that was given up."""

    variants = varying(agent=_KeepsAborted)


class _Split(Agent):
    def _store(self, batch: Sequence[Entry]) -> None:
        for each in batch:
            super()._store([each])


@liar("a_turns_inputs_and_outputs_are_stored_together", most=4)
class StoresOneByOne(LogFailing):
    """Stores the inputs and outputs of a turn one after the other."""

    variants = varying(agent=_Split)


class _Rewriting(Agent):
    def _ran(self, run: Run, runner: Runner) -> list[Entry]:
        held = self.storage.read()
        stored = super()._ran(run, runner)
        added = self.storage.read()[len(held) :]
        self.storage.clear()
        self.storage.append(*[{**each, "timestamp": each["timestamp"] + 1} for each in held])
        self.storage.append(*added)
        return stored


@liar(
    "a_turn_changes_nothing_that_is_stored",
    also=["a_compaction_keeps_what_it_covers_in_the_log", "an_agent_reads_the_same_over_a_session"],
    most=3,
)
class WritesTheLogAnew(LogHonest):
    """Writes the whole log with each turn, under new times."""

    variants = varying(agent=_Rewriting)


class _Made(Agent):
    def _drive(self, run: Run, runner: Runner) -> list[Entry]:
        return [{**each, "id": self._new_id()} for each in super()._drive(run, runner)]


@liar("a_turn_answers_with_what_it_stored", most=3)
class AnswersWithOtherIds(LogHonest):
    """Gives back entries that no log holds."""

    variants = varying(agent=_Made)


class _Cached(Agent):
    def _history(self) -> list[Input]:
        self._seen: list[Input] = getattr(self, "_seen", super()._history())
        return self._seen


@liar(READS, also=[TRANSFORMED, NEXT], most=4)
class ReadsTheLogOnce(LogHonest):
    """Reads the history before its first turn, and never again."""

    variants = varying(agent=_Cached)


class _Everything(Agent):
    def _history(self) -> list[Input]:
        return [each["data"] for each in self._entries() if each["type"] in ("input", "state")]


@liar(READS, also=[NEXT], most=4)
class ShowsStates(LogHonest):
    """Sends its states to the model."""

    variants = varying(agent=_Everything)


class _Shown(Agent):
    """Shows the runner something else."""

    def shown(self, history: list[Input], live: list[Input]) -> list[Input]:
        """What the runner reads."""
        return [*history, *live]

    def _drive(self, run: Run, runner: Runner) -> list[Entry]:
        def running(shown: list[Input]) -> Iterable[Input] | Answer:
            history = shown[: len(shown) - len(run.live)]
            return runner(self.shown(history, run.live))

        return super()._drive(run, running)


class _LiveFirst(_Shown):
    def shown(self, history: list[Input], live: list[Input]) -> list[Input]:
        return [*live, *history]


@liar(LIVE, also=[TRANSFORMED, CALLED, NEXT], most=3)
class ShowsTheLiveInputFirst(LogHonest):
    """Shows the question before the history."""

    variants = varying(agent=_LiveFirst)


class _LiveBackwards(_Shown):
    def shown(self, history: list[Input], live: list[Input]) -> list[Input]:
        return super().shown(history, live[::-1])


@liar(LIVE, also=[CALLED], most=3)
class ShowsTheLiveInputBackwards(LogHonest):
    """Shows the newest input of a turn first."""

    variants = varying(agent=_LiveBackwards)


class _TransformsAll(_Shown):
    def shown(self, history: list[Input], live: list[Input]) -> list[Input]:
        entries: Sequence[Entry] = [*self._entries(), *(self._made("input", e) for e in live)]
        for transform in self._transforms:
            entries = transform(entries)
        return to_agent_input(entries)

    def _history(self) -> list[Input]:
        return []


@liar("a_transform_never_touches_live_input", also=[TRANSFORMED], most=3)
class TransformsLiveInput(LogHonest):
    """Lets its transforms see the question too."""

    variants = varying(agent=_TransformsAll)


class _Untransformed(Agent):
    def _history(self) -> list[Input]:
        super()._history()
        return to_agent_input(self._entries())


@liar(TRANSFORMED, also=[NEXT], most=4)
class IgnoresItsTransforms(LogHonest):
    """Calls its transforms, and shows what was before them."""

    variants = varying(agent=_Untransformed)


class _Unbounded(Agent):
    def _is_bounded(self, run: Run) -> bool:
        return False


@liar(BOUNDED, most=3)
class StoresABoundaryForEachCall(LogHonest):
    """Stores a boundary whenever it is interrupted."""

    variants = varying(agent=_Unbounded)


class _Boundless(Agent):
    def _is_bounded(self, run: Run) -> bool:
        return True


@liar(BOUNDED, most=3)
class StoresNoBoundary(LogHonest):
    """Aborts, and doesn't tell the model."""

    variants = varying(agent=_Boundless)


class _AsUser(Agent):
    def _made(self, type: str, data: object) -> Entry:
        return super()._made(type, user(BOUNDARY) if data == developer(BOUNDARY) else data)


@liar("the_boundary_is_a_developers_message", most=3)
class InterruptsAsTheUser(LogHonest):
    """Puts its boundary into the user's mouth."""

    variants = varying(agent=_AsUser)


class _Anytime(Agent):
    def interrupt(self, reason: str = "") -> bool:
        if self._run is None:
            self._store([self._made("input", user(BOUNDARY))])
        return super().interrupt(reason)


@liar("an_interrupt_between_turns_stores_nothing", most=3)
class InterruptsNothing(LogHonest):
    """Stores a boundary where no turn is under way."""

    variants = varying(agent=_Anytime)


class _Losing(Agent):
    def _drain(self, run: Run) -> None:
        run.live, run.pending, run.closed = [], [], True


@liar(SENT, also=[CALLED], most=3)
class LosesWhatIsSent(LogHonest):
    """Ends the turn without looking at its queue."""

    variants = varying(agent=_Losing)


class _Unshown(Agent):
    def _drain(self, run: Run) -> None:
        self._store([self._made("input", each) for each in run.pending])
        run.live, run.pending, run.closed = [], [], True


@liar(CALLED, most=3)
class StoresWithoutAsking(LogHonest):
    """Stores what was sent, and never shows it to the runner in that turn."""

    variants = varying(agent=_Unshown)


class _Collecting(Agent):
    def _ran(self, run: Run, runner: Runner) -> list[Entry]:
        held = len(self.storage.read())
        answers: list[int] = []

        def counting(shown: list[Input]) -> Any:
            answer = runner(shown)
            answers.append(len(shown))
            return answer

        stored = super()._ran(run, counting)
        if len(answers) > 1:
            self._sorted(held)
        return stored

    def _sorted(self, held: int) -> None:
        entries = self.storage.read()
        self.storage.clear()
        spoken = [each for each in entries[held:] if _role(each) == "assistant"]
        rest = [each for each in entries[held:] if _role(each) != "assistant"]
        self.storage.append(*entries[:held], *rest, *spoken)


def _role(each: Entry) -> object:
    return each["data"].get("role")


@liar(FOLLOWS, most=3)
class CollectsTheInputsOfATurn(LogHonest):
    """Stores all inputs of a turn before all its outputs."""

    variants = varying(agent=_Collecting)


class _Raising(Agent):
    def _quietly(self, act: Callable[..., object], *arguments: object) -> None:
        act(*arguments)


@liar("a_failed_state_write_is_not_raised", most=4)
class RaisesWhereItShouldLog(LogFailing):
    """Lets the failure of a state write through."""

    variants = varying(agent=_Raising)
