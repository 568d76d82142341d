"""The speed of the history checker, on histories of a right store.

Run it from a checkout with storelaw installed, on a machine that does nothing else::

    python benchmarks/histories.py

Each line is one history under ``real-time`` and ``atomic``, the promises that ask the most. The
time is that of :func:`storelaw.history.anomalies` alone, the best of three.
"""

import time
from collections.abc import Iterator

from storelaw.history import Act, History, anomalies, overlaps

WORKERS = 8
RUNS = 3


def acts(session: str, operations: int, loads: int, ticket: int) -> Iterator[Act]:
    """Overlapping appends of eight workers, every fifth of three entries, with loads between.

    Each act overlaps the two before it, and takes effect in the order of begins.
    """
    log: list[str] = []
    every = max(1, operations // loads)
    for index in range(operations):
        began, ended = ticket + 2 * index + 1, ticket + 2 * index + 6
        worker = f"w{index % WORKERS}"
        if index % every == every - 1:
            yield Act(worker, 0, "load", session, (), tuple(log), "ok", began, ended)
            continue
        size = 3 if index % 5 == 0 else 1
        sent = tuple(f"{session}-{index}-{place}" for place in range(size))
        log.extend(sent)
        yield Act(worker, 0, "append", session, sent, None, "ok", began, ended)


def one_log(operations: int, loads: int) -> History:
    """One session, and a few loads of all that is in it."""
    return History(tuple(acts("s", operations, loads, 0)))


def many_logs(operations: int, each: int = 100) -> History:
    """Many sessions of a hundred acts, of which every second is a load."""
    sessions = range(operations // each)
    return History(
        tuple(
            a
            for number in sessions
            for a in acts(f"s{number}", each, each // 2, number * 2 * each + 4 * number)
        )
    )


def seconds(history: History, consistency: str) -> float:
    """The best time of a few runs; a right store is not accused."""
    times: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        found = anomalies(history, consistency, "atomic")
        times.append(time.perf_counter() - began)
        if found:
            raise SystemExit(f"a right store was accused: {found[0].kind}")
    return min(times)


def measured(name: str, history: History) -> str:
    """A line of the table."""
    size = sum(len(each.sent) + len(each.seen or ()) for each in history.acts)
    times = [seconds(history, each) for each in ("per-writer", "sequential", "real-time")]
    figures = " ".join(f"{each:10.2f}" for each in times)
    return f"{name:<28} {len(history):>9} {size:>11} {figures} {overlaps(history):>9}"


def main() -> None:
    """Print the table."""
    print(f"{'history':<28} {'acts':>9} {'tags':>11} per-writer sequential  real-time  overlaps")
    for operations in (100_000, 1_000_000):
        print(measured("one log, 20 loads", one_log(operations, 20)))
        print(measured("many logs, half loads", many_logs(operations)))


if __name__ == "__main__":
    main()
