"""Generated runs: one helper, whose seed and settings are all explicit.

The same store gets the same verdict: no database, no deadline, no profile of the user's.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


#: Members of the enumeration that Hypothesis itself refuses in settings.
_RETIRED = frozenset({"return_value", "not_a_test_method"})

#: Every health check: a run's pace is the medium's, and its size is the effort's.
SUPPRESSED: tuple[HealthCheck, ...] = tuple(
    each for name, each in HealthCheck.__members__.items() if name not in _RETIRED
)


class _Found(Exception):
    """Ends a run at its first counterexample."""


def seed_of(name: str, seed: int) -> int:
    """The seed of one law's run, from the law's name and the run's seed."""
    return int.from_bytes(sha256(f"{name}:{seed}".encode()).digest()[:8], "big")


def search(
    strategy: SearchStrategy[T], count: int, seed: int, holds: Callable[[T], bool]
) -> tuple[int, T | None]:
    """Try ``count`` generated values; how many were tried, and the first that doesn't hold.

    Ends with what ``holds`` raises, once: a fault is not tried again.
    """
    tried = 0
    found: list[T] = []
    faults: list[Exception] = []

    @seeded(seed)
    @settings(
        max_examples=max(count, 1),
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=SUPPRESSED,
        report_multiple_bugs=False,
        derandomize=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        stateful_step_count=50,
        backend="hypothesis",
    )
    @given(strategy)
    def attempt(value: T) -> None:
        nonlocal tried
        if not (found or faults):
            tried += 1
            try:
                if holds(value):
                    return
                found.append(value)
            except Exception as fault:
                faults.append(fault)
        raise _Found

    with suppress(_Found):
        attempt()
    if faults:
        raise faults[0]
    return tried, found[0] if found else None
