"""Exit codes and counts, computed from verdicts."""

import pytest

from storelaw.verdict import (
    BREAKS,
    CONFORMS,
    FAULT,
    NOTHING,
    OUTCOMES,
    USAGE,
    Evidence,
    Verdict,
    counts,
    exit_code,
)

HELD = Verdict("a", "order", "MUST", "held")
SHOULD = Verdict("b", "order", "SHOULD", "held")
BROKEN = Verdict("c", "order", "MUST", "broken")
BROKEN_SHOULD = Verdict("c", "order", "SHOULD", "broken")
WAIVED = Verdict("d", "order", "MUST", "waived")
WAIVED_SHOULD = Verdict("d", "order", "SHOULD", "waived")
OUTSIDE = Verdict("e", "order", "MUST", "not applicable")
UNSEEN = Verdict("f", "order", "MUST", "not evaluated")
FAULTY = Verdict("g", "order", "MUST", "not evaluated", fault="medium")
OURS = Verdict("h", "order", "MUST", "not evaluated", fault="harness")


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], NOTHING),
        ([HELD], CONFORMS),
        ([HELD, WAIVED, OUTSIDE, UNSEEN, SHOULD], CONFORMS),
        ([SHOULD], NOTHING),
        ([OUTSIDE, UNSEEN], NOTHING),
        ([OUTSIDE, UNSEEN, WAIVED], CONFORMS),
        ([SHOULD, WAIVED_SHOULD], NOTHING),
        ([HELD, BROKEN], BREAKS),
        ([HELD, BROKEN_SHOULD], BREAKS),
        ([BROKEN, FAULTY], BREAKS),
        ([HELD, FAULTY], FAULT),
        ([HELD, OURS], FAULT),
        ([FAULTY, UNSEEN], FAULT),
    ],
)
def test_the_exit_code_follows_from_the_verdicts(verdicts: list[Verdict], code: int) -> None:
    """A broken law outranks a fault, a fault outranks conformance, SHOULD alone is nothing.

    A waived MUST was evaluated, so that a run of waived laws alone isn't one of nothing.
    """
    assert exit_code(iter(verdicts)) == code


def test_the_codes_are_the_documented_numbers() -> None:
    """0 conforms, 1 broken, 2 nothing, 3 fault, 4 usage."""
    assert (CONFORMS, BREAKS, NOTHING, FAULT, USAGE) == (0, 1, 2, 3, 4)


def test_all_five_outcomes_are_counted() -> None:
    """An outcome that didn't come up is counted as 0, so a summary never leaves one out."""
    assert counts([HELD, HELD, BROKEN]) == {
        "held": 2,
        "broken": 1,
        "waived": 0,
        "not applicable": 0,
        "not evaluated": 0,
    }
    assert tuple(counts([])) == OUTCOMES


def test_a_verdict_has_a_stable_title_and_counts_its_programs() -> None:
    """The title is family and law; the evidence adds up."""
    assert HELD.title == "order/a"
    assert Evidence(battery=1, generated=2, vectors=3).programs == 6
