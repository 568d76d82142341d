"""The other end of :mod:`storelaw.children`: a process that opens a medium and does errands.

Run as ``python -m storelaw.child``. Each line of its input is a job in JSON, or the moment at
which the job that was given begins; each line of its output is what it has to say, in JSON.
What a store prints goes to the standard error.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from storelaw.driver import Driver
from storelaw.errands import Errand
from storelaw.errors import told
from storelaw.medium import Medium
from storelaw.meetings import Meeting, paced
from storelaw.program import Program
from storelaw.worker import current

Message: TypeAlias = Mapping[str, Any]


def opened(target: Mapping[str, str]) -> Medium:
    """The medium that another process made, by its class, directory and name."""
    module, _, name = target["medium"].partition(":")
    medium: Medium = attrgetter(name)(import_module(module))(Path(target["workdir"]))
    medium.name = target["name"]
    return medium


class Child:
    """Does one job after another, until its input ends."""

    def __init__(self, heard: TextIO, said: TextIO) -> None:
        self._heard, self._said = heard, said

    def serve(self) -> None:
        """Do all jobs; a fault is said, and the next job can come."""
        for line in self._heard:
            try:
                self._do(json.loads(line))
            except Exception as error:
                self._say({"fault": told(error)})
            else:
                self._say({"done": True})

    def _do(self, job: Message) -> None:
        medium = opened(job["target"])
        driver = Driver(medium.manifest, current())
        handle = driver.resolved("open()", medium.open)
        try:
            self._say({"ready": True})
            errand = Errand(driver, handle, lambda word: self._say(asdict(word)), medium)
            errand.carried_out(Program.of(job["program"]).steps, self._meeting(job))
        finally:
            driver.resolved("close()", medium.close, handle)

    def _meeting(self, job: Message) -> Meeting:
        """How the job meets others: step by step, or at a pace of its own."""
        pauses: list[int] = job["pauses"]
        if job["together"]:
            return Meeting(self._together, pauses)
        return Meeting(paced(**json.loads(self._heard.readline())), pauses)

    def _together(self, index: int) -> int:
        self._say({"waits": index})
        return int(json.loads(self._heard.readline())["start"])

    def _say(self, message: Message) -> None:
        self._said.write(json.dumps(message) + "\n")
        self._said.flush()


def main(out: Callable[[], int] = lambda: os.dup(1)) -> None:
    """Serve the standard streams, with the store's own prints out of the way."""
    with os.fdopen(out(), "w", encoding="ascii") as said:
        os.dup2(2, 1)
        Child(sys.stdin, said).serve()


if __name__ == "__main__":
    main()
