"""Programs for the refs door: what a session does with its head and refs, move by move.

A move is drawn from a small pool; ids are given by place, so that every draw is a valid
program and a shorter one stays valid.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.manifest import Manifest
from storelaw.model.refs_entries import (
    MAIN,
    attached,
    compact,
    custom,
    detached,
    happened,
    opened,
    put,
    said,
    state,
)
from storelaw.program import Program, Step, ask, reopened
from storelaw.values import Entry

Move: TypeAlias = Callable[[int], tuple[Step, ...]]
Kind: TypeAlias = Callable[..., Entry]


def _name(place: int) -> str:
    return f"e{place}"


def _batch(*kinds: Kind) -> Move:
    """An append of one entry of each of these kinds."""

    def move(place: int) -> tuple[Step, ...]:
        return (put(*(kind(f"{_name(place)}-{at}") for at, kind in enumerate(kinds))),)

    return move


def _under(back: int) -> Move:
    """An append of one input under the first entry of an earlier move."""

    def move(place: int) -> tuple[Step, ...]:
        return (put(said(f"{_name(place)}-0", f"{_name(max(place - back, 0))}-0")),)

    return move


def _asked(method: str, *values: object) -> Move:
    return lambda place: (ask("A", method, *values),)


def _to(method: str, back: int) -> Move:
    """A question about the first entry of an earlier move."""
    return lambda place: (ask("A", method, f"{_name(max(place - back, 0))}-0"),)


def _compaction(place: int) -> tuple[Step, ...]:
    """Two inputs, and a compaction that covers the first."""
    first = _name(place)
    kept = said(f"{first}-0"), said(f"{first}-1"), compact(f"{first}-2", f"{first}-0")
    return (put(*kept),)


APPENDS: Final[tuple[Move, ...]] = (
    _batch(said),
    _batch(said, said),
    _batch(state, said),
    _batch(said, happened, custom),
    _batch(happened),
    _under(1),
    _under(2),
    _asked("event", {"type": "note", "turnId": "t"}),
)
MOVES: Final[tuple[Move, ...]] = (
    _asked("fork", "f"),
    lambda place: (ask("A", "fork", f"f{place}", checkout=False),),
    _asked("checkout", MAIN),
    _asked("checkout", "f"),
    _asked("checkout"),
    _to("checkout", 1),
    _to("checkout", 2),
    _asked("clear"),
    _asked("rebase", "f", MAIN),
    _asked("rebase", MAIN, "f"),
    _asked("rebase", MAIN),
    _compaction,
)
VIEWS: Final[tuple[Step, ...]] = (
    ask("A", "snapshot"),
    ask("A", "read"),
    *(ask("A", method, MAIN) for method in ("path", "branch_path", "build_input", "build_state")),
)


def _performed(moves: Sequence[Move]) -> tuple[Step, ...]:
    return tuple(step for place, move in enumerate(moves) for step in move(place))


def _moves(pool: Sequence[Move], most: int = 8) -> SearchStrategy[tuple[Step, ...]]:
    return st.lists(st.sampled_from(pool), min_size=1, max_size=most).map(_performed)


def appends(manifest: Manifest) -> SearchStrategy[Program]:
    """Appends of all kinds, on the default ref or detached, with a few checkouts between."""
    del manifest
    pool = (*APPENDS, _asked("checkout"), _to("checkout", 1), _asked("fork", "f"))

    def whole(free: bool, steps: tuple[Step, ...]) -> Program:
        return detached(*steps) if free else attached(*steps)

    return st.builds(whole, st.booleans(), _moves(pool))


def sessions(manifest: Manifest) -> SearchStrategy[Program]:
    """Everything a session does, in any order."""
    del manifest
    return _moves((*APPENDS, *APPENDS, *MOVES), 10).map(lambda steps: attached(*steps))


def viewed(manifest: Manifest) -> SearchStrategy[Program]:
    """Sessions whose views are read at the end."""
    return sessions(manifest).map(lambda made: made.with_steps((*made.steps, *VIEWS)))


def resumed(manifest: Manifest) -> SearchStrategy[Program]:
    """Sessions that are read, reopened and read again."""
    again = (ask("B", "head"), ask("B", "refs"), ask("B", "read"))

    def whole(made: Program) -> Program:
        ends = (ask("A", "head"), ask("A", "refs"), ask("A", "read"))
        return made.with_steps((*made.steps, *ends, reopened(), opened("B"), *again))

    return sessions(manifest).map(whole)


def rebased(manifest: Manifest) -> SearchStrategy[Program]:
    """Sessions with a second branch of which one is put on the other at the end."""
    del manifest
    pool = (*APPENDS, *MOVES)
    ends = (ask("A", "rebase", "f", MAIN), ask("A", "rebase", MAIN, "f"))

    def whole(before: tuple[Step, ...], after: tuple[Step, ...], end: Step) -> Program:
        renamed = (_later(each) for each in after)
        return attached(*before, ask("A", "fork", "f"), *renamed, end)

    return st.builds(whole, _moves(pool, 3), _moves(pool, 5), st.sampled_from(ends))


def cloned(manifest: Manifest) -> SearchStrategy[Program]:
    """Sessions that are cloned at the end: all refs, some, or the active one."""
    refs: tuple[tuple[object, ...], ...] = ((), ("all",), ([MAIN],), (["f"],))
    ways = tuple(ask("A", "clone", "t", *each, becomes="B", at="t") for each in refs)

    def whole(made: Program, way: Step) -> Program:
        return made.with_steps((*made.steps, way))

    return st.builds(whole, sessions(manifest), st.sampled_from(ways))


def _later(step: Step) -> Step:
    """A step with other ids, so that the two halves of a program share none."""
    renamed = tuple({**each, "id": f"x-{each['id']}"} for each in step.expanded())
    return Step(step.do, step.session, renamed, step.on, step.args)
