"""The worker: one thread, one loop, and a watch over both."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from storelaw.worker import Follower, Onward, Overdue, Worker, abandon, current


@pytest.fixture
def worker() -> Worker:
    """A worker of the test's own."""
    return Worker()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """A gate that a job may wait at, opened when the test ends."""
    opened = threading.Event()
    yield opened
    opened.set()


def test_jobs_run_on_one_thread_that_is_not_the_callers(worker: Worker) -> None:
    """A connection stays on the thread that opened it."""
    threads = {worker.run(threading.current_thread, 5) for _ in range(3)}
    assert len(threads) == 1
    assert threads != {threading.current_thread()}


def test_an_exception_of_a_job_reaches_the_caller(worker: Worker) -> None:
    """What a job raises is raised, and the worker goes on."""

    def job() -> None:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        worker.run(job, 5)
    assert worker.run(lambda: 1, 5) == 1


def test_awaitables_are_awaited_on_the_workers_loop(worker: Worker) -> None:
    """Coroutines and futures are resolved, other answers are given back."""

    async def later() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert worker.run(lambda: worker.resolved(later()), 5) is worker.loop
    assert worker.run(lambda: worker.resolved(5), 5) == 5

    def future() -> Any:
        waiting = worker.loop.create_future()
        waiting.set_result(6)
        return worker.resolved(waiting)

    assert worker.run(future, 5) == 6


def test_an_awaitable_within_another_is_told(worker: Worker) -> None:
    """A coroutine that comes up while the loop runs is closed, a future left alone."""

    async def inner() -> None:
        """Never begun."""

    async def outer() -> list[bool]:
        future = worker.loop.create_future()
        return [worker.is_nested(each) for each in (inner(), future, 5)]

    assert worker.run(lambda: worker.resolved(outer()), 5) == [True, True, False]
    outside = inner()
    assert not worker.is_nested(outside)
    outside.close()


def test_an_overdue_operation_is_the_mediums_and_named(
    worker: Worker, gate: threading.Event
) -> None:
    """The fault says which operation hung, how long, and what may be changed."""

    def job() -> None:
        worker.beat("append()")
        gate.wait()

    with pytest.raises(Overdue) as caught:
        worker.run(job, 0.02)
    assert str(caught.value) == (
        "medium: append() took longer than 0.02 s; "
        "if that is right for this store, raise operation_timeout in its manifest"
    )


def test_a_heartbeat_keeps_a_long_program_alive(
    worker: Worker, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may take longer than the limit as long as none of its operations does."""
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.0)
        if len(readings) == 6:
            gate.set()
        return 0.0

    monkeypatch.setattr("storelaw.worker.time.monotonic", clock)
    assert worker.run(gate.wait, 0.001) is True
    assert len(readings) >= 6


def test_an_interrupted_run_leaves_its_answer_to_nobody(
    worker: Worker, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next job gets its own answer, not that of the one before."""

    def interrupting() -> float:
        if threading.current_thread() is threading.main_thread():
            readings.append(0.0)
        if len(readings) == 2:
            raise KeyboardInterrupt
        return 0.0

    readings: list[float] = []
    monkeypatch.setattr("storelaw.worker.time.monotonic", interrupting)
    with pytest.raises(KeyboardInterrupt):
        worker.run(gate.wait, 5)
    monkeypatch.undo()
    gate.set()
    assert worker.run(lambda: "mine", 5) == "mine"


def test_there_is_one_worker_until_it_is_abandoned() -> None:
    """The next program after a hang gets a fresh thread."""
    first = current()
    assert current() is first
    abandon()
    assert current() is not first


def test_a_job_that_runs_another_one_runs_it_itself(worker: Worker) -> None:
    """Waiting for itself would never end."""
    assert worker.run(lambda: worker.run(threading.current_thread, 5), 5) is worker._thread


def test_a_job_can_begin_and_be_waited_for_later(worker: Worker) -> None:
    """What it gives or raises is there when somebody asks."""

    def job() -> None:
        raise LookupError("no")

    good, bad = worker.begin(lambda: 1), worker.begin(job)
    assert good.get() == (True, 1)
    failed, error = bad.get()
    assert (failed, str(error)) == (False, "no")


def test_a_follower_beats_for_its_leader_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """One watch sees both; a follower of nobody beats for itself."""
    leader, follower = Worker(), Follower()
    monkeypatch.setattr("storelaw.worker.time.monotonic", lambda: 7.0)
    follower.beat("load()")
    assert leader._doing == "starting"
    follower.leader = leader
    follower.beat("append()")
    assert (follower._doing, leader._doing, leader._began) == ("append()", "append()", 7.0)


def test_what_a_task_is_given_it_awaits_itself(worker: Worker) -> None:
    """Answers go on as they are, also while the loop runs; beats reach the worker."""

    async def inner() -> int:
        return 5

    async def outer() -> Any:
        onward = Onward(worker)
        onward.beat("append()")
        answer = onward.resolved(inner())
        assert not onward.is_nested(answer)
        return await answer

    assert worker.run(lambda: worker.resolved(outer()), 5) == 5
    assert worker._doing == "append()"
