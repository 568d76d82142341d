"""The laws as pytest items: one ordinary parametrised test function for each medium."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from storelaw import catalogue, release, report, vectors, waivers
from storelaw.abilities import left_behind
from storelaw.clauses import Law
from storelaw.contract import unknown
from storelaw.errors import Misconfigured, in_ascii
from storelaw.failures import LawBroken
from storelaw.fixtures import read_all
from storelaw.fixtures import vectors as recorded
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.specification import versions
from storelaw.trial import EFFORTS, hold
from storelaw.vectors import Vector
from storelaw.verdict import Verdict
from storelaw.waivers import Waiver

#: The name under which an item carries its record.
PROPERTY = "storelaw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms laws are judged; ``today`` is the day as of which waivers are.

    ``unheld`` are waived laws that are none of those that a whole run holds.
    """

    target: str = ""
    effort: str = "quick"
    seed: int = 0
    vectors: tuple[Vector, ...] = ()
    waivers: Mapping[str, Waiver] = field(default_factory=dict[str, Waiver])
    unheld: tuple[str, ...] = ()
    today: date = date.min
    save: Path | None = None
    spec: str = release.SPEC
    require: str | None = None


def _words(broken: LawBroken) -> str:
    return str(broken.args[0])


#: The broken law as pytest shows it: its text, and no traceback of this kit.
_LawBroken = type(
    "LawBroken",
    (LawBroken, pytest.fail.Exception),
    # The terminal then says "LawBroken: ..." without the name of this module.
    {"__module__": "builtins", "pytrace": False, "msg": property(_words)},
)


def laws(
    medium: type[Medium] | str,
    *,
    profile: str | None = None,
    effort: str | None = None,
    select: str | Iterable[str] = (),
    vectors: str | Path | None = None,
    waivers: str | Path | None = None,
    fixtures: str | Path | None = None,
    spec: str | None = None,
) -> Callable[..., None]:
    """A fresh pytest test with one item for each law, named ``family/law``.

    ``medium`` is a medium class, or the name of a fixture that gives one of a ``profile``
    (transcript where nothing is said). ``select`` names laws or families, ``vectors`` a
    folder of saved programs, ``waivers`` a file, ``fixtures`` a folder of recordings,
    ``spec`` a version of the specification: what came later is not scored.
    ``--storelaw-effort`` and ``--storelaw-seed`` go before ``effort``; without either it
    is quick. Raises :class:`~storelaw.errors.Misconfigured` for what can't mean anything.
    """
    if effort is not None and effort not in EFFORTS:
        raise Misconfigured(unknown("effort", effort, EFFORTS))
    if not isinstance(medium, str):
        profile = _profile_of(catalogue.checked(medium, repr(medium)), profile)
    terms = _Given(effort, vectors, waivers, versions.checked(spec or release.SPEC))
    if fixtures:
        terms.hold_to(Path(fixtures), profile or "transcript")
    names = [select] if isinstance(select, str) else list(select)
    found = catalogue.chosen(names, profile or "transcript")
    if not names:
        terms.check(found)
    chosen = [pytest.param(each, id=each.title) for each in found]

    @pytest.mark.parametrize("storelaw_law", chosen)
    def test_laws(storelaw_law: Law, request: pytest.FixtureRequest) -> None:
        """The store holds the law."""
        found = request.getfixturevalue(medium) if isinstance(medium, str) else medium
        medium_class = catalogue.checked(found, str(medium))
        node: pytest.Item = request.node  # pyright: ignore[reportUnknownMemberType]
        judged(node, storelaw_law, medium_class, terms.on(request.config, medium_class))

    return test_laws


def _profile_of(medium: type[Medium], asked: str | None) -> str:
    """The profile of a medium class; raises where another one is asked for."""
    profile = medium.manifest.profile
    if asked not in (None, profile):
        raise Misconfigured(
            f"configuration: {medium.manifest.name} is a medium of the profile {profile!r}, "
            f"not {asked!r}; leave profile= out"
        )
    return profile


class _Given:
    """What ``laws`` was given, read once, and joined with the options of a run."""

    def __init__(
        self, effort: str | None, folder: str | Path | None, file: str | Path | None, spec: str
    ) -> None:
        self._effort = effort
        self._spec = spec
        self._vectors = vectors.read_all(Path(folder)) if folder else ()
        self._waivers = waivers.read(Path(file)) if file else {}
        self._file = file

    def hold_to(self, fixtures: Path, profile: str) -> None:
        """Hold the store to recordings too."""
        self._vectors = (*self._vectors, *recorded(read_all(fixtures, profile)))

    def check(self, held: Iterable[Law]) -> None:
        """Raise :class:`~storelaw.errors.Misconfigured` for a waiver of a law that isn't held."""
        for each in waivers.unheld(self._waivers, (law.name for law in held)):
            raise Misconfigured(
                f"configuration: {self._file} waives {each}, "
                "which is none of the laws that this store is held to; take its waiver out"
            )

    def on(self, config: pytest.Config, medium: type[Medium]) -> Terms:
        """The terms of one medium under the options of a run."""
        effort = config.getoption("storelaw_effort", None) or self._effort or "quick"
        seed: Any = config.getoption("storelaw_seed", None)
        if seed is None:
            seed = config.getoption("storelaw_draw", 0) if effort == "deep" else 0
        return Terms(
            target=f"{medium.__module__}:{medium.__qualname__}",
            effort=effort,
            seed=seed,
            vectors=self._vectors,
            waivers=self._waivers,
            today=date.today() if self._waivers else date.min,
            spec=self._spec,
        )


def judged(node: pytest.Item, law: Law, medium: type[Medium], terms: Terms) -> None:
    """Judge a law on behalf of a pytest item: leave the record with it, and end it."""
    programs = [each.program for each in vectors.naming(terms.vectors, law.name)]
    with warnings.catch_warnings():
        # The filters of the user's project must not change a verdict.
        warnings.simplefilter("ignore")
        verdict = hold(law, medium, terms.effort, terms.seed, programs, terms.target)
        verdict = _with_leftovers(verdict, medium)
    waiver = terms.waivers.get(law.name)
    marks: dict[str, Any] | None = None
    if waiver is not None:
        state = waiver.state(verdict, terms.today)
        marks = waiver.data(state)
        verdict = waivers.waived(verdict, state, waiver)
    data = report.law_data(law, verdict, marks, terms.spec)
    if terms.save is not None and verdict.failure is not None:
        data["failure"]["saved"] = str(vectors.save(verdict.failure, terms.save))
    carried = record(data, medium, terms)
    node.user_properties += properties(carried)
    node.user_properties.append((PROPERTY, report.ascii_json(carried)))
    if not data["scored"] and not verdict.fault:
        _pass_over(law, verdict, terms.spec)
    _end(verdict, waivers.complaint(law.name, marks) if marks else "")


_LOOKED_AT: Final[set[type[Medium]]] = set()


def _with_leftovers(verdict: Verdict, medium: type[Medium]) -> Verdict:
    """The verdict, with what the medium leaves behind noted at the first of its laws."""
    if medium in _LOOKED_AT or verdict.fault:
        return verdict
    _LOOKED_AT.add(medium)
    left = [f"medium: left {each} behind" for each in left_behind(medium)]
    return replace(verdict, notes=tuple(dict.fromkeys((*verdict.notes, *left))))


def head(medium: type[Medium], terms: Terms) -> dict[str, Any]:
    """The medium and the terms that laws are judged on, as JSON."""
    return {
        "target": terms.target,
        "manifest": medium.manifest.data(),
        "effort": terms.effort,
        "seed": terms.seed,
        "spec": terms.spec,
        **({"require": terms.require} if terms.require else {}),
        "vectors": sorted({each.file for each in terms.vectors}),
        "unheld": list(terms.unheld),
    }


def record(data: dict[str, Any], medium: type[Medium], terms: Terms) -> dict[str, Any]:
    """What an item carries: a law's data, and the medium and terms it was judged on."""
    return {**head(medium, terms), "law": data}


def properties(record: Mapping[str, Any]) -> list[tuple[str, object]]:
    """What pytest's JUnit XML tells of an item: the law's clause, the terms, the verdict."""
    law = record["law"]
    told = {
        "medium": record["manifest"]["name"],
        "effort": record["effort"],
        "seed": record["seed"],
        "family": law["family"],
        "law": law["name"],
        "clause": ", ".join(law["source"]),
        "requirement": law["requirement"],
        "verdict": law["verdict"],
        "reason": law["reason"],
    }
    return [(name, in_ascii(str(value))) for name, value in told.items() if value != ""]


def _pass_over(law: Law, verdict: Verdict, spec: str) -> None:
    """End the item of a law that came later than the version asked for, unless it held."""
    if verdict.outcome != "held":
        words = f"{verdict.outcome}, not scored: there since {law.since}, after {spec}"
        pytest.xfail(in_ascii(f"{words}: {verdict.reason}".removesuffix(": ")))


def _end(verdict: Verdict, complaint: str) -> None:
    """End an item as its verdict says; only a law that holds lets it run out."""
    if verdict.outcome == "broken" and verdict.failure is not None:
        words = text(verdict.failure)
        raise _LawBroken(verdict.failure, f"{words}\n{complaint}" if complaint else words)
    if complaint or verdict.fault:
        _fail(complaint or verdict.reason)
    if verdict.outcome == "waived":
        pytest.xfail(in_ascii(f"waived: {verdict.reason}"))
    if verdict.outcome != "held":
        pytest.skip(in_ascii(f"{verdict.outcome}: {verdict.reason}"))


def _fail(words: str) -> NoReturn:
    pytest.fail(in_ascii(words), pytrace=False)
