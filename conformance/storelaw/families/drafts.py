"""Drafts: their headers are the session's to give, and one that isn't stored leaves nothing."""

from collections.abc import Iterator
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import Act, acts, holds, log_of
from storelaw.model.chains import name_of, names
from storelaw.narrative import Words
from storelaw.program import Draft, Program, act, add, failing, program, run, session
from storelaw.samples import assistant, meta, note, user
from storelaw.sides import Leaf
from storelaw.strategies.turns import TALK, TREE, TROUBLE, programs
from storelaw.trace import HEADER, Event, Trace
from storelaw.values import Entry, same

_NAMED: Final = {"id": "mine", "parent_id": "theirs", "created_at": "2001-02-03T04:05:06Z"}


def _titled(draft: Draft) -> Draft:
    """The draft, with a header that is its caller's."""
    return Draft(draft.label, {**draft.entry, **_NAMED})


def _histories(_: Manifest) -> SearchStrategy[Program]:
    """Sessions that are talked to, branched, forked, compacted, and get into trouble."""
    return programs((*TALK, *TREE, *TROUBLE))


def _stored_of(trace: Trace) -> Iterator[tuple[Act, Draft, Entry]]:
    """Each draft of an append with what the log holds under the id that it got."""
    for each in acts(trace, "add"):
        held = {name_of(entry): entry for entry in each.after}
        for draft in each.event.step.drafts():
            entry = held.get(trace.id_of(draft.label) or "")
            if entry is not None:
                yield each, draft, entry


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-A4"],
    battery=[program(session("s"), add(user("u")), add(_titled(user("v"))), add(user("w")))],
)
def a_session_overwrites_the_header_of_a_draft(trace: Trace) -> None:
    """Id, parent and creation time are the session's to give, whatever the caller wrote.

    A session breaks it by trusting a header that was copied from elsewhere: the id is taken,
    or the parent is in another log.
    """
    for each, draft, entry in _stored_of(trace):
        for member in HEADER:
            if member in draft.entry and entry.get(member) == draft.entry[member]:
                broken(
                    each.event,
                    expected=Words(f"{member} as the session gives it"),
                    observed=entry,
                    because="the session gives an entry its header, and the caller's is dropped.",
                )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-A4"],
    incidents=["F06"],
    battery=[
        program(session("s"), add(user("t")), add(user("u"), note("n"), user("v"), user("w")))
    ],
)
def the_entries_of_one_append_share_a_creation_time(trace: Trace) -> None:
    """All entries that one append brings have the same creation time.

    A session breaks it by asking the clock for each.
    """
    for each in acts(trace, "add"):
        times = [entry.get("created_at") for entry in each.fresh]
        if any(not same(time, times[0]) for time in times):
            broken(
                each.event,
                expected=[times[0]] * len(times),
                observed=times,
                because="the entries of one append share one creation time.",
            )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-I1", "D-PI-3"],
    incidents=["F15", "F31"],
    battery=[
        program(session("s"), *(add(user(each)) for each in "uvwx")),
        program(session("s"), add(user("u"), note("n"), meta("m"), user("v"))),
        program(
            session("s"), add(user("u")), failing("before-commit"), add(user("x")), add(user("v"))
        ),
        program(
            session("s"),
            run(user("u"), answer=(assistant("a"), assistant("b"))),
            act("compact", keep=0, summary="S", label="k"),
        ),
    ],
    programs=_histories,
    weight=1,
)
def the_ids_of_a_log_are_unique_and_not_empty(trace: Trace) -> None:
    """No two entries of a stored log have the same id, and none has an empty one.

    A session breaks it by drawing an id that is taken, or none for some kind of entry: the
    lookup by id then has one of them shadow the other.
    """
    for event in trace.events:
        for key in event.logs:
            told = names(log_of(event, key))
            for place, each in enumerate(told):
                if not each or each in told[:place]:
                    broken(
                        event,
                        expected=Words("ids that are unique and not empty"),
                        observed=told,
                        because="an id stands for one entry of its log.",
                    )


def _refused(trace: Trace, event: Event) -> bool:
    """Whether an append raised right behind a failure of the store that was asked for."""
    before = [each for each in trace.events if each.index == event.index - 1]
    return event.raised and bool(before) and before[0].step.do == "fail_next" and before[0].ok


@law(
    family="chain",
    door="session",
    acts={"add", "fail_next", "leaf"},
    applies=carries_sessions,
    source=["PI-A6"],
    incidents=["F29"],
    battery=[
        program(
            session("s"),
            add(user("u")),
            failing("before-commit"),
            add(user("x"), user("y")),
            act("leaf"),
        )
    ],
)
def a_failed_append_does_not_move_the_leaf(trace: Trace) -> None:
    """When the store fails to append, the leaf stays where it was.

    A session breaks it by moving the leaf before the write: all that follows hangs off an
    entry that the store has never seen.
    """
    for each in acts(trace, "add"):
        moved = None not in (each.leaf, each.event.leaf) and each.leaf != each.event.leaf
        if moved and _refused(trace, each.event):
            broken(
                each.event,
                expected=Leaf(each.leaf or ""),
                observed=Leaf(each.event.leaf or ""),
                because="an append that failed leaves the leaf where it was.",
            )


@law(
    family="chain",
    door="session",
    acts={"add", "fail_next", "entries"},
    applies=carries_sessions,
    source=["PI-A6"],
    incidents=["F29"],
    battery=[
        program(
            session("s"),
            add(user("u")),
            failing("before-commit"),
            add(user("x"), user("y")),
            act("entries"),
            add(user("v")),
        )
    ],
)
def a_failed_append_leaves_no_entry_behind(trace: Trace) -> None:
    """When the store fails to append, the session's own entries are those it had before.

    A session breaks it by taking entries in before they are stored.
    """
    lost: dict[Any, list[Entry]] = {}
    for each in acts(trace, "add", "entries"):
        event, label = each.event, each.event.step.on
        if event.step.do == "add" and _refused(trace, event):
            lost.setdefault(label, []).extend(draft.entry for draft in event.step.drafts())
        elif event.step.do == "entries":
            for entry in each.taken:
                if holds(lost.get(label, []), entry):
                    broken(
                        event,
                        expected=Words("no entry of the append that failed"),
                        observed=entry,
                        because="an append that failed leaves the session's entries as they were.",
                    )
