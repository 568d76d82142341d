"""A torn write as a law looks at it: what was there, what was sent, what is read at a cut."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from storelaw.clauses import Seen
from storelaw.failures import broken, unseen
from storelaw.model.remains import Remains, bytes_of, faulty, tears_of, told, tried
from storelaw.narrative import Words
from storelaw.trace import Event, Trace
from storelaw.values import Entry
from storelaw.wreckage import Cut, Sight, Torn


class Scene:
    """One torn write of a trace."""

    def __init__(self, trace: Trace, event: Event, torn: Torn) -> None:
        self.event, self.torn, self._remains = event, torn, Remains(trace)
        self.before, self.sent = torn.before.log, list(event.passed)
        (self.after,) = event["then"].expanded()

    def read(self, cut: Cut) -> bool:
        """Whether the log before the write is read at a cut."""
        return cut.seen.ok and self._remains.begins(cut.seen.log, self.before)

    def rest(self, cut: Cut) -> list[Entry]:
        """What is read beside it."""
        return cut.seen.log[len(self.before) :]

    def in_part(self, cut: Cut) -> bool:
        """Whether what is read beside it are the first entries of what was sent."""
        return self._remains.begins(self.sent, self.rest(cut))

    def kept(self, cut: Cut) -> bool:
        """Whether the append after the cut is read, behind all that was read before it.

        Between them may lie what the end of its line made whole.
        """
        if not (cut.written.ok and cut.then.ok and cut.then.log):
            return False
        *log, last = cut.then.log
        return self._remains.same([last], [self.after]) and self._stays(cut, log)

    def _stays(self, cut: Cut, log: list[Entry]) -> bool:
        shown = cut.seen.log
        whole = [*self.before, *self.sent]
        return self._remains.begins(log, shown) and self._remains.begins(
            whole[len(shown) :], log[len(shown) :]
        )


def came_of(sight: Sight) -> Any:
    """The log that a load gave, or what it raised."""
    return sight.log if sight.ok else Words(f"it raised {sight.text}")


def as_read(scene: Scene, cut: Cut) -> tuple[Any, Any]:
    """What should be read at a cut, and what was."""
    return scene.before, came_of(cut.seen)


def as_appended(scene: Scene, cut: Cut) -> tuple[Any, Any]:
    """What should be read after the append that follows a cut, and what came of it."""
    raised = Words(f"the append raised {cut.written.text}")
    return [*cut.seen.log, scene.after], came_of(cut.then) if cut.written.ok else raised


def judge_cuts(
    trace: Trace,
    relevant: Callable[[Cut], bool],
    wrong: Callable[[Scene, Cut], bool],
    sides: Callable[[Scene, Cut], tuple[Any, Any]],
    because: str,
) -> Seen:
    """Break the law at the first relevant cut where something is wrong; give the evidence.

    A run without a relevant one is none.
    """
    seen: Counter[str] = Counter()
    for event, torn in tears_of(trace):
        scene = Scene(trace, event, torn)
        if not any(map(relevant, torn.cuts)):
            unseen("the store writes nothing of the kind that is to be torn", applicable=False)
        cut = faulty(torn, partial(_both, relevant, partial(wrong, scene)))
        if cut is not None:
            expected, observed = sides(scene, cut)
            broken(
                event,
                expected=expected,
                observed=observed,
                because=because,
                picture=told(cut),
                drawing=bytes_of(cut),
            )
        seen.update(tried(torn))
    return seen or unseen("nothing was torn", applicable=False)


def _both(first: Callable[[Cut], bool], second: Callable[[Cut], bool], cut: Cut) -> bool:
    return first(cut) and second(cut)
