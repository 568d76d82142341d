"""The thread on which programs run, and the watch over it.

One daemon thread owns the event loop and runs whole programs, so that a store's
connections stay on the thread that opened them. The main thread watches a heartbeat that
each operation sets; when it is overdue the thread is abandoned and a fresh one is made.
"""

import asyncio
import inspect
import time
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any, Final, TypeAlias, TypeVar

from storelaw.errors import MediumFault

T = TypeVar("T")

#: Where one job puts whether it was good, and what it gave or raised.
Answers: TypeAlias = "SimpleQueue[tuple[bool, Any]]"


class Overdue(MediumFault):
    """An operation took longer than the manifest's ``operation_timeout``."""


class Worker:
    """A daemon thread with an event loop, which runs one job at a time."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Answers]] = SimpleQueue()
        self._began = time.monotonic()
        self._doing = "starting"
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._work, name="storelaw-worker", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        asyncio.set_event_loop(self.loop)
        while True:
            job, answers = self._jobs.get()
            try:
                answers.put((True, job()))
            except BaseException as error:
                answers.put((False, error))
            del job, answers

    def beat(self, doing: str) -> None:
        """Say that an operation begins now; called on the worker's thread."""
        self._doing = doing
        self._began = time.monotonic()

    def resolved(self, answer: Any) -> Any:
        """The value of an answer: awaited on the loop where it can be, else itself."""
        if not inspect.isawaitable(answer):
            return answer
        return self.loop.run_until_complete(_await(answer))

    def is_nested(self, answer: Any) -> bool:
        """Whether an awaitable came while the loop runs another one; it is then closed."""
        nested = inspect.isawaitable(answer) and self.loop.is_running()
        if nested and inspect.iscoroutine(answer):
            answer.close()
        return nested

    def run(self, job: Callable[[], T], limit: float) -> T:
        """Run a job on the thread; :class:`Overdue` when an operation exceeds ``limit`` seconds.

        A run that is interrupted leaves its answer to nobody. A job that runs another one
        runs it itself, under the same watch.
        """
        if current_thread() is self._thread:
            return job()
        answers = self.begin(job)
        while True:
            remaining = self._began + limit - time.monotonic()
            try:
                good, answer = answers.get(timeout=max(remaining, 0.001))
            except Empty:
                if time.monotonic() - self._began > limit:
                    raise Overdue(
                        f"medium: {self._doing} took longer than {limit:g} s; "
                        "if that is right for this store, raise operation_timeout in its manifest"
                    ) from None
                continue
            if good:
                return answer  # type: ignore[no-any-return]
            raise answer

    def begin(self, job: Callable[[], Any]) -> Answers:
        """Let a job run on the thread, and say where its answer will be."""
        answers: Answers = SimpleQueue()
        self.beat("starting")
        self._jobs.put((job, answers))
        return answers


class Follower(Worker):
    """A worker beside another one, which puts it under the same watch."""

    leader: Worker | None = None

    def beat(self, doing: str) -> None:
        """Say that an operation begins now, to the leader's watch too."""
        super().beat(doing)
        if self.leader is not None:
            self.leader.beat(doing)


_SPARE: Final[deque[Follower]] = deque()


def borrowed(leader: Worker | None = None) -> Follower:
    """A follower that does nothing else; one that served before where there is one."""
    follower = _SPARE.pop() if _SPARE else Follower()
    follower.leader = leader
    return follower


def given_back(follower: Follower) -> None:
    """Keep a follower for the next one who needs it."""
    _SPARE.append(follower)


class Onward(Worker):
    """Hands awaitables on, for a caller that is itself a task."""

    def __init__(self, leader: Worker) -> None:
        self._leader = leader

    def beat(self, doing: str) -> None:
        """Say that an operation begins now."""
        self._leader.beat(doing)

    def resolved(self, answer: Any) -> Any:
        """The answer as it is."""
        return answer

    def is_nested(self, answer: Any) -> bool:
        """Never: the caller awaits it."""
        return False


async def _await(answer: Any) -> Any:
    return await answer


class _Current:
    """The worker in use; replaced when one is abandoned."""

    worker: Worker | None = None


def current() -> Worker:
    """The worker of this process, made when first asked for."""
    if _Current.worker is None:
        _Current.worker = Worker()
    return _Current.worker


def abandon() -> None:
    """Leave the worker to its hanging operation; the next program gets a fresh one."""
    _Current.worker = None
