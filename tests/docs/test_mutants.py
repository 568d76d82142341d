"""The page of mutants: each published mutant, and the liars that are it."""

import pytest

from storelaw.liars.mutants import MUTANTS
from storelaw.selftest import all_liars

Claims = dict[str, tuple[str, ...]]


def test_the_page_lists_the_mutants_in_their_order(mutants: Claims) -> None:
    """All forty-four are there, and nothing else."""
    assert tuple(mutants) == MUTANTS
    assert len(MUTANTS) == 44


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_has_the_liars_that_claim_it(mutant: str, mutants: Claims) -> None:
    """The page gives exactly the liars of the registry, and each mutant has one."""
    claiming = sorted(each.name for each in all_liars() if mutant in each.mutants)
    assert sorted(mutants[mutant]) == claiming
    assert claiming


def test_liars_claim_mutants_that_exist() -> None:
    """Nobody is a mutant that wasn't published."""
    assert {mutant for each in all_liars() for mutant in each.mutants} <= set(MUTANTS)
