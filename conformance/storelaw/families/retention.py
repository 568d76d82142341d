"""A store that keeps only so much keeps exactly the newest.

These laws apply where the manifest names ``keep``.
"""

from collections.abc import Iterator

from storelaw.clauses import Applies, all_of, law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.logs import readings
from storelaw.model.owners import among, judge_undisturbed
from storelaw.model.retention import role, units
from storelaw.program import Many, Program, Step, append, load, program
from storelaw.samples import said
from storelaw.trace import Trace
from storelaw.values import Entry

_SOURCE = ["kit-retention"]


def keeps(manifest: Manifest) -> str | None:
    """Outside the law where a store keeps everything."""
    return None if manifest.keep is not None else "the store keeps all entries"


def unit_of(*names: str) -> Applies:
    """Outside the law unless retention counts in one of these units."""

    def applies(manifest: Manifest) -> str | None:
        return None if manifest.keep_unit in names else f"retention counts {manifest.keep_unit}"

    return applies


def _unit(manifest: Manifest, number: int) -> list[Entry]:
    """One entry, pair or turn."""
    asked = said(f"u{number}", role="user")
    if manifest.keep_unit == "entries":
        return [asked]
    more = manifest.keep_unit == "turns" and number % 2
    between = [said(f"m{number}", role="assistant"), said(f"t{number}", role="tool_result")]
    return [asked, *(between if more else ()), said(f"a{number}", role="assistant")]


def _filled(manifest: Manifest, session: str, more: int = 0) -> Step:
    """One append of as much as is kept, and so many units more."""
    count = (manifest.keep or 0) + more
    if manifest.keep_unit == "entries":
        return append(session, Many(said("kept"), count))
    return append(session, *(e for n in range(count) for e in _unit(manifest, n)))


def _overflowing(manifest: Manifest) -> list[Program]:
    keep = manifest.keep or 0
    further = [append("s", *_unit(manifest, keep + n)) for n in range(3)]
    return [
        program(_filled(manifest, "s", more=3), load("s")),
        program(_filled(manifest, "s"), load("s"), *_each_read(further)),
    ]


def _each_read(writes: list[Step]) -> Iterator[Step]:
    for each in writes:
        yield each
        yield load("s")


@law(
    family="window",
    source=_SOURCE,
    incidents=["F60"],
    battery=_overflowing,
    applies=keeps,
)
def retention_keeps_exactly_the_newest(trace: Trace) -> None:
    """Of a session that outgrew the limit, exactly the newest entries, pairs or turns are kept.

    A store breaks it by counting wrongly by one, by pruning before it writes, or by taking
    the newest for the oldest.
    """
    for reading in readings(trace):
        found = units(reading.expected, trace.manifest.keep_unit)
        if found is None or not reading.certain:
            continue
        kept = [
            e for each in found[max(len(found) - (trace.manifest.keep or 0), 0) :] for e in each
        ]
        shown = reading.observed
        if len(shown) != len(kept) or not all(among(trace, each, shown) for each in kept):
            broken(
                reading.event,
                expected=kept,
                observed=shown,
                because=f"the newest {trace.manifest.keep} {trace.manifest.keep_unit} are kept.",
            )


@law(
    family="window",
    source=_SOURCE,
    incidents=["F60", "F35"],
    battery=_overflowing,
    applies=all_of(keeps, unit_of("pairs", "turns")),
)
def retention_keeps_pairs_and_turns_whole(trace: Trace) -> None:
    """What retention leaves begins with a user message: no answer stays without its question.

    A store breaks it by counting entries where it promised pairs: the model is then shown
    an answer, or the result of a call, without what it belongs to.
    """
    for reading in readings(trace):
        found = units(reading.expected, trace.manifest.keep_unit)
        if found and reading.certain and reading.observed and role(reading.observed[0]) != "user":
            broken(
                reading.event,
                expected=found[-1],
                observed=reading.observed,
                because=f"retention by {trace.manifest.keep_unit} cuts none of them in two.",
            )


@law(
    family="window",
    source=_SOURCE,
    incidents=["F60"],
    battery=lambda manifest: [
        program(
            append("t", *_unit(manifest, 1)),
            load("t"),
            _filled(manifest, "s", more=1),
            load("t"),
        )
    ],
    applies=keeps,
)
def retention_leaves_other_sessions_alone(trace: Trace) -> None:
    """Pruning one session takes nothing from another.

    A store breaks it by pruning its whole table: a busy session empties the quiet ones.
    """
    judge_undisturbed(trace, "the limit is each session's own.")
