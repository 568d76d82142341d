"""Ephemeral entries: they hang off the chain, are seen, and touch nothing."""

from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import acts, fleeting, holds, lasting, log_of, message_of
from storelaw.model.chains import name_of, parent_of
from storelaw.narrative import Words
from storelaw.program import Draft, Key, Program, act, add, failing, program, run, session
from storelaw.samples import assistant, ephemeral, is_ephemeral, result, user
from storelaw.sides import Leaf, Parent
from storelaw.strategies.turns import TALK, TREE, TROUBLE, programs
from storelaw.trace import Trace
from storelaw.values import same


def _histories(_: Manifest) -> SearchStrategy[Program]:
    """Sessions that are talked to, branched, forked, compacted, and get into trouble."""
    return programs((*TALK, *TALK, *TREE, *TROUBLE))


def _own(trace: Trace, draft: Draft) -> str:
    """The id that a session gave to a draft, or an empty one."""
    return trace.id_of(draft.label) or ""


_ONE: Final = program(
    session("s"), add(user("u")), add(ephemeral("r")), add(user("v")), act("entries")
)
_MIXED: Final = program(
    session("s"), add(user("u")), add(user("f"), ephemeral("r"), ephemeral("q"), user("g"))
)
_FIRST: Final = program(session("s"), add(ephemeral("r")), add(user("u")))
_RUN: Final = program(
    session("s"),
    run(user("u"), answer=(assistant("a"),)),
    run(ephemeral("r"), user("v"), answer=(assistant("b"),)),
)


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-E1"],
    incidents=["F40"],
    battery=[_ONE, _MIXED, _FIRST, _RUN],
    programs=_histories,
    weight=2,
)
def an_ephemeral_entry_never_reaches_the_store(trace: Trace) -> None:
    """An entry that is marked ephemeral is not in the stored log, whichever verb brought it.

    A session breaks it by storing the entry with its mark and hiding it on the way back, so
    that a reminder of last week is replayed by the first reader that doesn't know the mark;
    or by taking the mark off.
    """
    inputs = [d for e in trace.events for d in e.step.drafts() if is_ephemeral(d.entry)]
    _judge_unstored(trace, inputs)


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=carries_sessions,
    source=["PI-E10", "PI-E1"],
    incidents=["F40"],
    battery=[
        program(
            session("s"),
            run(
                user("u"),
                answer=(
                    assistant("a"),
                    user("hook", injected="ephemeral", origin="hook"),
                    assistant("b"),
                ),
            ),
        ),
        program(
            session("s"),
            run(
                user("u"),
                answer=(result("r", "call", injected="ephemeral"), assistant("b")),
            ),
        ),
    ],
)
def an_answer_that_is_marked_ephemeral_never_reaches_the_store(trace: Trace) -> None:
    """A message that arrives during a run and is marked ephemeral is not stored.

    A session breaks it by looking for the mark in its input only: a harness or a hook puts
    the same reminder beside a tool result, and it stays for good.
    """
    given = [d for e in trace.events for d in e["answer"] or () if is_ephemeral(d.entry)]
    _judge_unstored(trace, given)


def _judge_unstored(trace: Trace, drafts: list[Draft]) -> None:
    own = {_own(trace, each) for each in drafts} - {""}
    texts = [each.entry["message"]["content"] for each in drafts]
    for event in trace.events:
        for key in event.logs:
            for each in log_of(event, key):
                content = message_of(each).get("content")
                if name_of(each) in own or any(same(content, text) for text in texts):
                    broken(
                        event,
                        expected=Words("no ephemeral entry in the stored log"),
                        observed=each,
                        because="an entry that is marked ephemeral never reaches the store.",
                    )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-E2", "D-PI-3"],
    battery=[_MIXED, _FIRST],
)
def an_ephemeral_entry_gets_an_id_of_its_own(trace: Trace) -> None:
    """Every entry of an append gets an id that no other entry has, the ephemeral ones too.

    A session breaks it by giving ids only to what it stores, so that nothing can name the
    reminder that the user sees.
    """
    met: dict[Key, set[str]] = {}
    for each in acts(trace, "add"):
        known = met.setdefault(each.key, set())
        for entry in each.taken:
            name = name_of(entry)
            if is_ephemeral(entry) and (not name or name in known):
                broken(
                    each.event,
                    expected=Words("an id of its own for the ephemeral entry"),
                    observed=entry,
                    because="an ephemeral entry gets an id like every other entry.",
                )
            known.add(name)


@law(
    family="chain",
    door="session",
    acts={"add", "entries"},
    applies=carries_sessions,
    source=["PI-R5", "PI-E2"],
    battery=[
        program(
            session("s"),
            add(user("u"), ephemeral("r"), user("v")),
            add(ephemeral("q")),
            act("entries"),
        )
    ],
)
def the_entries_of_a_session_include_the_ephemeral_ones(trace: Trace) -> None:
    """A session's own entries are all that this instance took in, in order, ephemeral ones too.

    A session breaks it by reading its entries back from the store.
    """
    taken: dict[str, list[Any]] = {}
    for each in acts(trace):
        label = str(each.event.step.on)
        if each.event.step.do == "add" and each.event.ok:
            taken.setdefault(label, []).extend(each.taken)
        elif each.event.step.do == "entries" and each.event.ok:
            for entry in fleeting(taken.get(label, [])):
                if not holds(each.taken, entry):
                    broken(
                        each.event,
                        expected=entry,
                        observed=each.taken,
                        because="an ephemeral entry stays in the session's own entries.",
                    )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-E2"],
    battery=[_ONE, _MIXED, _FIRST],
)
def an_ephemeral_entry_hangs_off_the_chain(trace: Trace) -> None:
    """The parent of an ephemeral entry is the durable entry at which the chain then ends.

    A session breaks it by chaining reminders to each other, or by leaving them rootless.
    """
    for each in acts(trace, "add"):
        position = each.leaf
        for entry in each.taken:
            if is_ephemeral(entry):
                if position is not None and parent_of(entry) != position:
                    broken(
                        each.event,
                        expected=Parent(position, entry),
                        observed=Parent(parent_of(entry), entry),
                        because="an ephemeral entry's parent is the durable entry before it.",
                    )
            else:
                position = name_of(entry)


@law(
    family="chain",
    door="session",
    acts={"add", "leaf"},
    applies=carries_sessions,
    source=["PI-E2", "PI-E9"],
    battery=[
        program(session("s"), add(user("u")), add(ephemeral("r")), act("leaf")),
        program(session("s"), add(ephemeral("r")), act("leaf")),
        program(session("s"), add(user("u"), ephemeral("r")), act("leaf")),
    ],
)
def an_ephemeral_entry_does_not_move_the_leaf(trace: Trace) -> None:
    """After an append the leaf is where the last durable entry left it.

    A session breaks it by moving the leaf with everything it takes in: the next stored entry
    then names a parent that no store has.
    """
    for each in acts(trace, "add"):
        if not each.event.ok or each.event.leaf is None or not fleeting(each.taken):
            continue
        stored = lasting(each.taken)
        expected = name_of(stored[-1]) if stored else each.leaf
        if expected is not None and each.event.leaf != expected:
            broken(
                each.event,
                expected=Leaf(expected),
                observed=Leaf(each.event.leaf or ""),
                because="an ephemeral entry does not move the leaf.",
            )


@law(
    family="chain",
    door="session",
    acts={"add", "fail_next"},
    applies=carries_sessions,
    source=["PI-E9"],
    battery=[
        program(
            session("s"),
            add(user("u")),
            failing("before-commit"),
            add(ephemeral("r"), ephemeral("q")),
            add(user("v")),
        ),
        program(session("s"), failing("before-commit"), add(ephemeral("r"))),
    ],
)
def an_append_of_only_ephemeral_entries_does_not_call_the_store(trace: Trace) -> None:
    """An append of nothing but ephemeral entries is carried out while the store would fail.

    A session breaks it by handing the store an empty batch, which some stores refuse and
    others keep as a blank record.
    """
    armed = False
    for event in trace.events:
        if event.step.do == "fail_next":
            armed = event.ok
        elif event.step.do in ("add", "run", "compact", "fork_session"):
            drafts = [each.entry for each in event.step.drafts()]
            idle = event.step.do == "add" and drafts and not lasting(drafts)
            if armed and idle and event.raised:
                broken(
                    event,
                    expected=Words("no call of the store"),
                    observed=Words("a call of the store, which failed"),
                    because="an append of only ephemeral entries has nothing for the store.",
                )
            armed = armed and bool(idle)
