"""Liars about how an agent's life begins, what its state is, and how it begins anew."""

from collections.abc import Mapping, Sequence
from typing import Any

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference.log import Agent, Entry, Storage

ONCE = "the_initial_input_is_stored_once_for_a_log"
SNAPSHOT = "the_state_is_the_last_snapshot"
RESET = "a_reset_leaves_input_state_and_event"


class _SeedsEmptyLogs(Agent):
    def _unseeded(self, log: Sequence[Entry]) -> bool:
        return not log


@liar("the_initial_input_is_stored_where_there_is_no_input", most=3)
class SeedsEmptyLogs(LogHonest):
    """Asks whether the log is empty."""

    variants = varying(agent=_SeedsEmptyLogs)


class _SeedsAlways(Agent):
    def _unseeded(self, log: Sequence[Entry]) -> bool:
        return True


@liar(ONCE, most=3)
class SeedsAtEachStart(LogHonest):
    """Stores its initial input at each start."""

    variants = varying(agent=_SeedsAlways)


class _Eager(Agent):
    def __init__(self, storage: Storage, **named: Any) -> None:
        super().__init__(storage, **named)
        self.init()


@liar("nothing_is_written_before_init", most=2)
class BeginsAtOnce(LogHonest):
    """Begins in its constructor."""

    variants = varying(agent=_Eager)


class _Forgetful(Agent):
    def init(self) -> None:
        self._ready = False
        super().init()


@liar("init_happens_once", most=5)
class BeginsAgain(LogHonest):
    """Doesn't remember that it began."""

    variants = varying(agent=_Forgetful)


class _FirstState(Agent):
    def _restored(self, log: Sequence[Entry]) -> dict[str, Any]:
        return super()._restored(list(reversed(log)))


@liar(SNAPSHOT, most=4)
class TakesTheFirstSnapshot(LogHonest):
    """Restores the first snapshot."""

    variants = varying(agent=_FirstState)


class _MergedState(Agent):
    def _restored(self, log: Sequence[Entry]) -> dict[str, Any]:
        merged = super()._restored([])
        for each in log:
            merged |= each["data"] if each["type"] == "state" else {}
        return merged


@liar(SNAPSHOT, also=["restoring_takes_what_the_log_says_now"], most=4)
class MergesSnapshots(LogHonest):
    """Lays all snapshots over each other, and over the initial state."""

    variants = varying(agent=_MergedState)


class _EmptyState(Agent):
    def _restored(self, log: Sequence[Entry]) -> dict[str, Any]:
        return super()._restored(log) if not log or self._has_state(log) else {}

    def _has_state(self, log: Sequence[Entry]) -> bool:
        return any(each["type"] == "state" for each in log)


@liar("the_state_is_the_initial_one_without_a_snapshot", most=4)
class BeginsWithAnEmptyState(LogHonest):
    """Has no state where the log holds anything but a snapshot."""

    variants = varying(agent=_EmptyState)


class _Patches(Agent):
    def update_state(self, changes: Mapping[str, Any]) -> None:
        before = self.state
        self._state = {**before, **changes}
        self._store([self._made("state", changes)])


@liar("each_state_change_stores_the_whole_state", most=3)
class StoresPatches(LogHonest):
    """Stores what changed."""

    variants = varying(agent=_Patches)


class _Noisy(Agent):
    def restore(self, state: Mapping[str, Any] | None = None) -> None:
        super().restore(state)
        self.set_state(self.state)


@liar("restoring_the_state_writes_nothing", most=4)
class RestoresByTheSetter(LogHonest):
    """Restores through its setter, which stores."""

    variants = varying(agent=_Noisy)


class _Remembering(Agent):
    def restore(self, state: Mapping[str, Any] | None = None) -> None:
        self.init()


@liar("restoring_takes_what_the_log_says_now", most=7)
class RestoresFromMemory(LogHonest):
    """Takes what it has already for what the log says."""

    variants = varying(agent=_Remembering)


class _ClearsLast(Agent):
    def _renew(self) -> None:
        super()._renew()
        held = self.storage.read()
        self.storage.clear()
        self._store([each for each in held if each["type"] != "event"])


@liar(RESET, also=["a_reset_says_so_in_the_log"], most=4)
class LosesTheMarkOfItsReset(LogHonest):
    """Clears the log once more, and its mark with it."""

    variants = varying(agent=_ClearsLast)


class _Backwards(Agent):
    def _reset_marks(self) -> list[Entry]:
        return super()._reset_marks()[::-1]


@liar(RESET, most=4)
class MarksBeforeTheState(LogHonest):
    """Stores the event of its reset before the state."""

    variants = varying(agent=_Backwards)


class _Keeping(Agent):
    def _emptied(self) -> None:
        held = [each for each in self.storage.read() if each["type"] == "state"]
        super()._emptied()
        self._store(held)


@liar(RESET, most=5)
class KeepsOldStates(LogHonest):
    """Lets old snapshots survive a reset."""

    variants = varying(agent=_Keeping)


class _Grown(Agent):
    def _taken_in(self, live: Sequence[Any], outputs: Sequence[Any]) -> Sequence[Any]:
        self._initial_input[:] = [*self._initial_input[:0], *live][: len(self._initial_input)]
        return super()._taken_in(live, outputs)


@liar("a_reset_begins_with_the_initial_input", most=4)
class ChangesItsInitialInput(LogHonest):
    """Reuses the list of its initial input for the inputs of its turns."""

    variants = varying(agent=_Grown)


class _Shared(Agent):
    def _restored(self, log: Sequence[Entry]) -> dict[str, Any]:
        state = super()._restored(log)
        return self._initial_state if state == self._initial_state else state

    def update_state(self, changes: Mapping[str, Any]) -> None:
        self.init()
        self._state.update(changes)
        self.set_state(self._state)


@liar("a_reset_goes_back_to_the_initial_state", most=4)
class ChangesItsInitialState(LogHonest):
    """Works on the very object that its initial state is."""

    variants = varying(agent=_Shared)


class _Silent(Agent):
    def _reset_marks(self) -> list[Entry]:
        state, event = super()._reset_marks()
        return [state, {**event, "data": {**event["data"], "type": "note"}}]


@liar("a_reset_says_so_in_the_log", most=4)
class ResetsInSilence(LogHonest):
    """Stores an event that doesn't say what happened."""

    variants = varying(agent=_Silent)


class _Detached(Agent):
    def _emptied(self) -> None:
        self.storage.clear()


@liar("a_reset_over_a_session_keeps_the_ref", most=5)
class DetachesAtAReset(LogHonest):
    """Clears the session, which leaves its head on no ref."""

    variants = varying(agent=_Detached)
