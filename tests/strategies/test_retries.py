"""The programs that retry, spoil, delete and make again: legal entries, and data throughout."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.program import Program, entries_of
from storelaw.strategies.lives import lifecycles, recreations
from storelaw.strategies.retries import ladders, spoilt_batches
from storelaw_schemas import problems

quietly = settings(derandomize=True, max_examples=50, deadline=None, database=None)
STRATEGIES = [ladders(), ladders(handles=False), spoilt_batches(), lifecycles(), recreations()]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_good_entry_is_a_stored_entry(strategy: SearchStrategy[Program]) -> None:
    """Each entry but the bad ones validates against its schema, and programs are data."""

    @quietly
    @given(strategy)
    def check(program: Program) -> None:
        for each in entries_of(program.steps):
            assert "bad" in each or not list(problems("transcript/stored-entry", each))
        assert Program.of(program.data()).data() == program.data()

    check()


@quietly
@given(st.data())
def test_a_ladder_without_handles_opens_none(data: st.DataObject) -> None:
    """Where one handle is all that there is, no program opens a second one."""
    program = data.draw(ladders(handles=False))

    assert all(each.do != "open" and each.on == 0 for each in program.steps)
