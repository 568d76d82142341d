"""What lies around a program: files, threads, tasks, and media that raise or hang."""

import asyncio
import random
import shutil
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from storelaw.errors import MediumFault
from storelaw.manifest import Manifest
from storelaw.player import Notes, play
from storelaw.program import (
    load,
    opened,
    program,
)
from storelaw.samples import said
from storelaw.worker import Overdue, current

from .plain import LIFE, PlainMedium

ONE, TWO = said("1"), said("2")


@pytest.fixture(autouse=True)
def life() -> list[str]:
    """The calls that the media of a test get, in order."""
    LIFE.clear()
    return LIFE


def test_files_outside_the_working_directory_are_seen() -> None:
    """A store that follows ``..`` in an id is caught, and leaves nothing on the machine."""
    roots: list[Path] = []

    class Climbing(PlainMedium):
        def __init__(self, workdir: Path) -> None:
            super().__init__(workdir)
            roots.append(workdir)
            (workdir / "inside").touch()
            (workdir / ".." / ".." / "up").touch()

    trace = play(program(load("s")), Climbing)
    assert trace.outside == ("up",)
    assert not roots[0].exists()
    assert not roots[0].parents[3].exists()
    assert play(program(load("s")), PlainMedium).outside == ()


def test_a_store_that_removes_what_is_not_its_own_is_seen() -> None:
    """Deleting the session ``..`` is no fault of the harness."""

    class Removing(PlainMedium):
        def destroy(self) -> None:
            """Remove too much."""
            shutil.rmtree(self.workdir.parent)

    assert play(program(load("s")), Removing).outside == ("near (removed)",)


def test_the_state_of_random_is_restored() -> None:
    """A store that seeds ``random`` changes nothing for the test suite around it."""

    class Seeding(PlainMedium):
        def open(self) -> Any:
            """Seed."""
            random.seed(1)
            return super().open()

    before = random.getstate()
    play(program(load("s")), Seeding)
    assert random.getstate() == before


def test_threads_and_tasks_that_stay_behind_are_noted() -> None:
    """Each kind of thing is noted once; pending tasks are cancelled."""
    gate = threading.Event()
    tasks: list[asyncio.Task[None]] = []

    class Leaving(PlainMedium):
        def open(self) -> Any:
            """Start what is never stopped."""
            threading.Thread(target=gate.wait, daemon=True).start()
            return super().open()

        async def destroy(self) -> None:  # type: ignore[override]
            """Leave a task."""
            tasks.append(asyncio.ensure_future(asyncio.Event().wait()))  # type: ignore[arg-type]

    notes = Notes()
    play(program(load("s")), Leaving, notes)
    gate.set()
    assert notes.left == {"threads", "tasks"}
    assert tasks[0].cancelled()
    clean = Notes()
    play(program(load("s")), PlainMedium, clean)
    assert clean.left == set()


class Fragile(PlainMedium):
    """A medium that raises where its subclass says."""

    where: ClassVar[str] = ""

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.fail("init")

    def fail(self, where: str) -> None:
        """Raise, if this is the place."""
        if self.where == where:
            raise OSError("d\u00efsk full")

    def open(self) -> Any:
        """Open."""
        self.fail("open")
        return super().open()

    def close(self, handle: Any) -> None:
        """Close."""
        LIFE.append("close")
        self.fail("close")

    def destroy(self) -> None:
        """Destroy."""
        super().destroy()
        self.fail("destroy")


def test_a_medium_that_exits_does_not_end_the_run() -> None:
    """Leaving the process is a fault like any other."""

    class Exiting(PlainMedium):
        def open(self) -> Any:
            """Leave."""
            raise SystemExit("no daemon")

    with pytest.raises(MediumFault, match=r"raised in open\(\): SystemExit: no daemon"):
        play(program(load("s")), Exiting)


@pytest.mark.parametrize(
    ("where", "doing", "calls"),
    [
        ("init", "making the medium", []),
        ("open", "open()", ["destroy"]),
        ("close", "close()", ["open", "close", "destroy"]),
        ("destroy", "destroy()", ["open", "close", "destroy"]),
    ],
)
def test_what_a_medium_raises_is_its_fault(where: str, doing: str, calls: list[str]) -> None:
    """The message says what the medium was doing; what was opened is freed all the same."""
    medium = type("Failing", (Fragile,), {"where": where})
    with pytest.raises(MediumFault) as caught:
        play(program(load("s")), medium)
    assert str(caught.value) == f"medium: plain raised in {doing}: OSError: d\\xefsk full"
    assert calls == LIFE


def test_a_medium_may_say_itself_that_it_cannot_be_driven() -> None:
    """A fault that the medium raises keeps its own words."""

    class Telling(PlainMedium):
        def open(self) -> Any:
            """Tell."""
            raise MediumFault("medium: start the daemon first")

    with pytest.raises(MediumFault) as caught:
        play(program(load("s")), Telling)
    assert str(caught.value) == "medium: start the daemon first"


def test_open_must_return_a_handle() -> None:
    """A forgotten ``return`` is told as such."""

    class Forgetful(PlainMedium):
        def open(self) -> Any:
            """Forget."""
            return None

    with pytest.raises(MediumFault) as caught:
        play(program(load("s")), Forgetful)
    assert str(caught.value) == "medium: plain's open() returned None; return the store object"


def test_everything_is_closed_when_a_step_ends_the_program() -> None:
    """Handles are closed and the medium destroyed whatever a step raises."""

    class Vanishing(PlainMedium):
        def open(self) -> Any:
            """Open once only."""
            if "open" in LIFE:
                raise OSError("gone")
            return super().open()

    with pytest.raises(MediumFault, match="gone"):
        play(program(opened(1), load("s")), Vanishing)
    assert LIFE == ["open", "close", "destroy"]


def test_a_medium_that_hangs_is_left_and_the_next_program_runs() -> None:
    """The thread is abandoned; a fresh one takes the next program."""
    gate = threading.Event()

    class Hanging(PlainMedium):
        manifest = Manifest(name="hanging", operation_timeout=0.05)

        def open(self) -> Any:
            """Hang."""
            gate.wait()
            return super().open()

    before = current()
    with pytest.raises(Overdue, match=r"medium: open\(\) took longer than 0.05 s"):
        play(program(load("s")), Hanging)
    assert current() is not before
    assert play(program(load("s")), PlainMedium).events[0].ok
    gate.set()
