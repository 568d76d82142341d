"""What loads gave, each common beginning looked at once.

In a log that is only added to, a load gives a beginning of what a later load gives. So loads
are gathered in lines: the longest of them, and those that are a beginning of it. Comparing them
costs one pass over what they gave, at the speed of tuples; everything else is done once for
each line and then looked up by the length of a load.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from .acts import Act
from .ledgers import Ledger

#: To how many lines a load is compared before it gets one of its own.
COMPARED: Final = 8

#: The position of what isn't there.
NOWHERE: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Read:
    """A load, and the tags by which it is judged."""

    act: Act
    seen: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.seen)


@dataclass(frozen=True, slots=True)
class Line:
    """Entries in an order, with the reads that give a beginning of them, the shortest first.

    ``senders`` says who sent the entry at each position (``None`` for an act outside the
    history), ``newest`` the highest ticket on which an append up to there began.
    """

    entries: tuple[str, ...]
    reads: Sequence[Read]
    positions: Mapping[str, int]
    senders: Sequence[Act | None] = field(repr=False)
    newest: Sequence[int] = field(repr=False)

    def showing(self, position: int) -> Sequence[Read]:
        """The reads that give the entry at a position."""
        return self.reads[bisect_right(self.reads, position, key=len) :]

    def since(self, length: int, ticket: int) -> int:
        """The position of the first entry below a length whose append began after a ticket."""
        return bisect_right(self.newest, ticket, hi=length)

    def end_of(self, act: Act) -> float:
        """The position of the last entry of an append; infinite where one is missing."""
        if len(act.sent) == 1:
            return self.positions.get(act.sent[0], NOWHERE)
        return max((self.positions.get(tag, NOWHERE) for tag in act.sent), default=-1)

    def missing(self, act: Act, length: int) -> str:
        """The first entry of an append that isn't there below a length; there must be one."""
        return next(tag for tag in act.sent if self.positions.get(tag, length) >= length)


def gathered(reads: Iterable[Read]) -> list[Sequence[Read]]:
    """The reads, each with those that give a beginning of it, the shortest first.

    The first of them has the longest read of all.
    """
    found: list[list[Read]] = []
    for read in sorted(reads, key=len, reverse=True):
        fits = (each for each in found[:COMPARED] if _begins(each[0].seen, read))
        fitting = next(fits, None)
        if fitting is None:
            found.append([read])
        else:
            fitting.append(read)
    return [each[::-1] for each in found]


def _begins(entries: tuple[str, ...], read: Read) -> bool:
    """Whether a read gives a beginning of a line; the last entry is a cheap first look."""
    length = len(read)
    return not length or (entries[length - 1] == read.seen[-1] and entries[:length] == read.seen)


def line_of(reads: Sequence[Read], ledger: Ledger) -> Line:
    """The line of reads that were gathered."""
    entries = reads[-1].seen
    senders = [ledger.senders.get(tag) for tag in entries]
    began = (0 if each is None else each.began for each in senders)
    positions = {tag: index for index, tag in enumerate(entries)}
    return Line(entries, reads, positions, senders, list(accumulate(began, max)))
