"""In which order entries may stand.

One pass over a line: at each entry, the append that began last among those before it is all
that has to be looked at. If any append before it began after this one was acknowledged, that
one did.
"""

from collections.abc import Iterator
from typing import TypeAlias

from .acts import Act, Writer
from .contents import barred
from .ledgers import Ledger
from .lines import Line
from .terms import Terms
from .witnesses import Anomaly, Kind, accused

IN_BATCH = "The entries of a batch stand in the order in which they were sent."
BY_WRITER = "The entries of one writer stand in the order in which it sent them."
BY_TIME = "What was acknowledged before another append began stands before it."

#: The positions of two entries of which the second should have stood before the first.
Swap: TypeAlias = tuple[int, int]


def reordered(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads in which entries of one writer stand in another order than it sent them."""
    in_batch = next(_in_batches(line, ledger), None) if ledger.places else None
    by_writer = next(_by_writers(line, terms), None)
    for read in line.reads:
        if in_batch is not None and in_batch[1] < len(read):
            yield _swapped(line, in_batch, IN_BATCH, read.act)
        elif by_writer is not None and by_writer[1] < len(read):
            yield _swapped(line, by_writer, BY_WRITER, read.act)


def untimely(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads in which an entry stands before another writer's that had been acknowledged."""
    del ledger
    swap = next(_by_time(line, terms), None) if terms.real_time else None
    if swap is not None:
        for read in line.showing(swap[1]):
            yield _swapped(line, swap, BY_TIME, read.act, "real-time-order")


def _swapped(line: Line, swap: Swap, claim: str, load: Act, kind: Kind = "reordered") -> Anomaly:
    first, second = line.entries[swap[0]], line.entries[swap[1]]
    senders = (line.senders[position] for position in swap)
    acts = dict.fromkeys(each for each in senders if each is not None)
    return accused(kind, claim, (*acts, load), (second, first), "{0} stands after {1}")


def _placed(line: Line, terms: Terms) -> Iterator[tuple[int, Act]]:
    """The entries whose place says something: all but those that can't be there."""
    for position, sender in enumerate(line.senders):
        if sender is not None and not barred(line, position, terms):
            yield position, sender


def _acknowledged_before(act: Act, ticket: int) -> bool:
    return act.outcome == "ok" and act.ended is not None and act.ended < ticket


def _in_batches(line: Line, ledger: Ledger) -> Iterator[Swap]:
    furthest: dict[int, tuple[int, int]] = {}
    for position, sender in enumerate(line.senders):
        if sender is not None and len(sender.sent) > 1 and sender.outcome != "failed":
            here = ledger.places[line.entries[position]], position
            reached = furthest.setdefault(id(sender), here)
            if here < reached:
                yield reached[1], position
            furthest[id(sender)] = max(reached, here)


def _by_writers(line: Line, terms: Terms) -> Iterator[Swap]:
    newest: dict[Writer, tuple[int, int]] = {}
    for position, sender in _placed(line, terms):
        writer = sender.writer
        began, before = newest.get(writer, (-1, position))
        if sender.began > began:
            newest[writer] = sender.began, position
        elif _acknowledged_before(sender, began):
            yield before, position


def _by_time(line: Line, terms: Terms) -> Iterator[Swap]:
    began, before, writer = -1, 0, ("", 0)
    for position, sender in _placed(line, terms):
        if sender.began > began:
            began, before, writer = sender.began, position, sender.writer
        elif _acknowledged_before(sender, began) and sender.writer != writer:
            yield before, position
