"""What a delete or clear reaches: that session, and no related one."""

from collections.abc import Iterable

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.owners import losses
from storelaw.program import Program, append, call, load, program
from storelaw.samples import said
from storelaw.trace import Trace


def taking(take: str, ids: Iterable[tuple[str, str]]) -> list[Program]:
    """For each pair, read the second session before and after taking from the first."""
    return [
        program(
            append(other, said("1"), said("2")),
            append(each, said("3")),
            load(other),
            call(take, each),
            load(other),
        )
        for each, other in ids
    ]


_BEGINNINGS = (("s1", "s10"), ("a", "ab"), ("agent", "agent-2"), ("x", "x/y"))
_PATTERNS = (
    ("a%", "ab"),
    ("%", "ab"),
    ("a_", "ab"),
    ("a*", "ab"),
    ("*", "ab"),
    ("[ab]", "a"),
    (".*", "ab"),
)
_PATHS = ((".", "s"), ("a/..", "s"), ("./s", "s"), ("..", "s"), ("s/", "s"))


@law(
    family="isolation",
    operations=["append", "load", "delete"],
    source=["kit-delete"],
    incidents=["F53"],
    battery=taking("delete", _BEGINNINGS),
)
def deleting_a_session_leaves_ids_that_begin_with_its_id(trace: Trace) -> None:
    """Deleting a session leaves the sessions whose ids merely begin with its id.

    A store breaks it by deleting a key range by bare prefix: with s1 goes s10.
    """
    judge_reach(trace, "delete", "deleting a session takes no other session along.")


@law(
    family="isolation",
    operations=["append", "load", "delete"],
    source=["kit-delete"],
    incidents=["F53"],
    battery=taking("delete", _PATTERNS),
)
def deleting_a_session_is_no_pattern(trace: Trace) -> None:
    """Deleting a session leaves the sessions that its id would match as a pattern.

    A store breaks it by a LIKE or a glob: an id of one asterisk empties the store.
    """
    judge_reach(trace, "delete", "an id is no pattern: only the session of that very id goes.")


@law(
    family="isolation",
    operations=["append", "load", "delete"],
    source=["PI-L9"],
    incidents=["F55"],
    battery=taking("delete", _PATHS),
)
def deleting_a_session_is_no_walk_through_paths(trace: Trace) -> None:
    """Deleting an id that is spelled like a path leaves every other session.

    A store breaks it by removing the directory that the id leads to: the id of one dot
    removes them all.
    """
    judge_reach(trace, "delete", "an id is no path: only the session of that very id goes.")


@law(
    family="isolation",
    operations=["append", "load", "clear"],
    source=["kit-clear"],
    incidents=["F53"],
    battery=taking("clear", (*_BEGINNINGS, *_PATTERNS)),
)
def clearing_a_session_leaves_related_ones(trace: Trace) -> None:
    """Clearing a session leaves the sessions whose ids begin with its id or match it.

    A store breaks it by clearing through a prefix or a pattern.
    """
    judge_reach(trace, "clear", "clearing a session empties no other session.")


def judge_reach(trace: Trace, take: str, because: str) -> None:
    """No session that showed something is empty after another was taken from."""
    taken = {each.step.session for each in trace.of(take)}
    for loss in losses(trace):
        if taken and not loss.after and loss.event.step.session not in taken:
            broken(loss.event, expected=loss.before, observed=loss.after, because=because)
