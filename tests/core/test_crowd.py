"""Workers let loose at once: as tasks, as threads, as processes."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from storelaw import crowd
from storelaw.crowd import PACE, Rounds
from storelaw.errors import MediumFault
from storelaw.families.memory_rows import ONE
from storelaw.history import overlaps
from storelaw.liars.crowd_files import FiledMedium
from storelaw.liars.crowd_honest import LockedStore, ThreadedMedium
from storelaw.liars.crowd_tasks import TaskedMedium, TaskedStore
from storelaw.liars.memory_crowds import SharedMedium
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import Step, append, ask, at_once, call, door, load, program
from storelaw.samples import said
from storelaw.trace import Event
from storelaw.turned import scope_of
from storelaw.values import Entry

A = (append("s", said("a1")), append("s", said("a2"), said("a3")))
B = (append("s", said("b1")), load("s"))

PACES: tuple[dict[str, Any], ...] = ({}, {"pauses": (4, 2), "strides": (2, 3)})


def crowded(way: str, medium: type[Medium], *before: Step, **more: Any) -> Event:
    """What two workers did on a session."""
    steps = program(call("create", "s"), *before, at_once("s", way, A=A, B=B, **more))
    return play(steps, medium).events[-1]


def names(event: Event) -> dict[str, list[str]]:
    """What each worker did, in the order in which it did it."""
    found: dict[str, list[str]] = {}
    for each in event.nested:
        found.setdefault(str(each.step.on), []).append(f"{each.step.do} {each.outcome}")
    return found


def certain(event: Event) -> None:
    """What is so whoever comes first: all was acknowledged, and is there, in each one's order."""
    assert names(event) == {"A": ["append ok", "append ok"], "B": ["append ok", "load ok"]}
    assert event.history is not None
    *_, after = event.history.acts
    assert (after.worker, after.outcome) == (crowd.AFTER, "ok")
    assert after.seen is not None
    assert sorted(after.seen) == ["a1", "a2", "a3", "b1"]
    assert [each for each in after.seen if each[0] == "a"] == ["a1", "a2", "a3"]


# ------------------------------------------------------------------------ tasks


def test_tasks_take_turns_on_one_handle() -> None:
    """In an order that is the same each time; what is there before counts as there before."""
    first, again = (crowded("tasks", TaskedMedium, append("s", said("z"))) for _ in range(2))
    assert first.history is not None
    assert {each.handle for each in first.history.acts} == {0}
    assert first.history.elsewhere == {"z"}
    assert overlaps(first.history) > 0
    assert [each.step for each in first.nested] == [each.step for each in again.nested]
    assert first.nested[-1].value == again.nested[-1].value


def test_pauses_change_the_turns_of_tasks() -> None:
    """So other interleavings are tried, each of them the same each time."""

    def seen(*pauses: int) -> Any:
        a, b, c = ((append("s", said(name)), load("s")) for name in "abc")
        crowd = at_once("s", "tasks", pauses=pauses, A=a, B=b, C=c)
        event = play(program(crowd), Unlocked).events[0]
        return [each.value for each in event.nested if each.step.do == "load"]

    assert seen() == seen()
    assert seen(5, 0, 2) == seen(5, 0, 2) != seen()


class Unlocked(TaskedMedium):
    """Suspends ahead of each append, with nothing to keep others out."""

    class front(TaskedStore):
        async def append(self, session: Any, entries: list[Entry]) -> None:
            """Let others come first."""
            async with _NoLock():
                self.inner.append(session, entries)

        async def load(self, session: Any, **filters: Any) -> list[Entry]:
            """Answer at once."""
            return self.inner.load(session, **filters)


class _NoLock:
    """A lock that everybody has."""

    async def __aenter__(self) -> None:
        await asyncio.sleep(0)

    async def __aexit__(self, *_: object) -> None: ...


def test_tasks_on_a_store_that_never_suspends_do_not_meet() -> None:
    """They come one after another."""
    event = crowded("tasks", ThreadedMedium)
    certain(event)
    assert event.history is not None
    assert (overlaps(event.history), event.met) == (0, 0)


# ---------------------------------------------------------------------- threads


@pytest.mark.parametrize("pace", PACES)
def test_threads_have_handles_of_their_own(pace: dict[str, Any]) -> None:
    """Each opens one and closes it, on a thread of its own; all of them are done."""

    class Watched(ThreadedMedium):
        def open(self) -> Any:
            """Note the thread."""
            opened.append(threading.get_ident())
            return super().open()

        def close(self, handle: Any) -> Any:
            """Note the thread."""
            closed.append(threading.get_ident())
            return super().close(handle)

    opened: list[int] = []
    closed: list[int] = []
    event = crowded("threads", Watched, **pace)
    certain(event)
    assert event.history is not None
    assert {each.worker: each.handle for each in event.history.acts} == {"A": 1, "B": 2, "after": 0}
    assert len(set(opened)) == len(opened) == 3
    assert sorted(opened) == sorted(closed)


class OpensTwice(ThreadedMedium):
    """Gives out two handles and no more."""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.opened = 0

    def open(self) -> Any:
        """Fail the third time."""
        self.opened += 1
        if self.opened == 3:
            raise OSError("too many")
        return super().open()


@pytest.mark.parametrize("pace", PACES)
def test_a_thread_that_can_not_open_leaves_nobody_waiting(pace: dict[str, Any]) -> None:
    """The fault is the medium's, and not that the others gave up."""
    with pytest.raises(MediumFault) as caught:
        crowded("threads", OpensTwice, **pace)
    assert str(caught.value) == "medium: threaded raised in open(): OSError: too many"


def test_a_store_that_ends_its_thread_is_told_so() -> None:
    """There is no history of it, but the program goes on."""

    class Leaving(ThreadedMedium):
        class store(LockedStore):
            def load(self, session: Any, **filters: Any) -> list[Entry]:
                """Leave."""
                raise SystemExit("enough")

    event = crowded("threads", Leaving)
    assert (event.outcome, event.text, event.history) == ("raised", "SystemExit: enough", None)


def test_what_a_store_lacks_or_raises_is_told_of_each_step() -> None:
    """In the order in which the steps began."""
    steps = (
        call("fork", "s", new="f"),
        call("create", "s"),
        call("record", "nowhere"),
    )
    event = play(program(call("create", "s"), at_once("s", "threads", A=steps)), ThreadedMedium)
    told = [(each.outcome, each.error, each.text) for each in event.events[-1].nested]
    assert told == [
        ("skipped", None, "absent"),
        ("raised", "SessionExists", "SessionExists: 's'"),
        ("raised", "SessionNotFound", "SessionNotFound: 'nowhere'"),
    ]


def test_a_worker_with_nothing_to_do_is_no_hindrance() -> None:
    """Programs get smaller while they are reduced."""
    for way, medium in (("threads", ThreadedMedium), ("processes", FiledMedium)):
        event = play(program(call("create", "s"), at_once("s", way, A=A, B=())), medium).events[-1]
        assert names(event) == {"A": ["append ok", "append ok"]}


def test_threads_meet_step_by_step_or_set_off_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """One alone meets itself at once; with a stride its further steps come that much later."""
    monkeypatch.setattr("storelaw.crowd.time.monotonic_ns", lambda: 1_000)
    rounds = Rounds([3, 0], 5.0)
    assert [rounds.moment(number) for number in range(3)] == [1_000 + PACE] * 3
    strided = Rounds([3], 5.0).paced(2)
    assert [strided(number) for number in range(3)] == [
        1_000 + PACE * (1 + 2 * n) for n in range(3)
    ]


# -------------------------------------------------------------------- processes


@pytest.mark.parametrize("pace", PACES)
def test_processes_open_the_same_medium(pace: dict[str, Any]) -> None:
    """Each a handle of its own; what all of them wrote is there for the next one."""
    event = crowded("processes", FiledMedium, **pace)
    certain(event)
    assert event.history is not None
    assert {each.handle for each in event.history.acts} == {0, 1, 2}


class Elsewhere(FiledMedium):
    """Leads other processes astray."""

    def target(self) -> dict[str, str]:
        """To a module that isn't there."""
        return {"medium": "storelaw.nowhere:Medium"}


@pytest.mark.parametrize("pace", PACES)
def test_processes_that_can_not_open_are_ended(pace: dict[str, Any]) -> None:
    """All of them, so that the next ones are fresh."""
    with pytest.raises(MediumFault) as caught:
        crowded("processes", Elsewhere, **pace)
    assert str(caught.value) == (
        "medium: another process could not open it: "
        "ModuleNotFoundError: No module named 'storelaw.nowhere'"
    )


def test_a_class_inside_a_function_takes_no_processes() -> None:
    """It is found out before a process is started."""

    class Inner(FiledMedium):
        """Nobody else sees it."""

    with pytest.raises(MediumFault, match="is defined inside a function"):
        crowded("processes", Inner)


# ------------------------------------------------------------------------ doors


@pytest.mark.parametrize("way", ["tasks", "threads"])
def test_workers_open_doors_of_their_own(way: str) -> None:
    """Over their own handles; their answers are told like those of a store."""
    steps = (door("memory", "M", ONE), ask("M", "get", scope_of(ONE), "turn", "t"))
    crowd = at_once(ONE, way, A=steps, B=(*steps, ask("N", "get")))
    event = play(program(crowd), SharedMedium).events[0]
    told = {name: [each for each in event.nested if each.step.on == name] for name in "AB"}
    assert [(each.outcome, each.value) for each in told["A"]] == [("ok", None), ("ok", None)]
    assert [each.outcome for each in told["B"]] == ["ok", "ok", "skipped"]
