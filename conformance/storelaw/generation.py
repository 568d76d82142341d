"""Generated runs: one helper, whose seed and settings are all explicit.

The same store gets the same verdict: no database, no deadline, no profile of the user's.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


#: Every health check: a run's pace is the medium's, and its size is the effort's.
SUPPRESSED: tuple[HealthCheck, ...] = tuple(HealthCheck.__members__.values())


class _Found(Exception):
    """Ends a run at its first counterexample."""


def seed_of(name: str, seed: int) -> int:
    """The seed of one law's run, from the law's name and the run's seed."""
    return int.from_bytes(sha256(f"{name}:{seed}".encode()).digest()[:8], "big")


def search(
    strategy: SearchStrategy[T], count: int, seed: int, holds: Callable[[T], bool]
) -> tuple[int, T | None]:
    """Try ``count`` generated values; how many were tried, and the first that doesn't hold."""
    tried = 0
    found: list[T] = []

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
        if not found:
            tried += 1
            if holds(value):
                return
            found.append(value)
        raise _Found

    try:
        attempt()
    except _Found:
        return tried, found[0]
    return tried, None
