"""The thread on which programs run, and the watch over it.

One daemon thread owns the event loop and runs whole programs, so that a store's
connections stay on the thread that opened them. The main thread watches a heartbeat that
each operation sets; when it is overdue the thread is abandoned and a fresh one is made.
"""

import asyncio
import inspect
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from storelaw.errors import MediumFault

T = TypeVar("T")


class Overdue(MediumFault):
    """An operation took longer than the manifest's ``operation_timeout``."""


class Worker:
    """A daemon thread with an event loop, which runs one job at a time."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], Any]] = SimpleQueue()
        self._answers: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        self._began = time.monotonic()
        self._doing = "starting"
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._work, name="storelaw-worker", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        asyncio.set_event_loop(self.loop)
        while True:
            job = self._jobs.get()
            try:
                self._answers.put((True, job()))
            except BaseException as error:
                self._answers.put((False, error))
            del job

    def beat(self, doing: str) -> None:
        """Say that an operation begins now; called on the worker's thread."""
        self._doing = doing
        self._began = time.monotonic()

    def resolved(self, answer: Any) -> Any:
        """The value of an answer: awaited on the loop where it can be, else itself."""
        if not inspect.isawaitable(answer):
            return answer
        return self.loop.run_until_complete(_await(answer))

    def run(self, job: Callable[[], T], limit: float) -> T:
        """Run a job on the thread; :class:`Overdue` when an operation exceeds ``limit`` seconds."""
        self.beat("starting")
        self._jobs.put(job)
        while True:
            remaining = self._began + limit - time.monotonic()
            try:
                good, answer = self._answers.get(timeout=max(remaining, 0.001))
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
