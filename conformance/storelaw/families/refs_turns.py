"""The busy guard at the refs door: what waits for a running turn, and what doesn't."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, answered, is_control, is_whole, known, members
from storelaw.model.refs_entries import attached, entry, happened, on_main, over, put, said
from storelaw.program import Step, ask
from storelaw.trace import Trace
from storelaw.values import is_object

A, B = said("a"), said("b")
MOVES: Final = ("checkout", "fork", "rebase", "clone")
BRANCHING: Final[tuple[Step, ...]] = (
    ask("A", "checkout"),
    ask("A", "fork", "f"),
    ask("A", "rebase", "main"),
    ask("A", "clone", "t", becomes="B", at="t"),
)


def _started(turn: str = "t1") -> Step:
    return put(happened(f"{turn}-s", type="turn.start", turn=turn))


def _ended(turn: str = "t1", how: str = "done") -> Step:
    return put(happened(f"{turn}-{how}", type=f"turn.{how}", turn=turn))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-B1"],
    incidents=["F28", "F33"],
    battery=[
        *(attached(put(A), _started(), each, put(B)) for each in BRANCHING),
        attached(put(A), _started(), _ended("t2"), BRANCHING[0]),
        attached(put(A), _started(), _started("t2"), _ended("t2"), BRANCHING[1]),
        attached(put(A), ask("A", "event", {"type": "turn.start", "turnId": "t"}), BRANCHING[0]),
    ],
)
def no_branch_moves_while_a_turn_runs(trace: Trace) -> None:
    """While a turn has begun and not ended, checkout, fork, rebase and clone are refused.

    A session breaks it by not looking, or by taking the end of another turn for this one's:
    the answer of the turn goes to a branch that it wasn't asked on.
    """
    for made in known(trace, *MOVES):
        if made.then.open_turns and (made.event.ok or made.fresh):
            broken(
                made.event,
                expected=f"refused: {', '.join(made.then.open_turns)} runs",
                observed=made.fresh or made.event.value,
                because="what moves branches waits for the end of the turn.",
            )


def _sound(made: Asked) -> bool:
    """Whether nothing but a running turn would speak against a checkout or a fork."""
    there = made.then.path_to(made.target if made.method == "checkout" else None) is not None
    taken = made.method == "fork" and made.target in made.then.refs
    plain = made.method == "checkout" or (made.target == "f" and made.argument(1, "at") is None)
    return made.steady and there and not taken and plain and not made.then.open_turns


def _judge_free(trace: Trace, garbled: bool, because: str) -> None:
    for made in known(trace, "checkout", "fork"):
        if made.event.raised and _sound(made) and _is_garbled(made) == garbled:
            broken(made.event, expected="carried out", observed=made.event.text, because=because)


def _is_garbled(made: Asked) -> bool:
    """Whether the log holds an event whose data isn't that of an event."""
    events = [each.get("data") for each in made.before or [] if each.get("type") == "event"]
    return any(not is_object(data) or not _told(data) for data in events)


def _told(data: Any) -> bool:
    return all(isinstance(members(data).get(key), str) for key in ("type", "turnId"))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout"],
    source=["AP-B1"],
    incidents=["F26"],
    battery=[
        *(
            attached(put(A), _started(), _ended(how=how), *BRANCHING[:2])
            for how in ("done", "failed", "aborted")
        ),
        attached(put(A), *BRANCHING[:2]),
    ],
)
def the_end_of_a_turn_frees_the_session(trace: Trace) -> None:
    """Once each turn is done, failed or aborted, branches can be moved again.

    A session breaks it by waiting for success alone.
    """
    _judge_free(trace, False, "a turn that has ended, however it has, blocks nothing.")


GARBLED: Final[tuple[Any, ...]] = (
    None,
    "turn.start",
    [],
    {"type": "turn.start"},
    {"type": "turn.start", "turnId": 7},
    {"turnId": "t"},
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout"],
    source=["AP-B1"],
    incidents=["F26"],
    battery=[
        attached(put(A, entry("e", "event", each)), *BRANCHING[:2], ask("A", "checkout", "main"))
        for each in GARBLED
    ],
)
def malformed_events_block_nothing(trace: Trace) -> None:
    """An event whose data says no type or no turn doesn't make the session busy, or fail.

    A session breaks it by counting it as a turn that has begun, or by stumbling over it.
    """
    _judge_free(trace, True, "malformed event data counts for nothing.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append", "event", "clear"],
    source=["AP-B1"],
    incidents=["F26"],
    battery=[
        attached(_started(), put(A), ask("A", "event", {"type": "note"}), ask("A", "clear")),
        attached(_started(), ask("A", "event", {"type": "note"}), put(A, B)),
    ],
)
def a_running_turn_blocks_no_append(trace: Trace) -> None:
    """While a turn runs, append, event and clear are carried out.

    A session breaks it by guarding every write: the turn can't store its own answer.
    """
    for made in known(trace, "append", "event", "clear"):
        whole = made.steady and all(map(is_whole, made.event.passed))
        there = {each.get("id") for each in made.before or []}
        new = {each.get("id") for each in made.event.passed}
        plain = (
            whole
            and not any(map(is_control, made.event.passed))
            and len(new) == len(made.event.passed)
            and not new & there
        )
        if made.then.open_turns and made.event.raised and plain:
            broken(
                made.event,
                expected="carried out",
                observed=made.event.text,
                because="a running turn blocks no append, event or clear.",
            )


CRASHED: Final = (*on_main(A), happened("t1-s", "a", "turn.start", "t1"))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["recover", "checkout"],
    source=["AP-B2", "D-AP-2"],
    incidents=["F28", "F38"],
    battery=[
        over(*CRASHED, steps=(ask("A", "recover"), *BRANCHING[:2])),
        over(*CRASHED, steps=(ask("A", "recover"), ask("A", "checkout", "a"))),
    ],
)
def recovery_ends_the_turns_of_a_crash(trace: Trace) -> None:
    """After ``recover`` no turn is open, and branches can be moved.

    A session breaks it by having no way out: a crash in a turn makes it busy for ever.
    """
    for made in answered(trace, "recover"):
        if made.now.open_turns:
            broken(
                made.event,
                expected=[],
                observed=made.now.open_turns,
                because="recovery ends the turns that a crash left open.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["recover", "read"],
    source=["D-AP-2", "AP-K1"],
    incidents=["F38"],
    battery=[
        over(*on_main(A), steps=(ask("A", "recover"), ask("A", "recover"), ask("A", "read"))),
        over(*CRASHED, steps=(ask("A", "recover"), ask("A", "recover"), ask("A", "read"))),
    ],
)
def recovery_of_a_sound_log_changes_nothing(trace: Trace) -> None:
    """``recover`` writes nothing where there is nothing to take up.

    A session breaks it by ending its turns once more, on each start.
    """
    recovered: set[Any] = set()
    for made in answered(trace):
        if made.method == "recover" and made.key in recovered and made.fresh:
            broken(
                made.event,
                expected=[],
                observed=made.fresh,
                because="there is nothing to recover a second time.",
            )
        recovered = {made.key} if made.method == "recover" else set()
