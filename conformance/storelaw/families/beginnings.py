"""A session whose first write ended early is absent, whole or an error, never a trap."""

from typing import Any

from storelaw.clauses import Seen, law
from storelaw.families.tears import PROMISED, B, C
from storelaw.model.scenes import Scene, as_appended, came_of, judge_cuts
from storelaw.narrative import Words
from storelaw.program import program
from storelaw.trace import Trace
from storelaw.wreckage import Cut
from storelaw.wrecks import tear

CREATION = program(tear("s"))
FIRST = program(tear("s", B, C))


def _created(cut: Cut) -> bool:
    return cut.created


@law(
    family="crash",
    source=["PI-K4", "D-PI-18"],
    incidents=["F17"],
    applies=PROMISED,
    powers={"files"},
    operations={"create", "record", "load"},
    creates=True,
    battery=[CREATION],
)
def a_torn_creation_is_no_empty_session(trace: Trace) -> Seen:
    """What is left of a torn creation loads only if the session is whole, with its record.

    A store breaks it by reading a file without a beginning as a session without entries.
    Absent and an error are right, too.
    """
    because = "a session that lacks its beginning is an error, or absent, and not empty."
    return judge_cuts(trace, _created, _headless, _as_empty, because)


def _headless(scene: Scene, cut: Cut) -> bool:
    whole = cut.record.ok and cut.record.value == scene.torn.record.value
    return cut.seen.ok and not whole


def _as_empty(_: Scene, cut: Cut) -> tuple[Any, Any]:
    return Words("an error, or the session with its record"), came_of(cut.seen)


@law(
    family="crash",
    source=["PI-K5", "D-PI-18"],
    incidents=["F18"],
    applies=PROMISED,
    powers={"files"},
    operations={"load"},
    creates=True,
    battery=[CREATION, FIRST],
)
def a_torn_beginning_takes_nothing_that_it_cant_show(trace: Trace) -> Seen:
    """An append to what is left of a session's first write is refused, or read afterwards.

    A store breaks it by writing on behind a beginning that it can't read: the append is
    acknowledged, and the session is lost for good.
    """
    because = "what is acknowledged behind a torn beginning can be read."
    return judge_cuts(trace, _created, _swallowed, as_appended, because)


def _swallowed(scene: Scene, cut: Cut) -> bool:
    return cut.written.ok and not scene.kept(cut)
