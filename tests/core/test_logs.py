"""The model of flat logs, followed event by event."""

from typing import Any

import pytest

from storelaw.manifest import Manifest
from storelaw.model.logs import Logs, readings
from storelaw.program import Step, append, call, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry

A, B, C = said("a"), said("b"), said("c")


def event(step: Step, value: Any = None, error: str | None = None) -> Event:
    """An event of a step, ok or raised, with the entries that it passed."""
    outcome: Any = "raised" if error else "ok"
    return Event(0, step, outcome, value, error, passed=tuple(step.expanded()))


def fed(*events: Event) -> Logs:
    """The model after these events."""
    logs = Logs()
    for each in events:
        logs.feed(each)
    return logs


GROWN = (event(append("s", A, B)), event(call("append_one", "s", C)))


@pytest.mark.parametrize(
    ("step", "expected", "exists"),
    [
        (load("s"), [A, B, C], True),
        (append("s"), [A, B, C], True),
        (call("create", "s"), [A, B, C], True),
        (call("delete", "s"), [], False),
        (call("clear", "s"), [], True),
        (call("pop", "s"), [A, B], True),
        (call("replace", "s", C), [C], True),
        (call("delete_entry", "s", which="b"), [A, C], True),
        (call("delete_entry", "s", which=0), [B, C], True),
        (call("fork", "s", new="f"), [A, B, C], True),
    ],
)
def test_each_operation_changes_the_log(step: Step, expected: list[Entry], exists: bool) -> None:
    """What the store accepted is what a load should give."""
    log = fed(*GROWN, event(step)).log("s")
    assert log.entries == expected
    assert log.exists is exists
    assert log.certain


@pytest.mark.parametrize(("at", "expected"), [(None, [A, B, C]), ("b", [A, B]), ("x", [A, B, C])])
def test_a_fork_copies_up_to_its_entry(at: str | None, expected: list[Entry]) -> None:
    """The child has entries of its own."""
    logs = fed(*GROWN, event(call("fork", "s", new="f", at=at)), event(append("s", A)))
    assert logs.log("f").entries == expected
    assert logs.log("f").exists
    assert logs.log("f").entries[0] is not A


def test_an_append_of_nothing_creates_nothing_for_certain() -> None:
    """Whether it does is an option, so the model doesn't count on it."""
    assert not fed(event(append("s"))).log("s").exists
    assert fed(event(call("create", "s"))).log("s").exists


def test_a_refused_write_changes_nothing() -> None:
    """One of the five identities says that nothing happened."""
    log = fed(*GROWN, event(append("s", A), error="Rejected")).log("s")
    assert (log.entries, log.certain) == ([A, B, C], True)


@pytest.mark.parametrize(
    ("mending", "certain"),
    [("delete", True), ("clear", True), ("replace", True), ("pop", False), ("append", False)],
)
def test_an_unknown_outcome_makes_a_session_uncertain(mending: str, certain: bool) -> None:
    """A later delete, clear or replace says for certain what there is."""
    failed = event(append("s", A), error="unknown")
    assert fed(*GROWN, failed).existing() == []
    logs = fed(*GROWN, failed, event(call(mending, "s")))
    assert logs.log("s").certain is certain


def test_an_uncertain_session_has_uncertain_forks() -> None:
    """A child knows no more than its parent."""
    failed = event(append("s", A), error="unknown")
    logs = fed(*GROWN, failed, event(call("fork", "s", new="f")), event(append("t", A)))
    assert not logs.log("f").certain
    assert logs.existing() == ["t"]


def test_a_skipped_step_did_not_happen() -> None:
    """Nothing follows from what the store doesn't have."""
    assert fed(Event(0, append("s", A), "skipped", passed=(A,))).existing() == []


def test_readings_put_what_is_expected_beside_what_came() -> None:
    """Unfiltered loads that gave an answer count; nothing counts as an empty list."""
    trace = Trace(
        Manifest(name="x"),
        (
            event(load("s")),
            *GROWN,
            event(load("s"), [A]),
            event(load("s", last=1), [C]),
            event(load("s"), error="unknown"),
            event(append("s", A), error="unknown"),
            event(load("s"), [A]),
        ),
    )
    found = [(each.expected, each.observed, each.exists, each.certain) for each in readings(trace)]
    assert found == [
        ([], [], False, True),
        ([A, B, C], [A], True, True),
        ([A, B, C], [A], True, False),
    ]
