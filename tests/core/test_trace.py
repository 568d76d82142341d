"""Events and traces."""

from storelaw.manifest import Manifest
from storelaw.program import add, append, load, run, session
from storelaw.samples import assistant, user
from storelaw.trace import Event, Trace, payload


def test_an_event_knows_its_outcome_and_its_arguments() -> None:
    """ok, raised and skipped are told apart; arguments are read by name."""
    step = load("s", last=2)
    assert Event(0, step).ok
    assert not Event(0, step).raised
    assert Event(0, step, "raised").raised
    assert not Event(0, step, "skipped").ok
    assert Event(0, step)["last"] == 2
    assert Event(0, step)["first"] is None


def test_a_trace_selects_events_that_were_not_skipped() -> None:
    """``of`` takes several operations and leaves out what never ran."""
    events = (
        Event(0, append("s", {"id": "1"})),
        Event(1, load("s"), "skipped"),
        Event(2, load("s"), "raised"),
        Event(3, session("s")),
    )
    trace = Trace(Manifest(name="x"), events)
    assert [each.index for each in trace.of("append", "load")] == [0, 2]
    assert [each.index for each in trace.upto(2).events] == [0, 1]


def test_a_trace_knows_its_drafts_and_the_ids_they_got() -> None:
    """Inputs and answers are listed in order; an unknown label has no id."""
    one, two, three = user("q"), assistant("a"), user("r")
    events = (Event(0, run(one, answer=(two,))), Event(1, add(three)), Event(2, load("s")))
    trace = Trace(Manifest(name="x"), events, labels={"q": {"id": "1"}, "a": {}})
    assert list(trace.drafts()) == [one, two, three]
    assert trace.id_of("q") == "1"
    assert trace.id_of("a") is None
    assert trace.id_of("other") is None


def test_a_trace_compares_up_to_the_declared_losses() -> None:
    """Only what the manifest declares may differ."""
    assert not Trace(Manifest(name="x"), ()).same(1, 1.0)
    assert Trace(Manifest(name="x", equality="json"), ()).same(1, 1.0)


def test_a_payload_has_no_header() -> None:
    """The members that an engine assigns are left out."""
    entry = {"id": "1", "parent_id": "0", "created_at": "t", "type": "custom", "kind": "k"}
    assert payload(entry) == {"type": "custom", "kind": "k"}
