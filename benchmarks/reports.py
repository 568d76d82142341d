"""What reports cost: the processor time of telling and writing, over that of the whole check.

Run it from a checkout with storelaw installed::

    python benchmarks/reports.py [--effort quick]
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from storelaw import badge, events, report, saved, summary

RUNS = 5


def checked(effort: str, file: Path) -> float:
    """The processor time of a check of the SQLite store, in seconds; it writes its events."""
    command = ["-m", "storelaw", "check", "sqlite", "--effort", effort, "--events", str(file)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def took(call: Callable[[], object]) -> float:
    """The least processor time of several calls."""
    times: list[float] = []
    for _ in range(RUNS):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)


def retold(run: dict[str, Any], file: Path) -> None:
    """Tell the laws of a run again as events into a file."""
    head = {name: run[name] for name in ("target", "manifest", "effort", "seed", "vectors")}
    with file.open("w", encoding="ascii") as stream:
        told = events.Stream(events.lines_to(stream))
        for law in run["laws"]:
            told.judged({**head, "law": law})
        told.ended()


def main() -> None:
    """Measure everything and print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--effort", default="standard")
    effort = parser.parse_args().effort
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = checked(effort, folder / "events.ndjson")
        made = saved.read(folder / "events.ndjson")
        (run,) = made["runs"]
        costs = {
            "events": took(lambda: retold(run, folder / "again.ndjson")),
            "report": took(lambda: report.write(made, folder / "report.json")),
            "summary": took(lambda: list(summary.paragraphs(made))),
            "badge": took(lambda: badge.write(made, folder / "badge.svg")),
        }
    print(f"| of {len(run['laws'])} laws, {effort} on SQLite | seconds | share |")
    print("| --- | --- | --- |")
    for each, cost in {**costs, "all of them": sum(costs.values())}.items():
        print(f"| {each} | {cost:.3f} | {cost / whole:.2%} |")
    print(f"| the whole check | {whole:.1f} | |")


if __name__ == "__main__":
    main()
