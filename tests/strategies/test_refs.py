"""Programs of sessions with refs: what they end in, and that their entries are valid."""

import pytest
from hypothesis import given, settings

from storelaw.liars.log_honest import LogHonest
from storelaw.player import play
from storelaw.program import Program, entries_of
from storelaw.strategies import refs
from storelaw_schemas import problems

MANIFEST = LogHonest.manifest
SETTINGS = settings(max_examples=25, database=None, deadline=None, derandomize=True)


def checked(program: Program, last: str) -> None:
    """The program ends in a question and its entries are the log profile's."""
    assert program.steps[-1].name == last
    found = [each for entry in entries_of(program.steps) for each in problems("log/entry", entry)]
    assert found == []


@given(refs.rebased(MANIFEST))
@SETTINGS
def test_a_rebase_comes_last(program: Program) -> None:
    """The two halves of the program share no id, so that every append is taken."""
    checked(program, "rebase")
    at = next(i for i, step in enumerate(program.steps) if step.name == "fork" and i != 0)
    first, second = (
        {each["id"] for step in half for each in step.expanded()}
        for half in (program.steps[:at], program.steps[at:])
    )
    assert first.isdisjoint(second)


@given(refs.cloned(MANIFEST))
@SETTINGS
def test_a_clone_comes_last(program: Program) -> None:
    """It has a label and a key of its own."""
    checked(program, "clone")
    assert (program.steps[-1]["becomes"], program.steps[-1]["at"]) == ("B", "t")


@pytest.mark.parametrize("kind", ["sessions", "viewed", "resumed"])
def test_every_kind_of_program_runs(kind: str) -> None:
    """An honest medium carries out the steps, whatever was drawn."""

    @given(getattr(refs, kind)(MANIFEST))
    @SETTINGS
    def run(program: Program) -> None:
        outcomes = {each.outcome for each in play(program, LogHonest).events}
        assert "ok" in outcomes

    run()
