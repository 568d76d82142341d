"""Branching: the leaf goes back to a stored entry, and what was there stays."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.conditions import carries_sessions, sessions_unless
from storelaw.failures import broken
from storelaw.model.acts import Act, acts, lasting
from storelaw.model.chains import name_of, names, parent_of
from storelaw.narrative import Words
from storelaw.program import Step, act, add, program, run, session
from storelaw.samples import assistant, ephemeral, is_ephemeral, note, user
from storelaw.sides import Leaf, Parent
from storelaw.trace import Trace

_EPHEMERAL: Final = program(
    session("s"), add(user("u"), ephemeral("r")), act("branch", target="r"), act("leaf")
)
_UNKNOWN: Final = program(session("s"), add(user("u")), act("branch", id="nowhere"), act("leaf"))
_EMPTY: Final = program(session("s"), add(user("u")), act("branch", id=""), act("leaf"))
_TURNS: Final = (
    session("s"),
    run(user("u"), answer=(assistant("a"),)),
    run(user("v"), answer=(assistant("b"),)),
)
_BACK: Final = program(*_TURNS, act("branch", target="a"), act("leaf"), add(user("w")))


def _target(trace: Trace, step: Step) -> str:
    """The id that a branch was asked for."""
    label = step["target"]
    return (trace.id_of(label) or "") if label in trace.labels else str(step["id"] or "")


def _accepted(each: Act, what: str) -> None:
    if each.event.ok:
        broken(
            each.event,
            expected=Words("a refusal"),
            observed=Words("a branch"),
            because=f"a branch to {what} is refused.",
        )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-E6"],
    incidents=["F29"],
    battery=[_EPHEMERAL, program(session("s"), add(ephemeral("r")), act("branch", target="r"))],
)
def a_branch_to_an_ephemeral_entry_is_refused(trace: Trace) -> None:
    """No branch goes to an ephemeral entry.

    A session breaks it by looking the target up among all entries that it shows: what follows
    is rooted on a parent that the store lacks.
    """
    for each in acts(trace, "branch"):
        label = each.event["target"]
        if label in trace.labels and is_ephemeral(trace.labels[label]):
            _accepted(each, "an ephemeral entry")


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-B2"],
    incidents=["F29"],
    battery=[_UNKNOWN],
)
def a_branch_to_an_unknown_entry_is_refused(trace: Trace) -> None:
    """No branch goes to an id that no entry of this session has.

    A session breaks it by taking the caller's word for it: the next path is empty.
    """
    for each in acts(trace, "branch"):
        target = _target(trace, each.event.step)
        if target and each.event["id"] == target and target not in names(each.before):
            _accepted(each, "an unknown entry")


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=sessions_unless("branch_at", "entry-or-empty"),
    source=["PI-B4"],
    incidents=["F29"],
    battery=[_EMPTY],
)
def a_branch_to_nothing_is_refused(trace: Trace) -> None:
    """The empty id is no target, unless the option ``branch_at`` declares it to be one.

    A session breaks it by clearing the leaf, so that the next entry is a second root.
    """
    for each in acts(trace, "branch"):
        if each.event["id"] == "":
            _accepted(each, "the empty id")


@law(
    family="chain",
    door="session",
    acts={"add", "leaf"},
    applies=carries_sessions,
    source=["PI-B2", "PI-E6"],
    incidents=["F29"],
    battery=[_EPHEMERAL, _UNKNOWN, _EMPTY],
)
def a_refused_branch_leaves_the_leaf(trace: Trace) -> None:
    """After a branch that was refused, the leaf is where it was.

    A session breaks it by moving first and checking then.
    """
    for each in acts(trace, "branch"):
        moved = None not in (each.leaf, each.event.leaf) and each.leaf != each.event.leaf
        if each.event.raised and moved:
            broken(
                each.event,
                expected=Leaf(each.leaf or ""),
                observed=Leaf(each.event.leaf or ""),
                because="a branch that was refused leaves the leaf where it was.",
            )


@law(
    family="chain",
    door="session",
    acts={"branch", "leaf"},
    applies=carries_sessions,
    source=["PI-B1"],
    battery=[_BACK],
)
def a_branch_moves_the_leaf_to_its_target(trace: Trace) -> None:
    """After a branch to a stored entry, that entry is the leaf.

    A session breaks it by moving to the entry's parent, as an editor of messages would.
    """
    for each in acts(trace, "branch"):
        target = _target(trace, each.event.step)
        if each.event.ok and each.event.leaf is not None and each.event.leaf != target:
            broken(
                each.event,
                expected=Leaf(target),
                observed=Leaf(each.event.leaf),
                because="a branch moves the leaf to the entry that it names.",
            )


@law(
    family="chain",
    door="session",
    acts={"branch"},
    applies=carries_sessions,
    source=["PI-B1", "PI-B3"],
    incidents=["F32"],
    battery=[_BACK],
)
def a_branch_writes_nothing(trace: Trace) -> None:
    """A branch leaves the stored log as it was.

    A session breaks it by noting the new leaf in the log.
    """
    for each in acts(trace, "branch"):
        if names(each.before) != names(each.after):
            broken(
                each.event,
                expected=each.before,
                observed=each.after,
                because="a branch writes nothing.",
            )


@law(
    family="chain",
    door="session",
    acts={"branch", "add"},
    applies=carries_sessions,
    source=["PI-B1"],
    incidents=["F32"],
    battery=[_BACK],
)
def an_append_after_a_branch_grows_a_sibling(trace: Trace) -> None:
    """The first durable entry after a branch has the branch's target as its parent.

    A session breaks it by going on from the end of the log: the branch has changed what the
    model reads, and not where its answer goes.
    """
    targets: dict[Any, str] = {}
    for each in acts(trace):
        label = each.event.step.on
        if each.event.step.do == "branch" and each.event.ok:
            targets[label] = _target(trace, each.event.step)
        elif each.event.step.do == "add" and label in targets and lasting(each.taken):
            first, target = lasting(each.taken)[0], targets.pop(label)
            if parent_of(first) != target:
                broken(
                    each.event,
                    expected=Parent(target, first),
                    observed=Parent(parent_of(first), first),
                    because="an append after a branch hangs off the branch's target.",
                )
        elif each.event.step.do not in _READS:
            targets.pop(label, None)


_READS: Final = frozenset({"messages", "transcript", "entries", "leaf", "add"})


@law(
    family="chain",
    door="session",
    requirement="MAY",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-B5"],
    battery=[
        program(
            session("s"),
            add(user("u")),
            add(note("n")),
            add(user("v")),
            act("branch", target="n"),
        )
    ],
)
def a_custom_entry_is_a_branch_target(trace: Trace) -> None:
    """A branch may go to a custom entry.

    A session breaks it by keeping only messages in its lookup.
    """
    _judge_target(trace, "custom")


@law(
    family="chain",
    door="session",
    requirement="MAY",
    acts={"run", "compact"},
    applies=carries_sessions,
    source=["PI-B5"],
    battery=[
        program(
            *_TURNS,
            act("compact", keep=1, summary="S", label="k"),
            add(user("w")),
            act("branch", target="k"),
        )
    ],
)
def a_compaction_entry_is_a_branch_target(trace: Trace) -> None:
    """A branch may go to a compaction entry.

    A session breaks it by taking the boundary for a wall.
    """
    _judge_target(trace, "compaction")


def _judge_target(trace: Trace, kind: str) -> None:
    for each in acts(trace, "branch"):
        target = _target(trace, each.event.step)
        held = [entry for entry in each.before if name_of(entry) == target]
        if each.event.raised and held and held[0].get("type") == kind:
            broken(
                each.event,
                expected=Words("a branch"),
                observed=Words("a refusal"),
                because=f"a {kind} entry is stored, so a branch may go to it.",
            )


@law(
    family="chain",
    door="session",
    acts={"compact", "branch", "messages"},
    applies=carries_sessions,
    source=["PI-B5"],
    incidents=["F36", "F37"],
    battery=[
        program(
            *_TURNS,
            act("messages"),
            act("compact", keep=1, summary="S", label="k"),
            act("branch", target="b"),
            act("messages"),
        )
    ],
)
def a_branch_above_a_compaction_brings_the_old_view_back(trace: Trace) -> None:
    """With the leaf back where it was before a compaction, the model reads what it read then.

    A session breaks it by applying the last compaction of the log, and not of the path.
    """
    views: dict[tuple[Any, str], Any] = {}
    compacted = False
    for each in acts(trace):
        leaf, event = each.event.leaf, each.event
        compacted = compacted or event.step.do == "compact"
        if event.step.do != "messages" or not event.ok or not leaf:
            continue
        known = views.setdefault((each.key, leaf), event.value)
        if compacted and not trace.same(known, event.value):
            broken(
                event,
                expected=known,
                observed=event.value,
                because="a compaction that is not on the path does not count.",
            )
