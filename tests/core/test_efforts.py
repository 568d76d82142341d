"""The efforts and their budgets."""

from storelaw.trial import EFFORTS


def test_the_efforts_are_the_documented_numbers() -> None:
    """quick 150, standard 3,000, deep 30,000, battery none."""
    assert {name: each.programs for name, each in EFFORTS.items()} == {
        "battery": 0,
        "quick": 150,
        "standard": 3_000,
        "deep": 30_000,
    }
