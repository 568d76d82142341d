"""When workers that are to meet begin each step, and how they come to meet within it.

Operations that take no time at all overlap because a worker naps within them, at calls and
returns of functions. Times are nanoseconds of the system's monotonic clock.
"""

import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

#: How long a worker waits without sleeping, in seconds.
AWAKE: Final = 5e-4

#: How long a worker naps, in seconds.
NAP: Final = 1e-5

#: After how many calls and returns of functions a worker naps.
OFTEN: Final = (60,)


class Alone:
    """The worker meets nobody."""

    def meet(self, index: int) -> None:
        """Begin at once."""

    @contextmanager
    def naps(self) -> Generator[None]:
        """Don't nap."""
        yield


@dataclass(frozen=True, slots=True)
class Meeting(Alone):
    """The workers begin each step at a moment, which may be one for all of them.

    ``moment`` gives it by the step's index. A worker naps after so many calls and returns of
    functions as ``pauses`` say, over and over.
    """

    moment: Callable[[int], int]
    pauses: Sequence[int] = ()

    def meet(self, index: int) -> None:
        """Wait until a step may begin; awake at the end, since a sleeper comes too late."""
        moment = self.moment(index)
        asleep = (moment - time.monotonic_ns()) / 1e9 - AWAKE
        if asleep > 0:
            time.sleep(asleep)
        while time.monotonic_ns() < moment:
            pass

    @contextmanager
    def naps(self) -> Generator[None]:
        """Nap within the calls that are made inside."""
        before = sys.getprofile()
        sys.setprofile(_napping(self.pauses or OFTEN))
        try:
            yield
        finally:
            sys.setprofile(before)


def paced(start: int, pace: int) -> Callable[[int], int]:
    """The moments of one who begins at a time, and each further step so much later."""
    return lambda index: start + index * pace


def _napping(pauses: Sequence[int]) -> Callable[..., None]:
    pace = endless(pauses)
    left = next(pace)

    def called(*_: object) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            left = next(pace)
            time.sleep(NAP)

    return called


def endless(pauses: Sequence[int]) -> Iterator[int]:
    """The pauses, over and over; none at all where there are none."""
    while True:
        yield from pauses or (0,)
