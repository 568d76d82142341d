"""A slow second opinion: look for an order that explains a history, by trying all of them.

It takes every order of the acts that the promises allow, lets it write a log, and asks whether
each load gave what stood there. Without one order it looks at each load alone.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import TypeAlias

from storelaw.history import Act, History

#: A piece of an act that happens at once: some tags of an append, or a load.
Piece: TypeAlias = tuple[Act, tuple[str, ...]]


def explained(history: History, consistency: str, batch: str) -> bool:
    """Whether there is an order of everything that explains what every load gave."""
    if consistency == "per-writer":
        return all(
            _permitted(each, history, batch) for each in history.acts if each.seen is not None
        )
    return any(
        _explains(order)
        for pieces in _choices(history.acts, batch)
        for order in permutations(pieces)
        if _allowed(order, history, consistency)
    )


def _choices(acts: Sequence[Act], batch: str) -> Iterator[list[Piece]]:
    """What may have happened: all that was answered, and of the rest what the promise allows."""
    options = [list(_options(each, batch)) for each in acts]
    for chosen in product(*options):
        yield [piece for pieces in chosen for piece in pieces]


def _options(act: Act, batch: str) -> Iterator[list[Piece]]:
    if act.do == "load":
        yield [(act, ())] if act.outcome == "ok" and act.seen is not None else []
        return
    whole: list[Piece] = (
        [(act, act.sent)] if batch == "atomic" else [(act, (tag,)) for tag in act.sent]
    )
    if act.outcome == "ok":
        yield whole
    elif act.outcome == "unknown":
        yield from (whole[:count] for count in range(len(whole) + 1))
    else:
        yield from (whole[:count] for count in range(max(1, len(whole))))


def _allowed(order: Sequence[Piece], history: History, consistency: str) -> bool:
    quiet = _quiet(history)
    return all(
        not _must_follow(first, second, quiet, consistency)
        for first, second in combinations(order, 2)
    )


def _quiet(history: History) -> int:
    lasts = (each.ended or each.began for each in history.acts if each.do == "append")
    return max(history.settled, *lasts, 0)


def _must_follow(first: Piece, second: Piece, quiet: int, consistency: str) -> bool:
    """Whether the promises put the first of two pieces after the second."""
    (one, tags), (other, others) = first, second
    if one is other:
        return one.sent.index(tags[0]) > one.sent.index(others[0])
    if one.do == "append" and other.do == "load" and other.before(one):
        return True
    if other.outcome != "ok" or not other.before(one):
        return False
    final = one.do == "load" and one.began > quiet and other.do == "append"
    return final or consistency == "real-time" or one.writer == other.writer


def _explains(order: Sequence[Piece]) -> bool:
    log: list[str] = []
    for act, tags in order:
        if act.do == "append":
            log.extend(tags)
        elif tuple(log) != act.seen:
            return False
    return True


def _permitted(load: Act, history: History, batch: str) -> bool:
    """Whether a load is one that ``per-writer`` permits, by its definition."""
    appends = [each for each in history.acts if each.do == "append" and not load.before(each)]
    seen = load.seen or ()
    shown = {each: tuple(tag for tag in seen if tag in each.sent) for each in appends}
    return (
        sorted(seen) == sorted(tag for tags in shown.values() for tag in set(tags))
        and all(tags in _parts(each, batch) for each, tags in shown.items())
        and all(_in_order(one, other, seen) for one in appends for other in appends)
        and (load.began <= _quiet(history) or _complete(shown))
    )


def _parts(act: Act, batch: str) -> list[tuple[str, ...]]:
    """What a load may show of an append."""
    if batch == "atomic":
        return [(), act.sent][: 1 if act.outcome == "failed" else 2]
    longest = len(act.sent) - (act.outcome == "failed")
    return [act.sent[:count] for count in range(longest + 1)]


def _in_order(one: Act, other: Act, seen: tuple[str, ...]) -> bool:
    if one.writer != other.writer or one.outcome != "ok" or not one.before(other):
        return True
    pairs = product(one.sent, other.sent)
    return all(seen.index(a) < seen.index(b) for a, b in pairs if a in seen and b in seen)


def _complete(shown: dict[Act, tuple[str, ...]]) -> bool:
    return all(len(tags) == len(each.sent) for each, tags in shown.items() if each.outcome == "ok")
