"""Liars about order."""

from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("entries_load_in_append_order", kinds=["F02"], most=3)
class SortsById(HonestMedium):
    """Reads in the order of the primary key."""

    class store(HonestStore):
        def ordered(self, entries: list[Entry]) -> list[Entry]:
            return sorted(entries, key=lambda each: str(each.get("id")))
