"""The laws of a family: what each claims, why stores break it, what it takes, who proves it."""

from collections.abc import Iterable, Iterator
from functools import cache

from storelaw import catalogue
from storelaw.clauses import Law
from storelaw.explanation import needs
from storelaw.liars.registry import Liar
from storelaw.selftest import all_liars
from storelaw_pages import liars
from storelaw_pages.markdown import anchored, bulleted, code, heading, link, listed, plain


def written(family: str) -> str:
    """All laws of one family; ``LookupError`` for a family without any."""
    found = [each for each in catalogue.all_laws() if each.family == family]
    if not found:
        raise LookupError(f"no law is of the family {family!r}")
    return "\n".join(map(_section, found))


def linked(name: str) -> str:
    """A link to a law by its name."""
    return link(code(name), anchored("law", name))


def family_linked(family: str) -> str:
    """A link to the page of a family."""
    return f"[{code(family)}](/laws/{family}.md)"


@cache
def _liars() -> dict[str, list[Liar]]:
    found: dict[str, list[Liar]] = {}
    for each in all_liars():
        found.setdefault(each.breaks, []).append(each)
    return found


def _section(law: Law) -> str:
    claim, *why = law.doc.split("\n\n")
    return "\n".join(
        [
            heading(2, code(law.name), anchored("law", law.name)),
            f"**{plain(claim)}**\n",
            *(f"{plain(each)}\n" for each in why),
            bulleted(_facts(law)),
        ]
    )


def _facts(law: Law) -> Iterator[str]:
    yield f"{law.requirement}, since {law.since}, at the {code(law.door)} door"
    yield f"needs: {needs(law)}"
    yield f"from: {listed(map(_rule, law.source))}"
    if law.incidents:
        yield f"incidents: {listed(map(_incident, law.incidents))}"
    yield f"tried by: {'battery and generated programs' if law.programs else 'battery'}"
    yield f"liars: {listed(map(liars.linked, _names(_liars().get(law.name, ()))))}"


def _names(found: Iterable[Liar]) -> list[str]:
    return [each.name for each in found]


def _rule(rule: str) -> str:
    return rule


def _incident(kind: str) -> str:
    return kind


def table(_: str) -> str:
    """The families, each with the number of its laws by requirement."""
    rows = ["| family | MUST | SHOULD | MAY |", "| --- | ---: | ---: | ---: |"]
    for family in catalogue.all_families():
        of = [each.requirement for each in catalogue.all_laws() if each.family == family]
        counts = " | ".join(str(of.count(word)) for word in ("MUST", "SHOULD", "MAY"))
        rows.append(f"| {family_linked(family)} | {counts} |")
    return "\n".join(rows)
