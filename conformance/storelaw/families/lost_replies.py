"""A request or a reply that is lost costs its client the answer, and the log nothing."""

from collections.abc import Iterator
from typing import Any, Final

from storelaw.clauses import Seen, all_of, law
from storelaw.cutoffs import Place, lose
from storelaw.families.idempotency import two_handles
from storelaw.manifest import Manifest
from storelaw.model.cutoffs import Parting, judge_cutoffs
from storelaw.model.retries import caller_ids, roomy
from storelaw.narrative import Words
from storelaw.program import Program, program
from storelaw.samples import said
from storelaw.trace import Trace

PLACES: Final[tuple[Place, ...]] = ("before-reply", "before-request", "in-reply")
BATCH: Final = tuple(said(each) for each in "123")


def _appends(manifest: Manifest) -> Iterator[Program]:
    """One append, cut off at each place; as many entries as go into one."""
    entries = BATCH[:1] if manifest.batch == "one" else BATCH
    return (program(lose("s", *entries, point=each)) for each in PLACES)


def _batches(manifest: Manifest) -> str | None:
    return "manifest field batch is 'one'" if manifest.batch == "one" else None


#: Three clients one after another, on sessions that keep what they get.
REACHABLE: Final = all_of(roomy, two_handles)


def merged(manifest: Manifest) -> str | None:
    """Why a retry is not merged with what it repeats, and what its caller must then expect."""
    declared = manifest.contract.reappend
    if declared in ("first-wins", "last-wins", "idempotent-or-conflict"):
        return None
    expect = "a refusal" if declared == "reject" else "each entry there once or twice"
    return (
        f"option reappend is {declared or 'undeclared'}: who makes an append again whose reply "
        f"was lost must expect {expect}"
    )


@law(
    family="atomicity",
    source=["kit-lost-replies"],
    incidents=["F20"],
    powers={"route"},
    applies=REACHABLE,
    battery=_appends,
)
def an_acknowledged_append_outlives_its_connection(trace: Trace) -> Seen:
    """An append that returned is there, whatever became of its connection, and so is all before it.

    A store breaks it by a client that takes a broken connection for a passing trouble and
    goes on: the request was lost as well as its reply, and nobody was told.
    """
    because = "what an append returned for is there, with all that was there before."
    return judge_cutoffs(trace, _missing, because)


def _missing(parting: Parting) -> tuple[Any, Any] | None:
    due = parting.all if parting.cutoff.outcome == "ok" else parting.before
    return (due, parting.shown(parting.cutoff.seen)) if parting.lacks(due) else None


@law(
    family="atomicity",
    source=["kit-lost-replies"],
    incidents=["F19"],
    powers={"route"},
    applies=all_of(REACHABLE, _batches),
    battery=_appends,
)
def a_cut_off_batch_leaves_what_is_promised(trace: Trace) -> Seen:
    """Of a batch that was cut off there is all or nothing where batches are atomic, else a beginning.

    A store breaks it by a request for each entry, or by a transaction that is committed
    piece by piece.
    """
    because = "a batch that was cut off is there as far as the manifest's batch allows."
    return judge_cutoffs(trace, _split, because)


def _split(parting: Parting) -> tuple[Any, Any] | None:
    left, sent = parting.left, parting.sent
    whole = left in ([], sent) if parting.atomic else left == sent[: len(left)]
    if whole or parting.cutoff.outcome != "unknown":
        return None
    return Words("all of it or nothing" if parting.atomic else "a beginning of it"), left


@law(
    family="atomicity",
    source=["kit-lost-replies"],
    incidents=["F13"],
    powers={"route"},
    applies=REACHABLE,
    battery=_appends,
)
def a_lost_reply_is_no_refusal(trace: Trace) -> Seen:
    """An append that raised one of the named refusals has left nothing.

    A store breaks it by a client that makes a refusal of every error: the caller mends its
    entry and appends it under another id, beside the one that was stored.
    """
    return judge_cutoffs(trace, _refused, "an append that was refused has stored nothing.")


def _refused(parting: Parting) -> tuple[Any, Any] | None:
    if parting.cutoff.outcome != "failed" or not parting.left:
        return None
    return Words(f"nothing, since the append raised {parting.cutoff.came.text}"), parting.left


@law(
    family="atomicity",
    source=["kit-lost-replies"],
    incidents=["F19", "F25"],
    powers={"route"},
    applies=REACHABLE,
    battery=_appends,
)
def a_cut_connection_leaves_no_lock(trace: Trace) -> Seen:
    """After a connection was cut another client can append at once.

    A store breaks it by a lock that only the client that is gone could give back, or that
    waits for a lease to run out.
    """
    return judge_cutoffs(trace, _kept_out, "a client that is gone keeps nobody from writing.")


def _kept_out(parting: Parting) -> tuple[Any, Any] | None:
    written = parting.cutoff.written
    if written.ok:
        return None
    return Words("an append by another client passes"), Words(f"it raised {written.text}")


@law(
    family="idempotency",
    source=["kit-lost-replies"],
    incidents=["F13"],
    powers={"route"},
    applies=REACHABLE,
    battery=_appends,
)
def a_lost_reply_stores_no_entry_twice(trace: Trace) -> Seen:
    """One append stores each of its entries once at most, whatever became of its connection.

    A store breaks it by a client that sends a request again whose reply was lost, as many
    do unless they are told otherwise.
    """
    return judge_cutoffs(trace, _doubled, "one append stores an entry once at most.")


def _doubled(parting: Parting) -> tuple[Any, Any] | None:
    seen = parting.cutoff.seen
    return (parting.all, parting.shown(seen)) if parting.repeats(seen) else None


@law(
    family="idempotency",
    source=["kit-lost-replies", "kit-reappend", "kit-retries"],
    incidents=["F13", "F15"],
    powers={"route"},
    applies=all_of(caller_ids, REACHABLE, merged),
    battery=_appends,
)
def a_retry_after_a_cut_stores_once(trace: Trace) -> Seen:
    """An append that was cut off can be made again by another client, and is then there once.

    A store breaks it by learning the ids of a batch when its client has the reply, so that
    the retry of a lost one is new to it.
    """
    because = "a retry after a cut leaves each entry there once."
    return judge_cutoffs(trace, _not_once, because)


def _not_once(parting: Parting) -> tuple[Any, Any] | None:
    retried, again = parting.cutoff.retried, parting.cutoff.again
    if retried.error == "EntryConflict" or (retried.ok and parting.once(again)):
        return None
    if not retried.ok:
        return Words("the retry passes"), Words(f"it raised {retried.text}")
    return parting.all, parting.shown(again)


@law(
    family="idempotency",
    source=["kit-lost-replies", "kit-reappend"],
    incidents=["F13", "F26"],
    powers={"route"},
    applies=all_of(caller_ids, REACHABLE, merged),
    battery=_appends,
)
def a_retry_after_a_cut_is_no_conflict(trace: Trace) -> Seen:
    """An append that was cut off is no conflict for the same append made again.

    A store breaks it by a reservation of ids that waits for the client that is gone.
    """
    return judge_cutoffs(trace, _conflicts, "equal entries under their ids are no conflict.")


def _conflicts(parting: Parting) -> tuple[Any, Any] | None:
    retried = parting.cutoff.retried
    if retried.error != "EntryConflict":
        return None
    return Words("the retry passes"), Words(f"it raised {retried.text}")
