"""The path: the walk from a leaf to the root, shown root first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storelaw_reference.transcript.entries import Entry


def path(entries: Iterable[Entry], leaf: str) -> tuple[Entry, ...]:
    """Return the path that ends at `leaf`; of two entries with one id the later counts.

    An empty or unknown leaf has no path, a parent that isn't there ends the
    walk, and so does a parent that was met before.
    Rules: PI-T2, PI-T3, PI-T4.
    """
    return walk({entry.header.id: entry for entry in entries}, leaf)


def walk(index: Mapping[str, Entry], leaf: str) -> tuple[Entry, ...]:
    """Return the path over entries that are already indexed by id. Rules: as `path`."""
    met: dict[str, Entry] = {}
    while leaf in index and leaf not in met:
        met[leaf] = index[leaf]
        leaf = index[leaf].header.parent_id
    return tuple(reversed(met.values()))
