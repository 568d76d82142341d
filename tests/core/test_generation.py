"""Generated runs: the same values for the same seed, whatever the user's profile says."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.strategies import SearchStrategy, integers

from storelaw.errors import MediumFault
from storelaw.generation import SUPPRESSED, search, seed_of

NUMBERS: SearchStrategy[int] = integers(0, 1_000_000)


@pytest.fixture
def hostile() -> Iterator[None]:
    """A profile of the user's that would spoil every run."""
    before = settings.get_current_profile_name()
    settings.register_profile(
        "hostile",
        max_examples=1,
        derandomize=True,
        phases=[Phase.explicit],
        verbosity=Verbosity.debug,
        deadline=1,
    )
    settings.load_profile("hostile")
    yield
    settings.load_profile(before)


def drawn(seed: int, count: int = 25) -> list[int]:
    """The values that a run tries."""
    values: list[int] = []

    def holds(value: int) -> bool:
        values.append(value)
        return True

    assert search(NUMBERS, count, seed, holds) == (len(values), None)
    return values


def test_a_seed_gives_the_same_values() -> None:
    """Two runs of a seed try the same, another seed tries something else."""
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(drawn(1)) == 25


def test_a_profile_of_the_users_changes_nothing(request: pytest.FixtureRequest) -> None:
    """Every setting is explicit."""
    before = drawn(3)
    request.getfixturevalue("hostile")
    assert drawn(3) == before


def test_the_first_counterexample_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    """It is given back with the number of tries, unshrunk, and nothing is printed."""
    seen: list[int] = []

    def holds(value: Any) -> bool:
        seen.append(value)
        return bool(value < 1000)

    tried, found = search(NUMBERS, 200, 5, holds)
    assert found == seen[-1]
    assert tried == len(seen)
    assert found is not None
    assert found >= 1000
    again = search(NUMBERS, 200, 5, holds)
    assert again == (tried, found)
    assert capsys.readouterr() == ("", "")


def test_a_fault_is_not_tried_again() -> None:
    """What is raised while a value is tried ends the run at once, as it is."""
    seen: list[int] = []

    def holds(value: int) -> bool:
        seen.append(value)
        if len(seen) == 3:
            raise MediumFault("medium: once only")
        return True

    with pytest.raises(MediumFault, match="once only"):
        search(NUMBERS, 50, 1, holds)
    assert len(seen) == 3


def test_a_run_tries_at_least_one_value() -> None:
    """A share of nothing is a share of one."""
    assert len(drawn(1, 0)) == 1


def test_each_law_has_a_seed_of_its_own() -> None:
    """The seed follows from the law's name and the run's seed."""
    assert seed_of("a", 1) == seed_of("a", 1)
    assert len({seed_of("a", 1), seed_of("a", 2), seed_of("b", 1)}) == 3


def test_every_health_check_is_off() -> None:
    """A slow store, or large programs, are no reason to stop; retired checks are left alone."""
    assert set(SUPPRESSED) == set(HealthCheck)
