"""The paths and conversations that the views family generates."""

from hypothesis import given, settings

from storelaw.model.projections import compactions
from storelaw.program import Program, entries_of
from storelaw.strategies.paths import compactings, conversations, paths
from storelaw.values import Entry
from storelaw_schemas import problems

SETTINGS = settings(derandomize=True, max_examples=50, deadline=None, database=None)


@settings(SETTINGS, max_examples=25)
@given(paths(5, 2))
def test_a_generated_path_is_one_chain_of_stored_entries(path: list[Entry]) -> None:
    """Every entry may lie in a store, hangs off the one before, and has an id of its own."""
    assert [problem for each in path for problem in problems("transcript/stored-entry", each)] == []
    assert [each.get("parent_id") for each in path] == [None, *(each["id"] for each in path[:-1])]
    assert len({each["id"] for each in path}) == len(path)


@SETTINGS
@given(paths())
def test_a_path_is_compacted_only_where_that_is_asked_for(path: list[Entry]) -> None:
    """Without summaries there is no compaction entry."""
    assert compactions(path) == []


@SETTINGS
@given(paths(3, 2))
def test_a_compacted_path_begins_with_something_else(path: list[Entry]) -> None:
    """There are one or two compactions, and an entry before them."""
    assert 1 <= len(compactions(path)) <= 2
    assert path[0]["type"] != "compaction"


@SETTINGS
@given(conversations())
def test_a_conversation_ends_with_both_views(made: Program) -> None:
    """What a conversation led to is read for both audiences, and its drafts are valid."""
    assert [each.do for each in made.steps[-2:]] == ["messages", "transcript"]
    assert [p for each in entries_of(made.steps) for p in problems("transcript/draft", each)] == []


@SETTINGS
@given(compactings())
def test_a_compacting_has_a_session(made: Program) -> None:
    """A session is opened first, and read at the end."""
    assert [made.steps[0].do, made.steps[-1].do] == ["open_session", "transcript"]
