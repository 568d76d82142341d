"""The tree that the parent ids of a log draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from storelaw_reference.transcript.entries import Entry
from storelaw_reference.transcript.times import nanoseconds


@dataclass(frozen=True, slots=True)
class Tree:
    """The roots of a log, and for the id of each entry its children.

    Flat, so that a long chain is no deep value.
    """

    roots: tuple[Entry, ...]
    children: Mapping[str, tuple[Entry, ...]]


def tree(entries: Iterable[Entry]) -> Tree:
    """Return the tree of a log; every id stands in it exactly once.

    Siblings are sorted by creation time, ties in log order. An entry whose
    parent isn't there is a root; a cycle is cut at one entry, which becomes
    a root; of two entries with one id the later counts.
    Rules: PI-T1, PI-T5, D-PI-10.
    """
    index = {entry.header.id: entry for entry in entries}
    cuts = _cuts(index)
    families: dict[str, list[Entry]] = {key: [] for key in index}
    roots: list[Entry] = []
    for key, entry in index.items():
        rooted = key in cuts or entry.header.parent_id not in index
        (roots if rooted else families[entry.header.parent_id]).append(entry)
    children = {key: _sorted(family) for key, family in families.items()}
    return Tree(_sorted(roots), MappingProxyType(children))


def _sorted(entries: list[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: nanoseconds(entry.header.created_at)))


def _cuts(index: Mapping[str, Entry]) -> set[str]:
    """Return one id of each cycle: the one that a walk in log order meets first."""
    cuts: set[str] = set()
    settled: set[str] = set()
    for at in index:
        walked: set[str] = set()
        while at in index and at not in settled and at not in walked:
            walked.add(at)
            at = index[at].header.parent_id
        if at in walked:
            cuts.add(at)
        settled |= walked
    return cuts
