"""Histories that look odd and are right, and stores that keep their promises, are not accused."""

import pytest

from storelaw.history import History, anomalies

from .notation import history
from .stores import Log, Queues, Replica, Shards, played

CONSISTENCIES = ("per-writer", "sequential", "real-time")

#: What is right, and under which promises it still is.
RIGHT = [
    ("nothing happened", "", "real-time", "atomic"),
    ("an empty batch", "A append | 1 2\nA load | 3 4", "real-time", "atomic"),
    ("never seen", "A append a1 | 1 2", "real-time", "atomic"),
    ("a load without a log", "A append a1 | 1 2\nB load ? | 3 4 unknown", "real-time", "atomic"),
    ("a load that answered nothing known", "A append a1 | 1 2\nB load ? | 3 4", "real-time", "one"),
    (
        "a refused load tells nothing",
        "A append a1 | 1 2\nB load | 3 4 failed",
        "real-time",
        "atomic",
    ),
    (
        "no answer, and not there",
        "A append a1 | 1 - unknown\nB load | 3 4",
        "real-time",
        "atomic",
    ),
    (
        "no answer, and there",
        "A append a1 a2 | 1 - unknown\nB load a1 a2 | 3 4",
        "real-time",
        "atomic",
    ),
    (
        "no answer, and there in part",
        "A append a1 a2 | 1 2 unknown\nB load a1 | 3 4",
        "real-time",
        "prefix",
    ),
    (
        "no answer, and there late, behind what the writer sent afterwards",
        "A append a1 | 1 2 unknown\nA append a2 | 3 4\nB load a2 | 5 6\nB load a2 a1 | 7 8",
        "real-time",
        "atomic",
    ),
    (
        "refused, and a beginning there",
        "A append a1 a2 | 1 2 failed\nB load a1 | 3 4",
        "real-time",
        "prefix",
    ),
    (
        "a load that overlaps an append sees it or not",
        "A append a1 | 1 6\nB load a1 | 2 4\nC load | 3 5",
        "real-time",
        "atomic",
    ),
    (
        "a load sees what began before the load ended",
        "B load a1 | 1 4\nA append a1 | 2 3",
        "real-time",
        "atomic",
    ),
    (
        "overlapping appends stand in any order",
        "A append a1 | 1 4\nB append b1 | 2 3\nC load b1 a1 | 5 6",
        "real-time",
        "atomic",
    ),
    (
        "overlapping appends of one writer too",
        "A append a1 | 1 4\nA append a2 | 2 3\nC load a2 a1 | 5 6",
        "real-time",
        "atomic",
    ),
    (
        "a load that overlaps a longer one is shorter",
        "A append a1 | 1 9\nB load a1 | 2 4\nC load | 3 5",
        "real-time",
        "atomic",
    ),
    (
        "entries of others inside a batch, where batches are beginnings",
        "A append a1 a2 | 1 4\nB append b1 | 2 3\nC load a1 b1 a2 | 5 6",
        "real-time",
        "prefix",
    ),
    (
        "entries of others inside a batch, where there is no one order",
        "A append a1 a2 | 1 4\nB append b1 | 2 3\nC load a1 b1 a2 | 5 6",
        "per-writer",
        "atomic",
    ),
    (
        "one worker on two handles has no order of its own",
        "A/0 append a1 | 1 2\nA/1 append a2 | 3 4\nB load a2 a1 | 5 6",
        "sequential",
        "atomic",
    ),
    (
        "a handle doesn't see what the worker wrote on another",
        "A/0 append a1 | 1 2\nA/1 load | 3 4\nZ append z1 | 5 6 unknown",
        "sequential",
        "atomic",
    ),
    (
        "two workers on one handle have no order",
        "A/0 append a1 | 1 2\nB/0 append b1 | 3 4\nC load b1 a1 | 5 6",
        "sequential",
        "atomic",
    ),
    (
        "loads in different orders, and nothing lost",
        "A append a1 | 1 2\nB append b1 | 3 4\nA load a1 b1 | 5 6\nB load b1 a1 | 7 8",
        "per-writer",
        "atomic",
    ),
    (
        "a load that isn't final misses what it likes",
        "A append a1 | 1 2\nA append a2 | 3 4\nA load a2 | 5 6\nA load | 7 8\nB append b1 | 9 10",
        "per-writer",
        "atomic",
    ),
]


@pytest.mark.parametrize(
    ("text", "consistency", "batch"), [each[1:] for each in RIGHT], ids=[each[0] for each in RIGHT]
)
def test_a_right_history_is_not_accused(text: str, consistency: str, batch: str) -> None:
    """Under these promises and all weaker ones."""
    right = history(text) if text else History(())
    for each in CONSISTENCIES[: CONSISTENCIES.index(consistency) + 1]:
        assert anomalies(right, each, batch) == ()


def test_a_load_is_final_only_when_the_medium_has_settled() -> None:
    """Before it says so, a store that needs time may miss what it acknowledged."""
    text = "A append a1 | 1 2\nB load | 3 4\nB load a1 | 6 7"
    assert [each.kind for each in anomalies(history(text))] == ["lost"]
    assert anomalies(history(text, settled=5)) == ()


@pytest.mark.parametrize("batch", ["prefix", "atomic"])
@pytest.mark.parametrize(
    ("store", "consistency"),
    [
        (Log, "real-time"),
        (Replica, "sequential"),
        (Queues, "sequential"),
        (Shards, "per-writer"),
    ],
)
def test_a_right_store_is_not_accused(store: type[Log], consistency: str, batch: str) -> None:
    """Whatever the scheduler does: appends without an answer, refused, late, overlapping."""
    for seed in range(60):
        seen = played(store, seed, whole=batch == "atomic")
        for each in CONSISTENCIES[: CONSISTENCIES.index(consistency) + 1]:
            assert anomalies(seen, each, batch) == (), seed


@pytest.mark.parametrize("store", [Replica, Queues, Shards])
def test_a_weak_store_breaks_the_stronger_promise(store: type[Log]) -> None:
    """The right stores really use the freedom that their promises leave them."""
    stronger = "sequential" if store is Shards else "real-time"
    assert any(anomalies(played(store, seed, whole=True), stronger, "atomic") for seed in range(9))
