"""An append whose connection was cut, as a law looks at it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from storelaw.clauses import Seen
from storelaw.cutoffs import Cutoff, Cutoffs
from storelaw.errors import IDENTITIES
from storelaw.failures import broken, unseen
from storelaw.model.remains import aftermath, lines_of, tags
from storelaw.narrative import Words
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry, brief, is_object
from storelaw.wreckage import Sight

#: The word under which cuts that happened are counted.
STRUCK = "cuts that struck"


class Parting:
    """One cut of a step; entries go by their names."""

    def __init__(self, trace: Trace, event: Event, cutoff: Cutoff) -> None:
        self.cutoff, self.atomic = cutoff, trace.manifest.batch == "atomic"
        self._nameless = trace.manifest.contract.ids in ("minted", "number")
        self.before, self.sent = self.names(cutoff.before), self.names(cutoff.sent)

    def names(self, log: Sequence[Entry]) -> list[str]:
        """What entries go by: their ids, or what they say where the store gives the ids."""
        return [self._name(each) for each in log]

    def _name(self, entry: Any) -> str:
        if not is_object(entry):
            return brief(entry)
        if "id" in entry and not self._nameless:
            return str(entry["id"])
        return tags([payload(entry)])[0]

    @property
    def all(self) -> list[str]:
        """What is there where nothing was lost."""
        return [*self.before, *self.sent]

    @property
    def left(self) -> list[str]:
        """What is there of the batch after the cut, each entry once."""
        found = self.names(self.cutoff.seen.log)
        return [each for each in dict.fromkeys(found) if each in self.sent]

    def lacks(self, names: list[str]) -> bool:
        """Whether one of these entries is not there after the cut."""
        found = self.names(self.cutoff.seen.log)
        return any(each not in found for each in names)

    def repeats(self, sight: Sight) -> bool:
        """Whether a log holds an entry of the batch more than once."""
        found = self.names(sight.log)
        return any(found.count(each) > 1 for each in self.sent)

    def shown(self, sight: Sight) -> Any:
        """A log by the names of its entries, or what was raised."""
        return self.names(sight.log) if sight.ok else Words(f"it raised {sight.text}")

    def once(self, sight: Sight) -> bool:
        """Whether a log holds each entry of the batch once."""
        found = self.names(sight.log)
        return all(found.count(each) == 1 for each in self.sent)


def judge_cutoffs(
    trace: Trace, wrong: Callable[[Parting], tuple[Any, Any] | None], because: str
) -> Seen:
    """Break the law at the first cut that left something wrong; give the evidence.

    A run without a cut that struck is none.
    """
    seen: Counter[str] = Counter()
    for event, cutoffs in _cutoffs_of(trace):
        for each in cutoffs.found:
            sides = wrong(Parting(trace, event, each))
            if sides is not None:
                expected, observed = sides
                broken(
                    event,
                    expected=expected,
                    observed=observed,
                    because=because,
                    picture=_drawn(each, event["point"]),
                    drawing=aftermath("cut", _place(each, event["point"]), *_sights(each)),
                )
        seen.update({"cuts": len(cutoffs.found), STRUCK: cutoffs.struck})
    return seen or unseen("no connection was to be cut", applicable=False)


def _cutoffs_of(trace: Trace) -> Iterator[tuple[Event, Cutoffs]]:
    for event in trace.of("lose"):
        if event.raised:
            unseen(
                f"a step beside the cuts raised {event.text}",
                applicable=event.error not in IDENTITIES,
                about=STRUCK,
            )
        cutoffs: Cutoffs = event.value
        if not cutoffs.struck:
            unseen("no cut struck: the append asked nothing by way of the proxy", about=STRUCK)
        yield event, cutoffs


def _drawn(cutoff: Cutoff, point: str) -> str:
    """A cut and what was found after it, as a drawing."""
    return "\n".join((f"cut     {_place(cutoff, point)}", *lines_of(*_sights(cutoff))))


def _place(cutoff: Cutoff, point: str) -> str:
    cut = f"{point} of exchange {cutoff.passed + 1}" if cutoff.struck else "nowhere"
    return f"{cut} of an append to {brief(cutoff.session)}"


def _sights(cutoff: Cutoff) -> tuple[tuple[str, Sight], ...]:
    return (
        ("append", cutoff.came),
        ("load", cutoff.seen),
        ("retry", cutoff.retried),
        ("load", cutoff.again),
        ("append", cutoff.written),
        ("load", cutoff.later),
    )
