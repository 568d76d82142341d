"""A toy law, and stores that break it."""

from dataclasses import replace

from hypothesis.strategies import SearchStrategy, builds, integers, lists

from storelaw.clauses import Law
from storelaw.judging import judge_exact
from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.manifest import Manifest
from storelaw.program import (
    Program,
    append,
    load,
    program,
)
from storelaw.samples import custom, said
from storelaw.trace import Trace
from storelaw.values import Entry

PLAIN = program(append("s", said("1"), said("2")), load("s"))
BECAUSE = "what is read equals what was accepted."


def exact(trace: Trace) -> str | None:
    """What is read equals what was accepted."""
    judge_exact(trace, BECAUSE)
    return None


def numbered(numbers: list[int]) -> Program:
    """A program that appends one entry for each number."""
    entries = [custom(str(index), n=each) for index, each in enumerate(numbers)]
    return program(append("s", *entries), load("s"))


def programs(manifest: Manifest) -> SearchStrategy[Program]:
    """Programs with a few numbers."""
    return builds(numbered, lists(integers(0, 200), max_size=5))


LAW = Law(
    name="exact",
    claim="What is read equals what was accepted.",
    family="fidelity",
    judge=exact,
    battery=lambda manifest: [PLAIN],
)
GENERATED = replace(LAW, programs=programs, weight=1)


class Doubling(HonestMedium):
    """Doubles a number above 100 when it is read."""

    class store(HonestStore):
        """The store."""

        def given(self, entry: Entry) -> Entry:
            """Double."""
            n = entry.get("n", 0)
            return {**entry, "n": 2 * n} if n > 100 else super().given(entry)


class Losing(HonestMedium):
    """Loses the last entry of a batch of several."""

    class store(HonestStore):
        """The store."""

        def taken(self, entries: list[Entry]) -> list[Entry]:
            """Lose."""
            return entries[:-1] if len(entries) > 1 else entries
