"""Chains: the tree that parent ids make of a log, and the walk from a leaf to the root.

Written from PI-T1 to PI-T6; a later entry with a known id counts, as in PI-I1.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storelaw.values import Entry


def name_of(entry: Mapping[str, Any]) -> str:
    """The id of an entry, empty where it has none."""
    return _member(entry, "id")


def parent_of(entry: Mapping[str, Any]) -> str:
    """The id of an entry's parent, empty at a root."""
    return _member(entry, "parent_id")


def _member(entry: Mapping[str, Any], member: str) -> str:
    value = entry.get(member)
    return value if isinstance(value, str) else ""


def names(log: Sequence[Entry]) -> list[str]:
    """The ids of a log, in its order."""
    return [name_of(each) for each in log]


def path(log: Sequence[Entry], leaf: str) -> list[Entry]:
    """The entries from the root to a leaf; a parent that isn't there ends the walk (PI-T3).

    So does one that was met before (PI-T4). An empty or unknown leaf has no path (PI-T2).
    """
    index = {name_of(each): each for each in log if name_of(each)}
    met: dict[str, Entry] = {}
    while leaf in index and leaf not in met:
        met[leaf] = index[leaf]
        leaf = parent_of(index[leaf])
    return list(reversed(met.values()))


def loose(log: Sequence[Entry]) -> Iterator[Entry]:
    """The entries whose parent is nowhere in the log (PI-T6)."""
    known = set(names(log))
    return (each for each in log if parent_of(each) and parent_of(each) not in known)


def early(log: Sequence[Entry]) -> Iterator[Entry]:
    """The entries whose parent is in the log, but not before them (PI-T6)."""
    known, met = set(names(log)), set[str]()
    for each in log:
        if parent_of(each) in known - met - {""}:
            yield each
        met.add(name_of(each))


def breaks(run: Sequence[Entry], start: str) -> Iterator[tuple[Entry, str]]:
    """The entries of a run that don't hang off the one before, and where they should."""
    for each in run:
        if parent_of(each) != start:
            yield each, start
        start = name_of(each)
