"""Processes that work in a store until they are killed, and what was heard of them till then."""

import atexit
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from storelaw.errors import MediumFault
from storelaw.program import Program, Step
from storelaw.spawning import silent, spawned

Message: TypeAlias = Mapping[str, Any]

#: How long the process may take to start and import the store, in seconds.
TO_START: Final = 60.0

#: How long to wait before the watch is told that one waits, in seconds.
LOOK: Final = 0.1


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so many seconds into the operation that follows so many answers.

    ``early`` kills before the first operation, ``halt`` behind so many calls by which
    operations may have changed the medium.
    """

    answers: int = 0
    delay: float = 0.0
    early: bool = False
    halt: int = 0


@dataclass(slots=True)
class Heard:
    """What a process said until it died; ``struck`` says that it was killed.

    ``pace`` are the seconds that an operation took.
    """

    pid: int = 0
    ready: bool = False
    halted: bool = False
    begun: int = 0
    answered: int = 0
    refusal: str = ""
    struck: bool = False
    pace: float = 0.0

    def take(self, message: Message) -> None:
        """Take one message in."""
        self.pid = message.get("pid", self.pid)
        self.ready = self.ready or "ready" in message
        self.halted = "halted" in message
        self.refusal = message.get("refused", self.refusal)
        self.begun += "begun" in message
        self.answered += "ok" in message

    def due(self, moment: Moment) -> bool:
        """Whether the moment has come."""
        if moment.early or moment.halt:
            return self.ready if moment.early else self.halted
        return self.answered >= moment.answers and self.begun > self.answered


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a process that is silent, in seconds, and whom to tell meanwhile."""

    limit: float
    beat: Callable[[str], object]
    to_start: float = TO_START


class Victims:
    """A process that brings forth victims, one at a time."""

    def __init__(self) -> None:
        self._process = spawned("storelaw.victim", bufsize=0)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self.alive = True

    def end(self) -> None:
        """End the process."""
        self.alive = False
        self._process.kill()
        self._process.wait()
        self._in.close()
        self._out.close()

    def killed(
        self,
        target: Mapping[str, str],
        step: Step,
        number: int,
        moment: Moment,
        patience: Patience,
    ) -> Heard:
        """Let a process do what the step asks for, and kill it at a moment.

        Raises :class:`~storelaw.worker.Overdue` where it is silent for too long, and
        :class:`~storelaw.errors.MediumFault` where the store can't be imported there.
        """
        job = {"target": dict(target), "number": number, "halt": moment.halt}
        job["program"] = Program((step,)).data()
        self._in.write(json.dumps(job).encode("ascii") + b"\n")
        heard, began = Heard(), 0.0
        for message in self._messages(heard, patience):
            heard.take(message)
            began = began or (time.perf_counter() if heard.begun else 0.0)
            if not heard.struck and heard.due(moment):
                heard.pace = (time.perf_counter() - began) / max(heard.answered, 1)
                heard.struck = _strike(heard.pid, moment.delay)
        if not heard.pid:
            raise MediumFault("medium: a process that imports the store ended by itself")
        return heard

    def _messages(self, heard: Heard, patience: Patience) -> Iterator[Message]:
        """What is said, until it is over."""
        rest = b""
        while more := self._more(patience.limit if heard.ready else patience.to_start, patience):
            *lines, rest = (rest + more).split(b"\n")
            for message in map(json.loads, lines):
                if "over" in message:
                    return
                if "fault" in message:
                    raise MediumFault(
                        f"medium: another process can't import the store: {message['fault']}"
                    )
                yield message
        self.end()

    def _more(self, limit: float, patience: Patience) -> bytes:
        until = time.monotonic() + limit
        while not select.select([self._out], [], [], min(LOOK, limit))[0]:
            patience.beat("an operation in another process")
            if time.monotonic() > until:
                self.end()
                raise silent(limit)
        return os.read(self._out.fileno(), 65536)


def _strike(pid: int, delay: float) -> bool:
    """Kill a process after so many seconds; asleep, this one would come too late."""
    until = time.perf_counter() + delay
    while time.perf_counter() < until:
        pass
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


_SPARE: Final[list[Victims]] = []


def borrowed() -> Victims:
    """A process that has no victim; the one that was given back, where there is one."""
    return _SPARE.pop() if _SPARE else Victims()


def given_back(victims: Victims) -> None:
    """Keep a process for the next one who needs it."""
    if victims.alive:
        _SPARE.append(victims)


@atexit.register
def clear() -> None:
    """End the spare processes."""
    while _SPARE:
        _SPARE.pop().end()
