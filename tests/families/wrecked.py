"""What a crash left, made by hand, and what a law says of it."""

from typing import Any

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import beginnings, damages, kills, tears
from storelaw.samples import said
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw.wreckage import Sight

MODULES = (tears, beginnings, damages, kills)
LAWS = [each for each in registered() if each.judge.__module__ in {m.__name__ for m in MODULES}]
BY_NAME = {each.name: each for each in LAWS}
A, B, C = (said(each) for each in "123")

RAISED = Sight(None, "unknown", "OSError: no")
MISSING = Sight(None, "SessionNotFound", "SessionNotFound: 's'")


def sight(*entries: Entry) -> Sight:
    """A log that was loaded."""
    return Sight(list(entries))


def complaint(law: Law, trace: Trace) -> tuple[Any, Any] | None:
    """What was expected and observed, where a law breaks."""
    try:
        law.judge(trace)
    except Broken as broken:
        return broken.expected, broken.observed
    return None


def named(law: str) -> Law:
    """A law of the family."""
    return BY_NAME[law]
