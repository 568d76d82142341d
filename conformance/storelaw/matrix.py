"""The kill matrix: every liar under every law, every law over the honest strangers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from storelaw.clauses import Law
from storelaw.exposure import may_see
from storelaw.liars.registry import Liar
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.trial import breaks, hold
from storelaw.verdict import Verdict

#: The lines that the text of a failure may have.
MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One liar: the verdict of its own law, and the other laws that broke by battery.

    ``steps`` are those of its shortest program, ``lines`` those of the text that tells it.
    """

    liar: Liar
    own: Verdict | None
    others: tuple[str, ...]
    steps: int = 0
    lines: int = 0

    @property
    def caught(self) -> bool:
        """Whether the liar's own law broke."""
        return self.own is not None and self.own.outcome == "broken"

    @property
    def stray(self) -> tuple[str, ...]:
        """Laws that broke and don't stand in the liar's ``also`` list."""
        return tuple(each for each in self.others if each not in self.liar.also)

    @property
    def idle(self) -> tuple[str, ...]:
        """Laws of the ``also`` list that did not break."""
        return tuple(each for each in self.liar.also if each not in self.others)


def row(liar: Liar, laws: Iterable[Law]) -> Row:
    """Run one liar under its own law at quick effort, and under the others by battery."""
    own: Verdict | None = None
    others: list[str] = []
    for law in laws:
        if law.name == liar.breaks:
            own = hold(law, liar.medium, "quick")
        elif may_see(law, liar.medium) and breaks(law, liar.medium):
            others.append(law.name)
    failure = own.failure if own is not None else None
    if failure is None:
        return Row(liar, own, tuple(others))
    return Row(liar, own, tuple(others), len(failure.program), len(text(failure).splitlines()))


def accusations(
    strangers: Iterable[type[Medium]], laws: Iterable[Law], effort: str = "quick"
) -> Iterator[tuple[type[Medium], Verdict]]:
    """The laws that break on a medium that is right, and the faults it meets."""
    listed = list(laws)
    for each in strangers:
        for law in listed:
            verdict = hold(law, each, effort)
            if verdict.outcome == "broken" or verdict.fault:
                yield each, verdict


def problems(rows: Iterable[Row], laws: Iterable[Law]) -> Iterator[str]:
    """What keeps the selftest from passing, one sentence each."""
    seen: set[str] = set()
    for each in rows:
        seen.add(each.liar.breaks)
        if not each.caught:
            outcome = "unknown law" if each.own is None else each.own.outcome
            yield f"{each.liar.name} isn't caught by {each.liar.breaks}: {outcome}"
        if each.steps > each.liar.most:
            yield f"{each.liar.name} takes {each.steps} steps to show, more than {each.liar.most}"
        if each.lines > MOST_LINES:
            yield f"{each.liar.name} takes {each.lines} lines to tell, more than {MOST_LINES}"
        for name in each.stray:
            yield f"{each.liar.name} also breaks {name}, which is not in its also list"
        for name in each.idle:
            yield f"{each.liar.name} lists {name} in also, but doesn't break it"
    for law in laws:
        if law.name not in seen:
            yield f"{law.name} has no liar"
