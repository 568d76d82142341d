"""Compaction: what a session appends, and where it cuts."""

from typing import TYPE_CHECKING, Any, Final

from storelaw.clauses import all_of, law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.families.tolerance import legacy, reads_no_legacy
from storelaw.manifest import Manifest
from storelaw.model.chains import name_of, parent_of, path
from storelaw.model.compacting import Compaction, compacted
from storelaw.model.projections import (
    answered,
    client_calls,
    messages_of,
    parts,
)
from storelaw.model.sights import ids
from storelaw.paths import chained
from storelaw.program import Program, act, add, append, program, run, session
from storelaw.samples import assistant, calls, injected, meta, note, result, user
from storelaw.trace import Trace
from storelaw.values import Entry

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ONE: Final = run(user("u1"), answer=(assistant("a1"),))
TWO: Final = run(user("u2"), answer=(assistant("a2"),))
THREE: Final = run(user("u3"), answer=(assistant("a3"),))


def shorten(keep: int, label: str = "C", **more: Any) -> Any:
    """A step that compacts and keeps so many turns."""
    return act("compact", keep=keep, summary=f"summary {label}", label=label, **more)


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Sessions that are compacted again and again, between turns, branches and restarts."""
    from storelaw.strategies.paths import compactings

    return compactings()


def kept(made: Entry) -> Entry:
    """What a compaction entry says of the first kept one."""
    return {"first_kept_id": made.get("first_kept_id")}


def rightly(each: Compaction) -> object:
    """What a compaction should have said of the first kept entry."""
    return "no compaction" if each.cut is None else {"first_kept_id": each.anchor}


def say_broken(each: Compaction, expected: Any, observed: Any, because: str) -> None:
    """End a judge at a compaction."""
    broken(each.act.event, expected=expected, observed=observed, because=because)


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C1"],
    battery=[program(session("s"), ONE, TWO, shorten(1)), program(session("s"), ONE, shorten(0))],
)
def a_compaction_appends_one_entry_at_the_leaf(trace: Trace) -> None:
    """A compaction adds one entry to the log: a compaction entry that hangs off the leaf.

    A session breaks it by hanging the summary off the root or off the first kept entry, as
    if it stood there: the entries after it are then off the active path.
    """
    for each in compacted(trace):
        if each.act.event.ok and each.cut is not None and each.quiet:
            made = [(one.get("type"), parent_of(one)) for one in each.act.fresh]
            if made != [("compaction", each.act.leaf)]:
                say_broken(
                    each,
                    [{"type": "compaction", "parent_id": each.act.leaf}],
                    each.act.fresh,
                    "a compaction is one more entry at the leaf.",
                )


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C1"],
    incidents=["F36"],
    battery=[program(session("s"), ONE, TWO, shorten(1))],
)
def a_compaction_removes_nothing_from_the_log(trace: Trace) -> None:
    """Every entry that was stored before a compaction is stored unchanged after it.

    A store or session breaks it by overwriting the log with what the model still reads:
    no branch above the summary is possible any more, and the reader's history is gone.
    """
    for each in compacted(trace):
        if not trace.same(each.act.before, each.act.after[: len(each.act.before)]):
            say_broken(
                each,
                each.act.before,
                each.act.after,
                "the log is append-only, and a summary changes nothing in it.",
            )


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C2"],
    incidents=["F35"],
    battery=[
        program(session("s"), ONE, TWO, THREE, shorten(1)),
        program(session("s"), ONE, TWO, THREE, shorten(2)),
        program(session("s"), ONE, add(note("n")), TWO, shorten(1)),
    ],
    programs=generated,
    weight=2,
)
def a_compaction_keeps_the_last_turns(trace: Trace) -> None:
    """The first kept entry is the ordinary user message that begins the n-th last turn.

    A session breaks it by counting messages instead of turns, or by turns of branches that
    were left.
    """
    for each in compacted(trace):
        if each.keep and each.cut is not None:
            for one in each.made:
                if each.quiet and one.get("first_kept_id") != each.anchor:
                    say_broken(
                        each,
                        {"first_kept_id": each.anchor},
                        kept(one),
                        "a turn begins with an ordinary message of the user.",
                    )


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C2"],
    battery=[program(session("s"), ONE, TWO, shorten(0))],
)
def a_compaction_that_keeps_no_turn_names_no_entry(trace: Trace) -> None:
    """Keeping no turn leaves the first kept id empty, and the summary covers everything.

    A session breaks it by taking 0 for "not given", and keeping a turn after all.
    """
    for each in compacted(trace):
        unsaid = "" if "empties" in trace.manifest.losses else None
        for one in each.made if each.keep == 0 and each.quiet else []:
            if one.get("first_kept_id", unsaid) != "":
                say_broken(each, {"first_kept_id": ""}, kept(one), "0 turns are no turn.")


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C3"],
    battery=[
        program(session("s"), ONE, TWO, add(meta("m"), user("q"), assistant("a")), shorten(2)),
        program(session("s"), add(user("q1"), meta("m"), user("q2")), shorten(1)),
        program(session("s"), add(user("q1"), meta("m"), user("q2")), add(note("n")), shorten(2)),
    ],
)
def meta_messages_begin_no_turn(trace: Trace) -> None:
    """Injected user messages don't count as turns when a compaction looks for its cut.

    A session breaks it by the role alone: the reminder stays, the question is summarized.
    """
    for each in compacted(trace):
        metas = [name_of(one) for one in each.before if injected(one) is not None]
        for one in each.made if each.quiet else []:
            if one.get("first_kept_id") in metas:
                say_broken(each, rightly(each), kept(one), "a meta message begins no turn.")


_OLD: Final = chained(user("u1"), assistant("a1"), user("u2"), assistant("a2"))


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=all_of(carries_sessions, reads_no_legacy),
    source=["PI-G1", "PI-C2"],
    battery=[program(append("s", *_OLD[:2], legacy(_OLD[2]), _OLD[3]), session("s"), shorten(1))],
)
def a_legacy_meta_entry_begins_a_turn(trace: Trace) -> None:
    """A user entry with a top-level ``meta: true`` counts as a turn, like any other.

    A session breaks it by still reading the flag that moved to the message.
    """
    for each in compacted(trace):
        old = {name_of(one) for one in each.before if one.get("meta") is True}
        if each.act.event.ok and each.anchor in old and each.quiet and not each.made:
            because = "a top-level meta flag means nothing any more: there was a turn to keep."
            say_broken(each, {"first_kept_id": each.anchor}, [], because)


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C4"],
    battery=[
        program(session("s"), ONE, shorten(5)),
        program(session("s"), ONE, TWO, shorten(2)),
        program(session("s"), add(note("n")), shorten(0)),
        program(session("s"), shorten(0)),
    ],
)
def a_compaction_of_too_few_turns_stores_nothing(trace: Trace) -> None:
    """With no more turns than are to be kept, a compaction does nothing and gives nothing.

    A session breaks it by an empty summary entry, which costs a request and grows with each
    round of a background job.
    """
    for each in compacted(trace):
        event = each.act.event
        if each.cut is None and each.quiet and (each.act.fresh or event.raised or event.value):
            say_broken(each, [], each.act.fresh, "there was nothing to summarize.")


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C2", "PI-C5"],
    incidents=["F35"],
    battery=[
        program(
            session("s"),
            ONE,
            run(
                user("u2"), answer=(calls("k", "c1", "c2"), result("r1", "c1"), result("r2", "c2"))
            ),
            shorten(1),
        )
    ],
)
def a_compaction_never_cuts_inside_a_turn(trace: Trace) -> None:
    """Calls and their results stay together: both are summarized, or both are kept.

    A session breaks it by cutting at a number of messages or tokens: a result without its
    call is refused by every provider.
    """
    for each in compacted(trace):
        for one in each.made if answered(messages_of(each.before)) else []:
            staying = parts([*each.before, one]).kept
            called = {call for message in staying for call in client_calls(message)}
            lone = [e for e in staying if e.get("tool_call_id", None) not in called | {None}]
            if lone:
                say_broken(each, rightly(each), kept(one), "its call was summarized.")


@law(
    family="views",
    door="session",
    acts={"run", "compact"},
    applies=carries_sessions,
    source=["PI-C1", "PI-A9"],
    incidents=["F36", "F19"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1, fails=True)),
        program(session("s"), ONE, shorten(0)),
    ],
)
def a_failed_summary_stores_nothing(trace: Trace) -> None:
    """When the summarizer fails, the log and the leaf are what they were.

    A session breaks it by storing the boundary first: history is cut, and nothing stands in
    its place.
    """
    for each in compacted(trace):
        moved = each.act.event.leaf not in (None, each.act.leaf)
        if each.act.event["fails"] and each.act.event.prompts and (each.made or moved):
            say_broken(each, [], each.made, "there is no summary, so there is no compaction.")


@law(
    family="views",
    door="session",
    acts={"run", "compact"},
    applies=carries_sessions,
    source=["PI-C2", "PI-C5", "D-PI-5"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1)),
        program(
            session("s"),
            ONE,
            TWO,
            shorten(1, during=(act("branch", target="a1"),)),
        ),
        program(
            session("s"),
            ONE,
            TWO,
            shorten(1, during=(act("branch", target="a1"), add(user("u3")))),
        ),
    ],
)
def a_compaction_stays_on_the_path_that_it_summarizes(trace: Trace) -> None:
    """The first kept entry lies on the compaction entry's own path, or nothing was stored.

    A session breaks it by appending, after a branch during the summary, at whatever the
    leaf is then: the summary of one branch hides the other, whose own turns are gone.
    """
    for each in compacted(trace):
        for one in each.made:
            own = ids(path(each.act.after, parent_of(one)))
            if each.cut is not None and each.anchor and one.get("first_kept_id") not in own:
                say_broken(each, own, one, "its anchor is on another branch.")
