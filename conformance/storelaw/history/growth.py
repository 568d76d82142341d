"""How loads follow one another where there is one order: each gives a beginning of it."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import ne

from .acts import Writer
from .lines import Read
from .terms import Terms
from .witnesses import Anomaly, accused

ONE_ORDER = "Of any two loads, one gives a beginning of what the other gives."
OWN_GROWTH = "A writer sees no less than it saw before."
GROWTH = "A load gives no less than a load that had ended before it began."


def forks(gathered: Sequence[Sequence[Read]], terms: Terms) -> Iterator[Anomaly]:
    """Loads that give no beginning of the longest."""
    if terms.one_order:
        for reads in gathered[1:]:
            yield from _forked(gathered[0], reads)


def _forked(main: Sequence[Read], reads: Sequence[Read]) -> Iterator[Anomaly]:
    longest, other = main[-1].seen, reads[-1].seen
    position = list(map(ne, longest, other)).index(True)
    shorter = next(each for each in main if len(each) > position)
    tags = longest[position], other[position]
    for read in reads:
        mark = "{0} and {1} can't both come first"
        yield accused("forked", ONE_ORDER, (shorter.act, read.act), tags, mark)


def setbacks(reads: Sequence[Read], terms: Terms) -> Iterator[Anomaly]:
    """Loads that give less than an earlier one: of the same writer, or under real time of any."""
    if terms.real_time:
        yield from _setbacks(reads, GROWTH)
    elif terms.one_order:
        for each in _by_writer(reads).values():
            yield from _setbacks(each, OWN_GROWTH)


def _by_writer(reads: Iterable[Read]) -> dict[Writer, list[Read]]:
    found = defaultdict[Writer, list[Read]](list)
    for each in reads:
        found[each.act.writer].append(each)
    return found


def _setbacks(reads: Iterable[Read], claim: str) -> Iterator[Anomaly]:
    ended = sorted((each.act.ended or 0, index, each) for index, each in enumerate(reads))
    ends = [each[0] for each in ended]
    longest = list(accumulate((each[2] for each in ended), _longer))
    for _, _, read in ended:
        count = bisect_left(ends, read.act.began)
        if count and len(longest[count - 1]) > len(read):
            yield _setback(longest[count - 1], read, claim)


def _longer(one: Read, other: Read) -> Read:
    return other if len(other) > len(one) else one


def _setback(before: Read, read: Read, claim: str) -> Anomaly:
    seen = frozenset(read.seen)
    tag = next(each for each in before.seen if each not in seen)
    acts = (before.act, read.act)
    return accused("back-in-time", claim, acts, (tag,), "{0} was there and is gone")
