"""Strangers that give entries their ids."""

import random
from dataclasses import replace
from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, Log, claiming
from storelaw.values import Entry

#: A caller's id means nothing here, so nothing is a repeat, and no id bounds a read.
MINTING = replace(
    claiming(name="mints ids", options={"ids": "minted", "reappend": None, "delete_by": None}),
    filters=frozenset({"last", "first", "since"}),
    without=frozenset({"create", "record", "delete_entry"}),
)


class MintingStore(HonestStore):
    """Puts an id of its own in the place of the caller's."""

    def minted(self, session: Any, place: int) -> str:
        """A new id: the session's place counter, padded."""
        log = self.found(session)
        return f"e{(0 if log is None else len(log.entries)) + place:08}"

    def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
        """All of the batch: its ids are new."""
        return entries

    def append(self, session: Any, entries: list[Entry]) -> Any:
        """The ids that the entries got."""
        named = [{**each, "id": self.minted(session, i)} for i, each in enumerate(entries)]
        super().append(session, named)
        return [each["id"] for each in named]

    def replace(self, session: Any, entries: list[Entry]) -> Any:
        """The ids that the entries got."""
        named = [{**each, "id": f"r{i:08}"} for i, each in enumerate(entries)]
        super().replace(session, named)
        return [each["id"] for each in named]


class MintsIds(HonestMedium):
    """The store gives every entry its id, and ``append`` returns the ids."""

    manifest = MINTING
    store = MintingStore


class RandomStore(MintingStore):
    """Takes ids from the module ``random``, which others may have seeded."""

    def minted(self, session: Any, place: int) -> str:
        """A new id: 64 random bits."""
        return f"{random.getrandbits(64):016x}"


class RandomIds(HonestMedium):
    """The same, with ids from ``random``."""

    manifest = replace(MINTING, name="random ids")
    store = RandomStore
