"""The liars: what each does wrong, which law catches it, and what it stands for."""

import inspect
from collections.abc import Iterator

from storelaw import catalogue
from storelaw.liars.registry import Liar
from storelaw.selftest import all_liars
from storelaw_pages.markdown import anchored, code, listed, plain
from storelaw_pages.names import family_linked, incident_linked, law_linked


def written(family: str) -> str:
    """The liars that exist for the laws of a family, law by law."""
    laws = [each.name for each in catalogue.all_laws() if each.family == family]
    order = {name: place for place, name in enumerate(laws)}
    found = [each for each in all_liars() if each.breaks in order]
    return "\n".join(map(_entry, sorted(found, key=lambda each: order[each.breaks])))


def _entry(liar: Liar) -> str:
    lesson = (inspect.getdoc(liar.medium) or "").split("\n\n")[0]
    facts = "\n  ".join(_facts(liar))
    anchor = anchored("liar", liar.name)
    return f"({anchor})=\n{code(liar.name)}\n: {plain(lesson)}\n  {facts}\n"


def _facts(liar: Liar) -> Iterator[str]:
    yield f"Caught by {law_linked(liar.breaks)}."
    if liar.also:
        yield f"Breaks with it {listed(map(law_linked, liar.also))}."
    if liar.perhaps:
        yield f"Breaks now and then {listed(map(law_linked, liar.perhaps))}."
    if liar.kinds:
        yield f"Stands for {listed(map(incident_linked, liar.kinds))}."
    if liar.mutants:
        yield f"Is the published mutant *{listed(map(plain, liar.mutants))}*."


def table(_: str) -> str:
    """The families, each with the number of its liars and of the laws that they prove."""
    rows = ["| family | laws | liars |", "| --- | ---: | ---: |"]
    for family in catalogue.all_families():
        laws = {each.name for each in catalogue.all_laws() if each.family == family}
        count = sum(each.breaks in laws for each in all_liars())
        rows.append(f"| {family_linked(family)} | {len(laws)} | {count} |")
    return "\n".join(rows) + "\n"
