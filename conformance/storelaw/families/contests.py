"""Several clients want the same at once: an id, a session, a place; nobody is told a lie."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from storelaw.clauses import Battery, Seen, all_of, law, requires_field, requires_option
from storelaw.errors import IDENTITIES
from storelaw.failures import broken
from storelaw.families.crowds import (
    WRITERS,
    admits_crowds,
    answers,
    crowded,
    met,
    paced,
    seen_in,
    ways_of,
)
from storelaw.manifest import Manifest
from storelaw.narrative import Words
from storelaw.program import Key, Program, Step, append, call, load, program
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array

_ACTS = ("at_once",)

#: How often a contest is held in one program.
ROUNDS: Final = 5

#: What one worker does in a round, by the number of the round.
Turn: TypeAlias = Callable[[int], Sequence[Step]]


def _contest(before: Turn, after: Turn, **workers: Turn) -> Battery:
    """A battery of contests: all rounds at once, with what comes before and after them."""

    def rounds(turn: Turn) -> tuple[Step, ...]:
        return tuple(step for number in range(1, ROUNDS + 1) for step in turn(number))

    def battery(manifest: Manifest) -> Iterable[Program]:
        crowd = {name: rounds(turn) for name, turn in workers.items()}
        return [
            program(*rounds(before), each, *rounds(after))
            for way in ways_of(manifest)
            for each in paced(way, crowd)
        ]

    return battery


def _nothing(_: int) -> Sequence[Step]:
    return ()


def _once(step: Step) -> Turn:
    """A step in the first round only."""
    return lambda number: (step,) if number == 1 else ()


def _by_session(events: Iterable[Event]) -> dict[Key, list[Event]]:
    found: dict[Key, list[Event]] = {}
    for each in events:
        found.setdefault(each.step.session, []).append(each)
    return found


def _by_id(events: Iterable[Event]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for each in events:
        if each.step.do == "append" and each.passed and each.outcome != "skipped":
            found.setdefault(str(each.passed[0]["id"]), []).append(each)
    return found


def _stored(trace: Trace, key: Key) -> list[Entry] | None:
    """What the last load of a session gave, if it gave a log."""
    loads = [each for each in trace.of("load") if each.step.session == key]
    return loads[-1].value if loads and is_array(loads[-1].value) else None


# ---------------------------------------------------------------- creation


def _creates(number: int) -> Sequence[Step]:
    return (call("create", f"s{number}"),)


def _creates_and_writes(name: str) -> Turn:
    return lambda n: (call("create", f"s{n}"), append(f"s{n}", said(f"{name}{n}")))


@law(
    family="concurrency",
    source=["PI-N1", "PI-L1"],
    incidents=["F15"],
    battery=_contest(
        _nothing,
        _nothing,
        A=_creates_and_writes("a"),
        B=_creates_and_writes("b"),
        C=_creates_and_writes("c"),
    ),
    operations=["append", "create"],
    acts=_ACTS,
    creates=True,
    applies=admits_crowds,
)
def one_of_several_creators_wins(trace: Trace) -> Seen:
    """Of several clients that create one session at once, one succeeds and the others are told.

    A store breaks it by looking first and creating then: two clients are both told that the
    session is theirs.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        created = [each for each in event.nested if each.step.do == "create"]
        for several in _by_session(created).values():
            told = [each.error for each in several]
            if told.count(None) != 1 or set(told) - {None, "SessionExists"}:
                broken(
                    event,
                    expected=Words("one of them creates it, the others get SessionExists"),
                    observed=answers(several),
                    because="a session is created once.",
                )
    return seen_in(crowds)


@law(
    family="concurrency",
    source=["kit-delete", "PI-N1"],
    incidents=["F58", "F21"],
    battery=_contest(
        _creates,
        lambda n: (load(f"s{n}"),),
        A=lambda n: (append(f"s{n}", said(f"a{n}")), append(f"s{n}", said(f"e{n}"))),
        B=lambda n: (append(f"s{n}", said(f"b{n}")), append(f"s{n}", said(f"f{n}"))),
        C=lambda n: (call("delete", f"s{n}"), load(f"s{n}")),
    ),
    operations=["append", "create", "delete"],
    acts=_ACTS,
    creates=True,
    applies=all_of(
        admits_crowds,
        requires_option("create", "explicit"),
        requires_option("unknown_session", "raise"),
    ),
)
def a_session_deleted_beside_writers_stays_deleted(trace: Trace) -> Seen:
    """A session that was deleted while others wrote to it isn't there afterwards.

    A store breaks it when a write that was under way puts the session back: what was deleted
    shows up again.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        deleted = {
            each.step.session for each in event.nested if each.ok and each.step.do == "delete"
        }
        for load_event in trace.of("load"):
            if load_event.step.session in deleted and not load_event.raised:
                broken(
                    load_event,
                    expected=Words("SessionNotFound"),
                    observed=load_event.value,
                    because="a write that was under way doesn't bring a deleted session back.",
                )
    return seen_in(crowds)


# --------------------------------------------------------------- known ids


def _payload(name: str) -> Turn:
    return lambda n: (append("s", said(f"x{n}", f"{name} was here")),)


@law(
    family="concurrency",
    source=["kit-reappend", "PI-N1"],
    incidents=["F15"],
    battery=_contest(_nothing, _once(load("s")), A=_payload("A"), B=_payload("B"), C=_payload("C")),
    acts=_ACTS,
    applies=all_of(admits_crowds, requires_option("reappend", "idempotent-or-conflict")),
)
def one_of_several_payloads_under_an_id_wins(trace: Trace) -> Seen:
    """Of several clients that append other payloads under one id at once, one succeeds.

    The others get EntryConflict, and what is stored is the winner's. A store breaks it by
    looking for the id first and writing then.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        for name, several in _by_id(event.nested).items():
            _judge_winner(trace, event, name, several)
    return seen_in(crowds)


def _judge_winner(trace: Trace, event: Event, name: str, several: Sequence[Event]) -> None:
    winners = [each for each in several if each.ok]
    losers = [each for each in several if not each.ok]
    if len(winners) != 1 or any(each.error != "EntryConflict" for each in losers):
        broken(
            event,
            expected=Words("one of them is stored, the others get EntryConflict"),
            observed=answers(several),
            because="one payload can stand under an id.",
        )
    stored = [each for each in _stored(trace, "s") or () if each.get("id") == name]
    if not trace.same(list(winners[0].passed), stored):
        broken(
            event,
            expected=list(winners[0].passed),
            observed=stored,
            because="the payload that was acknowledged is the one that is stored.",
        )


@law(
    family="concurrency",
    source=["kit-retries", "kit-reappend"],
    incidents=["F13", "F15"],
    battery=_contest(
        _nothing,
        _once(load("s")),
        A=lambda n: (append("s", said(f"x{n}")),),
        B=lambda n: (append("s", said(f"x{n}")),),
        C=lambda n: (append("s", said(f"c{n}")),),
    ),
    acts=_ACTS,
    applies=all_of(admits_crowds, requires_option("reappend", "idempotent-or-conflict")),
)
def an_entry_that_two_clients_append_is_stored_once(trace: Trace) -> Seen:
    """Two clients that append one and the same entry at once both succeed, and it is there once.

    A store breaks it by looking for the id first and writing then, without a unique key: a
    retry that meets the first try is stored beside it.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        stored = _stored(trace, "s") or []
        for name, several in _by_id(event.nested).items():
            found = [each for each in stored if each.get("id") == name]
            if len(found) != 1 or not all(each.ok for each in several):
                broken(
                    event,
                    expected=Words(f"all are told ok, and {name} is stored once"),
                    observed=Words(f"{answers(several)}; {name} is stored {len(found)} times"),
                    because="an equal entry under a known id is a retry, whoever makes it.",
                )
    return seen_in(crowds)


def _claims(name: str) -> Turn:
    return lambda n: (append("s", said(f"{name.lower()}{n}"), said(f"x{n}", f"{name} was here")),)


@law(
    family="concurrency",
    source=["kit-batches", "kit-refusals"],
    incidents=["F19"],
    battery=_contest(_nothing, _once(load("s")), A=_claims("A"), B=_claims("B"), C=_claims("C")),
    acts=_ACTS,
    applies=all_of(
        admits_crowds,
        requires_field("batch", "atomic"),
        requires_option("reappend", "idempotent-or-conflict"),
    ),
)
def a_batch_refused_beside_writers_leaves_nothing(trace: Trace) -> Seen:
    """A batch that is refused, because another client was first, leaves none of its entries.

    A store breaks it by looking for conflicts before it writes, and meeting one as it writes
    entry by entry.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        stored = {str(each.get("id")) for each in _stored(trace, "s") or ()}
        for each in event.nested:
            left = [one for one in each.passed[:-1] if str(one["id"]) in stored]
            if each.error in IDENTITIES and left:
                broken(
                    event,
                    expected=Words(f"nothing of what {each.step.on} was refused"),
                    observed=left,
                    because="a batch that was refused leaves nothing.",
                )
    return seen_in(crowds)


# ------------------------------------------------------------------- waiting


@law(
    family="concurrency",
    source=["PI-N1", "AP-A5"],
    incidents=["F25", "F26"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    applies=admits_crowds,
)
def writers_wait_for_each_other(trace: Trace) -> Seen:
    """Ordinary contention is no error: each append of several writers succeeds, and each read.

    A store breaks it by a lock that doesn't wait, or by a check that takes any other writer
    for a conflict and gives no way to try again.
    """
    crowds = list(met(trace))
    for event, _ in crowds:
        for each in event.nested:
            if each.raised:
                broken(
                    event,
                    expected=Words("it waits until the others are done"),
                    observed=Words(f"{each.step.on}'s {each.step.do} raised {each.text}"),
                    because="a busy store makes its clients wait, not fail.",
                )
    return seen_in(crowds)


# --------------------------------------------------------------------- forks


@law(
    family="concurrency",
    source=["kit-fork", "PI-N1"],
    incidents=["F19"],
    battery=_contest(
        _once(append("s", said("z1"), said("z2"))),
        lambda n: (load(f"f{n}"), *((load("s"),) if n == ROUNDS else ())),
        A=lambda n: (append("s", said(f"a{n}"), said(f"e{n}")),),
        B=lambda n: (append("s", said(f"b{n}"), said(f"g{n}")),),
        C=lambda n: (call("fork", "s", new=f"f{n}"),),
    ),
    operations=["append", "load", "fork"],
    acts=_ACTS,
    applies=admits_crowds,
)
def a_fork_beside_writers_is_a_beginning_of_its_parent(trace: Trace) -> Seen:
    """A fork that is made while others write holds a beginning of the parent's log.

    A store breaks it by copying row by row, or by counting first and copying then: the fork
    has a gap, or an entry that the parent doesn't have there.
    """
    crowds = list(met(trace))
    whole = _stored(trace, "s") or []
    for event, _ in crowds:
        for each in event.nested:
            forked = _stored(trace, each["new"]) if each.step.do == "fork" and each.ok else None
            if forked is not None and not trace.same(whole[: len(forked)], forked):
                broken(
                    event,
                    expected=whole[: len(forked)],
                    observed=forked,
                    because="a fork holds a beginning of its parent's log.",
                )
    return seen_in(crowds)
