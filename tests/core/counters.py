"""A tiny profile for tests: counters over a flat log, behind three kinds of door."""

from typing import Any

from storelaw.contract import Contract
from storelaw.errors import Rejected
from storelaw.liars.honest import MANIFEST, HonestMedium, claiming
from storelaw.profiles import Door, Opening, Profile
from storelaw.program import Program, append, load
from storelaw.samples import custom
from storelaw.transcripts import whole_log


class Counter:
    """Counts in a log; every number is an entry."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._start: int = opening.named.get("start", 0)

    def _log(self) -> list[Any]:
        return list(whole_log(self._opening.driver, self._opening.handle, self._opening.key))

    def count(self, entries: list[Any]) -> int:
        """Append entries; how many there are now."""
        opening = self._opening
        opening.driver.append(opening.handle, opening.driver.key(opening.key), entries)
        return self._start + len(self._log())

    def one(self, entry: Any) -> int:
        """Append one entry."""
        return self.count([entry])

    def told(self, tell: Any, *, twice: bool = False) -> Any:
        """Show the log to a function, and give its answer."""
        return [tell(self._log()), twice]

    async def told_later(self, tell: Any) -> Any:
        """The same with a function that is waited for."""
        return await tell(1, 2)

    def echo(self, value: Any) -> Any:
        """The value itself."""
        return value

    def refuse(self) -> None:
        """A refusal of the port."""
        raise Rejected("no")

    def child(self) -> "Counter":
        """Another counter."""
        return Counter(self._opening)


class DoubleCounter(Counter):
    """Counts wrongly."""

    def count(self, entries: list[Any]) -> int:
        """Twice as many."""
        return 2 * super().count(entries)


def _opened(opening: Opening) -> Counter:
    made: Counter = (opening.variant or Counter)(opening)
    return made


PROFILE = Profile(
    name="counters",
    summary="counters over a flat log",
    contract=Contract(create="implicit"),
    doors=(
        Door("store", "the flat log"),
        Door("counter", "a counter", _opened),
        Door("shown", "what the medium shows", methods=("shown",)),
        Door("hidden", "what only a medium can bring"),
    ),
    operations=frozenset({"append", "load"}),
    smoke=lambda _: Program((append("smoke", custom("smoke")), load("smoke"))),
    raw=whole_log,
    offers=("tick",),
)


class CounterMedium(HonestMedium):
    """A medium of the profile with the views that it asks for."""

    manifest = claiming(MANIFEST, name="counters", profile="transcript", doors=frozenset({"store"}))

    def shown(self, numbers: list[int]) -> int:
        """The sum."""
        return sum(numbers)
