"""The specification: every clause of the three contracts and of the kit, in one place.

What a clause says lies in the TOML files of this package, one for each profile and one for
the clauses that every store owes; the kinds of fault lie in ``incidents.toml``. Which laws
hold a store to a clause is said by the laws, by their ``source``, and derived from there. The
reference pages, ``storelaw explain``, ``storelaw clauses`` and the report all read it here.
"""

from storelaw.specification.carriers import (
    carriers_of,
    cited_by,
    clause_of,
    clauses,
    laws_of,
    liars_of,
    named,
)
from storelaw.specification.evidence import EVIDENCE, UNTESTABLE, evidence_of
from storelaw.specification.faults import Incident, incident_of, incidents
from storelaw.specification.text import Chapter, Clause, Section, chapters

__all__ = [
    "EVIDENCE",
    "UNTESTABLE",
    "Chapter",
    "Clause",
    "Incident",
    "Section",
    "carriers_of",
    "chapters",
    "cited_by",
    "clause_of",
    "clauses",
    "evidence_of",
    "incident_of",
    "incidents",
    "laws_of",
    "liars_of",
    "named",
]
