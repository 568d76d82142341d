"""Evidence that appends really met."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable

from .acts import Act, History


def overlaps(history: History) -> int:
    """How many pairs of appends, of different workers on one session, overlapped in time.

    Appends of which no end was seen are left out, since nobody knows how long they ran.
    Without an overlap nothing was tried, and a law about concurrency is not evaluated.
    """
    sessions = defaultdict[Hashable, list[Act]](list)
    workers = defaultdict[Hashable, list[Act]](list)
    for act in history.acts:
        if act.do == "append" and act.ended is not None:
            sessions[act.session].append(act)
            workers[act.session, act.worker].append(act)
    return _pairs(sessions.values()) - _pairs(workers.values())


def _pairs(groups: Iterable[list[Act]]) -> int:
    return sum(map(_overlapping, groups))


def _overlapping(acts: list[Act]) -> int:
    """Pairs in which neither ended before the other began: all, but those that did."""
    ends = sorted(each.ended for each in acts if each.ended is not None)
    apart = sum(bisect_left(ends, each.began) for each in acts)
    return len(acts) * (len(acts) - 1) // 2 - apart
