"""Processes that open the same medium: given jobs, listened to, ended."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from storelaw import children
from storelaw.children import Child, borrowed, given_back, soon, target_of
from storelaw.errands import Word
from storelaw.errors import MediumFault
from storelaw.liars.crowd_files import FiledMedium
from storelaw.program import append, call, load, program
from storelaw.samples import said
from storelaw.worker import Overdue

ONE = said("1")
STEPS = program(call("create", "s"), append("s", ONE), load("s"))


class Pipe:
    """The input of a process that nobody reads."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        self.broken = False

    def write(self, line: str) -> None:
        """Keep it."""
        if self.broken:
            raise BrokenPipeError
        self.lines.append(json.loads(line))

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """What couldn't be written is written now."""
        if self.broken:
            raise BrokenPipeError


class Process:
    """A process that was ended as it said something."""

    def __init__(self, *messages: Any) -> None:
        self.stdin = Pipe()
        self.stdout = StringIO("".join(f"{json.dumps(each)}\n" for each in messages) + '{"ind')
        self.code: int | None = None

    def poll(self) -> int | None:
        """Its end, if it has one."""
        return self.code

    def kill(self) -> None:
        """End."""
        self.code = -9

    def wait(self) -> None:
        """Nothing to wait for."""


@pytest.fixture(autouse=True)
def spare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process of another test is there."""
    monkeypatch.setattr(children, "_SPARE", type(children._SPARE)())


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the next processes say."""
    messages: list[Any] = []
    monkeypatch.setattr("storelaw.spawning.subprocess.Popen", lambda *_, **__: Process(*messages))
    return messages


@pytest.fixture
def real() -> Iterator[Child]:
    """A process, ended when the test does."""
    child = Child()
    yield child
    child.kill()


def test_a_target_is_the_class_the_place_and_the_name(tmp_path: Path) -> None:
    """Where the medium doesn't say otherwise."""
    medium = FiledMedium(tmp_path)
    expected = {
        "medium": "storelaw.liars.crowd_files:FiledMedium",
        "workdir": str(tmp_path),
        "name": medium.name,
    }
    assert target_of(medium) == expected


def test_a_medium_may_say_how_it_is_opened(tmp_path: Path) -> None:
    """Its own words come before those of the kit, also where its class stands in a function."""

    class Own(FiledMedium):
        def target(self) -> dict[str, str]:
            """Another class, and a place that others reach."""
            return {"medium": "acme.testing:Filed", "workdir": "/srv/acme"}

    own = Own(tmp_path)
    expected = {"medium": "acme.testing:Filed", "workdir": "/srv/acme", "name": own.name}
    assert target_of(own) == expected


def test_a_class_inside_a_function_can_not_be_imported(tmp_path: Path) -> None:
    """The fault says what to do."""

    class Inner(FiledMedium):
        """Nobody else sees it."""

    with pytest.raises(MediumFault) as caught:
        target_of(Inner(tmp_path))
    assert str(caught.value) == (
        "medium: test_a_class_inside_a_function_can_not_be_imported.<locals>.Inner is defined "
        "inside a function, so no other process can import it; move it to a module, or give the "
        "medium a target()"
    )


def test_a_process_does_a_job_and_serves_again(tmp_path: Path, real: Child) -> None:
    """Its words come as they are said; one who borrows it next needs no new one."""
    target = target_of(FiledMedium(tmp_path))
    for number in range(2):
        real.prepare(target, STEPS if number == 0 else program(load("s")))
        real.ready()
        real.begin()
        words = list(real.words(60.0))
        assert (words[-1].stage, words[-1].value) == ("ok", [ONE])
    given_back(real)
    assert borrowed() is real


def test_a_process_waits_for_others_ahead_of_each_step(told: list[Any]) -> None:
    """Its words end where it waits, and go on after it was told the moment."""
    told += [{"ready": True}, {"waits": 0}, {"index": 0, "at": 5, "stage": "begun"}, {"waits": 1}]
    child = Child()
    child.prepare({"medium": "m"}, program(), (1, 2), together=True)
    child.ready()
    assert list(child.words(60.0)) == []
    child.begin(7, 3)
    assert list(child.words(60.0)) == [Word(0, 5, "begun")]
    assert child._process.stdin is not None
    assert child._process.stdin.lines == [  # type: ignore[attr-defined]
        {
            "target": {"medium": "m"},
            "program": program().data(),
            "pauses": [1, 2],
            "together": True,
        },
        {"start": 7, "pace": 3},
    ]


def test_a_fault_of_another_process_is_the_mediums(told: list[Any]) -> None:
    """With what was raised there."""
    told.append({"fault": "OSError: full"})
    with pytest.raises(MediumFault) as caught:
        Child().ready()
    assert str(caught.value) == "medium: another process could not open it: OSError: full"


def test_a_process_that_ends_by_itself_is_the_mediums_fault(told: list[Any]) -> None:
    """A store that takes its process with it can't be judged."""
    told.append({"index": 0, "at": 5, "stage": "begun"})
    child, words = Child(), list[Word]()
    with pytest.raises(MediumFault) as caught:
        words.extend(child.words(60.0))
    assert str(caught.value) == "medium: a process with the store in it ended by itself"


def test_a_process_that_has_ended_takes_no_job(told: list[Any], real: Child) -> None:
    """Nor is it borrowed again; what ends it says whose fault it is."""
    real.kill()
    given_back(real)
    assert not real.alive
    assert borrowed() is not real
    assert not children._SPARE
    broken = Child()
    assert broken._process.stdin is not None
    broken._process.stdin.broken = True  # type: ignore[attr-defined]
    with pytest.raises(MediumFault, match="a process with the store in it ended by itself"):
        broken.prepare({}, program())
    broken.kill()


def test_a_silent_process_is_overdue_and_ended(real: Child) -> None:
    """The fault says how long it was silent, and what may be changed."""
    with pytest.raises(Overdue) as caught:
        list(real.words(0.001))
    assert str(caught.value) == (
        "medium: another process was silent for 0.001 s; "
        "if that is right for this store, raise operation_timeout in its manifest"
    )
    assert not real.alive


def test_spare_processes_are_ended(told: list[Any]) -> None:
    """All of them, at the end of this one."""
    spare = [Child(), Child()]
    for each in spare:
        given_back(each)
    children.clear()
    assert [each.alive for each in spare] == [False, False]
    assert borrowed() not in spare


def test_a_common_moment_is_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late enough for all to hear of it."""
    monkeypatch.setattr("storelaw.children.time.monotonic_ns", lambda: 5)
    assert soon() == 5 + children.HEAD_START
