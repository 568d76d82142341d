"""Steps that wreck a store's medium or its process, as data."""

from typing import Final, Literal, TypeAlias

from storelaw.manifest import Manifest
from storelaw.program import Item, Key, Step, append, call
from storelaw.samples import said
from storelaw.values import Entry

#: What a process does, again and again, until it is killed.
Deed: TypeAlias = Literal["append", "create", "fork"]

#: What is appended after a wreck.
AFTER: Final = said("after")

#: How many operations a process has to do; it is dead long before.
MOST: Final = 300

#: The entries of a batch, and the characters of its longest text.
BATCH: Final = 3
LONG: Final = 2_000


def tear(session: Key, *entries: Item, then: Entry = AFTER) -> Step:
    """Append, and see what is left where the write ends early, at every byte.

    ``then`` is appended after that. Without entries the write is the session's ``create``.
    """
    return Step("tear", session, entries, 0, {"then": append(session, then)})


def damage(session: Key, index: int, how: str) -> Step:
    """Make a record of a session ``junk``, ``cut`` or ``zero``, by the medium's own power."""
    return Step("damage", session, (), 0, {"index": index, "how": how})


def kill(session: Key, deed: Deed = "append", then: Entry = AFTER) -> Step:
    """Let processes do one thing again and again, and kill each at another moment.

    Each appends batches to a session of its own, or creates sessions, or forks this one.
    """
    return Step("kill", session, (), 0, {"deed": deed, "then": append(session, then)})


def deed(step: Step, number: int, index: int, manifest: Manifest) -> Step:
    """What the process of this number does when it has done so much."""
    name = f"{step.session}-{number}"
    if step["deed"] == "append":
        return append(name, *_batch(f"{name}-{index}", manifest))
    if step["deed"] == "create":
        return call("create", f"{name}-{index}")
    return call("fork", step.session, new=f"{name}-{index}")


def _batch(name: str, manifest: Manifest) -> list[Entry]:
    """Some entries, the first of them long, with texts that begin with their names."""
    long = LONG if manifest.max_entry is None else min(LONG, manifest.max_entry // 4)
    size = 1 if manifest.batch == "one" else BATCH
    first = said(f"{name}-0", f"{name}-0 {'x' * long}")
    return [first, *(said(f"{name}-{k}") for k in range(1, size))]
