"""A sweep of kills: processes that die at ever other moments, and what they leave in a store."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from storelaw import children, victims
from storelaw.program import Step, call, list_sessions, load
from storelaw.victims import Heard, Moment, Patience
from storelaw.visits import Visits
from storelaw.wreckage import Kill, Killed, Sight
from storelaw.wrecks import deed

if TYPE_CHECKING:
    from storelaw.player import Performance

#: After how many answers, and so far into the next operation, processes are killed.
ANSWERS: Final = (1, 0)
SHARES: Final = (0.0, 0.4, 0.8)

#: At how many calls that may change the medium a process is killed, one after another.
HALTS: Final = 12

#: How often the sweep is made again where no kill fell inside an operation.
ROUNDS: Final = 4

#: The longest wait between the begin of an operation and a kill, in seconds.
LONGEST: Final = 0.05


class Kills:
    """The kills of one performance."""

    def __init__(self, performance: "Performance") -> None:
        self._performance, self._medium = performance, performance.medium
        self._visits = Visits(performance.driver)
        limit = performance.manifest.operation_timeout
        self._patience = Patience(limit, performance.worker.beat)
        self._pace, self._number = 0.0, 0

    def swept(self, step: Step) -> Killed:
        """Kill processes that do what the step asks for, at all moments of a sweep."""
        (base,) = self._visit(load(step.session))
        kills: list[Kill] = []
        for _ in range(ROUNDS):
            kills += self._round(step)
            if any(each.inside for each in kills):
                break
        return Killed(tuple(kills), base)

    def _round(self, step: Step) -> Iterator[Kill]:
        yield self._one(step, Moment(early=True))
        for answers in ANSWERS:
            for share in SHARES:
                yield self._one(step, Moment(answers, min(self._pace * share, LONGEST)))
        for halt in range(1, HALTS + 1):
            yield self._one(step, Moment(halt=halt))

    def _one(self, step: Step, moment: Moment) -> Kill:
        self._number += 1
        if step["deed"] == "append" and self._offers("create"):
            self._visit(call("create", self._deed(step, 0).session))
        heard = self._heard(step, moment)
        self._pace = self._pace if moment.halt else heard.pace or self._pace
        return self._found(step, heard)

    def _deed(self, step: Step, index: int) -> Step:
        return deed(step, self._number, index, self._performance.manifest)

    def _offers(self, operation: str) -> bool:
        return self._performance.driver.has(self._performance.handles[0], operation)

    def _heard(self, step: Step, moment: Moment) -> Heard:
        helper = victims.borrowed()
        try:
            target = children.target_of(self._medium)
            heard = helper.killed(target, step, self._number, moment, self._patience)
        except BaseException:
            helper.end()
            raise
        victims.given_back(helper)
        self._performance.settled()
        return heard

    def _found(self, step: Step, heard: Heard) -> Kill:
        """What became of the session in which the process worked, or which it made next."""
        done = [self._deed(step, index) for index in range(heard.answered)]
        due = self._deed(step, heard.answered)
        session = due["new"] or due.session
        listing = [list_sessions()] if self._offers("list_sessions") else []
        seen, *listed, retried = self._visit(load(session), *listing, due)
        again, written = self._visit(load(session), replace(step["then"], session=session))
        (later,) = self._visit(load(session))
        return Kill(
            session,
            heard.answered,
            heard.begun > heard.answered and heard.struck,
            not heard.struck,
            heard.refusal,
            tuple(tuple(each.expanded()) for each in done),
            tuple(due.expanded()),
            seen,
            retried,
            again,
            written,
            later,
            self._last(done),
            *listed,
        )

    def _last(self, done: list[Step]) -> Sight | None:
        """The session that was made last, where each deed makes one."""
        if not done or done[-1].entries:
            return None
        return self._visit(load(done[-1]["new"] or done[-1].session))[0]

    def _visit(self, *steps: Step) -> list[Sight]:
        return self._visits.paid(self._medium, *steps)
