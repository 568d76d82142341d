"""Errands: the steps that one of several workers carries out, told as they begin and end.

What is told is JSON, so that it comes from a thread and from another process alike.
"""

import time
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, Literal, TypeAlias

from storelaw.calls import Calls
from storelaw.desk import ACTS as DOORS
from storelaw.desk import Bench, Desk
from storelaw.driver import Absent, Driver
from storelaw.errors import StorelawError, told
from storelaw.meetings import Alone, endless
from storelaw.program import Step
from storelaw.values import is_array

#: ``begun`` when a step is about to be called; then what came of it.
Stage: TypeAlias = Literal["begun", "ok", "raised", "absent"]

#: How often a worker asks again where the store calls it stale.
MOST_TRIES: Final = 50


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that a worker says: the index of its step, the time, and what came of it.

    ``at`` are nanoseconds of the system's monotonic clock, ``error`` is the identity of what
    was raised, ``text`` its words, ``value`` the answer.
    """

    index: int
    at: int
    stage: Stage
    value: Any = None
    error: str | None = None
    text: str = ""


Say: TypeAlias = Callable[[Word], object]


class Errand:
    """The steps of one worker on one handle; what they raise is said, not raised."""

    def __init__(self, driver: Driver, handle: Any, say: Say, medium: Any = None) -> None:
        self._driver, self._handle, self._say = driver, handle, say
        self._calls, self._desk = Calls(driver), Desk(Bench(driver, medium, {0: handle}))

    def carried_out(self, steps: Sequence[Step], meeting: Alone | None = None) -> None:
        """Carry out the steps, one after another, where and when others do theirs."""
        where = meeting or Alone()
        for index, step in enumerate(steps):
            where.meet(index)
            self._begins(index)
            try:
                with where.naps():
                    answer = self._insisted(step)
            except StorelawError:
                raise
            except Exception as error:
                self._raised(index, error)
            else:
                self._answered(index, step, answer)

    async def carried_out_later(self, steps: Sequence[Step], pauses: Sequence[int]) -> None:
        """The same as a task, for a driver that hands awaitables on.

        Each suspension of the store lasts so many more turns of the loop as ``pauses`` say,
        over and over.
        """
        pace = endless(pauses)
        for index, step in enumerate(steps):
            self._begins(index)
            try:
                answer = await self._insisted_later(step, pace)
            except StorelawError:
                raise
            except Exception as error:
                self._raised(index, error)
            else:
                self._answered(index, step, answer)

    def _made(self, step: Step) -> Any:
        if step.do in DOORS:
            return self._desk.answer(step)
        return self._calls.made(self._handle, step, self._calls.given(step.expanded()))

    def _insisted(self, step: Step) -> Any:
        """The answer, asked for again as long as the store says that the handle is stale."""
        for _ in range(MOST_TRIES):
            try:
                return self._made(step)
            except Exception as error:
                if self._driver.identity(error) != "Stale":
                    raise
        return self._made(step)

    async def _insisted_later(self, step: Step, pace: Iterator[int]) -> Any:
        """The same as a task, which sees only as it awaits that the handle is stale."""
        for _ in range(MOST_TRIES):
            try:
                return await _settled(self._made(step), pace)
            except Exception as error:
                if self._driver.identity(error) != "Stale":
                    raise
            if self._driver.has(self._handle, "refresh"):
                key = self._driver.key(step.session)
                await _settled(self._driver.call(self._handle, "refresh", key), pace)
        return await _settled(self._made(step), pace)

    def _begins(self, index: int) -> None:
        self._say(Word(index, time.monotonic_ns(), "begun"))

    def _answered(self, index: int, step: Step, answer: Any) -> None:
        at = time.monotonic_ns()
        self._say(Word(index, at, "ok", self._calls.read(step.do, answer)))

    def _raised(self, index: int, error: Exception) -> None:
        at = time.monotonic_ns()
        if isinstance(error, Absent | NotImplementedError):
            self._say(Word(index, at, "absent"))
        else:
            self._say(Word(index, at, "raised", None, self._driver.identity(error), told(error)))


async def _settled(answer: Any, pace: Iterator[int]) -> Any:
    if is_array(answer) and any(map(isawaitable, answer)):
        return [await _Paced(each, pace) for each in answer]
    return await _Paced(answer, pace) if isawaitable(answer) else answer


class _Paced:
    """An awaitable that goes on some turns of the loop later than it could."""

    def __init__(self, inner: Awaitable[Any], pace: Iterator[int]) -> None:
        self._inner, self._pace = inner, pace

    def __await__(self) -> Generator[Any, Any, Any]:
        inner = self._inner.__await__()
        error: BaseException | None = None
        while True:
            try:
                waited = inner.throw(error) if error else next(inner)
            except StopIteration as stop:
                return stop.value
            error = None
            try:
                yield waited
                for _ in range(next(self._pace)):
                    yield None
            except BaseException as raised:
                error = raised
