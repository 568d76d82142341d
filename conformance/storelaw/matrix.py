"""The kill matrix: every liar under every law, every law over the honest strangers."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from storelaw.clauses import Law
from storelaw.exposure import Exposure, Exposures
from storelaw.liars.registry import Liar
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.program import Program
from storelaw.trial import Played, breaks, hold
from storelaw.verdict import Verdict
from storelaw.worker import Overdue, abandon, current

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
        known = (*self.liar.also, *self.liar.perhaps)
        return tuple(each for each in self.others if each not in known)

    @property
    def idle(self) -> tuple[str, ...]:
        """Laws of the ``also`` list that did not break."""
        return tuple(each for each in self.liar.also if each not in self.others)


class Batteries:
    """The batteries of laws by manifest, where equal programs are one and the same."""

    def __init__(self) -> None:
        self._claims: dict[int, tuple[Manifest, str]] = {}
        self._programs: dict[str, Program] = {}
        self._batteries: dict[tuple[str, str], list[Program]] = {}
        self.exposures = Exposures()

    def of(self, law: Law, manifest: Manifest) -> list[Program]:
        """The battery of a law under a manifest; its name makes no difference."""
        key = (law.name, self._claimed(manifest))
        if key not in self._batteries:
            self._batteries[key] = [self._one(each) for each in law.battery(manifest)]
        return self._batteries[key]

    def _claimed(self, manifest: Manifest) -> str:
        if id(manifest) not in self._claims:
            told = json.dumps(replace(manifest, name="any").data(), sort_keys=True)
            self._claims[id(manifest)] = (manifest, told)
        return self._claims[id(manifest)][1]

    def _one(self, program: Program) -> Program:
        return self._programs.setdefault(json.dumps(program.data()), program)


def row(liar: Liar, laws: Iterable[Law], batteries: Batteries | None = None) -> Row:
    """Run one liar under its own law at quick effort, and under the others by battery."""
    listed = list(laws)
    found = [hold(law, liar.medium, "quick") for law in listed if law.name == liar.breaks]
    own = found[0] if found else None
    others = _others(liar, listed, batteries or Batteries())
    failure = own.failure if own is not None else None
    if failure is None:
        return Row(liar, own, others)
    return Row(liar, own, others, len(failure.program), len(text(failure).splitlines()))


def _others(liar: Liar, laws: list[Law], batteries: Batteries) -> tuple[str, ...]:
    """The other laws that a liar breaks: one hand-over to the worker for all of them."""
    medium = liar.medium
    played: Played = {}
    others = [law for law in laws if law.name != liar.breaks]

    def broken() -> tuple[str, ...]:
        exposure = batteries.exposures.of(medium)
        return tuple(
            law.name
            for law in others
            if breaks(
                law, medium, _telling(exposure, law, batteries.of(law, medium.manifest)), played
            )
        )

    try:
        return current().run(broken, medium.manifest.operation_timeout)
    except Overdue:
        abandon()
        return tuple(law.name for law in others if hold(law, medium, "battery").outcome == "broken")


def _telling(exposure: Exposure, law: Law, programs: Iterable[Program]) -> Iterator[Program]:
    """The programs that may show something; found only if the law can be judged."""
    return (each for each in programs if exposure.shows(each, law.creates))


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
