"""What verdicts rest on: the kinds of evidence of laws and of clauses."""

import pytest

from storelaw import catalogue, specification
from storelaw.specification import versions
from storelaw.specification.freezing import grades_of


@pytest.mark.parametrize(
    ("law", "evidence", "grades"),
    [
        ("creating_a_taken_id_is_refused", ("battery",), ("core",)),
        ("entries_load_in_append_order", ("battery", "generated"), ("core",)),
        ("entries_survive_a_reopen", ("battery",), ("durable",)),
        ("the_record_is_written_once", ("battery",), ("core", "durable")),
        ("each_writer_keeps_its_order", ("battery", "history"), ("concurrent",)),
        ("writers_of_other_ids_never_meet", ("battery", "history"), ("concurrent",)),
        ("a_killed_store_opens_again", ("battery", "sweep"), ("crash-safe",)),
        ("a_lost_reply_is_no_refusal", ("battery", "sweep"), ("crash-safe",)),
        ("a_failure_before_the_commit_leaves_nothing", ("battery", "sweep"), ("crash-safe",)),
    ],
)
def test_a_law_has_the_evidence_of_its_programs(
    law: str, evidence: tuple[str, ...], grades: tuple[str, ...]
) -> None:
    """Generated programs, workers that meet and writes that end early each count as one kind."""
    found = catalogue.law_of(law)
    assert specification.evidence_of(found) == evidence
    assert grades_of(found) == grades
    assert versions.frozen("0.1").grades_with(law) == grades


def test_a_clause_has_the_evidence_of_all_its_laws() -> None:
    """Those that cite it and those that hold to it too, in one order."""
    for clause in specification.clauses():
        kinds = {
            kind
            for law in specification.carriers_of(clause)
            for kind in specification.evidence_of(law)
        }
        ordered = tuple(each for each in specification.EVIDENCE if each in kinds)
        assert specification.evidence_of(clause) == (ordered or ("untestable",)), clause.rule


def test_what_is_untestable_says_why() -> None:
    """A clause without laws has no other evidence, and a reason."""
    found = [
        each
        for each in specification.clauses()
        if specification.evidence_of(each) == (specification.UNTESTABLE,)
    ]
    assert "PI-T5" in {each.rule for each in found}
    assert all(each.reason for each in found)
