"""Broken stores are found out, and every witness that they leave is minimal."""

import pytest

from storelaw.history import Kind, anomalies, every_anomaly
from storelaw.history.terms import CONSISTENCIES

from . import stores

BROKEN: list[tuple[type[stores.Log], str, set[Kind]]] = [
    (stores.LostUpdate, "per-writer", {"lost"}),
    (stores.Repeating, "per-writer", {"duplicated"}),
    (stores.Torn, "per-writer", {"split-batch"}),
    (stores.Backward, "per-writer", {"reordered"}),
    (stores.Careless, "per-writer", {"visible-failure"}),
    (stores.Mixing, "per-writer", {"invented", "lost", "split-batch"}),
    (stores.Overtaking, "per-writer", {"reordered"}),
    (stores.Clocked, "sequential", {"forked", "reordered"}),
    (stores.Cached, "real-time", {"back-in-time", "lost", "stale"}),
]

each_broken = pytest.mark.parametrize(("store", "consistency", "kinds"), BROKEN)

SEEDS = range(25)


@each_broken
def test_a_broken_store_is_found(
    store: type[stores.Log], consistency: str, kinds: set[Kind]
) -> None:
    """It is accused of what it does, and of nothing else."""
    found = {
        each.kind
        for seed in SEEDS
        for each in anomalies(stores.played(store, seed, whole=True), consistency, "atomic")
    }
    assert found == kinds


@each_broken
def test_every_witness_is_minimal(
    store: type[stores.Log], consistency: str, kinds: set[Kind]
) -> None:
    """Each excerpt shows its anomaly by itself, and nothing once an act is left out."""
    for seed in SEEDS:
        for each in every_anomaly(stores.played(store, seed, whole=True), "real-time", "atomic"):
            excerpt = each.excerpt()
            assert each.kind in {one.kind for one in anomalies(excerpt, "real-time", "atomic")}
            for act in excerpt.acts:
                assert anomalies(excerpt.without(act), "real-time", "atomic") == ()


@each_broken
def test_what_a_weaker_model_finds_the_stronger_ones_find(
    store: type[stores.Log], consistency: str, kinds: set[Kind]
) -> None:
    """An anomaly under per-writer is one of the same kind under the others."""
    for seed in SEEDS:
        seen = stores.played(store, seed, whole=True)
        weak, middle, strong = (
            {found.kind for found in anomalies(seen, each, "atomic")} for each in CONSISTENCIES
        )
        assert weak <= middle
        assert weak <= strong
        assert bool(middle) <= bool(strong)
