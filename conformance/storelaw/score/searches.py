"""Liars under the generated programs of their law alone, without its battery."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, cast

from storelaw import catalogue
from storelaw.clauses import Law, Programs
from storelaw.errors import MediumFault
from storelaw.generation import search, seed_of
from storelaw.liars.registry import Liar
from storelaw.program import Program
from storelaw.selftest import mapping
from storelaw.trial import EFFORTS, Effort, breaks

#: The efforts that are tried one after the other, until the liar is caught.
TRIED: Final = ("quick", "standard", "deep")


@dataclass(frozen=True, slots=True)
class Search:
    """What generated programs alone came to on one liar.

    ``effort`` is the first one whose programs caught it, or nothing; ``programs`` how many
    of that effort (else of the last one) were played, the one that caught it included;
    ``seconds`` how long all of them took.
    """

    liar: str
    effort: str
    programs: int
    seconds: float


def searches(
    liars: Iterable[Liar], workers: int, progress: Callable[[str], None]
) -> tuple[Search, ...]:
    """Search the liars of laws that have generated programs; one answer for each of them.

    With more than one worker they are shared among so many processes.
    """
    laws = {each.name: each for each in catalogue.all_laws()}
    chosen = [each for each in liars if each.breaks in laws and laws[each.breaks].programs]
    found: list[Search] = []
    with mapping(workers if chosen else 1) as mapped:
        for each in mapped(searched, chosen):
            progress(f"generated programs: {each.liar}")
            found.append(each)
    return tuple(found)


def searched(liar: Liar) -> Search:
    """Play the generated programs of a liar's law, effort after effort, until one breaks."""
    law = catalogue.law_of(liar.breaks)
    began, played, caught = time.perf_counter(), 0, ""
    for name in TRIED:
        played, found = _tried(law, liar, EFFORTS[name])
        if found:
            caught = name
            break
    return Search(liar.name, caught, played, time.perf_counter() - began)


def _tried(law: Law, liar: Liar, effort: Effort) -> tuple[int, bool]:
    """How many programs of an effort were played, and whether the last one broke the law."""
    manifest = liar.medium.manifest
    strategy, count = cast(Programs, law.programs)(manifest), effort.share(law, manifest)
    result = search(strategy, count, seed_of(law.name, 0), _holding(law, liar))
    return result[0], result[1] is not None


def _holding(law: Law, liar: Liar) -> Callable[[Program], bool]:
    """Whether a program breaks nothing; a medium that can't be driven shows nothing either."""

    def holds(program: Program) -> bool:
        try:
            return not breaks(law, liar.medium, [program])
        except MediumFault:
            return True

    return holds
