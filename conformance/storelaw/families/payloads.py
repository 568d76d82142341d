"""Idempotent append, what is under an id: another payload, a near-equal one, none at all."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

from storelaw.clauses import all_of, law, requires_option
from storelaw.failures import broken
from storelaw.families.idempotency import judge_rung
from storelaw.judging import certain
from storelaw.manifest import Manifest
from storelaw.model.retries import Explanation, altered, entries_in, retriable, roomy
from storelaw.program import Program, append, load, program
from storelaw.samples import custom, said
from storelaw.trace import Trace
from storelaw.values import Entry, same

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))
OTHER = said("2", "another payload")
BEGUN = (append("s", A, B, C), append("s", said("0")), load("s"))
CONFLICTS = (
    program(*BEGUN, append("s", OTHER), load("s")),
    program(*BEGUN, append("s", D, OTHER, E), load("s")),
    program(*BEGUN, append("s", D, said("4", "another")), append("s", E), load("s")),
)


def judge_declared(trace: Trace, because: str) -> None:
    """The declared value of ``reappend`` explains the trace, entries compared whole."""
    if altered(trace):
        return
    rule = str(trace.manifest.contract.reappend)
    found = Explanation(trace, rule, "whole").contradiction()
    if found is not None:
        broken(found.event, expected=found.expected, observed=found.observed, because=because)


def _declared(*values: str) -> Any:
    return all_of(retriable, requires_option("reappend", *values))


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F15"],
    applies=_declared("idempotent-or-conflict"),
    battery=CONFLICTS,
)
def a_conflict_is_refused_and_leaves_the_log(trace: Trace) -> None:
    """Another payload under a known id raises EntryConflict, and the log stays as it was.

    A store breaks it by an upsert, or by an "insert or ignore" that tells nobody; the rest
    of the batch falls with the conflict where batches are atomic.
    """
    judge_declared(trace, "another payload under a known id is a conflict that changes nothing.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F15"],
    applies=_declared("first-wins"),
    battery=CONFLICTS,
)
def the_first_payload_wins(trace: Trace) -> None:
    """Under first-wins the payload that arrived first stays, whatever is appended under its id.

    A store breaks it by an upsert: the last write wins.
    """
    judge_declared(trace, "the payload that arrived first stays under its id.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F14"],
    applies=_declared("last-wins"),
    battery=CONFLICTS,
)
def the_last_payload_replaces_the_first_in_place(trace: Trace) -> None:
    """Under last-wins the newest payload of an id stands where the first one stood.

    A store breaks it by storing an update as a further row, or by deleting and inserting.
    """
    judge_declared(trace, "the newest payload of an id stands in the place of the first.")


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F15", "F20"],
    applies=_declared("reject"),
    battery=[program(*BEGUN, append("s", B), load("s")), *CONFLICTS],
)
def a_known_id_is_refused(trace: Trace) -> None:
    """Under reject an append of a known id raises, and the log stays as it was.

    A store breaks it by ignoring the append without a word.
    """
    judge_declared(trace, "an append of a known id is refused and changes nothing.")


@law(
    family="idempotency",
    source=["PI-I2", "kit-retries"],
    incidents=["F16", "F20"],
    applies=_declared("duplicate"),
    battery=[program(*BEGUN, append("s", B), load("s")), *CONFLICTS],
)
def repeats_are_kept_where_they_are_declared(trace: Trace) -> None:
    """Under duplicate each append is stored, whatever its ids.

    A store breaks it by a unique key that its documentation does not speak of.
    """
    judge_declared(trace, "each append is stored, whatever its ids.")


def _undeclared(manifest: Manifest) -> str | None:
    declared = manifest.contract.reappend
    return f"option reappend is declared: {declared}" if declared else None


@law(
    family="idempotency",
    source=["kit-reappend"],
    incidents=["F15"],
    applies=all_of(retriable, _undeclared),
    battery=[program(*BEGUN, append("s", B), load("s"), append("s", OTHER), load("s"))],
)
def another_payload_under_a_known_id_is_answered_one_way(trace: Trace) -> str | None:
    """Where nothing is declared, another payload is kept, refused, ignored or put in place.

    A store breaks it by merging two payloads into one that nobody wrote.
    """
    return judge_rung(
        trace,
        "another payload is kept, refused, ignored, or put in the place of the first.",
        "whole",
    )


NEAR: tuple[tuple[Any, Any], ...] = (
    (1, 1.0),
    (1, True),
    (0, False),
    (None, "absent"),
    ("", None),
    ([], {}),
    ("caf\u00e9", "cafe\u0301"),
    ("a", "A"),
    ("a", "a "),
)


def _near(value: Any) -> Entry:
    return custom("2") if value == "absent" else custom("2", value=value)


def _near_equal(manifest: Manifest) -> Iterator[Program]:
    for left, right in NEAR:
        first, second = _near(left), _near(right)
        if not same(first, second, manifest.losses):
            alone = {**second, "id": "8"}
            yield program(
                append("s", A, first, C),
                append("s", alone),
                append("s", E),
                load("s"),
                append("s", second),
                load("s"),
            )


@law(
    family="idempotency",
    source=["kit-retries", "kit-reappend"],
    incidents=["F45", "F48"],
    applies=_declared("idempotent-or-conflict", "last-wins"),
    battery=_near_equal,
)
def near_equal_payloads_are_other_payloads(trace: Trace) -> None:
    """1 and 1.0, true and 1, null and absent, two normal forms: each is another payload.

    A store breaks it by comparing payloads with a language's own idea of equality.
    """
    judge_declared(trace, "values that differ in type, presence or form are other payloads.")


def turned(value: Any) -> Any:
    """A JSON value with the members of its objects in the reverse order."""
    if isinstance(value, dict):
        return {name: turned(each) for name, each in reversed(cast(Entry, value).items())}
    if isinstance(value, list):
        return [turned(each) for each in cast("Sequence[Any]", value)]
    return value


NESTED = custom("2", a="1", b={"x": ["1", {"y": "2", "z": "3"}], "w": "4"})


@law(
    family="idempotency",
    source=["kit-reappend", "kit-retries"],
    incidents=["F26"],
    applies=_declared("idempotent-or-conflict", "first-wins", "last-wins"),
    battery=[program(append("s", A, NESTED, C), load("s"), append("s", turned(NESTED)), load("s"))],
)
def the_order_of_members_is_no_payload(trace: Trace) -> str | None:
    """The same object with its members in another order is the same payload.

    A store breaks it by comparing or hashing the text that its encoder makes.
    """
    return judge_rung(trace, "an object is the same in whatever order its members come.")


@law(
    family="idempotency",
    source=["kit-retries", "kit-id-scope"],
    incidents=["F51"],
    applies=_declared("idempotent-or-conflict"),
    battery=[
        program(
            append("a", A, B, C),
            load("a"),
            append("b", A, OTHER, C),
            load("b"),
            append("b", OTHER),
            load("b"),
        )
    ],
)
def a_retry_is_looked_up_in_its_own_session(trace: Trace) -> str | None:
    """Whether an entry is a retry or a conflict is decided by the session it is appended to.

    A store breaks it by looking the id up across the table and comparing with the payload
    of another session.
    """
    held: set[str] = set()
    for event in trace.of("append", "load"):
        if event.step.session == "b" and event.step.do == "load" and event.ok:
            held.update(str(e.get("id")) for e in entries_in(event))
        elif event.step.session == "b" and not held and event.raised:
            return "the ids of one session are refused in another, which other laws judge"
    if not {str(each["id"]) for each in (A, OTHER)} <= held:
        return "the ids of one session are missing in another, which other laws judge"
    return judge_rung(trace, "a retry is compared with what its own session holds.")


def unnamed(text: str) -> Entry:
    """An entry without an id."""
    return {name: value for name, value in said("x", text).items() if name != "id"}


def _without_ids(manifest: Manifest) -> str | None:
    wanted = manifest.contract.ids
    return "option ids is caller: each entry has an id" if wanted == "caller" else None


ONE, TWO = unnamed("one"), unnamed("two")


def judge_counts(trace: Trace, because: str) -> str | None:
    """Each text is in the log as often as it was accepted; a note where nothing was."""
    refused = [event for event in trace.of("append") if event.raised]
    for reading in certain(trace):
        expected = Counter(_text(each) for each in reading.expected if each.get("id") is None)
        observed = Counter(_text(each) for each in reading.observed)
        if expected - observed:
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
            )
    return "entries without an id are refused" if refused else None


def _text(entry: Any) -> str:
    """An entry's message, whatever the order of its members."""
    message = cast(Entry, entry).get("message") if isinstance(entry, dict) else None
    return json.dumps(message, sort_keys=True, default=str)


@law(
    family="idempotency",
    source=["kit-retries"],
    incidents=["F16"],
    applies=all_of(roomy, _without_ids),
    battery=[
        program(append("s", ONE, TWO), append("s", A), append("s", C), load("s")),
        program(append("s", ONE), append("s", A), append("s", TWO), append("s", C), load("s")),
    ],
)
def entries_without_an_id_are_never_merged(trace: Trace) -> str | None:
    """Entries that have no id are not retries of each other.

    A store breaks it by a unique key in which all missing ids are one null.
    """
    return judge_counts(trace, "a missing id is not an id that two entries share.")
