"""A stranger of the turns profile: rows that come back in another shape, as from JSONB."""

from dataclasses import replace

from storelaw.liars.turns_honest import MANIFEST, HonestBackend, TurnsHonest
from storelaw.moments import nanoseconds
from storelaw.strangers.answers import cut, reordered
from storelaw.values import Entry


class ReshapingBackend(HonestBackend):
    """Keeps an entry's meaning, and nothing of its spelling."""

    def kept(self, entry: Entry) -> Entry:
        """The entry, its members in another order, its time cut, its empty lists absent."""
        lean = {name: each for name, each in super().kept(entry).items() if each not in ([], {})}
        if "createdAt" in lean and nanoseconds(lean["createdAt"]) % 1000:
            lean["createdAt"] = cut(lean["createdAt"])
        if "tags" in lean:
            lean["tags"] = sorted(set(lean["tags"]))
        return reordered(lean)  # type: ignore[no-any-return]


class ReshapesEntries(TurnsHonest):
    """Reorders keys and tags, cuts times to microseconds, drops empty lists; it says so."""

    manifest = replace(MANIFEST, name="reshapes entries", equality=frozenset({"times"}))
    store = ReshapingBackend
