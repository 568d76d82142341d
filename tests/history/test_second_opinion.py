"""The checker says of small histories what trying all orders says of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.history import Act, History, anomalies
from storelaw.history.acts import Outcome

from .orders import explained

CALM = settings(derandomize=True, max_examples=150, deadline=None, database=None)


OUTCOMES: list[Outcome] = ["ok", "ok", "ok", "unknown", "failed"]


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Up to four acts of two workers, which overlap in any way; loads give almost one order."""
    count = draw(st.integers(1, 4))
    tickets = draw(st.permutations(range(1, 2 * count + 1)))
    spans = [sorted(tickets[2 * index : 2 * index + 2]) for index in range(count)]
    sizes = [draw(st.sampled_from([0, 0, 1, 1, 2])) for _ in spans]
    order = draw(st.permutations([f"t{i}{j}" for i, size in enumerate(sizes) for j in range(size)]))
    acts = [
        _append(draw, span, tuple(f"t{index}{place}" for place in range(size)))
        if size
        else _load(draw, span, order if draw(st.booleans()) else sorted(order))
        for index, (span, size) in enumerate(zip(spans, sizes, strict=True))
    ]
    return History(tuple(acts), settled=draw(st.sampled_from([0, 0, 3])))


def _append(draw: st.DrawFn, span: list[int], sent: tuple[str, ...]) -> Act:
    outcome = draw(st.sampled_from(OUTCOMES))
    ended = None if outcome == "unknown" and draw(st.booleans()) else span[1]
    worker, handle = draw(st.sampled_from("AB")), draw(st.sampled_from([0, 0, 1]))
    return Act(worker, handle, "append", "s", sent, None, outcome, span[0], ended)


def _load(draw: st.DrawFn, span: list[int], order: list[str]) -> Act:
    seen = tuple(order[: draw(st.integers(0, len(order)))])
    worker, handle = draw(st.sampled_from("AB")), draw(st.sampled_from([0, 0, 1]))
    return Act(worker, handle, "load", "s", (), seen, "ok", span[0], span[1])


@pytest.mark.slow
@pytest.mark.parametrize("batch", ["prefix", "atomic"])
@pytest.mark.parametrize("consistency", ["per-writer", "sequential", "real-time"])
def test_an_accusation_means_that_no_order_explains(consistency: str, batch: str) -> None:
    """There is an anomaly exactly where no order of the acts gives what the loads gave."""

    @CALM
    @given(histories())
    def agree(seen: History) -> None:
        accused = anomalies(seen, consistency, batch) != ()
        assert accused is not explained(seen, consistency, batch)

    agree()


@CALM
@given(histories())
def test_any_witness_is_minimal(seen: History) -> None:
    """The excerpt shows its anomaly, and each part of it shows nothing."""
    for consistency in ("per-writer", "sequential", "real-time"):
        for batch in ("prefix", "atomic"):
            for each in anomalies(seen, consistency, batch):
                excerpt = each.excerpt()
                found = {one.kind for one in anomalies(excerpt, consistency, batch)}
                assert each.kind in found
                for act in excerpt.acts:
                    assert anomalies(excerpt.without(act), consistency, batch) == ()
