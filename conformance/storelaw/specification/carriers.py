"""Who carries a clause: the laws that cite it or hold to it too, and the liars of these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, lru_cache

from storelaw import catalogue
from storelaw.clauses import Law
from storelaw.errors import Misconfigured
from storelaw.liars.registry import Liar
from storelaw.profiles import discover
from storelaw.specification.text import NAMES, Clause, chapters


@cache
def _written() -> Mapping[str, Clause]:
    """The clauses as they are written, by rule."""
    sections = (section for chapter in chapters() for section in chapter.sections)
    return {each.rule: each for section in sections for each in section.clauses}


@lru_cache(maxsize=1)
def _carried(laws: tuple[str, ...]) -> tuple[Clause, ...]:
    """The clauses, with what these laws say of them."""
    known = {each.name: each for each in catalogue.all_laws() if each.name in laws}
    citing: dict[str, list[Law]] = {}
    for law in known.values():
        for rule in law.source:
            citing.setdefault(rule, []).append(law)
    return tuple(
        _told(each, [*citing.get(rule, ()), *(known[name] for name in each.also if name in known)])
        for rule, each in _written().items()
    )


def _told(clause: Clause, laws: Iterable[Law]) -> Clause:
    doors, kinds = set(clause.doors), set[str]()
    for each in laws:
        doors.add(each.door)
        kinds.update(each.incidents)
    ordered = (name for profile in discover().values() for name in profile.door_names)
    return replace(
        clause,
        doors=tuple(dict.fromkeys(each for each in ordered if each in doors)),
        incidents=tuple(sorted(kinds)),
    )


def clauses(profile: str | None = None) -> tuple[Clause, ...]:
    """Every clause, or those of one chapter: a profile, or ``kit`` for what every store owes.

    Raises :class:`~storelaw.errors.Misconfigured` for another name.
    """
    if profile is not None and profile not in NAMES:
        raise Misconfigured(
            f"configuration: the specification has no chapter {profile!r}; "
            f"there are: {', '.join(NAMES)}"
        )
    every = _carried(tuple(each.name for each in catalogue.all_laws()))
    return tuple(each for each in every if profile in (None, each.profile))


def clause_of(rule_or_name: str) -> Clause:
    """The clause with a rule id, in any case, or a name; :class:`Misconfigured` gives near ones."""
    found = _clause_of(rule_or_name)
    if found is None:
        raise Misconfigured(
            f"configuration: no clause is called {rule_or_name!r}{_near(rule_or_name, _names())}; "
            "`storelaw clauses` lists them all"
        )
    return found


def named(name: str) -> Law | Clause:
    """The law with a name or title, or else the clause with a name or rule id.

    Raises :class:`~storelaw.errors.Misconfigured` with near names of both.
    """
    laws = catalogue.all_laws()
    found = next((each for each in laws if name in (each.name, each.title)), _clause_of(name))
    if found is None:
        known = [*(each.name for each in laws), *_names()]
        raise Misconfigured(
            f"configuration: no law or clause is called {name!r}{_near(name, known)}; "
            "`storelaw laws` and `storelaw clauses` list them all"
        )
    return found


def _clause_of(name: str) -> Clause | None:
    wanted = name.casefold()
    return next((e for e in clauses() if wanted in (e.rule.casefold(), e.name)), None)


def _names() -> list[str]:
    return [name for each in clauses() for name in (each.rule, each.name)]


def _near(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name.rsplit("/", 1)[-1], known, n=3, cutoff=0.5)
    return f"; near it: {', '.join(near)}" if near else ""


def cited_by(law: Law) -> tuple[Clause, ...]:
    """The clauses that a law names as its source, as they are written."""
    return tuple(_written()[each] for each in law.source if each in _written())


def laws_of(clause: Clause) -> tuple[Law, ...]:
    """The laws that cite a clause."""
    return tuple(each for each in catalogue.all_laws() if clause.rule in each.source)


def carriers_of(clause: Clause) -> tuple[Law, ...]:
    """The laws that cite a clause, and those that hold to it too."""
    return (*laws_of(clause), *(catalogue.law_of(each) for each in clause.also))


def liars_of(clause: Clause) -> tuple[Liar, ...]:
    """The liars that prove the laws of a clause: each breaks one of them on purpose."""
    from storelaw.selftest import all_liars

    names = {each.name for each in carriers_of(clause)}
    return tuple(each for each in all_liars() if each.breaks in names)
