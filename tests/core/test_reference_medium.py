"""The reference memory store as a medium."""

import pytest

from storelaw.abilities import abilities
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.player import play
from storelaw.program import Step, append, call, failing, load, opened, program
from storelaw.samples import said


@pytest.mark.parametrize("medium", [ReferenceMedium, IdempotentReferenceMedium])
def test_the_reference_can_be_driven(medium: type[ReferenceMedium]) -> None:
    """It has the operations of its profile, with explicit creation."""
    assert abilities(medium).operations == {"append", "load", "create", "record"}


@pytest.mark.parametrize(
    ("medium", "ids", "error"),
    [
        (ReferenceMedium, ["1", "1", "1"], None),
        (IdempotentReferenceMedium, ["1"], "EntryConflict"),
    ],
)
def test_the_two_variants_differ_in_a_known_id(
    medium: type[ReferenceMedium], ids: list[str], error: str | None
) -> None:
    """One keeps repeats, the other takes them for retries or conflicts."""
    steps = program(
        opened(1),
        call("create", "s"),
        append("s", said("1")),
        append("s", said("1"), on=1),
        append("s", said("1", "other")),
        load("s", on=1),
        call("create", "s"),
        load("t"),
    )
    events = play(steps, medium).events
    assert [each["id"] for each in events[5].value] == ids
    assert [each.error for each in events[4:]] == [error, None, "SessionExists", "SessionNotFound"]
    assert events[0].ok


@pytest.mark.parametrize(
    ("point", "ids"), [("before-commit", ["2"]), ("item", ["2"]), ("after-commit", ["1", "2"])]
)
def test_the_next_write_fails_where_it_is_told_to(point: str, ids: list[str]) -> None:
    """Once, before or after the commit."""
    steps = program(
        call("create", "s"),
        failing(point, door="store"),
        append("s", said("1")),
        append("s", said("2")),
        load("s"),
    )
    events = play(steps, ReferenceMedium).events
    assert [each.outcome for each in events] == ["ok", "ok", "raised", "ok", "ok"]
    assert events[2].text == f"Injected: harness: the store fails at {point}"
    assert [each["id"] for each in events[4].value] == ids


def test_its_clock_can_be_set() -> None:
    """Sessions are dated by the function that the medium was given."""
    steps = program(
        Step("clock", args={"fn": "2030-01-01T00:00:00+00:00"}),
        call("create", "s"),
        call("record", "s"),
    )
    assert play(steps, ReferenceMedium).events[2].value["created_at"].startswith("2030-01-01T")
