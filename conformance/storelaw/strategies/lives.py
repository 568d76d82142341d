"""Programs in which sessions come and go: appended to, cleared, forked, deleted, made again."""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.program import Program, Step, append, call, list_sessions, load, program, reopened
from storelaw.samples import said

#: Ids of one family, each a prefix of another, so that an index by prefix shows.
NAMES: Final[tuple[str, ...]] = ("a", "a1", "ab", "b")

_ACTS: Final[tuple[str, ...]] = (
    "append",
    "append",
    "append",
    "delete",
    "clear",
    "load",
    "list",
    "reopen",
)


def lifecycles() -> SearchStrategy[Program]:
    """Appends, deletes, clears and reads of a few sessions, then a list of them."""
    acts: SearchStrategy[tuple[str, str]] = st.tuples(
        st.sampled_from(_ACTS), st.sampled_from(NAMES)
    )
    return st.lists(acts, min_size=2, max_size=10).map(_lives)


def _lives(acts: Sequence[tuple[str, str]]) -> Program:
    steps = [_step(act, name, number) for number, (act, name) in enumerate(acts)]
    return program(*steps, list_sessions(), *(load(name) for name in NAMES))


def _step(act: str, name: str, number: int) -> Step:
    if act == "append":
        return append(name, said(f"{name}-{number}"))
    if act == "list":
        return list_sessions()
    if act == "reopen":
        return reopened()
    return load(name) if act == "load" else call(act, name)


_BETWEEN: Final[tuple[str, ...]] = ("", "", "load", "reopen")


def recreations() -> SearchStrategy[Program]:
    """One session, deleted and made again several times, with reopens and reads between."""
    between: SearchStrategy[str] = st.sampled_from(_BETWEEN)
    sizes = st.integers(1, 3)
    return st.lists(st.tuples(between, sizes, between), min_size=1, max_size=4).map(_recreated)


def _recreated(rounds: Sequence[tuple[str, int, str]]) -> Program:
    steps: list[Step] = [append("other", said("o"))]
    for number, (before, size, after) in enumerate(rounds):
        steps.append(append("s", *(said(f"{number}-{place}") for place in range(size))))
        steps += [load("s")] if before == "load" else [reopened()] if before == "reopen" else []
        steps.append(call("delete", "s"))
        steps += [load("s")] if after == "load" else [reopened()] if after == "reopen" else []
    steps.append(append("s", said("last")))
    return program(*steps, load("s"), load("other"))
