"""The laws of atomicity: none accuses a store that is right."""

from dataclasses import replace

import pytest

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import atomicity, interruptions
from storelaw.liars.failing import FailingHonestMedium, PrefixHonestMedium
from storelaw.liars.honest import (
    MANIFEST,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    claiming,
)
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import append, bad, call, failing, load, program
from storelaw.samples import said
from storelaw.trial import hold
from storelaw.values import Entry

MODULES = (atomicity, interruptions)
LAWS = [each for each in registered() if each.judge.__module__ in {m.__name__ for m in MODULES}]
BY_NAME = {each.name: each for each in LAWS}
RIGHT: list[type[Medium]] = [
    ReferenceMedium,
    IdempotentReferenceMedium,
    HonestMedium,
    HonestExplicit,
    FailingHonestMedium,
    PrefixHonestMedium,
]


@pytest.mark.parametrize("medium", RIGHT, ids=[each.__name__ for each in RIGHT])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """Every law is held on it, or says why it does not apply."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []


def test_every_law_is_held_by_some_store() -> None:
    """No law of the family is out of reach of the right stores."""
    for law in LAWS:
        assert any(hold(law, each, "battery").outcome == "held" for each in RIGHT), law.name


class OneHandle(HonestMedium):
    """Has one handle at once, keeps few entries in prefix batches."""

    manifest = claiming(MANIFEST, name="one-handle", handles=1, batch="prefix")


class Lenient(HonestMedium):
    """Keeps whatever it is given."""

    class store(HonestStore):
        """Checks nothing."""

        def checked(self, entries: list[Entry]) -> list[Entry]:
            return entries


@pytest.mark.parametrize("medium", [OneHandle, Lenient])
def test_no_law_accuses_a_store_of_another_kind(medium: type[Medium]) -> None:
    """A store may have one handle, and may keep what others refuse."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each.law for each in verdicts if each.outcome == "broken" or each.fault] == []


@pytest.mark.parametrize("law", [each for each in LAWS if each.programs])
def test_generated_programs_accuse_no_right_store(law: Law) -> None:
    """A quick run of a generated law on stores of both kinds does not break."""
    for medium in (HonestMedium, PrefixHonestMedium):
        assert hold(law, medium, "quick").outcome != "broken"


def test_a_failure_at_another_point_is_left_to_another_law() -> None:
    """A failure before the commit says nothing of failures inside a batch, and so on."""
    for point in ("before-commit", "after-commit", "inside"):
        steps = (failing(point, door="store"), append("s", said("2"), said("3")), load("s"))
        trace = play(program(call("create", "s"), *steps), FailingHonestMedium)

        for name in ("before_the_commit_leaves_nothing", "after_the_commit_leaves_the_whole_batch"):
            assert BY_NAME[f"a_failure_{name}"].judge(trace) is None
        law = BY_NAME["a_failure_inside_a_batch_leaves_what_is_promised"]
        assert law.judge(trace) is None


def test_a_load_that_raises_after_a_refused_append_is_damage() -> None:
    """The log is still there to be read."""
    steps = (append("s", said("1")), load("s"), append("s", bad(said("2"))), load("s"))
    trace = play(program(*steps), HonestMedium)
    events = (*trace.events[:3], replace(trace.events[3], outcome="raised", value=None))

    with pytest.raises(Broken):
        BY_NAME["a_refused_append_changes_nothing_stored_before"].judge(
            replace(trace, events=events)
        )


def test_a_load_that_raises_is_no_reading() -> None:
    """A session that is unknown has no books."""
    trace = play(program(load("s"), append("s"), append("s", said("1"))), HonestExplicit)

    assert BY_NAME["a_refused_batch_leaves_nothing"].judge(trace) is None
    assert BY_NAME["a_refused_append_changes_nothing_stored_before"].judge(trace) is None
