"""The soak: generated programs over twenty seeds on the bundled stores; no law may break.

Run it from a checkout with storelaw installed::

    python benchmarks/soak.py

It plays 100,000 programs on the reference and 30,000 each on SQLite and JSON lines, half
of them on the idempotent variant, and 30,000 on each store of the log and turns profiles,
on all cores, and prints one line for each store. With servers it is 5,000 on each::

    python -m tests.servers python benchmarks/soak.py postgres redis
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from storelaw import narrative
from storelaw.abilities import abilities
from storelaw.catalogue import all_laws, medium_of
from storelaw.trial import Effort, hold, out_of_reach

PROGRAMS = {
    "reference": 50_000,
    "reference:idempotent": 50_000,
    "sqlite": 15_000,
    "sqlite:idempotent": 15_000,
    "jsonl": 15_000,
    "jsonl:idempotent": 15_000,
    "log-memory": 30_000,
    "log-jsonl": 30_000,
    "log-json": 30_000,
    "log-kv": 30_000,
    "turns-memory": 30_000,
    "turns-sqlite": 30_000,
}

#: Played only if they are named, since they need a server.
SERVED = {"postgres": 5_000, "redis": 5_000}


@dataclass(frozen=True, slots=True)
class Share:
    """One store, one seed, so many programs."""

    name: str
    seed: int
    programs: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a share came to: programs that were generated, texts of what broke, seconds."""

    share: Share
    generated: int
    broken: tuple[str, ...]
    seconds: float


def shares(scale: float, seeds: int, chosen: Sequence[str]) -> Iterator[Share]:
    """The work, by store and seed."""
    every = {**PROGRAMS, **SERVED}
    for store in chosen or PROGRAMS:
        for seed in range(seeds):
            yield Share(store, seed, round(every[store] * scale / seeds))


def soaked(share: Share) -> Outcome:
    """Hold every law that generates programs for a store, for one share."""
    medium, began = medium_of(share.name), time.perf_counter()
    generating = [each for each in all_laws(medium.manifest.profile) if each.programs]
    known = abilities(medium)
    laws = [each for each in generating if out_of_reach(each, medium.manifest, known) is None]
    spread = sum(each.weight for each in generating) / sum(each.weight for each in laws)
    effort = Effort("soak", math.ceil(share.programs * spread) + len(laws))
    verdicts = [hold(each, medium, effort, share.seed) for each in laws]
    texts = [
        narrative.text(each.failure) if each.failure else f"{each.title}: {each.reason}"
        for each in verdicts
        if each.failure or each.fault
    ]
    generated = sum(each.evidence.generated for each in verdicts)
    return Outcome(share, generated, tuple(texts), time.perf_counter() - began)


def main() -> int:
    """Run the soak; 0 when no law broke."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="a share of the full soak")
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds")
    parser.add_argument(
        "stores", nargs="*", metavar="STORE", choices=[*PROGRAMS, *SERVED, []], help="only these"
    )
    options = parser.parse_args()
    totals: dict[str, list[float]] = {}
    broken = 0
    work = shares(options.scale, options.seeds, options.stores)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for each in pool.map(soaked, work):
            total = totals.setdefault(each.share.name, [0, 0.0])
            total[0] += each.generated
            total[1] += each.seconds
            broken += len(each.broken)
            for text in each.broken:
                print(f"seed {each.share.seed}\n{text}\n")
    for name, (programs, seconds) in totals.items():
        print(f"{name:24} {programs:>8,.0f} programs in {seconds:>7.1f} s of one core")
    print(f"{broken} laws broken over {options.seeds} seeds")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
