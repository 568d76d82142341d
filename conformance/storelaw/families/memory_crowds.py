"""Several writers at one memory: an id that is written once is written by one of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from storelaw.clauses import Battery, Seen, law
from storelaw.failures import broken
from storelaw.families.crowds import admits_writers, answers, never_met, ways_of
from storelaw.families.memory_rows import ONE
from storelaw.families.memory_rules import is_same
from storelaw.manifest import Manifest
from storelaw.model.turns import put_of
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, at_once, door, program
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.turned import scope_of
from storelaw.values import Entry, is_object

#: How many ids the writers come to, one after another.
IDS: Final = tuple(f"turn-{index:06}-user" for index in range(6))

WRITERS: Final = ("A", "B", "C")


def _crowd(*entries: Sequence[Entry]) -> Battery:
    """A battery in which each writer puts its entries, in each way that the manifest names."""

    def battery(manifest: Manifest) -> Iterable[Program]:
        workers = {
            name: (door("memory", "M", ONE), *(_put(each) for each in some))
            for name, some in zip(WRITERS, entries, strict=True)
        }
        names = sorted({str(each["id"]) for some in entries for each in some})
        return [
            program(
                at_once(ONE, way, pauses=(), strides=(), **workers),
                door("memory", "M", ONE),
                *(ask("M", "get", scope_of(ONE), "turn", each) for each in names),
            )
            for way in ways_of(manifest)
        ]

    return battery


def _put(entry: Entry) -> Step:
    return ask("M", "put", entries=(entry,), one=True)


def _met(trace: Trace) -> Iterator[Event]:
    for event in trace.of("at_once"):
        if not event.met:
            never_met(event)
        yield event


def _puts(event: Event) -> dict[str, list[Event]]:
    """The puts of a crowd by the id that they name."""
    found: dict[str, list[Event]] = {}
    for each in event.nested:
        if each.step.name == "put" and each.outcome != "skipped" and put_of(each):
            found.setdefault(str(put_of(each)["id"]), []).append(each)
    return found


def _stored(trace: Trace, name: str) -> Entry | None:
    """What a memory holds under an id in the end."""
    for event in trace.of("ask"):
        if event.step.name == "get" and event["with"][2] == name and is_object(event.value):
            return event.value
    return None


def _seen(events: Iterable[Event]) -> Seen:
    counts: Counter[str] = Counter()
    for each in events:
        counts[f"overlaps of {each['way']}"] += each.met
    return counts


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    applies=admits_writers,
    source=["OA-N1"],
    incidents=["F15", "F24"],
    battery=_crowd(*([row(ONE, each, name) for each in IDS] for name in "abc")),
)
def of_several_writers_of_an_id_exactly_one_succeeds(trace: Trace) -> Seen:
    """Of several writers of different content under one id, one succeeds, and its entry is stored.

    The others get a conflict. A memory that looks first and writes then tells two of them that
    theirs is stored, and has lost one.
    """
    crowds = list(_met(trace))
    for event in crowds:
        for name, puts in _puts(event).items():
            _judge_winner(trace, event, name, puts)
    return _seen(crowds)


def _judge_winner(trace: Trace, event: Event, name: str, puts: Sequence[Event]) -> None:
    winners = [each for each in puts if each.ok]
    if len(winners) != 1 or any(each.error != "EntryConflict" for each in puts if not each.ok):
        broken(
            event,
            expected=Words("one writer succeeds, the others get a conflict"),
            observed=answers(puts),
            because="an id that is written once is written by one of its writers.",
        )
    held = _stored(trace, name)
    if held is None or not is_same(put_of(winners[0]), held):
        broken(
            event,
            expected=put_of(winners[0]),
            observed=held,
            because="what is stored is the entry of the writer that succeeded.",
        )


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    applies=admits_writers,
    source=["OA-N1", "OA-A10"],
    incidents=["F13", "F15"],
    battery=_crowd(*([row(ONE, each, "same") for each in IDS] for _ in WRITERS)),
)
def several_writers_of_one_entry_all_succeed(trace: Trace) -> Seen:
    """Writers of the same content under one id all succeed, whoever comes first.

    A memory breaks it by taking any other writer of an id for a conflict: a retry that meets
    the first try is refused.
    """
    crowds = list(_met(trace))
    for event in crowds:
        for puts in _puts(event).values():
            if not all(each.ok for each in puts):
                broken(
                    event,
                    expected=Words("all of them succeed"),
                    observed=answers(puts),
                    because="an equal entry is a retry, whoever makes it.",
                )
    return _seen(crowds)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    applies=admits_writers,
    source=["OA-N1"],
    incidents=["F24", "F25"],
    battery=_crowd(
        *(
            [row(ONE, f"turn-{index * 3 + number:06}-user", name) for index in range(6)]
            for number, name in enumerate("abc")
        )
    ),
)
def writers_of_other_ids_never_meet(trace: Trace) -> Seen:
    """Writers of different ids all succeed, and everything is stored.

    A memory breaks it by writing back a whole scope, or by failing where another writer is
    at work.
    """
    crowds = list(_met(trace))
    for event in crowds:
        for name, put in ((name, put) for name, puts in _puts(event).items() for put in puts):
            held = _stored(trace, name)
            if not put.ok or held is None or not is_same(put_of(put), held):
                broken(
                    event,
                    expected=put_of(put),
                    observed=Words(put.text) if put.raised else held,
                    because="writers of different ids don't get in each other's way.",
                )
    return _seen(crowds)
