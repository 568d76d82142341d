"""Crowds of writers and readers: what they are given to do, and whether they really met."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from storelaw.clauses import Applies, Battery, Seen, all_of
from storelaw.failures import broken, unseen
from storelaw.history import History, Kind, anomalies, drawing, lanes, overlaps
from storelaw.manifest import Manifest
from storelaw.narrative import Words
from storelaw.program import Program, Step, append, at_once, load, program
from storelaw.samples import said
from storelaw.strategies.crowds import crowds
from storelaw.trace import Event, Trace

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: The ways in which writers can be at work at once.
WAYS: Final = ("tasks", "threads", "processes")

#: How workers meet: at each step, or each at a pace of its own.
PACES: Final[tuple[Mapping[str, tuple[int, ...]], ...]] = (
    {},
    {"pauses": (31, 7, 19), "strides": (3, 8, 5)},
)

#: One writer after another is in the middle of something when the others write.
WRITERS: Final[Mapping[str, tuple[Step, ...]]] = {
    "A": (
        append("s", said("a1")),
        append("s", said("a2"), said("a3")),
        load("s"),
        append("s", said("a4")),
    ),
    "B": (
        append("s", said("b1"), said("b2")),
        load("s"),
        append("s", said("b3")),
        append("s", said("b4")),
    ),
    "C": (load("s"), append("s", said("c1")), load("s"), append("s", said("c2"), said("c3"))),
}

#: Two readers look on as two writers write.
READERS: Final[Mapping[str, tuple[Step, ...]]] = {
    "A": tuple(append("s", said(f"a{n}")) for n in range(1, 6)),
    "B": tuple(append("s", said(f"b{n}")) for n in range(1, 6)),
    "R": (load("s"),) * 5,
    "S": (load("s"),) * 5,
}


def ways_of(manifest: Manifest) -> Iterator[str]:
    """The ways in which a store says that it may be written to at once."""
    return (each for each in WAYS if each in manifest.writers)


def paced(way: str, crowd: Mapping[str, tuple[Step, ...]]) -> Iterator[Step]:
    """A crowd at each pace."""
    for pace in PACES:
        pauses, strides = pace.get("pauses", ()), pace.get("strides", ())
        yield at_once("s", way, pauses=pauses, strides=strides, **crowd)


def crowded(*crowds: Mapping[str, tuple[Step, ...]]) -> Battery:
    """A battery of these crowds, in each way that the manifest names."""

    def battery(manifest: Manifest) -> Iterable[Program]:
        return [
            program(each)
            for way in ways_of(manifest)
            for crowd in crowds
            for each in paced(way, crowd)
        ]

    return battery


def drawn(manifest: Manifest) -> "SearchStrategy[Program]":
    """Crowds in any way that the manifest names, drawn."""
    return crowds(tuple(ways_of(manifest)))


def admits_writers(manifest: Manifest) -> str | None:
    """Outside the law where nobody may write beside another."""
    return (
        None if any(ways_of(manifest)) else "manifest field writers names no way to write at once"
    )


def admits_crowds(manifest: Manifest) -> str | None:
    """Outside the law where few may be at work at once, or entries are dropped on purpose."""
    closed = admits_writers(manifest)
    if closed:
        return closed
    if manifest.keep is not None:
        return f"the store keeps {manifest.keep} {manifest.keep_unit} only"
    if manifest.handles is not None and manifest.handles < 1 + len(READERS):
        return f"the medium has {manifest.handles} handles at once, too few for a crowd"
    return None


def at_least(consistency: str) -> Applies:
    """Outside the law where the store promises less of the order that all writers see."""
    order = ("per-writer", "sequential", "real-time")

    def applies(manifest: Manifest) -> str | None:
        if order.index(manifest.consistency) >= order.index(consistency):
            return None
        return f"manifest field consistency is {manifest.consistency!r}"

    return all_of(admits_crowds, applies)


def met(trace: Trace) -> Iterator[tuple[Event, History]]:
    """The crowds whose operations overlapped; a crowd that never met is no evidence."""
    for event in trace.of("at_once"):
        if event.history is None or not overlaps(event.history):
            never_met(event)
        else:
            yield event, event.history


def never_met(event: Event) -> NoReturn:
    """End a judge: the workers of a crowd were never at work at once."""
    if event["way"] == "tasks":
        unseen("its operations never suspend, so tasks can't overlap", applicable=False)
    unseen(
        f"no two operations of {event['way']} overlapped; try again on a quieter machine",
        about=f"overlaps of {event['way']}",
    )


def seen_in(crowds: Iterable[tuple[Event, History]]) -> Seen:
    """The evidence: how many pairs of appends overlapped, by the way of working."""
    counts: Counter[str] = Counter()
    for event, history in crowds:
        counts[f"overlaps of {event['way']}"] += overlaps(history)
    return counts


def answers(events: Iterable[Event]) -> Words:
    """What each of several workers was told."""
    return Words(", ".join(f"{each.step.on}: {each.error or 'ok'}" for each in events))


def judge_history(trace: Trace, consistency: str, *kinds: Kind, because: str) -> Seen:
    """No anomaly of these kinds under a consistency that the store promises at least."""
    crowds = list(met(trace))
    for event, history in crowds:
        for each in anomalies(history, consistency, trace.manifest.batch):
            if each.kind in kinds:
                broken(
                    event,
                    expected=Words(each.claim),
                    observed=Words(each.mark),
                    because=because,
                    kind=each.kind,
                    picture=lanes(each),
                    drawing=drawing(each),
                )
    return seen_in(crowds)
