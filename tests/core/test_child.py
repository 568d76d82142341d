"""The other end: a process that opens a medium and says what came of its steps."""

import json
import os
import runpy
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from storelaw import child
from storelaw.child import Child, main, opened
from storelaw.children import target_of
from storelaw.errands import Word
from storelaw.liars.crowd_files import FiledMedium
from storelaw.program import append, call, load, program
from storelaw.samples import said

ONE = said("1")
STEPS = program(call("create", "s"), append("s", ONE), load("s"))


@pytest.fixture
def target(tmp_path: Path) -> dict[str, str]:
    """How a process opens a medium of this test."""
    return target_of(FiledMedium(tmp_path))


def job(target: dict[str, str], together: bool = False, pauses: Any = ()) -> str:
    """A job as a line."""
    told = {"target": target, "program": STEPS.data(), "pauses": list(pauses)}
    return json.dumps({**told, "together": together}) + "\n"


def begin(start: int = 0, pace: int = 0) -> str:
    """The moment of a job as a line."""
    return json.dumps({"start": start, "pace": pace}) + "\n"


def answers(*lines: str) -> list[Any]:
    """What a child says to these lines, times left out."""
    said_of = StringIO()
    Child(StringIO("".join(lines)), said_of).serve()
    found = [json.loads(each) for each in said_of.getvalue().splitlines()]
    return [{name: value for name, value in each.items() if name != "at"} for each in found]


def word(index: int, stage: Any, value: Any = None) -> dict[str, Any]:
    """A word without its time, as it is sent."""
    told = Word(index, 0, stage, value)
    return {"index": index, "stage": stage, "value": value, "error": told.error, "text": ""}


STORED = [
    word(0, "begun"),
    word(0, "ok"),
    word(1, "begun"),
    word(1, "ok"),
    word(2, "begun"),
    word(2, "ok", [ONE]),
]


def test_a_medium_of_another_process_has_its_place_and_its_name(
    target: dict[str, str], tmp_path: Path
) -> None:
    """And its class, wherever that stands in a module."""
    medium = opened({**target, "name": "n1"})
    assert (type(medium), medium.workdir, medium.name) == (FiledMedium, tmp_path, "n1")
    nested = opened({**target, "medium": "storelaw.liars.crowds:WritesTheLogBack"})
    assert type(nested).__name__ == "WritesTheLogBack"


def test_a_job_is_done_once_it_may_begin(target: dict[str, str]) -> None:
    """At once or at a moment; it is ready first, and says when it is done."""
    assert answers(job(target), begin()) == [{"ready": True}, *STORED, {"done": True}]
    *_, loaded, done = answers(job(target), begin(start=1, pace=1))
    assert (loaded, done) == (word(2, "ok", [ONE]), {"done": True})


def test_a_job_that_is_done_together_waits_ahead_of_each_step(target: dict[str, str]) -> None:
    """Until it is told the moment."""
    waits: Iterator[dict[str, int]] = ({"waits": index} for index in range(3))
    pairs = zip(STORED[::2], STORED[1::2], strict=True)
    expected = [each for two in pairs for each in (next(waits), *two)]
    said_of = answers(job(target, together=True, pauses=[2]), begin(1), begin(1), begin(1))
    assert said_of == [{"ready": True}, *expected, {"done": True}]


def test_a_fault_is_said_and_the_next_job_can_come(target: dict[str, str]) -> None:
    """In ASCII, with its type."""
    nowhere = {**target, "medium": "storelaw.n\u00f6where:Medium"}
    fault, ready, *_, done = answers(job(nowhere), job(target), begin())
    assert fault == {"fault": "ModuleNotFoundError: No module named 'storelaw.n\\xf6where'"}
    assert (ready, done) == ({"ready": True}, {"done": True})


def test_a_handle_is_closed_whatever_comes(
    target: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a job can't be read to its end."""
    closed: list[Any] = []
    monkeypatch.setattr(FiledMedium, "close", lambda _, handle: closed.append(handle))
    ready, fault = answers(job(target))
    assert ready == {"ready": True}
    assert fault["fault"].startswith("JSONDecodeError")
    assert len(closed) == 1


@pytest.fixture
def standard_output() -> Iterator[None]:
    """The standard output, put back when the test ends."""
    kept = os.dup(1)
    yield
    os.dup2(kept, 1)
    os.close(kept)


@pytest.mark.usefixtures("standard_output")
def test_what_a_store_prints_is_no_answer(
    target: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers have a descriptor of their own, and the first one leads to the errors."""
    monkeypatch.setattr("sys.stdin", StringIO(job(target) + begin()))
    said_of = tmp_path / "said"
    main(lambda: os.open(said_of, os.O_CREAT | os.O_WRONLY))
    assert os.fstat(1).st_ino == os.fstat(2).st_ino
    assert json.loads(said_of.read_text().splitlines()[-1]) == {"done": True}


@pytest.mark.usefixtures("standard_output")
def test_the_module_serves_the_standard_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run by its name, it reads lines from its input and answers on its output."""
    monkeypatch.setattr("sys.stdin", StringIO("{}\n"))
    said_of = os.open(tmp_path / "said", os.O_CREAT | os.O_WRONLY)
    os.dup2(said_of, 1)
    runpy.run_path(str(child.__file__), run_name="__main__")
    os.close(said_of)
    assert json.loads((tmp_path / "said").read_text()) == {"fault": "KeyError: 'target'"}
