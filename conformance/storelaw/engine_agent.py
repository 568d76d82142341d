"""The default engine of the agent door: the reference agent over any log, speaking JSON.

It is a subject here, never an oracle: no law takes an expected value from it.

==================  =============================================
reference           identity at the port
==================  =============================================
``Rejected``        ``Rejected``
``Aborted``         ``Rejected``: the turn was given up
``Damaged``         none: the medium is at fault
what a store says   as the manifest maps it
==================  =============================================
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final
from weakref import WeakKeyDictionary

from storelaw.driver import Driver
from storelaw.engine import numbered_ids
from storelaw.errors import Rejected
from storelaw.profiles import Opening
from storelaw.program import Key
from storelaw.values import Entry, copied, is_object
from storelaw_reference import log

#: The first time stamp of a performance, in milliseconds since 1970.
EPOCH: Final = 1_767_225_600_000

# What the reference logs and doesn't raise is for the laws to see, not for the terminal.
logging.getLogger(log.__name__).addHandler(logging.NullHandler())


class HandleLog:
    """One log of a handle as the reference wants it: append, read, clear."""

    def __init__(self, driver: Driver, handle: Any, key: Key) -> None:
        self._driver, self._handle, self._key = driver, handle, driver.key(key)
        self.place = ("log", self._key)

    def append(self, *entries: Entry) -> None:
        """Append a batch; a store that wants its sessions created gets that first."""
        sent = [self._driver.outward(copied(each)) for each in entries]
        if self._held() is None and self._driver.has(self._handle, "create"):
            self._driver.call(self._handle, "create", self._key)
        self._driver.append(self._handle, self._key, sent)

    def read(self) -> list[Entry]:
        """The whole log; a session that was never written is an empty one."""
        return [self._driver.inward(copied(each)) for each in self._held() or ()]

    def _held(self) -> list[Entry] | None:
        try:
            held: list[Entry] | None = self._driver.call(self._handle, "load", self._key)
            return held
        except Exception as error:
            if self._driver.identity(error) == "SessionNotFound":
                return None
            raise

    def clear(self) -> None:
        """Empty the log."""
        self._driver.call(self._handle, "clear", self._key)


class Numbers:
    """The ids and times of all engines over one medium: none twice, the same in every run."""

    def __init__(self) -> None:
        self.new_id: Callable[[], str] = numbered_ids()
        self._ticks = count()

    def now(self) -> int:
        """Milliseconds since 1970; the clock stands still for two readings out of three."""
        return EPOCH + next(self._ticks) // 3


_NUMBERS: Final[WeakKeyDictionary[Any, Numbers]] = WeakKeyDictionary()


def numbers_of(medium: Any) -> Numbers:
    """The numbers of a medium, which all its doors share."""
    return _NUMBERS.setdefault(medium, Numbers())


class Functions:
    """What the turn under way was given beside its runner."""

    def __init__(self) -> None:
        self.summarizer: Callable[[list[Entry]], Any] | None = None
        self.transformer: Callable[[Sequence[Entry]], list[Entry]] | None = None

    def summarize(self, inputs: list[Entry]) -> Any:
        """A summary; none from a turn that brought no function."""
        return self.summarizer(inputs) if self.summarizer else None

    def transform(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """The history as the turn's own transform shows it."""
        return self.transformer(list(entries)) if self.transformer else entries


class EngineAgent:
    """A reference agent behind JSON: what the agent door of the port asks for."""

    def __init__(self, agent: log.Agent, opening: Opening, functions: Functions) -> None:
        self._agent, self._opening, self._functions = agent, opening, functions

    def init(self) -> None:
        """Restore the state, and store the initial input where there is no input."""
        with _errors():
            self._agent.init()

    def state(self) -> dict[str, Any]:
        """The present state."""
        return self._agent.state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Another state in place of the present one."""
        with _errors():
            self._agent.set_state(state)

    def update_state(self, changes: Mapping[str, Any]) -> None:
        """Some members of the state anew."""
        with _errors():
            self._agent.update_state(changes)

    def restore(self) -> None:
        """The last stored state."""
        with _errors():
            self._agent.restore()

    def turn(
        self,
        inputs: list[Entry],
        runner: Callable[[list[Entry]], Any],
        summarize: Callable[[list[Entry]], Any] | None = None,
        transform: Callable[[Sequence[Entry]], list[Entry]] | None = None,
    ) -> list[Entry]:
        """Run a turn; the input entries that it stored.

        The runner is shown the model input and answers inputs, or ``{"outputs": [...],
        "total_tokens": n}``. ``summarize`` is asked where the turn fills the context,
        ``transform`` shown the entries of the history before the runner is.
        """
        self._functions.summarizer, self._functions.transformer = summarize, transform
        with _errors():
            return self._agent.turn(inputs, lambda shown: _answer(runner(shown)))

    def emit(self, payload: Any, channel: str | None = None) -> Entry:
        """Store an event, of a channel where one is named; its entry."""
        with _errors():
            return self._agent.emit(payload, channel)

    def send(self, inputs: list[Entry]) -> None:
        """Inputs for the turn under way."""
        with _errors():
            self._agent.send(*inputs)

    def abort(self, reason: str = "") -> bool:
        """Give up the turn under way; whether there was one."""
        return self._agent.abort(reason)

    def interrupt(self, reason: str = "") -> bool:
        """Give it up, and tell the model so; whether that was stored."""
        with _errors():
            return self._agent.interrupt(reason)

    def reset(self) -> None:
        """Begin anew."""
        with _errors():
            self._agent.reset()

    def fork(self, new_key: Key, inherit: bool = True, **named: Any) -> "EngineAgent":
        """An agent under another key, with the present entries unless told not to."""
        storage = HandleLog(self._opening.driver, self._opening.handle, new_key)
        with _errors():
            child = self._agent.fork(storage, inherit=inherit, **named)
        return type(self)(child, self._opening, self._functions)


def _answer(told: Any) -> Any:
    if is_object(told):
        return log.Answer(told.get("outputs", []), told.get("total_tokens", 0))
    return told or []


class _errors:
    """Gives the reference's errors the names of the port."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, log.Rejected):
            raise Rejected(str(error)) from error
        if isinstance(error, log.Aborted):
            raise Rejected(f"the turn was given up: {error}") from error


def opened(opening: Opening) -> EngineAgent:
    """An agent (or the medium's variant of one) over one log of a handle.

    Named arguments are ``initial_input``, ``initial_state``, ``compactor`` with ``preserve``,
    ``context_length`` and ``threshold``, and ``default_ref``, which puts a session between
    the agent and its log. Where there is a compactor, the history is projected.
    """
    named, functions = dict(opening.named), Functions()
    settings, ref = named.pop("compactor", None), named.pop("default_ref", None)
    numbers = numbers_of(opening.medium)
    made: Mapping[str, Any] = {"new_id": numbers.new_id, "now": numbers.now}
    storage: Any = HandleLog(opening.driver, opening.handle, opening.key)
    agent = (opening.variant or log.Agent)(
        storage if ref is None else log.Session(storage, default_ref=ref, **made),
        compactor=_compactor(opening.medium)(functions.summarize, **settings, **made)
        if settings
        else None,
        transforms=(log.projected, functions.transform) if settings else (functions.transform,),
        **named,
        **made,
    )
    return EngineAgent(agent, opening, functions)


def _compactor(medium: Any) -> type[log.Compactor]:
    found: type[log.Compactor] = getattr(medium, "variants", {}).get("compactor", log.Compactor)
    return found
