"""Idempotent append: the ladder of retries, each rung under the declared ``reappend``."""

from collections.abc import Iterator

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import all_of, law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.retries import (
    RULES,
    Aspect,
    Contradiction,
    altered,
    entries_in,
    explained,
    retriable,
)
from storelaw.program import Program, append, call, failing, load, opened, program, reopened
from storelaw.samples import said
from storelaw.strategies.retries import ladders
from storelaw.trace import Event, Trace

A, B, C, D, E, F, Z = (said(each) for each in ("1", "2", "3", "4", "5", "6", "0"))

#: A log with something before and after the entries that are retried.
BEGUN = (append("s", A, B, C), append("s", Z), load("s"))


ALTERED = "an entry came back changed, which other laws judge"


def judge_rung(trace: Trace, because: str, aspect: Aspect = "count") -> str | None:
    """Some allowed value of ``reappend`` explains the trace; a note where it is undeclared."""
    if altered(trace):
        return ALTERED
    found = explained(trace, aspect)
    if isinstance(found, Contradiction):
        broken(found.event, expected=found.expected, observed=found.observed, because=because)
    telling = trace.manifest.contract.reappend is None and len(found) < len(RULES)
    return f"saw reappend: {' or '.join(found)}" if telling else None


def two_handles(manifest: Manifest) -> str | None:
    """Outside the law where only one handle can be open."""
    return "one handle at once" if manifest.handles == 1 else None


def _ladders(manifest: Manifest) -> SearchStrategy[Program]:
    return ladders(handles=manifest.handles is None or manifest.handles > 1)


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13", "F15"],
    applies=retriable,
    battery=[program(*BEGUN, append("s", B), load("s"))],
)
def an_exact_retry_is_answered_as_declared(trace: Trace) -> str | None:
    """The same entry appended again through the same handle does what ``reappend`` says.

    A store breaks it by checking ids in one of its write paths only, so that the plain
    retry of a caller who timed out is stored a second time.
    """
    return judge_rung(trace, "an exact retry is merged, kept or refused as reappend says.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13"],
    applies=retriable,
    battery=[
        program(append("s", A, B, C, D), append("s", Z), load("s"), append("s", B, C), load("s"))
    ],
)
def a_retried_batch_is_answered_as_declared(trace: Trace) -> str | None:
    """The same batch appended again does for each of its entries what ``reappend`` says.

    A store breaks it by checking single entries and not bulk inserts.
    """
    return judge_rung(trace, "a retried batch is answered entry by entry as reappend says.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13", "F14"],
    applies=retriable,
    battery=[
        program(*BEGUN, append("s", C, D), append("s", E), load("s")),
        program(*BEGUN, append("s", D, C, E), append("s", F), load("s")),
    ],
    programs=_ladders,
    weight=3,
)
def an_overlapping_batch_adds_what_is_new(trace: Trace) -> str | None:
    """Of a batch with known and new entries the new ones are stored, whatever becomes of the known.

    A store breaks it by taking a batch with one known id for a retry of the whole.
    """
    return judge_rung(trace, "the new entries of an overlapping batch are stored.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13"],
    applies=retriable,
    battery=[
        program(*BEGUN, append("s", B), load("s")),
        program(*BEGUN, append("s", B, A), load("s")),
    ],
    programs=_ladders,
)
def a_retried_entry_keeps_its_place(trace: Trace) -> str | None:
    """A retried entry stays where it first arrived.

    A store breaks it by an upsert that deletes and inserts, which moves the entry to the
    end of the log, behind its own answers.
    """
    return judge_rung(trace, "a retried entry keeps the place of its first arrival.", "order")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13", "F15"],
    promises=["durable"],
    applies=retriable,
    battery=[program(*BEGUN, reopened(), load("s"), append("s", B), load("s"))],
)
def a_retry_after_a_reopen_is_answered_as_declared(trace: Trace) -> str | None:
    """A retry after a restart does what ``reappend`` says.

    A store breaks it by keeping the known ids in memory only.
    """
    return judge_rung(trace, "a retry after a reopen is answered as reappend says.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13", "F14"],
    applies=all_of(retriable, two_handles),
    battery=[
        program(
            append("s", A),
            append("s", Z),
            opened(1),
            load("s", on=1),
            append("s", B, C),
            append("s", F),
            load("s"),
            append("s", B, on=1),
            load("s"),
        )
    ],
)
def a_retry_through_a_second_handle_is_answered_as_declared(trace: Trace) -> str | None:
    """A retry by another client of the medium does what ``reappend`` says.

    A store breaks it by reading the known ids once, when a handle is opened.
    """
    return judge_rung(trace, "a retry through a second handle is answered as reappend says.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13"],
    powers=["fail_next"],
    applies=retriable,
    battery=[
        program(
            *BEGUN, failing("after-commit", door="store"), append("s", D), append("s", D), load("s")
        ),
        program(
            *BEGUN,
            failing("after-commit", door="store"),
            append("s", D, E),
            append("s", D, E),
            load("s"),
        ),
    ],
)
def a_retry_after_a_lost_reply_is_answered_as_declared(trace: Trace) -> str | None:
    """A retry of an append that was committed and then raised does what ``reappend`` says.

    A store breaks it by learning the ids of a batch after the commit, in the caller's path.
    """
    return judge_rung(trace, "a retry after a lost reply is answered as reappend says.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13", "F20"],
    powers=["fail_next"],
    applies=retriable,
    battery=[
        program(
            *BEGUN,
            failing("before-commit", door="store"),
            append("s", D),
            append("s", D),
            load("s"),
        ),
        program(
            *BEGUN,
            failing("item", 1, door="store"),
            append("s", D, E, F),
            append("s", D, E, F),
            load("s"),
        ),
    ],
)
def a_retry_after_a_failure_stores_the_batch(trace: Trace) -> str | None:
    """A retry of an append that failed before its commit stores what is not there yet.

    A store breaks it by learning the ids of a batch before it is committed: the retry is
    then taken for a repeat and the entries are lost.
    """
    return judge_rung(trace, "a retry after a failure stores what is not there yet.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F15"],
    applies=all_of(retriable, lambda m: "no batches" if m.batch == "one" else None),
    battery=[
        program(*BEGUN, append("s", D, E, D), append("s", F), load("s")),
        program(*BEGUN, append("s", D, D), append("s", F), load("s")),
    ],
)
def an_id_twice_in_one_batch_is_answered_as_declared(trace: Trace) -> str | None:
    """The same entry twice in one batch does what ``reappend`` says.

    A store breaks it by looking ids up in the stored log and not in the batch itself.
    """
    return judge_rung(trace, "a repeat inside one batch is answered as reappend says.")


def _cumulative() -> Program:
    saves = [append("s", *(A, B, C, D)[:end]) for end in range(1, 5)]
    return program(append("s", E), append("s", Z), load("s"), *saves, append("s", F), load("s"))


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F14"],
    applies=retriable,
    battery=[_cumulative()],
    programs=_ladders,
)
def cumulative_saves_are_answered_as_declared(trace: Trace) -> str | None:
    """A caller who saves the whole history each time gets what ``reappend`` says.

    A store breaks it by comparing with the previous save only: histories double in length
    with each turn.
    """
    return judge_rung(trace, "saving a growing history stores each entry as reappend says.")


@law(
    family="idempotency",
    source=["kit-delete"],
    incidents=["F57", "F58"],
    operations=["append", "load", "delete"],
    applies=retriable,
    battery=[
        program(
            append("s", A, B), call("delete", "s"), append("s", A, B), append("s", C), load("s")
        )
    ],
)
def a_recreated_session_forgets_its_ids(trace: Trace) -> str | None:
    """After a delete the ids of a session are new again.

    A store breaks it by leaving its index of ids behind when it deletes a session.
    """
    return judge_rung(trace, "an id of a deleted session is new to its successor.")


def _undeclared(manifest: Manifest) -> str | None:
    declared = manifest.contract.reappend
    return (
        f"option reappend is declared ({declared}): each rung is its own law" if declared else None
    )


def _alike(manifest: Manifest) -> Iterator[Program]:
    retries = [append("s", A), *([reopened(), load("s")] if manifest.durable else [])]
    retries += [append("s", B)]
    if manifest.handles != 1:
        retries += [opened(1), append("s", C, on=1)]
    yield program(append("s", A, B, C, D), load("s"), *retries, load("s"))


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F13"],
    applies=all_of(retriable, _undeclared),
    battery=_alike,
)
def retries_are_answered_alike_on_every_rung(trace: Trace) -> str | None:
    """Where nothing is declared, one value of ``reappend`` explains all retries.

    A store breaks it by merging a retry while it is in a cache and storing it twice after
    a restart.
    """
    return judge_rung(trace, "retries by the same, a reopened and a second handle end alike.")


@law(
    family="idempotency",
    source=["PI-A2", "kit-retries"],
    incidents=["F13", "F14"],
    applies=retriable,
    battery=[
        program(*BEGUN, append("s", B), load("s")),
        program(append("s", A, B, C, D), append("s", Z), load("s"), append("s", B, C), load("s")),
    ],
)
def a_retry_never_damages_the_log(trace: Trace) -> str | None:
    """Entries that are not retried stay, in their order, and the log still loads.

    A store breaks it by a retry that rewrites the log from the retried entry on, or that
    leaves a log which its own reader refuses.
    """
    seen: dict[str, list[str]] = {}
    retried: dict[str, set[str]] = {}
    before: dict[str, list[str]] = {}
    for event in trace.of("append", "load"):
        session = str(event.step.session)
        again = retried.setdefault(session, set())
        known = seen.setdefault(session, [])
        if event.step.do == "append":
            names = [str(each.get("id")) for each in event.passed]
            again.update(each for each in names if each in known)
            known.extend(names)
        elif not again and event.ok:
            before[session] = _ids(event)
        elif again and session in before:
            kept = [each for each in before[session] if each not in again]
            there = [] if event.raised else [e for e in _ids(event) if e in kept]
            if list(dict.fromkeys(there)) != kept:
                broken(
                    event,
                    expected=kept,
                    observed=there,
                    because="a retry leaves all other entries where they were, and readable.",
                )
    return None


def _ids(event: Event) -> list[str]:
    return [str(each.get("id")) for each in entries_in(event)]
