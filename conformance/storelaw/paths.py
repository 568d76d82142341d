"""Stored paths as literals, made of the drafts in :mod:`storelaw.samples`."""

from storelaw.program import Draft
from storelaw.samples import CREATED, header
from storelaw.values import Entry, copied


def summary(label: str, keep: str = "", text: str = "") -> Draft:
    """A compaction entry; ``keep`` is the id of the first entry that stays."""
    entry = {"type": "compaction", "summary": text or f"summary {label}", "first_kept_id": keep}
    return Draft(label, {**entry, "tokens_before": 0})


def chained(*drafts: Draft, created: tuple[str, ...] = ()) -> list[Entry]:
    """A path of these drafts, root first: the label is the id, each hangs off the one before."""
    path: list[Entry] = []
    for place, each in enumerate(drafts):
        parent = drafts[place - 1].label if place else None
        head = header(each.label, parent, created[place] if created else CREATED)
        body: Entry = copied(each.entry)
        path.append({"type": body.pop("type"), **head, **body})
    return path
