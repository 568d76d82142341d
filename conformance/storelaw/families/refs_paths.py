"""Paths, branch paths and views at the refs door: what a target's history is."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, asked, ids, is_semantic
from storelaw.model.refs_entries import (
    attached,
    checkout,
    compact,
    custom,
    entry,
    happened,
    on_main,
    over,
    put,
    ref,
    said,
    state,
)
from storelaw.program import Step, ask
from storelaw.strategies.refs import viewed
from storelaw.trace import Trace

A, B, C, D = said("a"), said("b"), said("c"), said("d")
WAYS: Final = (ask("A", "path"), ask("A", "path", "main"), ask("A", "path", "b"))

#: Two branches, each with inputs, a state and an event; the head is on ``main``.
FORKED: Final[tuple[Step, ...]] = (
    put(A, state("s1"), happened("e1")),
    ask("A", "fork", "f"),
    put(B, state("s2"), happened("e2")),
    ask("A", "checkout", "main"),
    put(C, custom("n"), happened("e3")),
)


def _views(method: str) -> tuple[Step, ...]:
    return (ask("A", method), *(ask("A", method, each) for each in ("main", "f", "b", "a")))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["path"],
    source=["AP-T5", "AP-T1"],
    incidents=["F29"],
    battery=[
        attached(put(A, B, C), *WAYS),
        attached(put(A, B), put(said("c", "a")), *WAYS, ask("A", "path", "c")),
        attached(*FORKED, *_views("path")),
    ],
    programs=viewed,
    weight=2,
)
def a_path_is_the_walk_by_parents(trace: Trace) -> None:
    """A path has the target's ancestors and the target, root first, and nothing else.

    A session breaks it by giving the raw log, or the path backwards, or without its root.
    """
    for made in asked(trace, "path"):
        wanted = made.now.path_to(made.target)
        plain = made.event.ok and wanted is not None and all(map(is_semantic, wanted))
        if plain and ids(wanted) != ids(made.event.value):
            broken(
                made.event,
                expected=ids(wanted),
                observed=ids(made.event.value),
                because="a path is the walk by parents, root first.",
            )


def _judge_broken_path(trace: Trace, cycle: bool, because: str) -> None:
    """No question about a target without a root is answered."""
    reads = ("path", "branch_path", "read", "build_input", "build_state")
    for made in asked(trace, *reads):
        known, entry_id = made.now.found(None if made.method == "read" else made.target)
        rootless = known and made.event.ok and made.now.path(entry_id) is None
        fine = cycle and _bounded(made)
        if rootless and _goes_round(made, entry_id) == cycle and not fine:
            broken(made.event, expected="an error", observed=made.event.value, because=because)


def _goes_round(made: Asked, entry_id: Any) -> bool:
    """Whether a walk that finds no root comes back to where it was."""
    seen: set[Any] = set()
    while entry_id in made.now.by_id and entry_id not in seen:
        seen.add(entry_id)
        entry_id = made.now.by_id[entry_id].get("parentId")
    return entry_id in seen


def _bounded(made: Asked) -> bool:
    """Whether an answer names no entry twice."""
    told = ids(made.event.value)
    return len(told) == len({str(each) for each in told})


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T5"],
    incidents=["F29"],
    battery=[
        attached(put(A), put(said("b", "ghost")), put(C), ask("A", "path"), ask("A", "read")),
        attached(put(said("b", "ghost")), ask("A", "branch_path"), ask("A", "build_input")),
        attached(put(A, said("b", "ghost")), ask("A", "build_state")),
    ],
)
def a_missing_parent_is_an_error(trace: Trace) -> None:
    """A history that doesn't reach a root can't be read: the question raises.

    A session breaks it by stopping the walk silently, so that a conversation comes back
    with its beginning cut off.
    """
    _judge_broken_path(trace, False, "a parent that isn't in the log is an error, not the root.")


ROUND: Final = over(
    ref("r-0", "main"),
    checkout("c-0", name="main"),
    said("a", "b"),
    said("b", "a"),
    ref("r-1", "main", "b"),
    steps=(ask("A", "path"), ask("A", "path", "a"), ask("A", "head")),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["head"],
    source=["AP-T6", "D-AP-1"],
    incidents=["F31"],
    battery=[ROUND],
)
def a_walk_in_a_circle_ends(trace: Trace) -> None:
    """Where parents form a circle, a question ends: with an error, or each entry once.

    A session breaks it by walking on: the process dies of memory.
    """
    _judge_broken_path(trace, True, "a walk by parents ends also where they form a circle.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["branch_path"],
    source=["AP-T7"],
    incidents=["F30", "F22"],
    battery=[
        attached(put(A, happened("e"), B), ask("A", "branch_path"), ask("A", "read")),
        attached(*FORKED, *_views("branch_path"), ask("A", "read")),
        over(
            *on_main(A),
            entry("e", "event", {"type": "note"}),
            steps=(ask("A", "branch_path"), ask("A", "read")),
        ),
        attached(put(A, B), put(happened("e", "a")), ask("A", "branch_path")),
    ],
    programs=viewed,
)
def a_branch_has_the_events_that_hang_off_it(trace: Trace) -> None:
    """A branch path has the path and its own events, in the order of the raw log.

    A session breaks it by showing the events of all branches, or none, or behind the rest.
    """
    for made in asked(trace, "branch_path", "read"):
        target = None if made.method == "read" else made.target
        branch = made.now.branch(target)
        if branch is not None and made.event.ok and ids(branch) != ids(made.event.value):
            broken(
                made.event,
                expected=ids(branch),
                observed=ids(made.event.value),
                because="a branch has its path and the events on it, in raw order.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["build_input"],
    source=["AP-V2", "AP-V1"],
    incidents=["F36"],
    battery=[
        attached(*FORKED, *_views("build_input")),
        attached(put(A, B, compact("k", "a"), C), ask("A", "build_input")),
        attached(put(A), ask("A", "checkout"), ask("A", "build_input")),
        attached(put(A, state("s1"), happened("e")), ask("A", "build_input", "main")),
    ],
)
def the_input_is_that_of_the_branch(trace: Trace) -> None:
    """``build_input`` gives the data of the branch's inputs, and applies no compaction.

    A session breaks it by reading the head whatever it is asked for, by sending states and
    events along, or by putting a summary in the place of what it covers.
    """
    for made in asked(trace, "build_input"):
        wanted = made.now.inputs(made.target)
        if wanted is not None and made.event.ok and not trace.same(wanted, made.event.value):
            broken(
                made.event,
                expected=wanted,
                observed=made.event.value,
                because="the input is the data of the branch's input entries.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["build_state"],
    source=["AP-V3"],
    incidents=["F32"],
    battery=[
        attached(put(state("s1"), A, state("s2")), ask("A", "build_state")),
        attached(*FORKED, *_views("build_state")),
        attached(put(A), ask("A", "build_state"), ask("A", "checkout"), ask("A", "build_state")),
    ],
)
def the_state_is_the_last_of_the_branch(trace: Trace) -> None:
    """``build_state`` gives the last snapshot on the branch, and ``{}`` where it has none.

    A session breaks it by taking the newest snapshot of the whole log, the first one, or
    all of them together.
    """
    for made in asked(trace, "build_state"):
        wanted = made.now.state(made.target)
        if wanted is not None and made.event.ok and not trace.same(wanted, made.event.value):
            broken(
                made.event,
                expected=wanted,
                observed=made.event.value,
                because="the state is the last snapshot on the branch.",
            )


VIEWS: Final = ("path", "branch_path", "build_input", "build_state")
LOOK: Final = (ask("A", "branch_path", "f"), ask("A", "build_input", "f"))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["branch_path", "append"],
    source=["AP-V4", "AP-F3"],
    incidents=["F33"],
    battery=[
        attached(*FORKED, *LOOK, put(D), *LOOK),
        attached(*FORKED, *LOOK, ask("A", "fork", "g"), put(D), *LOOK),
        attached(*FORKED, ask("A", "checkout", "b"), *LOOK, put(D), *LOOK),
        attached(*FORKED, *LOOK, ask("A", "rebase", "main", "f"), put(D), *LOOK),
    ],
)
def a_view_of_another_branch_stays(trace: Trace) -> None:
    """What happens elsewhere changes nothing in the view of a ref that didn't move.

    A session breaks it by letting an append move more than the head's own ref, or by
    views that follow the head.
    """
    seen: dict[tuple[str, Any], Any] = {}
    for made in asked(trace):
        if made.method not in VIEWS:
            seen = {key: told for key, told in seen.items() if not _may_move(made, key[1])}
        elif made.event.ok and made.target is not None:
            before = seen.setdefault((made.method, made.target), made.event.value)
            if not trace.same(before, made.event.value):
                broken(
                    made.event,
                    expected=before,
                    observed=made.event.value,
                    because="a branch is what it was while others grow.",
                )


def _may_move(made: Asked, target: Any) -> bool:
    """Whether an operation may change the branch of a target, by what the rules say."""
    if made.method in ("append", "reset"):
        others = [each for each in made.event.passed if not is_semantic(each)]
        return bool(others) or target == made.then.head.get("name")
    return made.method in ("event", "recover") or made.target == target
