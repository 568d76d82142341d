"""Processes that are killed as they work, and what is heard of them till then."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storelaw import victims
from storelaw.children import target_of
from storelaw.errors import MediumFault
from storelaw.liars.crash_honest import FileHonest
from storelaw.victims import Heard, Moment, Patience, Victims, borrowed, clear, given_back
from storelaw.worker import Overdue
from storelaw.wrecks import kill

STEP = kill("s")
PATIENT = Patience(60.0, lambda _: None)


@pytest.fixture
def helper() -> Iterator[Victims]:
    """A process that brings forth victims."""
    made = borrowed()
    yield made
    given_back(made)


@pytest.fixture
def target(tmp_path: Path) -> dict[str, str]:
    """How a process opens a medium of this test, which has the session of the first one."""
    medium = FileHonest(tmp_path)
    medium.open().create("s-1")
    return target_of(medium)


def test_a_process_is_killed_before_it_begins(helper: Victims, target: dict[str, str]) -> None:
    """Once its handle is open."""
    heard = helper.killed(target, STEP, 1, Moment(early=True), PATIENT)
    assert heard.ready
    assert heard.struck
    assert heard.pid not in (0, os.getpid())


def test_a_process_is_killed_after_so_many_answers(helper: Victims, target: dict[str, str]) -> None:
    """As the next operation has begun; how long one takes is known then."""
    heard = helper.killed(target, STEP, 1, Moment(answers=2, delay=1e-4), PATIENT)
    assert heard.struck
    assert heard.answered >= 2
    assert heard.pace > 0
    assert len(FileHonest(Path(target["workdir"])).open().load("s-1")) >= 3 * heard.answered


def test_a_process_is_killed_at_a_boundary(helper: Victims, target: dict[str, str]) -> None:
    """It waits there, inside its operation, so that the kill can't miss."""
    heard = helper.killed(target, STEP, 1, Moment(halt=2), PATIENT)
    assert (heard.struck, heard.begun, heard.answered) == (True, 1, 0)


def test_a_process_may_end_by_itself(helper: Victims, target: dict[str, str]) -> None:
    """Where its store raises, nothing is left to be killed."""
    heard = helper.killed(target, STEP, 2, Moment(answers=1), PATIENT)
    assert (heard.struck, heard.refusal) == (False, "SessionNotFound: 's-2'")


def test_a_store_that_cant_be_imported_is_the_mediums_fault(
    helper: Victims, target: dict[str, str]
) -> None:
    """The text says why; the process can be used again."""
    nowhere = {**target, "medium": "storelaw.nowhere:Medium"}
    with pytest.raises(MediumFault) as caught:
        helper.killed(nowhere, STEP, 1, Moment(), PATIENT)
    assert str(caught.value) == (
        "medium: another process can't import the store: "
        "ModuleNotFoundError: No module named 'storelaw.nowhere'"
    )
    assert helper.killed(target, STEP, 1, Moment(early=True), PATIENT).struck


def replaced(monkeypatch: pytest.MonkeyPatch, code: str) -> Victims:
    """A helper whose process runs other code."""
    begin = subprocess.Popen

    def instead(_: Any, **named: Any) -> Any:
        return begin([sys.executable, "-c", code], **named)

    monkeypatch.setattr("storelaw.spawning.subprocess.Popen", instead)
    return Victims()


def test_a_process_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time that is allowed, in which the watch is told that one waits."""
    helper = replaced(monkeypatch, "import sys; sys.stdin.read()")
    monkeypatch.setattr(victims, "LOOK", 1e-3)
    beats: list[str] = []
    with pytest.raises(Overdue) as caught:
        helper.killed({}, STEP, 1, Moment(), Patience(9.0, beats.append, to_start=0.01))
    assert str(caught.value) == (
        "medium: another process was silent for 0.01 s; "
        "if that is right for this store, raise operation_timeout in its manifest"
    )
    assert set(beats) == {"an operation in another process"}
    assert not helper.alive


def test_a_process_that_ends_before_it_works_is_the_mediums_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing was heard of a victim."""
    helper = replaced(monkeypatch, "input()")
    with pytest.raises(MediumFault) as caught:
        helper.killed({}, STEP, 1, Moment(), PATIENT)
    assert str(caught.value) == "medium: a process that imports the store ended by itself"
    assert not helper.alive


def test_a_victim_that_is_gone_already_was_not_struck(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a helper that died with its victim is not kept."""
    pid = subprocess.Popen([sys.executable, "-c", ""])
    pid.wait()
    words = [{"pid": pid.pid}, {"ready": True}, {"begun": 0}]
    said = "".join(f"{json.dumps(each)}\n" for each in words)
    helper = replaced(monkeypatch, f"input(); print({said!r}, end='', flush=True)")
    heard = helper.killed({}, STEP, 1, Moment(), PATIENT)
    assert heard == Heard(pid=pid.pid, ready=True, begun=1, pace=heard.pace)
    monkeypatch.setattr(victims, "_SPARE", [])
    given_back(helper)
    assert victims._SPARE == []


def test_spare_processes_are_kept_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one who needs a process gets one that is there."""
    monkeypatch.setattr(victims, "_SPARE", [])
    helper = replaced(monkeypatch, "input()")
    given_back(helper)
    assert borrowed() is helper
    given_back(helper)
    clear()
    assert not helper.alive
