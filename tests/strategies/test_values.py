"""The strategies of values and logs: what they make is legal, and is what they say."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from storelaw.liars.honest import MANIFEST, claiming
from storelaw.program import Draft, Many, Program
from storelaw.samples import said
from storelaw.strategies import logs, values
from storelaw.values import Entry, is_object
from storelaw_schemas import problems

CALM = settings(derandomize=True, max_examples=25, deadline=None, database=None)
STRICT = claiming(MANIFEST, refuses=frozenset({"big-floats"}))

BODIES: list[SearchStrategy[Entry]] = [
    values.entries(MANIFEST),
    values.messages(STRICT),
    values.noted(values.json_objects(MANIFEST)),
    values.noted(values.numbers()),
    values.spoken(values.texts()),
    values.spoken(values.odd_texts()),
]


@pytest.mark.parametrize("bodies", BODIES, ids=range(len(BODIES)))
def test_generated_bodies_are_stored_entries(bodies: SearchStrategy[Entry]) -> None:
    """Every generated body becomes a legal stored entry when it is given an id."""

    @CALM
    @given(bodies)
    def validate(body: Entry) -> None:
        entry = {**body, "id": "e-0"}
        assert [str(each) for each in problems("transcript/stored-entry", entry)] == []

    validate()


def test_full_shapes_are_stored_entries_with_ids_of_their_own() -> None:
    """Each full shape is legal, holds nothing empty, and can live in one session."""
    shapes = values.full_shapes()

    assert [each for one in shapes for each in problems("transcript/stored-entry", one)] == []
    assert len({each["id"] for each in shapes}) == len(shapes)
    assert {each["type"] for each in shapes} == {"message", "compaction", "custom"}


def test_full_shapes_have_every_optional_field_of_a_message() -> None:
    """No optional field of a message or of its blocks is missing from all full shapes."""
    shapes = values.full_shapes()
    names = {name for each in shapes for name in each.get("message", {})}
    blocks = [b for each in shapes for b in each.get("message", {}).get("content", [])]

    assert names >= {"api", "provider", "model", "error", "usage", "stop_reason", "timestamp"}
    assert names >= {"injected", "origin", "tool_call_id", "tool_name", "is_error"}
    assert {each["type"] for each in blocks} == {
        "text", "thinking", "image", "file", "tool_call", "reminder",
    }  # fmt: skip


def test_refused_floats_are_not_drawn() -> None:
    """The scalars leave out what a manifest says is refused."""
    assert set(values.BIG_FLOATS) <= set(map(_key, values.scalars(MANIFEST)))
    assert not set(values.BIG_FLOATS) & set(map(_key, values.scalars(STRICT)))


def _key(value: Any) -> Any:
    return value if isinstance(value, float) else str(value)


@CALM
@given(values.odd_texts())
def test_odd_texts_are_odd(text: str) -> None:
    """Every odd text holds a NUL or half of a surrogate pair."""
    assert "\x00" in text or not _encodable(text)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


PROGRAMS: list[SearchStrategy[Program]] = [
    logs.logs_of(values.entries(MANIFEST), MANIFEST),
    logs.histories(MANIFEST),
    logs.repeats(MANIFEST),
]


@pytest.mark.parametrize("programs", PROGRAMS, ids=["logs_of", "histories", "repeats"])
def test_generated_programs_never_use_an_id_twice(programs: SearchStrategy[Program]) -> None:
    """Every entry of a generated program has an id of its own, and its sessions are read."""

    @CALM
    @given(programs)
    def check(program: Program) -> None:
        entries = [each for step in program.steps for each in step.expanded()]
        assert len({each["id"] for each in entries}) == len(entries)
        assert program.steps[-1].do == "load"
        assert all(problems("transcript/stored-entry", each) == () for each in entries[:2])

    check()


def test_entries_are_written_one_by_one_where_there_are_no_batches() -> None:
    """A store that takes no batches gets the same entries in as many appends."""
    single = claiming(MANIFEST, batch="one")
    items = (said("a"), Many(said("m"), 2), Draft("d", said("d")))

    batch = logs.written(MANIFEST, "s", *items)
    apart = logs.written(single, "s", *items)

    assert [len(each.expanded()) for each in batch] == [4]
    assert [each.expanded() for each in apart] == [[each] for each in batch[0].expanded()]


def test_an_entry_can_lose_its_id() -> None:
    """Without its id an entry is otherwise the same."""
    bare = logs.without_id(said("a"))

    assert is_object(bare)
    assert {**bare, "id": "a"} == said("a")
