"""A known-bad history of each anomaly is found, told, and shown by a minimal witness."""

from dataclasses import dataclass

import pytest

from storelaw.history import KINDS, Anomaly, Kind, anomalies

from .notation import history

CONSISTENCIES = ("per-writer", "sequential", "real-time")
BATCHES = ("prefix", "atomic", "one")


@dataclass(frozen=True)
class Bad:
    """A bad history, the weakest promises that it breaks, and what is told of it."""

    name: str
    kind: Kind
    text: str
    mark: str
    consistency: str = "per-writer"
    batch: str = "prefix"
    acts: int = 2
    claim: str = ""

    def found(self) -> Anomaly:
        """The one anomaly of this history."""
        (anomaly,) = anomalies(history(self.text), self.consistency, self.batch)
        return anomaly


A1 = "A append a1 | 1 2\n"
A12 = "A append a1 a2 | 1 2\n"
LATER = "Z append z | 90 91 unknown\n"
FINAL = "Once everything has ended, a load gives all that was acknowledged."

BAD = [
    Bad(
        "acknowledged and gone",
        "lost",
        A1 + "B append b1 | 3 4\nB load b1 | 5 6",
        "a1 is missing",
        claim=FINAL,
    ),
    Bad("half of a batch is gone", "lost", A12 + "B load a1 | 3 4", "a2 is missing", claim=FINAL),
    Bad(
        "half of an atomic batch is gone",
        "lost",
        A12 + "B load a1 | 3 4",
        "a2 is missing",
        batch="atomic",
    ),
    Bad(
        "half of a batch is gone, and the rest is no beginning",
        "lost",
        A12 + "B load a2 | 3 4",
        "a1 is missing",
    ),
    Bad(
        "one entry twice",
        "duplicated",
        A1 + "B load a1 a1 | 3 4",
        "a1 is there 2 times",
        acts=1,
        claim="A load gives each entry once.",
    ),
    Bad(
        "sent by nobody",
        "invented",
        A1 + "B load a1 a1~b1 | 3 4",
        "a1~b1 was not sent to this session",
        acts=1,
        claim="A load gives only entries that were sent to its session.",
    ),
    Bad(
        "from another session",
        "invented",
        A1 + "B append other: b1 | 3 4\nA load a1 b1 | 5 6",
        "b1 was not sent to this session",
    ),
    Bad(
        "seen before it was sent",
        "invented",
        "B load a1 | 1 2\nA append a1 | 3 4 unknown",
        "a1 was sent later",
        claim="A load gives no entry that was sent after the load had ended.",
    ),
    Bad(
        "refused and there",
        "visible-failure",
        "A append a1 | 1 2 failed\nB load a1 | 3 4",
        "a1 was refused",
        claim="An append that was refused leaves nothing to be seen.",
    ),
    Bad(
        "refused and all of it there",
        "visible-failure",
        "A append a1 a2 | 1 2 failed\nB load a1 | 3 4\nB load a1 a2 | 5 6",
        "a2 was refused",
        claim="An append that was refused leaves at most a beginning of its batch, and never all.",
    ),
    Bad(
        "refused and its middle there",
        "visible-failure",
        "A append a1 a2 a3 | 1 2 failed\nB load a2 | 5 6",
        "a2 was refused",
        claim="An append that was refused leaves at most a beginning of its batch, and never all.",
    ),
    Bad(
        "refused and in part there",
        "visible-failure",
        "A append a1 a2 | 1 2 failed\nB load a1 | 3 4",
        "a1 was refused",
        batch="atomic",
        claim="An append that was refused leaves nothing to be seen.",
    ),
    Bad(
        "half a batch",
        "split-batch",
        LATER + "A append a1 a2 a3 | 1 4\nB load a1 | 2 3",
        "a1 is there, a2 is not",
        batch="atomic",
        claim="A load gives a batch whole or not at all.",
    ),
    Bad(
        "half a batch without an answer, for good",
        "split-batch",
        "A append a1 a2 | 1 - unknown\nB load a1 | 3 4",
        "a1 is there, a2 is not",
        batch="atomic",
    ),
    Bad(
        "the end of a batch",
        "split-batch",
        "A append a1 a2 a3 | 1 - unknown\nB load a1 a3 | 3 4",
        "a3 is there, a2 is not",
        claim="What a load gives of a batch is a beginning of it.",
    ),
    Bad(
        "another's entry inside a batch",
        "split-batch",
        "A append a1 a2 | 1 3\nB append b1 | 2 4\nB load a1 b1 a2 | 5 6",
        "b1 stands inside a batch",
        consistency="sequential",
        batch="atomic",
        claim="Where there is one order, a batch stands in it unbroken.",
    ),
    Bad(
        "a batch backwards",
        "reordered",
        A12 + "B load a2 a1 | 3 4",
        "a1 stands after a2",
        claim="The entries of a batch stand in the order in which they were sent.",
    ),
    Bad(
        "two appends of one writer",
        "reordered",
        A1 + "A append a2 | 3 4\nB load a2 a1 | 5 6",
        "a1 stands after a2",
        acts=3,
        claim="The entries of one writer stand in the order in which it sent them.",
    ),
    Bad(
        "the later entry without the earlier",
        "reordered",
        LATER + A1 + "A append a2 | 3 4\nB load a2 | 5 6",
        "a1 is missing, a2 is there",
        consistency="sequential",
        acts=3,
        claim="A load that gives an entry gives all that its writer had been told is stored "
        "before.",
    ),
    Bad(
        "two first entries",
        "forked",
        LATER + "A append a1 | 1 2\nB append b1 | 3 4\nA load a1 | 5 6\nB load b1 a1 | 7 8",
        "b1 and a1 can't both come first",
        consistency="sequential",
        claim="Of any two loads, one gives a beginning of what the other gives.",
    ),
    Bad(
        "less than this writer saw before",
        "back-in-time",
        LATER + A1 + "B load a1 | 3 4\nB load | 5 6",
        "a1 was there and is gone",
        consistency="sequential",
        claim="A writer sees no less than it saw before.",
    ),
    Bad(
        "less than another saw before",
        "back-in-time",
        "A append a1 | 1 9\nB load a1 | 3 4\nC load | 5 6",
        "a1 was there and is gone",
        consistency="real-time",
        claim="A load gives no less than a load that had ended before it began.",
    ),
    Bad(
        "blind to its own",
        "stale",
        LATER + A1 + "A load | 3 4",
        "a1 is missing",
        consistency="sequential",
        claim="A load gives all that its own writer had been told is stored.",
    ),
    Bad(
        "blind to another's",
        "stale",
        LATER + A1 + "B load | 3 4",
        "a1 is missing",
        consistency="real-time",
        claim="A load gives all that was acknowledged before it began.",
    ),
    Bad(
        "the later of two writers first",
        "real-time-order",
        A1 + "B append b1 | 3 4\nC load b1 a1 | 5 6",
        "a1 stands after b1",
        consistency="real-time",
        acts=3,
        claim="What was acknowledged before another append began stands before it.",
    ),
    Bad(
        "the later of two writers alone, by a load that was under way",
        "real-time-order",
        "C load b1 | 1 8\nA append a1 | 2 3\nB append b1 | 4 5",
        "a1 is missing, b1 is there",
        consistency="real-time",
        acts=3,
        claim="A load that gives an entry gives all that was acknowledged before that entry was "
        "sent.",
    ),
]

each_bad = pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.kind}: {bad.name}")


def test_every_kind_has_a_bad_history() -> None:
    """No kind of anomaly goes untried."""
    assert {each.kind for each in BAD} == set(KINDS)


@each_bad
def test_a_bad_history_is_found(bad: Bad) -> None:
    """Under the weakest promises that it breaks it has this anomaly and no other."""
    found = bad.found()
    assert (found.kind, found.mark, len(found.acts)) == (bad.kind, bad.mark, bad.acts)
    assert found.claim == (bad.claim or found.claim)


@each_bad
def test_a_weaker_promise_is_kept(bad: Bad) -> None:
    """What only a stronger model forbids is right under the one before it."""
    for weaker in CONSISTENCIES[: CONSISTENCIES.index(bad.consistency)]:
        assert anomalies(history(bad.text), weaker, bad.batch) == ()


@each_bad
def test_a_stronger_promise_is_broken_too(bad: Bad) -> None:
    """Each model asks all that the one before it asks."""
    for stronger in CONSISTENCIES[CONSISTENCIES.index(bad.consistency) :]:
        assert anomalies(history(bad.text), stronger, bad.batch) != ()


@each_bad
def test_a_witness_stands_alone_and_is_minimal(bad: Bad) -> None:
    """The excerpt shows the same anomaly; without any one of its acts there is nothing."""
    excerpt = bad.found().excerpt()
    assert [each.kind for each in anomalies(excerpt, bad.consistency, bad.batch)] == [bad.kind]
    for act in excerpt.acts:
        assert anomalies(excerpt.without(act), bad.consistency, bad.batch) == ()


def test_each_kind_is_told_once_and_counted() -> None:
    """The smallest witness is given, of those the first, and the other loads are counted."""
    loads = "A load b1 a1 | 5 6\nB load b1 | 7 8\nA load b1 | 9 10\nB load | 11 12"
    found = anomalies(history(A1 + "B append b1 | 3 4\n" + loads))
    assert [(each.kind, each.more) for each in found] == [("lost", 2)]
    assert [each.began for each in found[0].acts] == [1, 11]


def test_several_kinds_come_in_a_fixed_order() -> None:
    """Contents first, then order, then time."""
    text = A1 + "B append b1 | 3 4\nA load b1 b1 x a1 | 5 6\nB load b1 | 7 8"
    found = anomalies(history(text), "real-time")
    kinds = [each.kind for each in found]
    assert kinds == ["invented", "duplicated", "lost", "back-in-time", "real-time-order"]


def test_what_is_told_once_is_not_told_again() -> None:
    """A repeated or invented entry is no fork, and a load that foresees isn't judged further."""
    text = A1 + "A load a1 a1 | 3 4\nB load x a1 | 5 6\nB append b1 | 9 10\nA load b1 a1 | 7 8"
    found = anomalies(history(text), "sequential")
    assert [(each.kind, each.more) for each in found] == [("invented", 1), ("duplicated", 0)]


def test_sessions_are_judged_by_themselves() -> None:
    """An anomaly in one session says nothing of another."""
    text = A1 + "A append t: b1 | 3 4\nB load t: b1 | 5 6\nB load | 7 8"
    (found,) = anomalies(history(text), "real-time")
    assert {each.session for each in found.acts} == {"s"}
