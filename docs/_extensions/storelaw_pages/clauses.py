"""The specification: the clauses of a chapter, section by section, and what carries each."""

from collections.abc import Iterable, Iterator

from storelaw.clauses import Law
from storelaw.specification import (
    Chapter,
    Clause,
    Section,
    chapters,
    clause_of,
    clauses,
    evidence_of,
    incident_of,
    laws_of,
    liars_of,
)
from storelaw_pages.markdown import anchored, bulleted, code, heading, labelled, listed, plain
from storelaw_pages.names import (
    clause_anchor,
    clause_linked,
    incident_linked,
    law_linked,
    liar_linked,
    schema_linked,
)


def written(profile: str) -> str:
    """The clauses of a profile, or of ``kit``; ``LookupError`` for another name."""
    found = _chapter(profile)
    return "\n".join(_section(each, profile) for each in found.sections)


def about(profile: str) -> str:
    """Where the clauses of a chapter come from."""
    return plain(_chapter(profile).about)


def _chapter(profile: str) -> Chapter:
    for each in chapters():
        if each.profile == profile:
            return each
    raise LookupError(f"the specification has no chapter {profile!r}")


def _section(section: Section, profile: str) -> str:
    anchor = anchored("section", f"{profile}-{section.title}")
    parts = [heading(3, _capital(section.title), anchor)]
    if section.about:
        parts.append(f"{plain(section.about)}\n")
    parts += [_clause(clause_of(each.rule)) for each in section.clauses]
    return "\n".join(parts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _clause(clause: Clause) -> str:
    return "\n".join(
        [
            f"({anchored('rule', clause.rule)})=",
            heading(4, code(clause.name), clause_anchor(clause)),
            f"**{_requirement(clause)}.** {plain(clause.text)}\n",
            *([f"{plain(clause.why)}\n"] if clause.why else []),
            bulleted(_facts(clause)),
        ]
    )


def _requirement(clause: Clause) -> str:
    return clause.requirement if clause.requirement.isupper() else clause.requirement.capitalize()


def _facts(clause: Clause) -> Iterator[str]:
    doors = f", at the door {listed(map(code, clause.doors))}" if clause.doors else ""
    yield f"{clause.rule}, since {clause.since}{doors}"
    yield f"evidence: {listed(evidence_of(clause))}"
    yield from labelled("laws", map(law_linked, _names(laws_of(clause))))
    yield from labelled("further laws", map(law_linked, clause.also))
    yield from labelled("liars", (liar_linked(each.name) for each in liars_of(clause)))
    yield from labelled("incidents", map(_incident, clause.incidents))
    yield from labelled("schemas", map(schema_linked, clause.schemas))
    yield from labelled("reference", map(code, clause.reference))
    if clause.reason:
        yield f"not seen by the laws: {plain(clause.reason)}"


def _incident(kind: str) -> str:
    return f"{incident_linked(kind)} {plain(incident_of(kind).title)}"


def _names(laws: Iterable[Law]) -> Iterator[str]:
    return (each.name for each in laws)


def table(_: str) -> str:
    """How many clauses each chapter has, by requirement, and how many of them no law checks."""
    words = ("MUST", "SHOULD", "MAY", "fact", "defect")
    rows = [
        f"| chapter | {' | '.join(words)} | untestable |",
        "| --- |" + " ---: |" * (len(words) + 1),
    ]
    for each in chapters():
        of = clauses(each.profile)
        counts = [sum(one.requirement == word for one in of) for word in words]
        counts.append(sum("untestable" in evidence_of(one) for one in of))
        name = f"[{plain(each.title)}](/specification/{each.profile}.md)"
        rows.append(f"| {name} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows) + "\n"


def index(_: str) -> str:
    """All clauses by their short ids, each with its name."""
    return bulleted(f"{each.rule} {clause_linked(each)}" for each in clauses())
