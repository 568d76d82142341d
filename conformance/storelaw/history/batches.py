"""Batches: whole or not at all, or at least from their beginning."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from .acts import Act
from .ledgers import Ledger
from .lines import Line, Read
from .terms import Terms
from .witnesses import Anomaly, accused

WHOLE = "A load gives a batch whole or not at all."
UNBROKEN = "Where there is one order, a batch stands in it unbroken."
BEGINNING = "What a load gives of a batch is a beginning of it."

APART = "{0} is there, {1} is not"


@dataclass(frozen=True, slots=True)
class Split:
    """A batch of which a load gives too little when it ends between two positions."""

    act: Act
    begin: int
    end: float


def splits(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give a part of a batch, where the store promises more.

    A final load that misses a part of an acknowledged batch has lost it, which is told there.
    """
    if ledger.places:
        yield from (_wholes if terms.whole else _holes)(line, ledger, terms)


def _wholes(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give half a batch, or one that is not in one piece."""
    found, broken = _splits(line), next(_breaks(line), None) if terms.one_order else None
    begins = [each.begin for each in found]
    for read in line.reads:
        index = bisect_right(begins, len(read) - 1) - 1
        if index >= 0 and found[index].end >= len(read):
            yield from _torn(line, ledger, found[index], read)
        elif broken is not None and broken[2] < len(read):
            yield _broken(line, broken, read)


def _splits(line: Line) -> list[Split]:
    """For each position from which on it matters, the batch that reaches furthest."""
    found: list[Split] = []
    met: set[int] = set()
    for position, act in _batched(line):
        if id(act) not in met:
            met.add(id(act))
            end = line.end_of(act)
            if not found or end > found[-1].end:
                found.append(Split(act, position, end))
    return found


def _batched(line: Line) -> Iterator[tuple[int, Act]]:
    for position, sender in enumerate(line.senders):
        if sender is not None and len(sender.sent) > 1 and sender.outcome != "failed":
            yield position, sender


def _torn(line: Line, ledger: Ledger, split: Split, read: Read) -> Iterator[Anomaly]:
    if split.act.outcome != "ok" or not ledger.final(read.act):
        tags = line.entries[split.begin], line.missing(split.act, len(read))
        yield accused("split-batch", WHOLE, (split.act, read.act), tags, APART)


def _breaks(line: Line) -> Iterator[tuple[int, int, int]]:
    """An entry of a batch, another's entry, and again one of the batch: their positions."""
    last: dict[int, int] = {}
    for position, sender in _batched(line):
        before = last.get(id(sender), position - 1)
        if before < position - 1:
            yield before, position - 1, position
        last[id(sender)] = position


def _broken(line: Line, positions: tuple[int, int, int], read: Read) -> Anomaly:
    tags = tuple(line.entries[each] for each in positions)
    sender = line.senders[positions[0]]
    acts = (read.act,) if sender is None else (sender, read.act)
    return accused("split-batch", UNBROKEN, acts, tags, "{1} stands inside a batch")


def _holes(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give an entry of a batch without one that was sent before it."""
    del terms
    hole = next(_missing(line), None)
    if hole is None:
        return
    position, act, missing = hole
    shown = line.entries[position]
    for read in line.showing(position):
        if act.outcome != "ok" or not ledger.final(read.act):
            yield accused("split-batch", BEGINNING, (act, read.act), (shown, missing), APART)


def _missing(line: Line) -> Iterator[tuple[int, Act, str]]:
    counts: dict[int, int] = {}
    for position, sender in _batched(line):
        count = counts.get(id(sender), 0)
        expected = sender.sent[count]
        counts[id(sender)] = count + 1
        if expected not in line.positions:
            yield position, sender, expected
