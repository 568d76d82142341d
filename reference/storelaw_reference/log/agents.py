"""Agents: one life over one storage, from the first input to the reset.

Each rule sits in one small method that a subclass can break.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import RLock
from typing import Any, Self

from storelaw_reference.log.compactions import Compactor
from storelaw_reference.log.entries import Entry, checked_log, clock_ms, entry, last_of, random_id
from storelaw_reference.log.errors import Aborted, Damaged, Rejected
from storelaw_reference.log.inputs import Input, developer, to_agent_input
from storelaw_reference.log.runs import Answer, Run, Runner
from storelaw_reference.log.storages import Storage, place_of
from storelaw_reference.log.values import copied, is_object, normal

Transform = Callable[[Sequence[Entry]], Sequence[Entry]]

BOUNDARY = "<turn_aborted>\nThe turn before this was interrupted on purpose.\n</turn_aborted>"
"""What the next turn reads after an interrupt (AP-L9)."""

_log = logging.getLogger(__name__)


class Agent:
    """An agent over a storage: a plain one, or a session (AP-M7).

    Nothing is written before `init`, which every other operation calls
    first. Turns come one after another; inside a runner `send`, `abort`,
    `interrupt`, `reset` and the state may be called, but no second turn.
    `transforms` rewrite the history of a turn, never its live input.
    Rules: AP-L2, AP-L6, AP-L10, AP-M8, AP-N1, D-AP-10.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        initial_input: Iterable[Input] = (),
        initial_state: Mapping[str, Any] | None = None,
        transforms: Iterable[Transform] = (),
        compactor: Compactor | None = None,
        new_id: Callable[[], str] = random_id,
        now: Callable[[], int] = clock_ms,
    ) -> None:
        self.storage = storage
        self._initial_input: list[Input] = self._own(list(initial_input))
        self._initial_state: dict[str, Any] = self._own(initial_state or {})
        self._transforms, self._compactor = tuple(transforms), compactor
        self._new_id, self._now = new_id, now
        self._state: dict[str, Any] = copied(self._initial_state)
        self._ready = False
        self._run: Run | None = None
        self._turns, self._guard = RLock(), RLock()

    @property
    def state(self) -> dict[str, Any]:
        """The present state, as a copy. Rules: AP-L4, D-AP-10."""
        return copied(self._state)

    def init(self) -> None:
        """Load the state, and store the initial input if the log has no input entry.

        Does so once, however often and from wherever it is called. Raises
        `Damaged` for a log of anything but entries. Rules: AP-L1, AP-L2, AP-L3, AP-L4, AP-G1.
        """
        with self._guard:
            if self._ready:
                return
            log = self._entries()
            self._state = self._restored(log)
            if self._unseeded(log):
                self._store(self._seeds())
            self._ready = True

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Put a state in place of the present one, and store a snapshot.

        If the storage fails, that is logged and not raised. Rules: AP-L5, D-AP-10.
        """
        self.init()
        with self._guard:
            self._state = normal(state)
            self._quietly(self._store, [self._made("state", self._snapshot(state))])

    def update_state(self, changes: Mapping[str, Any]) -> None:
        """Put some members of the state in place, and store all of it. Rule: AP-L5."""
        self.init()
        with self._guard:
            self.set_state({**self._state, **changes})

    def restore(self, state: Mapping[str, Any] | None = None) -> None:
        """Take a state, or for None the last one stored; nothing is written.

        Rules: AP-L4, AP-L5, AP-E2.
        """
        self.init()
        with self._guard:
            self._state = self._restored(self._entries()) if state is None else normal(state)

    def emit(self, payload: Any, channel: str | None = None) -> Entry:
        """Store an event, and return its entry.

        Without a channel the payload is an event with a `type`; a turn id is
        added if it lacks one. With one, the payload is any JSON and is kept
        beside the channel's name. Rules: AP-E1, D-AP-18.
        """
        self.init()
        event: object = payload if channel is None else self._on_channel(payload, channel)
        if not is_object(event) or not isinstance(event.get("type"), str):
            raise Rejected(f"an event is an object with a type: {event!r:.200}")
        turn = self._run.id if self._run else self._new_id()
        made = self._made("event", {"turnId": turn, **event})
        self._store([made])
        return copied(made)

    def turn(self, inputs: Iterable[Input], runner: Runner) -> list[Entry]:
        """Run a turn on the history and new inputs; return the input entries it stored.

        Inputs and outputs are stored together once the runner has succeeded;
        inputs sent meanwhile are drained into the turn, each time with a
        runner call and a storage call of their own. A failed or aborted turn
        leaves events only, and those carry the inputs that were not taken in.
        Raises what the runner raised, `Aborted` for a turn given up, and
        `Rejected` inside another turn.
        Rules: AP-L8, AP-L10, AP-L11, AP-M1, AP-M8, AP-V1, D-AP-9, D-AP-21.
        """
        given: list[Input] = self._own(list(inputs))
        self.init()
        with self._turns:
            run = self._begun(given)
            try:
                stored = self._ran(run, runner)
                self._compact(run)
                return stored
            finally:
                self._finished(run)

    def send(self, *inputs: Input) -> None:
        """Queue inputs for the turn under way; `Rejected` where there is none. Rule: AP-L11."""
        given: list[Input] = self._own(list(inputs))
        with self._guard:
            if self._run is None or self._run.closed:
                raise Rejected("no turn is under way")
            self._event("turn.input_queued", self._run)
            self._run.pending += given

    def abort(self, reason: str = "") -> bool:
        """Give up the turn under way; tell whether there was one. Rule: AP-L8."""
        with self._guard:
            if self._run is None or self._run.closed:
                return False
            self._run.aborted, self._run.reason = True, reason
            return True

    def interrupt(self, reason: str = "") -> bool:
        """Give up the turn under way, and store one input that tells the model so.

        Return whether it was stored: once in each turn. Rules: AP-L8, AP-L9.
        """
        with self._guard:
            if not self.abort(reason) or not self._run or self._is_bounded(self._run):
                return False
            self._store([self._made("input", developer(BOUNDARY))])
            self._run.bounded = True
            return True

    def reset(self) -> None:
        """Begin anew: empty the log, then store initial input, initial state and one event.

        A turn under way is given up, and what was queued for it dropped;
        called from inside the turn, the rest happens at its end. Over a
        session the active ref begins anew. Rules: AP-L7, D-AP-15.
        """
        self.abort("reset")
        with self._turns:
            if self._run is None:
                self._renew()
            else:
                self._run.resets = True

    def fork(
        self,
        storage: Storage,
        *,
        inherit: bool = True,
        initial_input: Iterable[Input] = (),
        initial_state: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return an agent over another storage, with the present entries unless told not to.

        The child's own initial input and state are what its reset goes back
        to. Raises `Rejected` if the child would inherit into this agent's
        storage. Rules: AP-K2, D-AP-14.
        """
        self.init()
        if inherit:
            self._bequeath(storage)
        return type(self)(
            storage,
            initial_input=initial_input,
            initial_state=initial_state,
            transforms=self._transforms,
            compactor=self._compactor,
            new_id=self._new_id,
            now=self._now,
        )

    # Storing

    def _own(self, value: Any) -> Any:
        """A value as the agent keeps it, shared with nobody."""
        return normal(value)

    def _entries(self) -> list[Entry]:
        try:
            return checked_log(self.storage.read())
        except Rejected as error:
            raise Damaged(f"the log holds what is no entry: {error}") from error

    def _store(self, batch: Sequence[Entry]) -> None:
        """Hand a batch to the storage, in one call."""
        if batch:
            self.storage.append(*batch)

    def _made(self, type: str, data: object) -> Entry:
        return entry(type, data, new_id=self._new_id, now=self._now)

    def _event(self, type: str, run: Run, **members: object) -> None:
        self._store([self._made("event", {"type": type, "turnId": run.id, **members})])

    def _on_channel(self, payload: Any, channel: str) -> dict[str, Any]:
        return {"type": "channel", "channel": channel, "payload": payload}

    def _quietly(self, act: Callable[..., object], *arguments: object) -> None:
        """Do what must not turn a success, or another error, into an error of its own."""
        try:
            act(*arguments)
        except Exception:  # noqa: BLE001 - logged, not raised: AP-L5
            _log.exception("an agent could not store what it knows")

    # Beginning and ending

    def _unseeded(self, log: Sequence[Entry]) -> bool:
        """Tell whether the initial input is still to be stored: no input entry is there."""
        return last_of(log, "input") is None

    def _seeds(self) -> list[Entry]:
        return [self._made("input", item) for item in self._initial_input]

    def _restored(self, log: Sequence[Entry]) -> dict[str, Any]:
        """The data of the last snapshot, else the initial state."""
        found = last_of(log, "state")
        state: dict[str, Any] = self._initial_state if found is None else found["data"]
        return copied(state)

    def _snapshot(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a state entry says: all of the state, not what changed."""
        return state

    def _renew(self) -> None:
        with self._guard:
            self._emptied()
            self._state = copied(self._initial_state)
            self._store([*self._seeds(), *self._reset_marks()])
            self._ready = True

    def _emptied(self) -> None:
        """Empty the log; a session lets its active ref begin anew instead."""
        getattr(self.storage, "reset", self.storage.clear)()

    def _reset_marks(self) -> list[Entry]:
        event = {"type": "agent.reset", "turnId": self._new_id()}
        return [self._made("state", self._initial_state), self._made("event", event)]

    def _bequeath(self, storage: Storage) -> None:
        if place_of(storage) == place_of(self.storage):
            raise Rejected("a fork doesn't inherit into its own storage")
        if inherited := self._inherited():
            storage.append(*inherited)

    def _inherited(self) -> list[Entry]:
        return self._entries()

    # Running

    def _begun(self, live: list[Input]) -> Run:
        if self._run is not None:
            raise Rejected("a turn is under way")
        run = self._run = Run(self._new_id(), live)
        return run

    def _finished(self, run: Run) -> None:
        self._run = None
        if run.resets:
            self._renew()

    def _ran(self, run: Run, runner: Runner) -> list[Entry]:
        stored: list[Entry] = []
        try:
            self._event("turn.queued", run)
            self._event("turn.start", run)
            while not run.closed:
                stored += self._drive(run, runner)
        except Exception as error:
            run.closed = True
            self._quietly(self._lost, run, error)
            raise
        self._event("turn.done", run)
        return stored

    def _drive(self, run: Run, runner: Runner) -> list[Entry]:
        """Call the runner once, and take in what it read and said."""
        answer = runner(copied([*self._history(), *run.live]))
        answer = answer if isinstance(answer, Answer) else Answer(answer)
        outputs: list[Input] = self._own(list(answer.outputs))
        run.total_tokens = answer.total_tokens
        with self._guard:
            if run.aborted:
                raise Aborted(run.reason)
            batch = [self._made("input", item) for item in self._taken_in(run.live, outputs)]
            self._store(batch)
            self._drain(run)
        return copied(batch)

    def _history(self) -> list[Input]:
        """What the model reads of earlier turns: transformed, then converted."""
        entries: Sequence[Entry] = self._entries()
        for transform in self._transforms:
            entries = transform(entries)
        return to_agent_input(entries)

    def _taken_in(self, live: Sequence[Input], outputs: Sequence[Input]) -> Sequence[Input]:
        """What a success stores: inputs and outputs together."""
        return [*live, *outputs]

    def _drain(self, run: Run) -> None:
        """Take what was sent meanwhile into the turn, or close it for more."""
        run.live, run.pending = run.pending, []
        run.closed = not run.live
        if run.live:
            self._event("turn.input_drained", run, count=len(run.live))

    def _lost(self, run: Run, error: Exception) -> None:
        """Say in an event why a turn has ended, and what input it didn't take in."""
        inputs = [*run.live, *run.pending]
        if isinstance(error, Aborted):
            reason = str(error) or run.reason
            self._event(
                "turn.aborted", run, **({"reason": reason} if reason else {}), inputs=inputs
            )
        else:
            self._event("turn.failed", run, error=self._told(error), inputs=inputs)

    def _told(self, error: Exception) -> dict[str, str]:
        """An error as JSON, so that its reason outlives the process (D-AP-9)."""
        return {"name": type(error).__name__, "message": str(error)}

    def _is_bounded(self, run: Run) -> bool:
        return run.bounded

    def _compact(self, run: Run) -> None:
        """Compact the history after a success that filled the context; failures are logged."""
        if self._compactor and self._compactor.due(run.total_tokens, self._state):
            self._quietly(self._compacted, self._compactor)

    def _compacted(self, compactor: Compactor) -> None:
        made = compactor.compacted(self._entries())
        self._store([] if made is None else [made])
