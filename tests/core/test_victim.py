"""The other end of a kill: a process that works in a store and tells how far it is."""

import json
import os
import runpy
import sys
import threading
from collections.abc import Callable, Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from storelaw import victim
from storelaw.children import target_of
from storelaw.liars.crash_honest import FileHonest
from storelaw.program import program
from storelaw.victim import FEW, Halt, Victims, is_boundary, main, work
from storelaw.wrecks import MOST, kill


@pytest.fixture
def target(tmp_path: Path) -> dict[str, str]:
    """How a process opens a medium of this test, which has the session of the first one."""
    medium = FileHonest(tmp_path)
    medium.open().create("s-1")
    return target_of(medium)


def job(target: dict[str, str], halt: int = 0, number: int = 1) -> dict[str, Any]:
    """A job."""
    told = program(kill("s")).data()
    return {"target": target, "program": told, "number": number, "halt": halt}


def sayings(job: dict[str, Any]) -> list[Any]:
    """What a victim says that nobody kills."""
    heard: list[Any] = []
    work(job, heard.append)
    return heard


def test_a_process_tells_of_each_operation(target: dict[str, str]) -> None:
    """After its own number and that its handle is open."""
    pid, ready, *words = sayings(job(target))
    assert (pid, ready) == ({"pid": os.getpid()}, {"ready": True})
    assert words == [word for _ in range(MOST) for word in ({"begun": 0}, {"ok": 0})]


def test_what_a_store_raises_ends_the_job(target: dict[str, str]) -> None:
    """And is said; so is what keeps the medium from being opened."""
    assert sayings(job(target, number=2))[2:] == [
        {"begun": 0},
        {"refused": "SessionNotFound: 's-2'"},
    ]
    target["medium"] = "storelaw.liars.crash_honest:Nothing"
    assert sayings(job(target))[1]["refused"].startswith("AttributeError: ")


def test_a_halt_is_told_behind_a_call_that_may_change_the_medium(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, inside an operation; there are few operations then."""
    waits: list[float] = []
    monkeypatch.setattr("storelaw.victim.time.sleep", waits.append)
    words = sayings(job(target, halt=3))
    assert words[:4] == [words[0], {"ready": True}, {"begun": 0}, {"halted": True}]
    assert words.count({"halted": True}) == len(waits) == 1
    assert words.count({"begun": 0}) == FEW


def test_threads_that_begin_inside_are_watched_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store may write on one."""
    heard: list[Any] = []
    monkeypatch.setattr("storelaw.victim.time.sleep", lambda _: None)
    halt = Halt(1, heard.append)
    before = sys.getprofile()
    with halt.watching():
        halt.inside = True
        thread = threading.Thread(target=lambda: BytesIO().write(b""))
        thread.start()
        thread.join()
    assert heard == [{"halted": True}]
    assert sys.getprofile() is before


def test_only_boundaries_inside_operations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that ends, of a function of C that may change a medium, once one has begun."""
    heard: list[Any] = []
    waits: list[float] = []
    monkeypatch.setattr("storelaw.victim.time.sleep", waits.append)
    halt = Halt(2, heard.append)
    halt.called(None, "c_return", os.write)
    halt.inside = True
    for event, function in (("c_call", os.write), ("c_return", len), ("c_return", os.write)):
        halt.called(None, event, function)
    assert (heard, waits) == ([], [])
    halt.called(None, "c_return", os.close)
    halt.called(None, "c_return", os.close)
    assert (heard, waits) == ([{"halted": True}], [victim.WAIT])


def test_a_boundary_is_a_call_that_may_change_a_medium() -> None:
    """By its name; the ``replace`` of a text is none."""
    assert [is_boundary(each) for each in (os.write, os.replace, "".replace, len)] == [
        True,
        True,
        False,
        False,
    ]


def served(*jobs: dict[str, Any], fork: Callable[[], int] | None = None) -> list[Any]:
    """What is said while these jobs are served."""
    heard: list[Any] = []
    lines = "".join(f"{json.dumps(each)}\n" for each in jobs)
    Victims(StringIO(lines), heard.append, fork).serve()
    return heard


def test_a_process_that_cant_fork_does_the_job_itself(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where the system has no fork, nor where other threads run."""
    monkeypatch.setattr(victim, "MOST", 1)
    done = [{"pid": os.getpid()}, {"ready": True}, {"begun": 0}, {"ok": 0}, {"over": True}]
    assert served(job(target)) == done
    monkeypatch.setattr("storelaw.victim.threading.active_count", lambda: 2)
    assert served(job(target), fork=lambda: 1) == done


def test_a_parent_waits_for_the_end_of_its_victim(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And then says that it is over."""
    waited: list[tuple[int, int]] = []
    monkeypatch.setattr("storelaw.victim.threading.active_count", lambda: 1)
    monkeypatch.setattr("storelaw.victim.os.waitpid", lambda *of: waited.append(of))
    assert served(job(target), job(target), fork=lambda: 7) == [{"over": True}] * 2
    assert waited == [(7, 0)] * 2


def test_a_victim_ends_without_a_word_to_its_parents_files(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, whatever became of its job."""

    class Ended(BaseException):
        """The process is gone."""

    def ends(code: int) -> None:
        raise Ended(code)

    monkeypatch.setattr(victim, "MOST", 0)
    monkeypatch.setattr("storelaw.victim.threading.active_count", lambda: 1)
    monkeypatch.setattr("storelaw.victim.os._exit", ends)
    with pytest.raises(Ended, match="0"):
        served(job(target), fork=lambda: 0)


def test_a_store_that_cant_be_imported_is_a_fault(target: dict[str, str]) -> None:
    """In ASCII, with its type; the next job can come."""
    nowhere = {**target, "medium": "storelaw.n\u00f6where:Medium"}
    assert (
        served(job(nowhere), job(nowhere))
        == [{"fault": "ModuleNotFoundError: No module named 'storelaw.n\\xf6where'"}] * 2
    )


@pytest.fixture
def standard_output() -> Iterator[None]:
    """The standard output, put back when the test ends."""
    kept = os.dup(1)
    yield
    os.dup2(kept, 1)
    os.close(kept)


@pytest.mark.usefixtures("standard_output")
def test_what_a_store_prints_goes_elsewhere(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words go out on a channel of their own, each in one piece."""
    inner, outer = os.pipe()
    nowhere = {**target, "medium": "storelaw.nowhere:Medium"}
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps(job(nowhere)) + "\n"))
    main(lambda: outer)
    os.close(outer)
    with os.fdopen(inner) as lines:
        assert [json.loads(each) for each in lines] == [
            {"fault": "ModuleNotFoundError: No module named 'storelaw.nowhere'"}
        ]


@pytest.mark.usefixtures("standard_output")
def test_the_module_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It serves its input until that ends."""
    monkeypatch.setattr(sys, "stdin", StringIO(""))
    assert runpy.run_path(str(victim.__file__), run_name="__main__")["__name__"] == "__main__"
