"""Processes that open the same medium, to write to it at once."""

import atexit
import json
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeAlias

from storelaw.errands import Word
from storelaw.errors import MediumFault
from storelaw.medium import Medium
from storelaw.program import Program
from storelaw.spawning import silent, spawned

Message: TypeAlias = Mapping[str, Any]

#: Nanoseconds between the last one's being ready and the moment at which all begin.
HEAD_START: Final = 1_000_000

#: Nanoseconds between the steps of processes that are to meet.
PACE: Final = 400_000

#: How long a process may take to start and import the store, in seconds.
TO_START: Final = 60.0

#: What says that no more will come.
_END: Final[Message] = {"end": True}


def target_of(medium: Medium) -> dict[str, str]:
    """How another process opens a medium: its own ``target()``, or its class by import path.

    Raises :class:`~storelaw.errors.MediumFault` for a class that can't be imported.
    """
    own: Any = getattr(medium, "target", dict[str, str])
    kind = type(medium)
    found: dict[str, str] = {"medium": f"{kind.__module__}:{kind.__qualname__}", **own()}
    if "<locals>" in found["medium"]:
        raise MediumFault(
            f"medium: {kind.__qualname__} is defined inside a function, so no other process can "
            "import it; move it to a module, or give the medium a target()"
        )
    return {"workdir": str(medium.workdir), "name": medium.name} | found


class Child:
    """A process that does errands on a medium."""

    def __init__(self) -> None:
        self._process = spawned("storelaw.child", text=True, encoding="ascii")
        self._heard: SimpleQueue[Message] = SimpleQueue()
        Thread(target=self._listen, name="storelaw-child", daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if line.endswith("\n"):
                    self._heard.put(json.loads(line))
        self._heard.put(_END)

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise _ended() from None

    def prepare(
        self,
        target: Mapping[str, str],
        program: Program,
        pauses: Sequence[int] = (),
        *,
        together: bool = False,
    ) -> None:
        """Give a job; :meth:`ready` waits until its handle is open.

        A job that is done together with others waits ahead of each step until it is told to
        :meth:`begin`, any other only ahead of the first.
        """
        job = {"target": target, "program": program.data(), "pauses": list(pauses)}
        self._send({**job, "together": together})

    def ready(self) -> None:
        """Wait until the handle is open."""
        self._next(TO_START)

    def begin(self, start: int = 0, pace: int = 0) -> None:
        """Let the job begin: at once, or at a moment, and each further step so much later.

        Both are nanoseconds of the monotonic clock.
        """
        self._send({"start": start, "pace": pace})

    def words(self, limit: float) -> Iterator[Word]:
        """What the process says of its steps, until it is done or waits for others.

        Raises :class:`~storelaw.worker.Overdue` after so many silent seconds.
        """
        while True:
            message = self._next(limit)
            if "done" in message or "waits" in message:
                return
            yield Word(**message)

    def _next(self, limit: float) -> Message:
        try:
            message = self._heard.get(timeout=limit)
        except Empty:
            self.kill()
            raise silent(limit) from None
        if "fault" in message:
            raise MediumFault(f"medium: another process could not open it: {message['fault']}")
        if message is _END:
            raise _ended()
        return message

    def kill(self) -> None:
        """End the process at once, wherever it is."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None


def _ended() -> MediumFault:
    return MediumFault("medium: a process with the store in it ended by itself")


_SPARE: Final[deque[Child]] = deque()


def borrowed() -> Child:
    """A process that does nothing else; one that served before where there is one."""
    while _SPARE:
        child = _SPARE.pop()
        if child.alive:
            return child
        child.kill()
    return Child()


def given_back(child: Child) -> None:
    """Keep a process for the next one who needs it."""
    _SPARE.append(child)


@atexit.register
def clear() -> None:
    """End the spare processes."""
    while _SPARE:
        _SPARE.pop().kill()


def soon() -> int:
    """The moment at which those that are ready may begin together."""
    return time.monotonic_ns() + HEAD_START
