"""Copies: the beginning of one transcript as the beginning of another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from storelaw_reference.turns.appender import Skipped
from storelaw_reference.turns.backends import Query
from storelaw_reference.turns.entries import Json, Key, Scope, key_of, publisher_of
from storelaw_reference.turns.errors import InvalidEntry
from storelaw_reference.turns.ids import parsed_id
from storelaw_reference.turns.memory import Memory
from storelaw_reference.turns.signing import SigningMemory

COPIED_FROM = "copied-from"
"""The relation of the link that marks a copy whose signature could not come along."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The entries of the copy as they are stored, and what was left out as malformed."""

    entries: tuple[Json, ...]
    skipped: tuple[Skipped, ...] = ()


class Prefix:
    """The part of a scope up to a turn index, inclusive."""

    def __init__(self, memory: Memory, scope: Scope, cut: int) -> None:
        self._memory = memory
        self._scope = scope
        self._cut = cut

    def copy_to(self, target: Memory, scope: Scope) -> Copied:
        """Copy the prefix into another scope; ids, times, tags and content stay.

        Raises what `put` of the target raises. Rules: OA-F1 to OA-F4, D-OA-7.
        """
        chosen, skipped = self._chosen()
        keys = {key_of(row) for row in chosen}
        rows = [self._moved(row, keys, scope) for row in chosen]
        if not isinstance(target, SigningMemory):
            rows = [self._marked(row, was) for row, was in zip(rows, chosen, strict=True)]
        return Copied(tuple(map(target.put, rows)), skipped)

    def _chosen(self) -> tuple[list[Json], tuple[Skipped, ...]]:
        chosen: list[Json] = []
        skipped: list[Skipped] = []
        for row in self._memory.query(Query(self._scope)).entries:
            try:
                chosen += [row] if self._belongs(row) else []
            except InvalidEntry as error:
                skipped.append(Skipped(row["id"], publisher_of(row), str(error)))
        return chosen, tuple(skipped)

    def _belongs(self, row: Json) -> bool:
        """Turns by index, anchored entries by their highest anchor, others always."""
        if row["kind"] == "turn":
            return self._within(parsed_id(row["id"])[0])
        kind = self._memory.kinds.find(row["kind"])
        return kind is not None and kind.copied and all(map(self._within, _anchors(row)))

    def _within(self, index: int) -> bool:
        return index <= self._cut

    def _moved(self, row: Json, keys: set[Key], scope: Scope) -> Json:
        """The row in its new scope, unsigned; its links to what is copied follow it."""
        links = [
            {**link, "scope": scope.json()} if key_of(link) in keys else link
            for link in row.get("links") or ()
        ]
        kept = {name: value for name, value in row.items() if name != "provenance"}
        return {**kept, "scope": scope.json(), "links": links}

    def _marked(self, row: Json, was: Json) -> Json:
        """The row with a link to the signed original, if that was signed."""
        if not was.get("provenance"):
            return row
        mark = {"relation": COPIED_FROM, **{name: was[name] for name in ("scope", "kind", "id")}}
        return {**row, "links": [*row["links"], mark]}


def copy_prefix(
    source: Memory, source_scope: Scope, target: Memory, target_scope: Scope, cut: int
) -> Copied:
    """Copy what belongs to the turns up to `cut` into another scope.

    A target that signs signs each copy anew; elsewhere the copy of a signed
    entry loses its signature and gets a `copied-from` link. Malformed turn ids
    are skipped as a reader skips them. Rules: OA-F1 to OA-F4, D-OA-7.
    """
    return Prefix(source, source_scope, cut).copy_to(target, target_scope)


def _anchors(row: Json) -> Iterable[int]:
    for link in row.get("links") or ():
        if link["kind"] == "turn" and link["relation"] != COPIED_FROM:
            yield parsed_id(link["id"])[0]
