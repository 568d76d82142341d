"""The speed of the kit, as ratios and counts measured in one run.

Run it from a checkout with storelaw installed, on a machine that does nothing else::

    python benchmarks/speed.py

Each figure is the median of several runs of a whole process, or of many calls in this one.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from storelaw.catalogue import law_of
from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.player import play
from storelaw.program import append, load, program
from storelaw.samples import said
from storelaw.trial import hold

RUNS = 3


def seconds(*command: str, cwd: Path | None = None, runs: int = RUNS) -> float:
    """The median wall time of a command."""
    times: list[float] = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, check=False)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def checked(target: str, effort: str, *more: str) -> float:
    """The time of one ``storelaw check``."""
    return seconds("-m", "storelaw", "check", target, "--effort", effort, *more)


def twice_as_many() -> float:
    """How many times faster two processes are than one, on a run that takes some twenty seconds."""
    run = ("--law", "chain", "--law", "fidelity", "--law", "idempotency", "--seed", "0")
    return checked("reference", "deep", *run) / checked("reference", "deep", *run, "-n", "2")


def per_call(call: Callable[[], object], times: int) -> float:
    """The mean time of a call in this process."""
    call()
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


class _Counted(HonestStore):
    """A store that takes a millisecond for each append, and counts them."""

    appends = 0

    def append(self, session: str, entries: list[dict[str, object]]) -> None:
        _Counted.appends += 1
        until = time.perf_counter() + 0.001
        while time.perf_counter() < until:
            pass
        super().append(session, entries)


class Slow(HonestMedium):
    """The medium of a store with a thousand appends a second."""

    store = _Counted


def harness_share() -> float:
    """The harness' time over the store's, on a store with a thousand appends a second."""
    steps = [append("s", said(f"e{index}")) for index in range(6)]
    tried = program(*steps, load("s"))
    _Counted.appends = 0
    whole = per_call(lambda: play(tried, Slow), 50) * 51
    store = _Counted.appends * 0.001
    return (whole - store) / store


def plugin_cost() -> float:
    """What the plugin adds to a pytest run that doesn't use it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text("def test_nothing() -> None: ...\n")
        command = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
        pairs = [
            seconds(*command, cwd=Path(folder))
            - seconds(*command, "-p", "no:storelaw", cwd=Path(folder))
            for _ in range(3)
        ]
        return statistics.median(pairs)


def main() -> None:
    """Measure everything and print one table."""
    law = law_of("entries_load_in_append_order")
    quick, standard = checked("reference", "quick"), checked("reference", "standard")
    rows = [
        ("quick on the reference, from the shell", f"{quick:.2f} s", "2 s"),
        ("standard on the reference", f"{standard:.1f} s", "20 s"),
        ("standard on SQLite", f"{checked('sqlite', 'standard'):.1f} s", "60 s"),
        (
            "deep on the reference, some families, -n 2: times faster",
            f"{twice_as_many():.2f}",
            "1.6",
        ),
        ("harness time / store time at 1,000 appends a second", f"{harness_share():.2f}", "1"),
        ("selftest", f"{seconds('-m', 'storelaw', 'selftest', runs=1):.1f} s", "120 s"),
        (
            "one law by battery, as a function call",
            f"{per_call(lambda: hold(law, HonestMedium, 'battery'), 200) * 1000:.2f} ms",
            "",
        ),
        (
            "what the plugin adds to a run that does not use it",
            f"{plugin_cost() * 1000:.0f} ms",
            "10 ms",
        ),
    ]
    print("| figure | measured | budget |\n| --- | --- | --- |")
    for name, measured, budget in rows:
        print(f"| {name} | {measured} | {budget} |")


if __name__ == "__main__":
    main()
