"""How many appends met."""

from random import Random

import pytest

from storelaw.history import History, overlaps

from .notation import history
from .stores import Log, played


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A append a1 | 1 2\nB append b1 | 3 4", 0),
        ("A append a1 | 1 3\nB append b1 | 2 4", 1),
        ("A append a1 | 1 6\nB append b1 | 2 3\nC append c1 | 4 5", 2),
        ("A append a1 | 1 6\nB append b1 | 2 5\nC append c1 | 3 4 failed", 3),
        ("A append a1 | 1 4\nA append a2 | 2 3", 0),
        ("A/0 append a1 | 1 4\nA/1 append a2 | 2 3", 0),
        ("A append a1 | 1 4\nB append t: b1 | 2 3", 0),
        ("A append a1 | 1 4\nB load a1 | 2 3", 0),
        ("A append a1 | 1 - unknown\nB append b1 | 2 3", 0),
        ("A append a1 | 1 2\nB append b1 | 2 3", 1),
    ],
)
def test_pairs_of_appends_are_counted(text: str, count: int) -> None:
    """Appends of different workers on one session, of which both ends were seen."""
    assert overlaps(history(text)) == count


def test_no_acts_have_no_overlap() -> None:
    """Nothing was tried."""
    assert overlaps(History(())) == 0


def test_the_count_is_that_of_all_pairs() -> None:
    """Looking at every pair gives the same number."""
    for seed in range(20):
        seen = played(Log, seed, whole=True, steps=Random(seed).randrange(100))
        appends = [each for each in seen.acts if each.do == "append" and each.ended is not None]
        pairs = sum(
            one.worker != other.worker and not one.before(other) and not other.before(one)
            for index, one in enumerate(appends)
            for other in appends[:index]
        )
        assert overlaps(seen) == pairs
