"""The kit held against itself: every liar is caught, no honest stranger is accused."""

import gc
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any, Final

from storelaw import catalogue
from storelaw import liars as zoo
from storelaw.bundled import modules_of
from storelaw.clauses import Law
from storelaw.exposure import honest_of
from storelaw.liars.mutants import MUTANTS
from storelaw.liars.registry import Liar, liars
from storelaw.matrix import Batteries, Row, accusations, problems, row
from storelaw.medium import Medium
from storelaw.narrative import text

#: How many liars one process takes at a time.
BLOCK: Final = 60


@dataclass(frozen=True, slots=True)
class Accusation:
    """A law that breaks on an honest stranger, or a fault that it meets, in words."""

    stranger: str
    law: str
    words: str

    def __str__(self) -> str:
        return f"{self.stranger} is accused by {self.law}:\n{self.words}"


@dataclass(frozen=True, slots=True)
class Selftest:
    """The kill matrix, and every reason why it is not what it should be."""

    rows: tuple[Row, ...]
    strangers: int
    problems: tuple[str, ...]
    accused: tuple[Accusation, ...] = ()

    @property
    def mutants(self) -> tuple[str, ...]:
        """The published mutants among the liars that were caught."""
        found = {name for each in self.rows if each.caught for name in each.liar.mutants}
        return tuple(sorted(found))

    def failing(self, more: Iterable[str]) -> "Selftest":
        """The same with further problems."""
        return replace(self, problems=(*self.problems, *more))

    def ending(self) -> str:
        """What it came to, on one line."""
        caught = sum(each.caught for each in self.rows)
        return (
            f"{caught} of {len(self.rows)} liars caught, "
            f"{len(self.mutants)} of {len(MUTANTS)} published mutants among them; "
            f"{self.strangers} honest strangers; {len(self.problems)} problems"
        )


def all_liars() -> tuple[Liar, ...]:
    """Every liar of the kit."""
    list(modules_of(zoo))
    return liars()


def conducted(
    laws: Sequence[Law],
    strangers: Sequence[type[Medium]],
    progress: Callable[[str], None],
    workers: int = 1,
) -> Selftest:
    """Hold the liars of these laws against every law, and these laws against the strangers.

    With more than one worker they are shared among so many processes.
    """
    every, names = _names(catalogue.all_laws()), _names(laws)
    chosen = [each for each in all_liars() if each.breaks in names or each.breaks not in every]
    rows: list[Row] = []
    accused: list[Accusation] = []
    with mapping(workers) as mapped:
        blocks = mapped(_rowed, [(each, every) for each in _blocks(chosen)])
        tried = mapped(_accused, [(each, names) for each in strangers])
        for block in blocks:
            progress(block[-1].liar.name)
            rows += block
        for told in tried:
            progress("honest strangers")
            accused += told
    places = {each.name: place for place, each in enumerate(chosen)}
    rows.sort(key=lambda each: places[each.liar.name])
    found = (*problems(rows, laws), *map(str, accused))
    return Selftest(tuple(rows), len(strangers), found, tuple(accused))


def _blocks(chosen: Iterable[Liar]) -> list[tuple[Liar, ...]]:
    """Liars that vary one honest medium, together: its rehearsals are made by one process."""
    kin: dict[object, list[Liar]] = {}
    for each in chosen:
        kin.setdefault(honest_of(each.medium), []).append(each)
    return [
        tuple(found[first : first + BLOCK])
        for found in kin.values()
        for first in range(0, len(found), BLOCK)
    ]


def _names(laws: Iterable[Law]) -> tuple[str, ...]:
    return tuple(each.name for each in laws)


@contextmanager
def mapping(workers: int) -> Generator[Callable[..., Iterable[Any]]]:
    """A ``map`` over so many processes, or over this one."""
    if workers < 2:
        yield map
        return
    with get_context("spawn").Pool(workers, _begin) as pool:
        yield pool.imap
        pool.close()
        pool.join()


_BATTERIES = Batteries()


def _begin() -> None:
    """Load every law and liar."""
    catalogue.all_laws()
    all_liars()
    gc.collect()


def _spared() -> None:
    """Spare the collector from going again through what stays: laws, batteries, rehearsals."""
    gc.freeze()


def _rowed(task: tuple[tuple[Liar, ...], tuple[str, ...]]) -> list[Row]:
    """The rows of liars, without the failures, which may hold what crosses no process border."""
    block, names = task
    laws = _known(names)
    _spared()
    rows = [row(each, laws, _BATTERIES) for each in block]
    return [replace(each, own=each.own and replace(each.own, failure=None)) for each in rows]


def _accused(task: tuple[type[Medium], tuple[str, ...]]) -> list[Accusation]:
    """What a stranger is accused of, in words."""
    stranger, names = task
    _spared()
    found: list[Accusation] = []
    for _, verdict in accusations([stranger], _known(names)):
        words = text(verdict.failure) if verdict.failure else verdict.reason
        found.append(Accusation(stranger.__name__, verdict.law, words))
    return found


def _known(names: Iterable[str]) -> list[Law]:
    laws = {each.name: each for each in catalogue.all_laws()}
    return [laws[each] for each in names]
