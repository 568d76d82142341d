"""Findings: what an audit of stored entries says about their chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from storelaw_reference.turns.entries import Json, Scope, publisher_of, scope_of
from storelaw_reference.turns.provenance import Fault, Verifier, entry_digest, fault_of

Defect = Fault | Literal["gap", "fork", "tail-truncated"]

Chain = tuple[Scope, str]
"""A scope and a publisher: positions count across its append-only kinds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect: of an entry, or of the positions `first` to `last` of a chain."""

    defect: Defect
    scope: Scope
    publisher: str = ""
    entry_id: str = ""
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Anchor:
    """What is known from elsewhere: a chain once reached this position, with this digest."""

    seq: int
    digest: str


def audit(
    entries: Iterable[Json], verifier: Verifier, anchors: Mapping[Chain, Anchor] | None = None
) -> tuple[Finding, ...]:
    """Return all defects of the append-only entries given, signatures first.

    A gap is one finding however many positions are missing. A link back that
    differs from the entry before, a position held twice, and an anchor that
    another entry stands at are each a fork. Rules: OA-P2, D-OA-10.
    """
    rows = list(entries)
    faults = list(_faults(rows, verifier))
    bad = {id(row) for row, _ in faults}
    findings = [_of_entry(row, fault) for row, fault in faults]
    chains: dict[Chain, list[Json]] = {chain: [] for chain in anchors or {}}
    for row in rows:
        if row.get("provenance"):
            chains.setdefault((scope_of(row), publisher_of(row)), []).append(row)
    for chain, links in chains.items():
        links.sort(key=_seq)
        findings += _gaps(chain, links)
        findings += _forks(chain, [row for row in links if id(row) not in bad])
        if anchors and chain in anchors:
            findings += _tail(chain, links, anchors[chain])
    return tuple(findings)


def _faults(rows: Iterable[Json], verifier: Verifier) -> Iterator[tuple[Json, Fault]]:
    for row in rows:
        if fault := fault_of(row, verifier):
            yield row, fault


def _seq(row: Json) -> int:
    seq: int = row["provenance"]["seq"]
    return seq


def _of_entry(row: Json, fault: Fault) -> Finding:
    seq = _seq(row) if row.get("provenance") else 0
    return Finding(fault, scope_of(row), publisher_of(row), row["id"], seq, seq)


def _gaps(chain: Chain, links: list[Json]) -> Iterator[Finding]:
    for before, after in pairwise([0, *map(_seq, links)]):
        if after > before + 1:
            yield Finding("gap", *chain, first=before + 1, last=after - 1)


def _forks(chain: Chain, links: list[Json]) -> Iterator[Finding]:
    for before, after in pairwise(links):
        twice = _seq(before) == _seq(after)
        back = after["provenance"].get("prevHash")
        torn = _seq(after) == _seq(before) + 1 and back != entry_digest(before)
        if twice or torn:
            yield Finding("fork", *chain, after["id"], _seq(after), _seq(after))


def _tail(chain: Chain, links: list[Json], anchor: Anchor) -> Iterator[Finding]:
    last = _seq(links[-1]) if links else 0
    if last < anchor.seq:
        yield Finding("tail-truncated", *chain, first=last + 1, last=anchor.seq)
    there = [row for row in links if _seq(row) == anchor.seq]
    if there and anchor.digest not in map(entry_digest, there):
        yield Finding("fork", *chain, there[0]["id"], anchor.seq, anchor.seq)
