"""Strangers with limits: each refuses what it says, and keeps the newest it says."""

import json
from typing import Any

from storelaw.errors import Rejected
from storelaw.liars.honest import HonestMedium, HonestStore, Log, claiming
from storelaw.media.texts import depth
from storelaw.values import Entry, is_array, is_object

#: The largest integer, and the ends of the range of floats, that are not called big.
BIG, SMALL, LARGE = 2**53, 1e-300, 1e300


class LimitedStore(HonestStore):
    """Refuses what lies outside its manifest's limits."""

    def checked(self, entries: list[Entry]) -> list[Entry]:
        """The batch; :class:`Rejected` where an entry is outside a limit."""
        for each in super().checked(entries):
            self._check(each)
        return entries

    def _check(self, entry: Entry) -> None:
        limits = self.manifest
        text = json.dumps(entry, separators=(",", ":"))
        if limits.max_entry is not None and len(text) > limits.max_entry:
            raise Rejected(f"longer than {limits.max_entry} bytes")
        if limits.max_depth is not None and depth(entry) > limits.max_depth:
            raise Rejected(f"deeper than {limits.max_depth}")
        for each in leaves(entry):
            if refused := refusal(each, limits.refuses):
                raise Rejected(refused)

    def key(self, session: Any) -> Any:
        """The session id, if it isn't too long."""
        if self.manifest.max_id is not None and len(session) > self.manifest.max_id:
            raise Rejected(f"longer than {self.manifest.max_id} characters")
        return session


def leaves(value: Any) -> list[Any]:
    """All names and all scalars of a JSON value."""
    if is_object(value):
        return [*value, *(one for each in value.values() for one in leaves(each))]
    return [one for each in value for one in leaves(each)] if is_array(value) else [value]


def refusal(value: Any, refuses: frozenset[str]) -> str:
    """Why a scalar is refused, or nothing."""
    text = value if isinstance(value, str) else ""
    found = {
        "nul": "\0" in text,
        "surrogates": any("\ud800" <= each <= "\udfff" for each in text),
        "big-integers": isinstance(value, int) and abs(value) > BIG,
        "big-floats": isinstance(value, float) and not SMALL <= abs(value or 1) <= LARGE,
    }
    return next((name for name, is_so in found.items() if is_so and name in refuses), "")


class Refuses(HonestMedium):
    """No NUL, no lone surrogate, no integer beyond 2**53, no float near the ends of its range."""

    manifest = claiming(
        name="refuses", refuses=frozenset({"nul", "surrogates", "big-integers", "big-floats"})
    )
    store = LimitedStore


class LimitsIds(HonestMedium):
    """Session ids of at most 24 characters."""

    manifest = claiming(name="limits ids", max_id=24)
    store = LimitedStore


class LimitsEntries(HonestMedium):
    """Entries of at most 4 KiB, nested at most 12 deep."""

    manifest = claiming(name="limits entries", max_entry=4096, max_depth=12)
    store = LimitedStore


class KeepingStore(HonestStore):
    """Forgets the oldest entries when there are too many."""

    def stored(self, log: Log, entries: list[Entry]) -> None:
        """Put the batch at the end, and cut the log at its begin."""
        super().stored(log, entries)
        self._cut(log)

    def _cut(self, log: Log) -> None:
        keep = self.manifest.keep or 0
        if self.manifest.keep_unit == "pairs":
            keep = 2 * keep - len(log.entries) % 2
        del log.entries[: max(len(log.entries) - keep, 0)]


class KeepsNewest(HonestMedium):
    """The newest five entries of a session."""

    manifest = claiming(name="keeps newest", keep=5)
    store = KeepingStore


class KeepsPairs(HonestMedium):
    """The newest three pairs of entries, never half of one but the one being written."""

    manifest = claiming(name="keeps pairs", keep=3, keep_unit="pairs")
    store = KeepingStore
