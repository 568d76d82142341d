"""What a killed process left, as a law looks at it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from storelaw.clauses import Seen
from storelaw.failures import broken, unseen
from storelaw.model.remains import Remains, counted, death, drawn, kills_of, tags
from storelaw.model.scenes import came_of
from storelaw.trace import Event, Trace
from storelaw.values import Entry
from storelaw.wreckage import Kill, Killed, Sight


class Remnant:
    """One kill of a sweep."""

    def __init__(self, trace: Trace, event: Event, killed: Killed, kill: Kill) -> None:
        self.kill, self.base = kill, killed.base.log
        self._remains, self._manifest = Remains(trace), trace.manifest
        (self.after,) = event["then"].expanded()
        self.told = [each for batch in kill.sent for each in batch]
        self.sent = [*self.told, *kill.due]

    # ------------------------------------------------------------- a writer

    @property
    def unborn(self) -> bool:
        """Whether the session may not be there yet: nothing was acknowledged."""
        return self.kill.seen.error == "SessionNotFound" and not self.kill.answered

    @property
    def loads(self) -> bool:
        """Whether something can be said of the log: it loads, or there is none."""
        return self.kill.seen.ok or self.kill.seen.error == "SessionNotFound"

    @property
    def log(self) -> list[Entry]:
        """The log that was found."""
        return self.kill.seen.log

    def goes_on(self) -> bool:
        """Whether the append after the kill is read behind all that was read before it.

        The batch that was under way may still come in, where a server has it.
        """
        log, later = self._settled(self.kill.again), self._settled(self.kill.later)
        return self._remains.same(later, [*log, self.after])

    def _settled(self, sight: Sight) -> list[Entry]:
        due = tags(self.kill.due)
        return [e for e, name in zip(sight.log, tags(sight.log), strict=True) if name not in due]

    def has_all(self) -> bool:
        """Whether every acknowledged entry is read."""
        names = set(tags(self.log))
        return all(each in names for each in tags(self.told))

    def is_prefix(self) -> bool:
        """Whether what is read are the first of the entries that were sent."""
        return self._remains.begins(self.sent, self.log)

    def ends_with_a_batch(self) -> bool:
        """Whether the log ends where a batch does."""
        ends, length = {0, len(self.sent)}, 0
        for batch in self.kill.sent:
            length += len(batch)
            ends.add(length)
        return len(self.log) in ends

    def once(self, log: list[Entry]) -> bool:
        """Whether a log holds each entry of the batch in question once."""
        found = tags(log)
        return all(found.count(each) == 1 for each in tags(self.kill.due))

    @staticmethod
    def sides(expected: list[Entry], observed: list[Entry]) -> tuple[list[str], list[str]]:
        """Two logs by the names of their entries, from shortly before they differ."""
        left, right = tags(expected), tags(observed)
        same = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
        begin = max((min(len(left), len(right)) if same is None else same) - 2, 0)
        return left[begin:], right[begin:]

    # -------------------------------------------------------------- a maker

    def absent(self, sight: Sight) -> bool:
        """Whether a session is not there, as far as the store tells."""
        unknown = self._manifest.contract.unknown_session != "raise"
        return sight.error == "SessionNotFound" or (sight.ok and unknown and not sight.log)

    def whole(self, sight: Sight) -> bool:
        """Whether a session has the log that it was made with."""
        return sight.ok and self._remains.same(sight.log, self.base)

    def grown(self) -> bool:
        """Whether the session, made again, takes an append."""
        return self._remains.same(self.kill.later.log, [*self.base, self.after])

    def promised_last(self) -> bool:
        """Whether the session that was acknowledged last is as whole as is promised."""
        last = self.kill.last or Sight()
        if self._manifest.crash == "acknowledged":
            return self.whole(last)
        return self.whole(last) or self.absent(last)

    def seen_as(self, sight: Sight) -> Any:
        """A log, or what was raised."""
        return came_of(sight)


def judge_kills(
    trace: Trace, wrong: Callable[[Remnant], tuple[Any, Any] | None], because: str
) -> Seen:
    """Break the law at the first kill that left something wrong; give the evidence.

    A run without a kill inside an operation is none.
    """
    seen: Counter[str] = Counter()
    for event, killed in kills_of(trace):
        for each in killed.kills:
            if each.refusal:
                unseen(f"an operation in another process raised {each.refusal}")
            sides = wrong(Remnant(trace, event, killed, each))
            if sides is not None:
                broken(
                    event,
                    expected=sides[0],
                    observed=sides[1],
                    because=because,
                    picture=drawn(each),
                    drawing=death(each),
                )
        if not killed.inside:
            unseen("no kill fell inside an operation")
        seen.update(counted(killed))
    return seen or unseen("nothing was killed", applicable=False)
