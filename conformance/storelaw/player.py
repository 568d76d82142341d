"""Playing a program on a medium: every step becomes an event.

The player decides nothing: it calls, records, and closes what it opened.
"""

import asyncio
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from storelaw import crowd, desk, ground, revival, stage, wires, wreck
from storelaw.calls import Calls
from storelaw.driver import Absent, Driver
from storelaw.errors import MediumFault, StorelawError, told
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.program import Key, Program, Step
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object
from storelaw.worker import Overdue, Worker, abandon, current


@dataclass
class Notes:
    """What was left behind by the media of a run, each kind of thing once."""

    left: set[str] = field(default_factory=set[str])


def play(program: Program, medium_class: type[Medium], notes: Notes | None = None) -> Trace:
    """Run a program on a fresh medium and return what happened.

    Raises :class:`~storelaw.errors.MediumFault` when the medium can't be made, opened,
    closed or destroyed, or hangs.
    """
    manifest = medium_class.manifest
    worker = current()
    performance = Performance(program, medium_class, worker, notes or Notes())
    try:
        return worker.run(performance.trace, manifest.operation_timeout)
    except MediumFault as fault:
        if isinstance(fault, Overdue):
            abandon()
        raise


class Performance:
    """One run of one program: its medium, its handles, its sessions."""

    def __init__(
        self, program: Program, medium_class: type[Medium], worker: Worker, notes: Notes
    ) -> None:
        self._program, self._class, self._worker, self._notes = (
            program,
            medium_class,
            worker,
            notes,
        )
        self.worker = worker
        self.manifest: Manifest = medium_class.manifest
        self.driver = Driver(self.manifest, worker)
        self.calls = Calls(self.driver)
        self.handles: dict[int, Any] = {}
        self.appended: list[Entry] = []
        self.loaded: Any = None
        self.medium: Any = None
        self._events: list[Event] = []
        self.stage = stage.Stage(self)
        self.desk = desk.Desk(self)
        self.revival = revival.Revival(self)

    def trace(self) -> Trace:
        """Make the medium, run the steps, close everything."""
        place = ground.taken()
        state = random.getstate()
        threads = _threads()
        clean = False
        try:
            trace = self._played(place, threads)
            clean = not trace.outside and not self._class.needs_directory
            return trace
        finally:
            random.setstate(state)
            self.revival.cleared()
            ground.given_back(place, reusable=clean)

    def _played(self, place: ground.Ground, threads: int) -> Trace:
        self.medium = self.guarded("making the medium", self._class, place.workdir)
        try:
            self.opened(0)
            for index, each in enumerate(self._program.steps):
                self._events.append(self.event(index, each))
        finally:
            self._ended()
        self._look_around(threads)
        return Trace(
            self.manifest,
            tuple(self._events),
            self.stage.labels,
            self.stage.sessions,
            place.outside() if self._class.needs_directory else (),
        )

    def guarded(
        self, doing: str, call: Callable[..., Any], *args: Any, driver: Driver | None = None
    ) -> Any:
        """The answer of a call of the medium's own; what it raises is the medium's fault."""
        try:
            return (driver or self.driver).resolved(doing, call, *args)
        except StorelawError:
            raise
        except (Exception, SystemExit) as error:
            raise MediumFault(
                f"medium: {self.manifest.name} raised in {doing}: "
                f"{type(error).__name__}: {ascii(str(error))[1:-1]}"
            ) from error

    def opened(self, number: int) -> None:
        """Open a handle under a number."""
        handle = self.guarded("open()", self.medium.open)
        if handle is None:
            raise MediumFault(
                f"medium: {self.manifest.name}'s open() returned None; return the store object"
            )
        self.handles[number] = handle

    def closed(self, number: int) -> None:
        """Close the handle of a number; the object stays known for calls after close."""
        if number in self.handles:
            self.guarded("close()", self.medium.close, self.handles[number])

    def written(self, session: Key) -> list[Entry]:
        """The entries that were accepted for a session so far."""
        appends = (e for e in self._events if e.ok and e.step.do == "append")
        return [one for each in appends if each.step.session == session for one in each.passed]

    def settled(self) -> None:
        """Let the medium come to the end of what clients that are gone had asked of it."""
        settle = getattr(self.medium, "settle", None)
        if callable(settle):
            self.driver.resolved("settle()", settle)

    def _ended(self) -> None:
        try:
            for number in self.stage.live_handles(self.handles):
                self.closed(number)
        finally:
            self.guarded("destroy()", self.medium.destroy)

    def _look_around(self, threads: int) -> None:
        if _threads() > threads:
            self._notes.left.add("threads")
        tasks = asyncio.all_tasks(self._worker.loop)
        if tasks:
            self._notes.left.add("tasks")
            for each in tasks:
                each.cancel()
            self._worker.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    # -------------------------------------------------------------- one step

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step; none where there is nothing to carry it out on."""
        if self.revival.failed:
            return Event(index, step, "skipped")
        if step.do in crowd.ACTS:
            return crowd.Crowd(self).event(index, step)
        if step.do in wreck.ACTS:
            return wreck.Wreck(self).event(index, step)
        if step.do in wires.ACTS:
            return wires.Wires(self).event(index, step)
        if step.do in revival.ACTS:
            return self.revival.event(index, step)
        if step.do in desk.ACTS:
            return self.desk.event(index, step)
        if isinstance(step.on, str) or step.do in stage.ACTS:
            return self.stage.event(index, step)
        match step.do:
            case "open":
                return self._open(index, step)
            case "close":
                return self._close(index, step)
            case "reopen":
                return self._reopen(index, step)
            case "meddle":
                return self._meddle(index, step)
            case "model_view" | "transcript_view":
                return self._view(index, step)
            case "crash" | "settle" | "clock":
                return self._power(index, step)
            case _:
                return self._operation(index, step)

    def _open(self, index: int, step: Step) -> Event:
        limit = self.manifest.handles
        live = self.stage.live_handles(self.handles)
        if limit is not None and len(live) >= limit:
            return Event(index, step, "skipped")
        if _number(step) in live:
            return Event(index, step, "skipped")
        self.opened(_number(step))
        self.stage.gone.discard(_number(step))
        return Event(index, step)

    def _close(self, index: int, step: Step) -> Event:
        self.closed(_number(step))
        self.stage.gone.add(_number(step))
        return Event(index, step)

    def _reopen(self, index: int, step: Step) -> Event:
        if _number(step) not in self.stage.gone:
            self.closed(_number(step))
        self.opened(_number(step))
        self.stage.gone.discard(_number(step))
        return Event(index, step)

    def _meddle(self, index: int, step: Step) -> Event:
        target = self.appended if step["what"] == "appended" else self.loaded
        held = self.calls.read("load", target)
        meddled(target)
        return Event(index, step, value=held)

    def _view(self, index: int, step: Step) -> Event:
        path = step.expanded()
        seen = getattr(self.medium, step.do, None)
        if not callable(seen):
            return Event(index, step, "skipped", text="absent")
        return self.attempt(
            index, step, lambda: self.driver.resolved(step.do, seen, path), given=path
        )

    def _power(self, index: int, step: Step) -> Event:
        power = getattr(self.medium, step.do, None)
        if not callable(power):
            return Event(index, step, "skipped", text=step.do)
        named = {name: _power_value(name, value) for name, value in step.args.items()}
        crashed: list[Any] = []
        if step.do == "crash":
            if _number(step) not in self.handles:
                return Event(index, step, "skipped")
            crashed = [self.handles[_number(step)]]
            self.stage.gone.add(_number(step))
        return self.attempt(
            index, step, lambda: self.driver.resolved(step.do, power, *crashed, **named)
        )

    def _operation(self, index: int, step: Step) -> Event:
        handle = self.handles.get(_number(step))
        if handle is None:
            return Event(index, step, "skipped")
        passed = step.expanded()
        given = self.calls.given(passed)
        if step.entries:
            self.appended = given
        return self.attempt(
            index,
            step,
            lambda: self._called(handle, step, given),
            passed=tuple(passed),
            given=given,
        )

    def _called(self, handle: Any, step: Step, given: list[Entry]) -> Any:
        answer = self.calls.made(handle, step, given)
        if step.do == "load":
            self.loaded = answer
        return self.calls.read(step.do, answer)

    def attempt(self, index: int, step: Step, call: Callable[[], Any], **more: Any) -> Event:
        """The event of a call: its answer, or what it raised; ``more`` are further fields."""
        try:
            return Event(index, step, value=call(), **more)
        except Absent:
            return Event(index, step, "skipped", text="absent", **more)
        except StorelawError:
            raise
        except BaseException as error:
            return Event(
                index,
                step,
                "raised",
                error=self.driver.identity(error),
                text=told(error),
                **more,
            )


def _threads() -> int:
    """How many threads there are, those of the kit left out."""
    return sum(not each.name.startswith("storelaw-") for each in threading.enumerate())


def _number(step: Step) -> int:
    return cast(int, step.on)


def _power_value(name: str, value: Any) -> Any:
    """The argument of a power; a clock is a function, told in programs as an RFC 3339 text."""
    if name != "fn":
        return value
    instant = datetime.fromisoformat(value)
    return lambda: instant


def meddled(value: Any) -> None:
    """Change a list of entries in place, at every level: what a careless caller may do."""
    if is_object(value):
        for each in list(value.values()):
            meddled(each)
        value["meddled"] = True
    elif is_array(value):
        for each in list(value):
            meddled(each)
        value.append({"id": "meddled", "type": "custom", "kind": "meddled"})
