"""Workers that are let loose on one session at once.

Each has a handle of its own (tasks share one), carries out its own steps, and says when each
begins and ends. At the end the session is loaded once more, when all is quiet.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Barrier, BrokenBarrierError
from typing import TYPE_CHECKING, Final, TypeAlias

from storelaw import children
from storelaw.driver import Driver
from storelaw.errands import Errand, Word
from storelaw.meetings import Meeting
from storelaw.program import Program, Step, load, workers_of
from storelaw.recorder import Lane, Tags, met, recorded
from storelaw.trace import Event
from storelaw.worker import Follower, Onward, borrowed, given_back

if TYPE_CHECKING:
    from storelaw.player import Performance

ACTS: Final = frozenset({"at_once"})

#: The worker that loads what all the others left.
AFTER: Final = "after"

#: Nanoseconds between the steps of threads that are to meet.
PACE: Final = 200_000

#: A process, and the worker that it is.
Pair: TypeAlias = tuple[children.Child, Lane]


class Crowd:
    """The workers of one step of a performance."""

    def __init__(self, performance: "Performance") -> None:
        self._performance = performance
        self._manifest = performance.manifest
        self._limit = performance.manifest.operation_timeout

    def event(self, index: int, step: Step) -> Event:
        """Let the workers loose, wait for all of them, and load what they left."""
        shared = step["way"] == "tasks"
        lanes = [
            Lane(name, 0 if shared else number, steps)
            for number, (name, steps) in enumerate(workers_of(step).items(), 1)
        ]
        ways = {"tasks": self._tasks, "threads": self._threads, "processes": self._processes}
        event = self._performance.attempt(index, step, lambda: ways[step["way"]](lanes, step))
        return event if event.raised else self._told(event, lanes)

    def _told(self, event: Event, lanes: list[Lane]) -> Event:
        """The event with all that was said, and with what is there afterwards."""
        after = Lane(AFTER, 0, (load(event.step.session),))
        driver, handle = self._performance.driver, self._performance.handles[0]
        Errand(driver, handle, after.words.append).carried_out(after.steps)
        sent = [each for lane in lanes for step in lane.steps for each in step.expanded()]
        before = list(self._performance.written(event.step.session))
        tags = Tags([*before, *sent], self._manifest)
        history = recorded([*lanes, after], tags, elsewhere=before)
        nested = tuple(_events(event.index, lanes))
        return replace(event, history=history, nested=nested, met=met(lanes))

    # ---------------------------------------------------------------- tasks

    def _tasks(self, lanes: list[Lane], step: Step) -> None:
        worker, handle = self._performance.worker, self._performance.handles[0]
        medium = self._performance.medium
        driver = Driver(self._manifest, Onward(worker))

        async def together() -> None:
            errands = (
                Errand(driver, handle, each.words.append, medium).carried_out_later(
                    each.steps, _pauses(step, number)
                )
                for number, each in enumerate(lanes)
            )
            await asyncio.gather(*errands)

        worker.resolved(together())

    # -------------------------------------------------------------- threads

    def _threads(self, lanes: list[Lane], step: Step) -> None:
        followers = [borrowed(self._performance.worker) for _ in lanes]
        rounds = Rounds([len(each.steps) for each in lanes], self._limit)
        jobs = [
            follower.begin(self._thread(follower, lane, rounds, _meeting(rounds, step, number)))
            for number, (follower, lane) in enumerate(zip(followers, lanes, strict=True))
        ]
        answers = [each.get() for each in jobs]
        for each in followers:
            given_back(each)
        errors = [answer for good, answer in answers if not good]
        for error in sorted(errors, key=lambda each: isinstance(each, BrokenBarrierError)):
            raise error

    def _thread(
        self, worker: Follower, lane: Lane, rounds: "Rounds", meeting: Meeting
    ) -> Callable[[], None]:
        driver, medium = Driver(self._manifest, worker), self._performance.medium

        def carried_out() -> None:
            try:
                handle = self._performance.guarded("open()", medium.open, driver=driver)
                try:
                    errand = Errand(driver, handle, lane.words.append, medium)
                    errand.carried_out(lane.steps, meeting)
                finally:
                    self._performance.guarded("close()", medium.close, handle, driver=driver)
            except BaseException:
                rounds.abort()
                raise

        return carried_out

    # ------------------------------------------------------------ processes

    def _processes(self, lanes: list[Lane], step: Step) -> None:
        target = children.target_of(self._performance.medium)
        pairs = [(children.borrowed(), each) for each in lanes]
        try:
            self._prepare(pairs, step, target)
            self._set_off(pairs, step)
            for each in pairs:
                self._listen(*each)
        except BaseException:
            for child, _ in pairs:
                child.kill()
            raise
        for child, _ in pairs:
            children.given_back(child)

    def _prepare(self, pairs: list[Pair], step: Step, target: Mapping[str, str]) -> None:
        together = not _strides(step)
        for number, (child, lane) in enumerate(pairs):
            child.prepare(target, Program(lane.steps), _pauses(step, number), together=together)
        for child, _ in pairs:
            self._performance.worker.beat("open() in another process")
            child.ready()

    def _set_off(self, pairs: list[Pair], step: Step) -> None:
        strides = _strides(step)
        if not strides:
            self._together(pairs)
            return
        start = children.soon()
        for number, (child, _) in enumerate(pairs):
            child.begin(start, children.PACE * strides[number % len(strides)])

    def _together(self, pairs: list[Pair]) -> None:
        """One step of each after another, all at the same moment."""
        for number in range(max(len(lane.steps) for _, lane in pairs)):
            active = [each for each in pairs if number < len(each[1].steps)]
            for each in active:
                self._listen(*each)
            start = children.soon()
            for child, _ in active:
                child.begin(start)

    def _listen(self, child: children.Child, lane: Lane) -> None:
        for word in child.words(self._limit):
            self._performance.worker.beat("an operation in another process")
            lane.words.append(word)


class Rounds:
    """Where threads wait for each other ahead of each step."""

    def __init__(self, lengths: Sequence[int], limit: float) -> None:
        self._limit = limit
        self._moments = [0] * max(lengths)
        self._barriers = [
            Barrier(sum(number < each for each in lengths), partial(self._met, number))
            for number in range(max(lengths))
        ]

    def _met(self, number: int) -> None:
        self._moments[number] = time.monotonic_ns() + PACE

    def moment(self, number: int) -> int:
        """A moment soon after all who have such a step are there."""
        self._barriers[number].wait(self._limit)
        return self._moments[number]

    def paced(self, stride: int) -> Callable[[int], int]:
        """The moments of a thread that waits for the others ahead of its first step only."""
        return lambda number: (
            self.moment(0) if number == 0 else self._moments[0] + number * stride * PACE
        )

    def abort(self) -> None:
        """Let nobody wait for one who won't come."""
        for each in self._barriers:
            each.abort()


def _meeting(rounds: Rounds, step: Step, number: int) -> Meeting:
    strides = _strides(step)
    moment = rounds.paced(strides[number % len(strides)]) if strides else rounds.moment
    return Meeting(moment, _pauses(step, number))


def _strides(step: Step) -> tuple[int, ...]:
    return tuple(step["strides"] or ())


def _pauses(step: Step, number: int) -> tuple[int, ...]:
    """The pauses of one worker: all have the same, and each begins with another one."""
    pauses: tuple[int, ...] = tuple(step["pauses"] or ())
    first = number % len(pauses) if pauses else 0
    return (*pauses[first:], *pauses[:first])


def _events(index: int, lanes: Sequence[Lane]) -> Iterator[Event]:
    """What the workers said of their steps, in the order in which these began."""
    said = [
        (begun.at, lane.name, step, ended) for lane in lanes for step, begun, ended in lane.pairs()
    ]
    for _, name, step, ended in sorted(said, key=lambda each: each[:2]):
        yield _event(index, replace(step, on=name), ended)


def _event(index: int, step: Step, ended: Word | None) -> Event:
    passed = tuple(step.expanded())
    if ended is None or ended.stage == "absent":
        return Event(index, step, "skipped", text="absent" if ended else "", passed=passed)
    if ended.stage == "raised":
        return Event(index, step, "raised", error=ended.error, text=ended.text, passed=passed)
    return Event(index, step, value=ended.value, passed=passed)
