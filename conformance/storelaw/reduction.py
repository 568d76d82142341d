"""Making a counterexample smaller: drop an operation, drop an entry, shrink a value.

Works on programs as data, so batteries and vectors are reduced like generated programs.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, cast

from storelaw.program import Draft, Item, Many, Program, Step, workers_of
from storelaw.values import Entry, copied, is_array, is_object

MOST_ATTEMPTS: Final = 400

#: Members that every entry keeps, so that a smaller entry is still an entry.
KEPT: Final = frozenset({"id", "type", "created_at", "kind", "role", "message", "content"})


def reduced(program: Program, broken: Callable[[Program], bool]) -> Program:
    """A program that is still broken and no longer gets smaller by a single step."""
    attempts = MOST_ATTEMPTS
    improved = True
    while improved and attempts > 0:
        improved = False
        for smaller in _smaller(program):
            attempts -= 1
            if attempts < 0:
                break
            if broken(smaller):
                program, improved = smaller, True
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    steps = program.steps
    for start, end in _spans(len(steps)):
        yield program.with_steps((*steps[:start], *steps[end:]))
    for index, step in enumerate(steps):
        for smaller in _smaller_steps(step):
            yield program.with_steps((*steps[:index], smaller, *steps[index + 1 :]))


def _spans(length: int) -> Iterator[tuple[int, int]]:
    """What to leave out of so many things: halves first, then ever shorter spans."""
    size = max(length // 2, 1)
    while size >= 1:
        for start in range(0, length, size):
            yield start, start + size
        size //= 2


def _smaller_steps(step: Step) -> Iterator[Step]:
    entries = step.entries
    for start, end in _spans(len(entries)) if len(entries) > 1 else ():
        yield replace(step, entries=(*entries[:start], *entries[end:]))
    for name in (*workers_of(step), *(each for each in ("during", "answer") if step[each])):
        nested: tuple[Any, ...] = step[name] or ()
        if step.do == "at_once" and not nested:
            yield replace(step, args={k: v for k, v in step.args.items() if k != name})
        for start, end in _spans(len(nested)) if nested else ():
            shorter = (*nested[:start], *nested[end:])
            yield replace(step, args={**step.args, name: shorter})
    for index, each in enumerate(entries):
        for smaller in _smaller_items(each):
            yield replace(step, entries=(*entries[:index], smaller, *entries[index + 1 :]))


def _smaller_items(item: Item) -> Iterator[Item]:
    if isinstance(item, Many):
        for times in _fewer(item.times):
            yield Many(item.entry, times)
    elif not isinstance(item, Draft):
        yield from _smaller_entries(item)


def _fewer(times: int) -> Iterator[int]:
    """One, then half as many, three quarters, and so on up to one less."""
    if times > 2:
        yield 1
    step = times // 2
    while step >= 1:
        yield times - step
        step //= 2


def _smaller_entries(entry: Entry) -> Iterator[Entry]:
    for path in _paths(entry):
        value = _at(entry, path)
        if isinstance(path[-1], int) or path[-1] not in KEPT:
            yield _without(entry, path)
        if isinstance(value, str) and len(value) > 1 and path[-1] not in KEPT:
            yield _with(entry, path, value[: len(value) // 2])
            yield _with(entry, path, value[len(value) // 2 :])


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if len(path) > 8:
        return
    items: list[tuple[Any, Any]] = []
    if is_object(value):
        items = list(value.items())
    elif is_array(value):
        items = list(enumerate(value))
    for key, each in items:
        yield (*path, key)
        yield from _paths(each, (*path, key))


def _at(entry: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        entry = entry[key]
    return entry


def _without(entry: Entry, path: tuple[Any, ...]) -> Entry:
    smaller = copied(entry)
    del _at(smaller, path[:-1])[path[-1]]
    return cast(Entry, smaller)


def _with(entry: Entry, path: tuple[Any, ...], value: Any) -> Entry:
    smaller = copied(entry)
    _at(smaller, path[:-1])[path[-1]] = value
    return cast(Entry, smaller)
