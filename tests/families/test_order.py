"""The laws of order: none accuses a store that is right."""

from typing import Any

import pytest

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import order
from storelaw.liars import order as order_liars
from storelaw.liars.honest import MANIFEST, HonestExplicit, HonestMedium, HonestStore, claiming
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.medium import Medium
from storelaw.program import append, call, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.trial import hold

LAWS = [each for each in registered() if each.judge.__module__ == order.__name__]
BY_NAME = {each.name: each for each in LAWS}


class OneByOne(HonestMedium):
    """Takes no batches."""

    manifest = claiming(MANIFEST, name="one-by-one", batch="one")


class ByIndex(HonestMedium):
    """Takes entries out by their index."""

    manifest = claiming(MANIFEST, name="by-index", options={"delete_by": "index"})

    class store(HonestStore):
        def delete_entry(self, session: Any, which: Any) -> None:
            del self.known(session).entries[which]


RIGHT: list[type[Medium]] = [
    ReferenceMedium,
    IdempotentReferenceMedium,
    HonestMedium,
    HonestExplicit,
    OneByOne,
    ByIndex,
    order_liars.NumberedMedium,
]


@pytest.mark.parametrize("medium", RIGHT, ids=[each.manifest.name for each in RIGHT])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """No law breaks, and no law fails in itself, on stores that do what they say."""
    verdicts = [hold(each, medium, "quick") for each in LAWS]

    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []
    assert sum(each.outcome == "held" for each in verdicts) >= len(LAWS) - 3


@pytest.mark.parametrize("answer", [None, ["text"], [None], [{"id": 7}]], ids=repr)
@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_judges_are_total(law: Law, answer: Any) -> None:
    """Odd answers are out of order or not; they never make a judge fail in itself."""
    step = append("s", said("b"), said("a"))
    events = (
        Event(0, step, passed=tuple(step.expanded())),
        Event(1, load("s"), value=answer),
        Event(2, load("s"), value=answer),
        Event(3, call("headers", "s"), value=answer),
    )

    assert law.judge(Trace(MANIFEST, events)) is None


def test_a_write_between_two_reads_may_change_what_is_read() -> None:
    """Only reads of one and the same log are compared with each other."""
    step = append("s", said("a"), said("b"))
    more = append("s", said("c"))
    first, second = [said("a"), said("b")], [said("b"), said("a"), said("c")]
    events = (
        Event(0, step, passed=tuple(step.expanded())),
        Event(1, load("s"), value=first),
        Event(2, more, passed=tuple(more.expanded())),
        Event(3, load("s"), value=second),
    )
    law = BY_NAME["reading_again_gives_the_same_order"]

    law.judge(Trace(MANIFEST, events))
    with pytest.raises(Broken):
        law.judge(Trace(MANIFEST, (*events, Event(4, load("s"), value=second[::-1]))))


def test_headers_of_an_uncertain_session_are_not_judged() -> None:
    """After an append whose outcome is unknown nothing is demanded of the headers."""
    step = append("s", said("b"), said("a"))
    events = (
        Event(0, step, passed=tuple(step.expanded())),
        Event(1, append("s", said("c")), "raised", error="unknown"),
        Event(2, call("headers", "s"), value=[{"id": "a"}, {"id": "b"}]),
    )
    law = BY_NAME["headers_come_in_append_order"]

    law.judge(Trace(MANIFEST, events))
    with pytest.raises(Broken):
        law.judge(Trace(MANIFEST, (events[0], events[2])))


def test_entries_that_may_be_refused_are_noted() -> None:
    """A store that wants ids and times may refuse entries without; the laws note it."""
    step = append("s", said("a"))
    trace = Trace(MANIFEST, (Event(0, step, "raised", error="Rejected"),))

    notes = [each.judge(trace) for each in LAWS]

    assert notes.count("refused") == 2
