"""A process that is killed as it writes costs at most what it had not been told is there."""

from typing import Any

from storelaw.clauses import Seen, all_of, law, requires_field, requires_option
from storelaw.failures import unseen
from storelaw.families.tears import KEEPS, PROMISED, A, B, C
from storelaw.model.executions import Remnant, judge_kills
from storelaw.model.remains import whole_batches
from storelaw.model.retries import caller_ids
from storelaw.narrative import Words
from storelaw.program import append, program
from storelaw.trace import Trace
from storelaw.wrecks import kill

WRITERS = (program(kill("s")),)
CREATORS = (program(kill("s", "create")),)
FORKERS = (program(append("s", A), append("s", B, C), kill("s", "fork")),)


@law(
    family="crash",
    source=["PI-K5", "kit-crashes"],
    incidents=["F17", "F18"],
    applies=PROMISED,
    battery=WRITERS,
)
def a_killed_store_opens_again(trace: Trace) -> Seen:
    """After a process was killed in the middle of its appends, its session loads and goes on.

    A store breaks it by a lock, a lease or a half-written index that only the dead process
    could have put right.
    """
    return judge_kills(trace, _stuck, "after a kill a session loads, and takes the next append.")


def _stuck(left: Remnant) -> tuple[Any, Any] | None:
    kill = left.kill
    if not (kill.seen.ok or left.unborn):
        return Words("it loads"), Words(f"it raised {kill.seen.text}")
    if not kill.written.ok:
        return Words("an append passes"), Words(f"it raised {kill.written.text}")
    if not kill.later.ok:
        return Words("it loads"), Words(f"it raised {kill.later.text}")
    return None if left.goes_on() else left.sides([*kill.again.log, left.after], kill.later.log)


@law(
    family="crash",
    source=["PI-K5", "PI-K6", "kit-crashes", "D-PI-16"],
    incidents=["F20"],
    applies=all_of(KEEPS, requires_field("crash", "acknowledged")),
    battery=WRITERS,
)
def a_killed_writer_loses_nothing_acknowledged(trace: Trace) -> Seen:
    """An append that returned before its process was killed is there.

    A store breaks it by answering first and writing later, from a queue or a buffer that
    dies with the process.
    """
    because = "what a process was told is stored outlives it."
    return judge_kills(trace, _forgotten, because)


def _forgotten(left: Remnant) -> tuple[Any, Any] | None:
    return left.sides(left.told, left.log) if left.loads and not left.has_all() else None


@law(
    family="crash",
    source=["kit-crashes"],
    incidents=["F19"],
    applies=PROMISED,
    battery=WRITERS,
)
def a_killed_writer_leaves_a_prefix(trace: Trace) -> Seen:
    """After a kill a session holds the first of the entries that were sent, and no other.

    A store breaks it by writing a batch in another order than it was given, so that the
    kill leaves a hole.
    """
    because = "a kill leaves the first of the entries that were sent, without a hole."
    return judge_kills(trace, _holed, because)


def _holed(left: Remnant) -> tuple[Any, Any] | None:
    return left.sides(left.sent, left.log) if left.loads and not left.is_prefix() else None


@law(
    family="crash",
    source=["kit-crashes", "D-PI-19"],
    incidents=["F19"],
    applies=all_of(KEEPS, whole_batches),
    battery=WRITERS,
)
def a_killed_batch_is_absent_or_whole(trace: Trace) -> Seen:
    """Where batches are promised whole, a kill leaves all of one or nothing.

    A store breaks it by writing entry after entry, each by a write or a transaction of its
    own.
    """
    because = "a batch whose process was killed is there as a whole, or not at all."
    return judge_kills(trace, _split, because)


def _split(left: Remnant) -> tuple[Any, Any] | None:
    split = left.loads and left.is_prefix() and not left.ends_with_a_batch()
    return left.sides(left.told, left.log) if split else None


@law(
    family="crash",
    source=["kit-crashes", "kit-list"],
    incidents=["F19"],
    applies=PROMISED,
    battery=WRITERS,
)
def the_list_after_a_kill_is_what_loads(trace: Trace) -> Seen:
    """After a kill the list names the session if it has entries, and doesn't if there is none.

    A store breaks it by an index of its sessions that it writes anew beside each append.
    """
    because = "after a kill a session is in the list if it loads, and only then."
    return judge_kills(trace, _mislisted, because)


def _mislisted(left: Remnant) -> tuple[Any, Any] | None:
    listed = left.kill.listed
    if listed is None:
        unseen("the store has no list_sessions", applicable=False)
    if not listed.ok:
        return Words("a list"), left.seen_as(listed)
    named = left.kill.session in listed.log
    if left.log and not named:
        return Words("it is listed, since it loads"), Words("it is not listed")
    if named and left.kill.seen.error == "SessionNotFound":
        return Words("it is not listed, since there is none"), Words("it is listed")
    return None


@law(
    family="crash",
    source=["kit-crashes", "kit-retries"],
    incidents=["F13", "F15"],
    applies=all_of(
        caller_ids,
        PROMISED,
        requires_option("reappend", "first-wins", "last-wins", "idempotent-or-conflict"),
    ),
    battery=WRITERS,
)
def a_retry_after_a_kill_stores_once(trace: Trace) -> Seen:
    """A batch whose process was killed can be appended again, and is then there once.

    A store breaks it by remembering ids in the process, or by writing them after the
    entries, so that the kill falls between the two.
    """
    return judge_kills(trace, _doubled, "a retry after a kill leaves each entry there once.")


def _doubled(left: Remnant) -> tuple[Any, Any] | None:
    if not left.kill.retried.ok:
        return Words("the retry passes"), Words(f"it raised {left.kill.retried.text}")
    again = left.kill.again
    if not again.ok or left.once(again.log):
        return None
    return left.sides(left.sent, again.log)


@law(
    family="crash",
    source=["D-PI-18", "kit-crashes"],
    incidents=["F17", "F19"],
    applies=PROMISED,
    operations={"append", "load", "create"},
    creates=True,
    battery=CREATORS,
)
def a_killed_create_leaves_the_session_absent_or_whole(trace: Trace) -> Seen:
    """A session whose creation was killed is absent or empty, and can be created and used.

    A store breaks it by a file that gets its name before its beginning: it can be neither
    opened nor created again.
    """
    because = "a session whose creation was killed is absent or whole, and can be made."
    return judge_kills(trace, _half_made, because)


@law(
    family="crash",
    source=["D-PI-18", "kit-crashes"],
    incidents=["F19"],
    applies=PROMISED,
    operations={"append", "load", "fork"},
    battery=FORKERS,
)
def a_killed_fork_leaves_the_session_absent_or_whole(trace: Trace) -> Seen:
    """A session whose fork was killed is absent or has its whole log, and can be forked again.

    A store breaks it by making the child first and copying its entries one by one.
    """
    because = "a session whose fork was killed is absent or whole, and can be made."
    return judge_kills(trace, _half_made, because)


def _half_made(left: Remnant) -> tuple[Any, Any] | None:
    """What is wrong with a session that a process was about to make, or had made."""
    kill = left.kill
    if not (left.absent(kill.seen) or left.whole(kill.seen)):
        return left.base, left.seen_as(kill.seen)
    if not (kill.retried.ok or left.whole(kill.again)):
        return Words("it can be made"), Words(f"it raised {kill.retried.text}")
    if not (kill.written.ok and left.grown()):
        return [*left.base, left.after], left.seen_as(kill.later)
    if kill.last is not None and not left.promised_last():
        return left.base, left.seen_as(kill.last)
    return None
