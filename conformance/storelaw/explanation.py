"""Laws and clauses in words: what they claim, why, where they come from, what proves them."""

from collections.abc import Iterable, Iterator
from textwrap import fill, wrap
from typing import Any, Final

from storelaw import release, specification
from storelaw.clauses import Law
from storelaw.liars.registry import Liar
from storelaw.profiles import discover
from storelaw.specification import Clause
from storelaw.specification.versions import frozen

WIDTH: Final = 96
INDENT: Final = 11


def explained(law: Law, liars: Iterable[Liar]) -> Iterator[str]:
    """The lines of the explanation of a law."""
    profiles = " and ".join(name for name, each in discover().items() if each.door(law.door))
    where = f"{law.door} door of {profiles or 'no profile'}"
    yield f"{law.title} ({law.requirement}, since {law.since}, {where})"
    for paragraph in law.doc.split("\n\n"):
        yield from _paragraph(" ".join(paragraph.split()))
    yield ""
    cited = {each.rule: each.name for each in specification.cited_by(law)}
    yield from _items("clauses", (f"{each}  {cited.get(each, '')}".rstrip() for each in law.source))
    yield from _items("incidents", map(_incident, law.incidents))
    yield from _items("needs", [needs(law)])
    yield from _items("evidence", [", ".join(specification.evidence_of(law))])
    yield from _names("grades", frozen(release.SPEC).grades_with(law.name))
    proofs = [each.name for each in liars if each.breaks == law.name]
    yield from _items("liars", [", ".join(proofs) or "none"])


def specified(clause: Clause) -> Iterator[str]:
    """The lines of the explanation of a clause."""
    where = "every store" if clause.profile == "kit" else f"{clause.profile} profile"
    doors = f"door{'s' * (len(clause.doors) > 1)} {clause.door}"
    yield f"{clause.rule} {clause.name} ({clause.requirement}, since {clause.since}, {where}, {doors})"
    yield from _paragraph(clause.text)
    yield from _paragraph(clause.why) if clause.why else ()
    yield ""
    yield from _items("incidents", map(_incident, clause.incidents))
    yield from _items("evidence", [", ".join(specification.evidence_of(clause))])
    yield from _names("laws", (each.name for each in specification.laws_of(clause)))
    yield from _names("also", clause.also)
    yield from _names("liars", (each.name for each in specification.liars_of(clause)))
    yield from _names("reference", clause.reference)
    yield from _names("schemas", clause.schemas)
    yield from _names("reason", [clause.reason] if clause.reason else ())


def _paragraph(words: str) -> Iterator[str]:
    yield ""
    yield fill(words, WIDTH, initial_indent="    ", subsequent_indent="    ")


def _items(label: str, items: Iterable[str]) -> Iterator[str]:
    """Each item on lines of its own, the label before the first."""
    for each in items:
        lead = f"{label:<{INDENT}}"
        yield from wrap(
            each,
            WIDTH,
            initial_indent=lead,
            subsequent_indent=" " * INDENT,
            break_on_hyphens=False,
        )
        label = ""


def _names(label: str, names: Iterable[str]) -> Iterator[str]:
    """All names after one label."""
    words = ", ".join(names)
    return _items(label, [words] if words else ())


def _incident(kind: str) -> str:
    found = specification.incident_of(kind)
    reports = f" ({', '.join(found.reports)})" if found.reports else ""
    return f"{kind}  {found.title}{reports}"


def needs(law: Law) -> str:
    """What a medium must have for the law to be judged."""
    parts = [("operations", law.operations), ("session calls", law.acts)]
    parts += [("promises", law.promises), ("powers", law.powers)]
    return "; ".join(f"{what} {', '.join(sorted(names))}" for what, names in parts if names)


def law_data(law: Law) -> dict[str, Any]:
    """A law as JSON (``schemas/harness/laws.schema.json``)."""
    return {
        "name": law.name,
        "family": law.family,
        "claim": law.claim,
        "requirement": law.requirement,
        "since": law.since,
        "door": law.door,
        "operations": sorted(law.operations),
        "acts": sorted(law.acts),
        "promises": sorted(law.promises),
        "powers": sorted(law.powers),
        "source": list(law.source),
        "clauses": [each.name for each in specification.cited_by(law)],
        "incidents": list(law.incidents),
        "evidence": list(specification.evidence_of(law)),
    }


def clause_data(clause: Clause) -> dict[str, Any]:
    """A clause as JSON (``schemas/harness/clauses.schema.json``)."""
    return {
        "rule": clause.rule,
        "name": clause.name,
        "requirement": clause.requirement,
        "profile": clause.profile,
        "section": clause.section,
        "since": clause.since,
        "doors": list(clause.doors),
        "text": clause.text,
        "why": clause.why,
        "incidents": list(clause.incidents),
        "evidence": list(specification.evidence_of(clause)),
        "laws": [each.name for each in specification.laws_of(clause)],
        "also": list(clause.also),
        "liars": [each.name for each in specification.liars_of(clause)],
        "reference": list(clause.reference),
        "schemas": list(clause.schemas),
        "reason": clause.reason,
    }
