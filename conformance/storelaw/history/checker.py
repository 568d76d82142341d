"""Finding what is wrong in a history.

The cost is one pass over all that was sent and seen, at the speed of tuples where loads agree,
and sorting the acts. Where loads disagree, each is looked at by itself, which is still linear
in what it gave.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from .absences import forgotten, losses
from .acts import History
from .batches import splits
from .contents import impurities, pure, purified, visible_failures
from .growth import forks, setbacks
from .ledgers import Ledger, ledgers
from .lines import Line, Read, gathered, line_of
from .orders import reordered, untimely
from .terms import Terms
from .witnesses import KINDS, Anomaly, Kind, in_order

#: What is asked of each line.
CHECKS: Final[tuple[Callable[[Line, Ledger, Terms], Iterator[Anomaly]], ...]] = (
    visible_failures,
    losses,
    forgotten,
    splits,
    reordered,
    untimely,
)


def anomalies(
    history: History, consistency: str = "per-writer", batch: str = "prefix"
) -> tuple[Anomaly, ...]:
    """What is wrong in a history, under the promises of a manifest: each kind once.

    Of each kind the smallest anomaly is given, and of those the first; ``more`` counts the
    other loads that show one.
    A store that keeps its promises is never accused; ``terms`` says what they mean.
    Raises :class:`Misconfigured` for a promise that doesn't exist, and :class:`HarnessFault`
    for a history that can't have happened.
    """
    best: dict[Kind, Anomaly] = {}
    counts = dict.fromkeys(KINDS, 0)
    for each in every_anomaly(history, consistency, batch):
        counts[each.kind] += 1
        best[each.kind] = min(best.get(each.kind, each), each, key=_size)
    chosen = (best[kind] for kind in KINDS if kind in best)
    return tuple(_traced(replace(each, more=counts[each.kind] - 1), history) for each in chosen)


def every_anomaly(
    history: History, consistency: str = "per-writer", batch: str = "prefix"
) -> Iterator[Anomaly]:
    """All that is wrong in a history, each kind at most once or twice for each load."""
    terms = Terms(consistency, batch)
    for ledger in ledgers(history):
        for each in _in_session(ledger, terms):
            yield replace(each, quiet=ledger.quiet)


def _in_session(ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Lines are made one at a time, since each takes more room than what it was made from."""
    clean: list[Read] = []
    cleaned: list[Read] = []
    for reads in gathered(Read(each, each.seen or ()) for each in ledger.loads):
        line = line_of(reads, ledger)
        if pure(line, ledger):
            clean += reads
            yield from _in_line(line, ledger, terms)
        else:
            yield from impurities(line, ledger)
            cleaned += purified(line, ledger)
    for reads in gathered(cleaned):
        yield from _in_line(line_of(reads, ledger), ledger, terms)
    yield from forks(gathered([*clean, *cleaned]), terms)
    yield from setbacks([*clean, *cleaned], terms)


def _in_line(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    for check in CHECKS:
        yield from check(line, ledger, terms)


def _size(anomaly: Anomaly) -> tuple[int, int, int]:
    size = sum(len(each.sent) + len(each.seen or ()) for each in anomaly.acts)
    return len(anomaly.acts), size, anomaly.acts[-1].began


def _traced(anomaly: Anomaly, history: History) -> Anomaly:
    """An entry that came from another session is shown with the act that sent it there."""
    if anomaly.kind != "invented" or len(anomaly.acts) > 1:
        return anomaly
    (tag,) = anomaly.tags
    senders = [each for each in history.acts if tag in each.sent]
    return replace(anomaly, acts=in_order(*senders[:1], *anomaly.acts))
