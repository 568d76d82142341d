"""Caller and store share no mutable value.

These laws apply where the manifest's ``isolation`` is ``deep``.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from storelaw.clauses import law, requires_field
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.owners import looked
from storelaw.program import Program, Step, append, load, meddle, program
from storelaw.samples import custom, said
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: What a meddling caller leaves behind.
_MARK = "meddled"

_DEEP = requires_field("isolation", "deep")
_NESTED = custom("nested", data={"list": [{"deep": [1]}], "map": {"deep": {"deeper": None}}})


_DEEDS = ("append", "append", "load", "appended", "loaded")


def _meddling(manifest: Manifest) -> "SearchStrategy[Program]":
    return st.lists(st.sampled_from(_DEEDS), min_size=2, max_size=6).map(_meddled_program)


def _meddled_program(deeds: Sequence[str]) -> Program:
    steps = [_deed(each, number) for number, each in enumerate(deeds)]
    return program(append("s", _NESTED), *steps, load("s"))


def _deed(deed: str, number: int) -> Step:
    if deed == "append":
        return append("s", custom(f"e{number}", data=[{"deep": number}]))
    return load("s") if deed == "load" else meddle(deed)


@law(
    family="isolation",
    source=["PI-R2", "D-PI-9"],
    incidents=["F50"],
    battery=[
        program(append("s", said("1"), _NESTED), meddle("appended"), load("s")),
        program(append("s", said("1")), load("s"), meddle("appended"), load("s")),
    ],
    applies=_DEEP,
    programs=_meddling,
    weight=2,
)
def changing_an_appended_entry_changes_nothing_stored(trace: Trace) -> None:
    """What the caller does to an entry after its append changes nothing that is stored.

    A store in memory breaks it by keeping the very objects it was given, at the top or
    one level down.
    """
    if not _meddled_with(trace, "loaded"):
        _judge_unmarked(
            trace, "the store keeps a copy of what it is given, nested values included."
        )


@law(
    family="isolation",
    source=["PI-R2", "D-PI-9"],
    incidents=["F50"],
    battery=[
        program(append("s", said("1"), _NESTED), load("s"), meddle("loaded"), load("s")),
        program(append("s", said("1")), load("s"), load("s"), meddle("loaded"), load("s")),
    ],
    applies=_DEEP,
    programs=_meddling,
    weight=2,
)
def changing_a_loaded_entry_changes_nothing_stored(trace: Trace) -> None:
    """What the caller does to a loaded entry changes nothing that is stored.

    A store breaks it by handing out its own objects, or a copy of the list alone: a change
    to the first content block of a message was then stored in a store that promised
    otherwise.
    """
    if not _meddled_with(trace, "appended"):
        _judge_unmarked(trace, "the store gives out copies, nested values included.")


@law(
    family="isolation",
    source=["PI-R2"],
    incidents=["F50"],
    battery=[
        program(append("s", said("1"), said("2")), load("s"), meddle("loaded"), load("s")),
    ],
    applies=_DEEP,
)
def a_loaded_list_is_the_callers(trace: Trace) -> None:
    """What the caller adds to a loaded list is not in the session.

    A store breaks it by handing out the list that it keeps, or one that it has cached.
    """
    for event in trace.events:
        shown = looked(event) or []
        if any(_is_addition(each) for each in shown) and _meddled_with(trace, "loaded"):
            broken(
                event,
                expected=[each for each in shown if not _is_addition(each)],
                observed=shown,
                because="the list that load gives is the caller's: adding to it stores nothing.",
            )


@law(
    family="isolation",
    source=["PI-R2"],
    incidents=["F50"],
    battery=[
        program(
            append("s", said("1")), load("s"), append("s", said("2"), said("3")), meddle("loaded")
        ),
    ],
    applies=_DEEP,
)
def a_loaded_list_does_not_change_afterwards(trace: Trace) -> None:
    """A list that was loaded does not change when something is appended later.

    A store breaks it by handing out the list that it goes on writing to: a reader who
    walks it meets entries that were not there.
    """
    held: Event | None = None
    for event in trace.events:
        if event.step.do == "load" and event.ok:
            held = event
        elif event.step.do == "meddle" and event["what"] == "loaded" and held is not None:
            if is_array(event.value) and not trace.same(held.value, event.value):
                broken(
                    event,
                    expected=held.value,
                    observed=event.value,
                    because="a list that was loaded stays as it was when the session goes on.",
                )
            held = None


@law(
    family="isolation",
    source=["kit-isolation"],
    incidents=["F50"],
    battery=[
        program(append("s", said("1"), _NESTED), append("s", custom("2", none=None)), load("s"))
    ],
    applies=_DEEP,
)
def append_leaves_the_callers_entries_alone(trace: Trace) -> None:
    """An append changes neither the caller's entries nor the caller's list.

    A store breaks it by filling in ids and times, or taking members out, in the objects
    that it was given.
    """
    if _meddled_with(trace, "appended"):
        return
    names = _names(trace.manifest)
    for event in trace.of("append"):
        passed = [{names.get(name, name): value for name, value in e.items()} for e in event.passed]
        if _plain(passed) and not trace.same(passed, event.given):
            broken(
                event,
                expected=passed,
                observed=event.given,
                because="append leaves the caller's entries as they were.",
            )


def _plain(passed: list[Entry]) -> bool:
    return not any("bad" in each for each in passed)


def _names(manifest: Manifest) -> dict[str, str]:
    names = dict(manifest.fields)
    if manifest.entry_id:
        names["id"] = manifest.entry_id
    return names


def _meddled_with(trace: Trace, what: str) -> bool:
    return any(each["what"] == what for each in trace.of("meddle"))


def _is_addition(entry: Any) -> bool:
    return is_object(entry) and entry.get("kind") == _MARK


def _judge_unmarked(trace: Trace, because: str) -> None:
    for event in trace.events:
        shown = [each for each in looked(event) or () if not _is_addition(each)]
        if any(_MARK in each for entry in shown for each in _objects(entry)):
            broken(
                event,
                expected=[_cleaned(each) for each in shown],
                observed=shown,
                because=because,
            )


def _objects(value: Any) -> Iterator[Entry]:
    if is_object(value):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif is_array(value):
        for each in value:
            yield from _objects(each)


def _cleaned(value: Any) -> Any:
    if is_object(value):
        return {name: _cleaned(each) for name, each in value.items() if name != _MARK}
    if is_array(value):
        return [_cleaned(each) for each in value if not _is_addition(each)]
    return value
