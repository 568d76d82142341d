"""Liars about the events of an agent's log, and about its forks."""

from typing import Any, Self

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference.log import Agent, Entry, Run, Runner, Storage

ENDS = "a_turn_that_begins_in_the_log_ends_in_it"
TELLS = "the_end_of_a_turn_tells_how_it_ended"
WHY = "the_log_tells_why_a_turn_failed"
KEEPS = "a_failed_turn_keeps_its_input_in_an_event"
INHERITS = "a_forked_agent_has_the_entries_of_its_source"
ANEW = "a_forked_agent_begins_anew_as_itself"
ALONE = "a_fork_leaves_its_source_alone"


class _Endless(Agent):
    def _lost(self, run: Run, error: Exception) -> None:
        """Nothing."""


@liar(ENDS, also=[KEEPS], most=3)
class LeavesItsTurnsOpen(LogHonest):
    """Stores no end of a turn that went wrong."""

    variants = varying(agent=_Endless)


class _Twice(Agent):
    def _ran(self, run: Run, runner: Runner) -> list[Entry]:
        try:
            return super()._ran(run, runner)
        except Exception:
            self._event("turn.done", run)
            raise


@liar(ENDS, also=[TELLS], most=3)
class EndsTwice(LogHonest):
    """Stores a happy end behind each other one."""

    variants = varying(agent=_Twice)


class _Failing(Agent):
    def _event(self, type: str, run: Run, **members: object) -> None:
        super()._event("turn.failed" if type == "turn.aborted" else type, run, **members)


@liar(TELLS, most=3)
class CallsAnAbortAFailure(LogHonest):
    """Has one end for all that goes wrong."""

    variants = varying(agent=_Failing)


class _Renamed(Agent):
    def _event(self, type: str, run: Run, **members: object) -> None:
        ended = type == "turn.done"
        super()._event(type, Run(self._new_id(), []) if ended else run, **members)


@liar("the_events_of_a_turn_name_one_turn", most=3)
class EndsAnotherTurn(LogHonest):
    """Draws a new id for the end of a turn."""

    variants = varying(agent=_Renamed)


class _Numbered(Agent):
    def _begun(self, live: list[dict[str, Any]]) -> Run:
        run = super()._begun(live)
        run.id = "turn"
        return run


@liar("the_events_of_a_turn_name_one_turn", most=4)
class CallsAllTurnsTheSame(LogHonest):
    """Has one id for all its turns."""

    variants = varying(agent=_Numbered)


class _Wordless(Agent):
    def _told(self, error: Exception) -> dict[str, str]:
        return {}


@liar(WHY, most=3)
class StoresTheErrorObject(LogHonest):
    """Stores the error itself, of which JSON keeps nothing."""

    variants = varying(agent=_Wordless)


class _Dropping(Agent):
    def _lost(self, run: Run, error: Exception) -> None:
        run.live, run.pending = [], []
        super()._lost(run, error)


@liar(KEEPS, most=3)
class LosesTheInputOfAFailure(LogHonest):
    """Keeps nothing of what was said in a turn that failed."""

    variants = varying(agent=_Dropping)


class _Telling(Agent):
    def emit(self, payload: Any, channel: str | None = None) -> Entry:
        return self._made("event", payload)


@liar("an_event_is_stored_once", most=3)
class TellsListenersOnly(LogHonest):
    """Makes an entry of an event and stores none."""

    variants = varying(agent=_Telling)


class _Known(Agent):
    def emit(self, payload: Any, channel: str | None = None) -> Entry:
        return super().emit(payload if channel else {"type": payload["type"]}, channel)


@liar("an_event_says_what_it_was_told", most=3)
class KeepsKnownMembers(LogHonest):
    """Stores the members of an event that it knows."""

    variants = varying(agent=_Known)


class _Nameless(Agent):
    def _on_channel(self, payload: Any, channel: str) -> dict[str, Any]:
        return {"type": "channel", "payload": payload}


@liar("an_event_of_a_channel_names_it", most=3)
class ForgetsTheChannel(LogHonest):
    """Stores the payload of a channel's event without the channel."""

    variants = varying(agent=_Nameless)


class _Answering(Agent):
    def emit(self, payload: Any, channel: str | None = None) -> Entry:
        return {**super().emit(payload, channel), "id": self._new_id()}


@liar("recording_an_event_returns_its_entry", most=3)
class AnswersWithAnotherEntry(LogHonest):
    """Answers with an entry that it didn't store."""

    variants = varying(agent=_Answering)


class _InputsOnly(Agent):
    def _inherited(self) -> list[Entry]:
        return [each for each in super()._inherited() if each["type"] == "input"]


@liar(INHERITS, most=5)
class InheritsInputsOnly(LogHonest):
    """Copies the inputs into the child's log, and nothing else."""

    variants = varying(agent=_InputsOnly)


class _Renaming(Agent):
    def _inherited(self) -> list[Entry]:
        return [{**each, "id": self._new_id()} for each in super()._inherited()]


@liar(INHERITS, most=5)
class InheritsUnderNewIds(LogHonest):
    """Copies the entries under new ids."""

    variants = varying(agent=_Renaming)


class _Generous(Agent):
    def fork(self, storage: Storage, *, inherit: bool = True, **named: Any) -> Self:
        return super().fork(storage, inherit=True, **named)


@liar("a_fork_inherits_nothing_where_told_so", most=4)
class InheritsAnyway(LogHonest):
    """Copies its entries also where it was told not to."""

    variants = varying(agent=_Generous)


class _Doubling(Agent):
    def _bequeath(self, storage: Storage) -> None:
        storage.append(*[{**each, "id": self._new_id()} for each in self._inherited()])


@liar("a_fork_into_its_own_log_is_refused", also=[INHERITS], most=4)
class InheritsIntoItself(LogHonest):
    """Copies without a look at where to, under new ids."""

    variants = varying(agent=_Doubling)


class _Sharing(Agent):
    def fork(self, storage: Storage, *, inherit: bool = True, **named: Any) -> Self:
        child = super().fork(storage, inherit=inherit, **named)
        child.storage = self.storage
        return child


@liar(ALONE, also=[ANEW], most=5)
class SharesItsStorage(LogHonest):
    """Lets its child write into its own log."""

    variants = varying(agent=_Sharing)


class _Baseline(Agent):
    def fork(self, storage: Storage, *, inherit: bool = True, **named: Any) -> Self:
        named["initial_input"], named["initial_state"] = self._initial_input, self._initial_state
        return super().fork(storage, inherit=inherit, **named)


@liar(ANEW, most=5)
class PassesOnItsBeginning(LogHonest):
    """Gives its child its own initial input and state."""

    variants = varying(agent=_Baseline)
