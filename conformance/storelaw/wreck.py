"""The wrecks of a performance: torn writes, damage and killed processes, and what they leave."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from storelaw.kills import Kills
from storelaw.medium import temporary
from storelaw.program import Step, call, load
from storelaw.tears import Files, Tear, held, laid_out, named, surroundings, tears
from storelaw.trace import Event
from storelaw.visits import Visits
from storelaw.wreckage import Cut, Killed, Torn

if TYPE_CHECKING:
    from storelaw.player import Performance

ACTS: Final = frozenset({"tear", "damage", "kill"})


class Wreck:
    """The wrecks of one performance."""

    def __init__(self, performance: "Performance") -> None:
        self._performance = performance

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step, where the medium has the power that it takes."""
        ways: dict[str, tuple[str, Callable[[Step], Any]]] = {
            "tear": ("files", self._torn),
            "damage": ("damage", self._damaged),
            "kill": ("open", self._killed),
        }
        power, act = ways[step.do]
        if not callable(getattr(self._performance.medium, power, None)):
            return Event(index, step, "skipped", text=power)
        event = self._performance.attempt(index, step, lambda: act(step))
        return replace(event, passed=tuple(step.expanded()), nested=tuple(_inside(event)))

    def _damaged(self, step: Step) -> None:
        driver = self._performance.driver
        power = self._performance.medium.damage
        driver.resolved("damage()", power, driver.key(step.session), step["index"], step["how"])

    # ---------------------------------------------------------------- tears

    def _torn(self, step: Step) -> Torn:
        performance, medium = self._performance, self._performance.medium
        visits, handle = Visits(performance.driver), performance.handles[0]
        (before,), old = visits.seen(handle, load(step.session)), held(medium.workdir)
        write = replace(step, do="append" if step.entries else "create", args={})
        performance.calls.made(handle, write, performance.calls.given(step.expanded()))
        new, looks = held(medium.workdir), (load(step.session), call("record", step.session))
        whole, record = visits.seen(handle, *looks)
        found = tears(old, new, named(medium.files(), medium.workdir))
        with _Copies(performance) as copies:
            cuts = tuple(each for tear in found for each in copies.seen(tear, old, new, step))
        tried = sum(len(each.places()) for each in found)
        possible = sum(len(each.added) - 1 for each in found)
        return Torn(before, whole, cuts, tried, possible, record)

    # ---------------------------------------------------------------- kills

    def _killed(self, step: Step) -> Any:
        performance = self._performance
        performance.closed(0)
        performance.stage.gone.add(0)
        return Kills(performance).swept(step)


def _inside(event: Event) -> list[Event]:
    """The operations that passed inside a step, each kind once."""
    value = event.value
    passed: dict[str, bool] = {}
    if isinstance(value, Torn):
        passed = {
            "load": value.whole.ok,
            "record": value.record.ok,
            "create": not event.step.entries,
            "append": bool(event.step.entries),
        }
    elif isinstance(value, Killed):
        passed = {
            "load": any(each.later.ok for each in value.kills),
            "append": any(each.written.ok for each in value.kills),
            event["deed"]: any(each.answered for each in value.kills),
        }
    return [Event(event.index, Step(name)) for name, ok in passed.items() if ok]


class _Copies:
    """Copies of a medium's directory, each in a directory of its own."""

    def __init__(self, performance: "Performance") -> None:
        self._performance, self._visits = performance, Visits(performance.driver)
        self._root, self._made = Path(), 0

    def __enter__(self) -> Self:
        self._root = Path(tempfile.mkdtemp(prefix="storelaw-torn-", dir=temporary()))
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    def seen(self, tear: Tear, old: Files, new: Files, step: Step) -> Iterator[Cut]:
        """Every cut of a tear, with what is seen there."""
        for others, beside in surroundings(old, new, tear.file).items():
            for cut in tear.cuts():
                medium = self._copy({**beside, tear.file: tear.content(cut)})
                yield self._looked_at(replace(cut, others=others), medium, step)

    def _copy(self, files: Files) -> Any:
        self._made += 1
        workdir = self._root / str(self._made)
        workdir.mkdir()
        laid_out(files, workdir)
        original = self._performance.medium
        medium = type(original)(workdir)
        medium.name = original.name
        return medium

    def _looked_at(self, cut: Cut, medium: Any, step: Step) -> Cut:
        session, after = step.session, step["then"]
        if step.entries:
            seen, written = self._visits.paid(medium, load(session), after)
            record = cut.record
        else:
            steps = (load(session), call("record", session), call("create", session), after)
            seen, record, _, written = self._visits.paid(medium, *steps)
        (then,) = self._visits.paid(medium, load(session))
        return replace(cut, seen=seen, record=record, written=written, then=then)
