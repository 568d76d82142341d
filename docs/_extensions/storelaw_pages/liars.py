"""The liars: what each does wrong, which law catches it, and what it stands for."""

import inspect
from collections.abc import Iterator

from storelaw import catalogue
from storelaw.liars.registry import Liar
from storelaw.selftest import all_liars
from storelaw_pages.markdown import anchored, code, link, listed, plain


def written(family: str) -> str:
    """The liars that exist for the laws of a family, law by law."""
    laws = [each.name for each in catalogue.all_laws() if each.family == family]
    order = {name: place for place, name in enumerate(laws)}
    found = [each for each in all_liars() if each.breaks in order]
    return "\n".join(map(_entry, sorted(found, key=lambda each: order[each.breaks])))


def linked(name: str) -> str:
    """A link to a liar by its name."""
    return link(code(name), _anchor(name))


def _anchor(name: str) -> str:
    """Names of liars are told apart by their capitals, which an anchor doesn't keep."""
    return anchored("liar", name)


def _entry(liar: Liar) -> str:
    lesson = (inspect.getdoc(liar.medium) or "").split("\n\n")[0]
    facts = ".\n  ".join(_facts(liar))
    return f"({_anchor(liar.name)})=\n{code(liar.name)}\n: {plain(lesson)}\n  {facts}.\n"


def _facts(liar: Liar) -> Iterator[str]:
    yield f"Caught by {_law(liar.breaks)}"
    if liar.also:
        yield f"It breaks with it {listed(map(_law, liar.also))}"
    if liar.perhaps:
        yield f"Where workers meet at the right moment also {listed(map(_law, liar.perhaps))}"
    if liar.kinds:
        yield f"It stands for {listed(liar.kinds)}"
    if liar.mutants:
        yield f"Published mutant: {listed(map(plain, liar.mutants))}"


def _law(name: str) -> str:
    return link(code(name), anchored("law", name))
