"""The laws of a family: what each claims, why stores break it, what it takes, who proves it."""

from collections.abc import Iterator
from functools import cache

from storelaw import catalogue
from storelaw.clauses import Law
from storelaw.explanation import needs
from storelaw.selftest import all_liars
from storelaw.specification import clause_of, evidence_of
from storelaw.specification.freezing import grades_of
from storelaw_pages.markdown import anchored, bulleted, code, heading, listed, plain
from storelaw_pages.names import clause_linked, family_linked, incident_linked, liar_linked


def written(family: str) -> str:
    """All laws of one family; ``LookupError`` for a family without any."""
    found = [each for each in catalogue.all_laws() if each.family == family]
    if not found:
        raise LookupError(f"no law is of the family {family!r}")
    return "\n".join(map(_section, found))


@cache
def _liars() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in all_liars():
        found.setdefault(each.breaks, []).append(each.name)
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
    yield f"clauses: {listed(map(_rule, law.source))}"
    yield f"evidence: {listed(evidence_of(law))}"
    if law.requirement == "MUST":
        yield f"grades: {listed(grades_of(law))}"
    yield f"liars: {listed(map(liar_linked, _liars().get(law.name, ())))}"
    if law.incidents:
        yield f"incidents: {listed(map(incident_linked, law.incidents))}"


def _rule(rule: str) -> str:
    return f"{rule} {clause_linked(clause_of(rule))}"


def table(_: str) -> str:
    """The families, each with the number of its laws by requirement."""
    rows = ["| family | MUST | SHOULD | MAY |", "| --- | ---: | ---: | ---: |"]
    for family in catalogue.all_families():
        of = [each.requirement for each in catalogue.all_laws() if each.family == family]
        counts = " | ".join(str(of.count(word)) for word in ("MUST", "SHOULD", "MAY"))
        rows.append(f"| {family_linked(family)} | {counts} |")
    return "\n".join(rows) + "\n"
