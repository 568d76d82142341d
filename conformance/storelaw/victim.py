"""The other end of :mod:`storelaw.victims`: processes in which a store works until it is killed.

Run as ``python -m storelaw.victim``. Each line of its input is a job in JSON. The process
imports the store once and forks for each job, so that a death costs no new start; where it
can't fork safely it does the job itself, and dies of it.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TextIO, TypeAlias

from storelaw.child import opened
from storelaw.driver import Driver
from storelaw.errands import Errand, Word
from storelaw.errors import told
from storelaw.program import Program
from storelaw.worker import current
from storelaw.wrecks import MOST, deed

Message: TypeAlias = Mapping[str, Any]
Say: TypeAlias = Callable[[Message], object]

#: Functions of C after whose calls a medium may be otherwise than before.
BOUNDARIES: Final = frozenset(
    [
        "open",
        "write",
        "writelines",
        "pwrite",
        "flush",
        "close",
        "__exit__",
        "truncate",
        "ftruncate",
        "link",
        "replace",
        "rename",
        "unlink",
        "remove",
        "mkdir",
        "rmdir",
        "fsync",
        "fdatasync",
        "execute",
        "executemany",
        "executescript",
        "commit",
        "send",
        "sendall",
        "sendto",
    ]
)

#: How many operations a process does that is to die at a boundary.
FEW: Final = 20

#: How long it waits there for its end, in seconds.
WAIT: Final = 60.0


class Refused(Exception):
    """The store raised, so that the rest of a job would show nothing."""


class Victims:
    """Begins one victim after another, until its input ends."""

    def __init__(self, heard: TextIO, say: Say, fork: Callable[[], int] | None) -> None:
        self._heard, self._say, self._fork = heard, say, fork

    def serve(self) -> None:
        """Do all jobs; what becomes of each is said when it has ended."""
        for line in self._heard:
            job: Message = json.loads(line)
            try:
                import_module(job["target"]["medium"].partition(":")[0])
                self._begin(job)
            except Exception as error:
                self._say({"fault": told(error)})
            else:
                self._say({"over": True})

    def _begin(self, job: Message) -> None:
        if self._fork is None or threading.active_count() > 1:
            work(job, self._say)
            return
        pid = self._fork()
        if pid:
            os.waitpid(pid, 0)
            return
        try:
            work(job, self._say)
        finally:
            os._exit(0)


def work(job: Message, say: Say) -> None:
    """Open the medium and do what the job's step asks for, again and again."""
    say({"pid": os.getpid()})
    try:
        _worked(job, say)
    except Refused as refused:
        say({"refused": str(refused)})
    except Exception as error:
        say({"refused": told(error)})


def _worked(job: Message, say: Say) -> None:
    medium = opened(job["target"])
    driver = Driver(medium.manifest, current())
    (step,) = Program.of(job["program"]).steps
    handle = driver.resolved("open()", medium.open)
    halt = Halt(job["halt"], say)

    def heard(word: Word) -> None:
        if word.stage in ("raised", "absent"):
            raise Refused(word.text or word.stage)
        halt.inside = False
        say({word.stage: word.index})
        halt.inside = word.stage == "begun"

    say({"ready": True})
    errand = Errand(driver, handle, heard)
    with halt.watching():
        for index in range(FEW if job["halt"] else MOST):
            errand.carried_out([deed(step, job["number"], index, medium.manifest)])
    driver.resolved("close()", medium.close, handle)


class Halt:
    """Waits for its end at the boundary of this number inside operations; 0 is none."""

    def __init__(self, number: int, say: Say) -> None:
        self._left, self._say = number, say
        self.inside = False

    @contextmanager
    def watching(self) -> Generator[None]:
        """Count the boundaries that are met inside, also in threads that begin there."""
        if not self._left:
            yield
            return
        before = sys.getprofile()
        threading.setprofile(self.called)
        sys.setprofile(self.called)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(before)

    def called(self, _: object, event: str, function: Any) -> None:
        """What the interpreter says of each call."""
        if self.inside and event == "c_return" and is_boundary(function):
            self._left -= 1
            if not self._left:
                self._say({"halted": True})
                time.sleep(WAIT)


def is_boundary(function: Any) -> bool:
    """Whether a medium may be otherwise after a call; texts have a ``replace`` of their own."""
    name = function.__name__
    own = name != "replace" or isinstance(function.__self__, ModuleType)
    return name in BOUNDARIES and own


def _speaker(out: int) -> Say:
    """Says a message as one line in one piece, whoever else speaks."""

    def say(message: Message) -> None:
        os.write(out, json.dumps(message).encode("ascii") + b"\n")

    return say


def main(out: Callable[[], int] = lambda: os.dup(1)) -> None:
    """Serve the standard streams, with the store's own prints out of the way."""
    say = _speaker(out())
    os.dup2(2, 1)
    Victims(sys.stdin, say, getattr(os, "fork", None)).serve()


if __name__ == "__main__":
    main()
