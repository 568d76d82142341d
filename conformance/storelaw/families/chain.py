"""The chain of stored entries: each hangs off an earlier one of the same log."""

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import Act, acts, lasting, log_of
from storelaw.model.chains import breaks, early, loose, name_of, parent_of
from storelaw.narrative import Words
from storelaw.program import Program, act, add, failing, program, run, session
from storelaw.samples import assistant, ephemeral, is_ephemeral, meta, note, user
from storelaw.sides import Leaf, Parent
from storelaw.strategies.turns import TALK, TREE, TROUBLE, programs
from storelaw.trace import Trace


def _histories(_: Manifest) -> SearchStrategy[Program]:
    """Sessions that are talked to, branched, forked, compacted, and get into trouble."""
    return programs((*TALK, *TALK, *TREE, *TROUBLE))


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-T6", "PI-E3"],
    incidents=["F29", "F30"],
    battery=[
        program(session("s"), add(user("u")), add(ephemeral("r")), add(user("v"))),
        program(session("s"), add(user("u"), ephemeral("r"), user("v"))),
        program(session("s"), add(ephemeral("r")), add(user("u"))),
        program(
            session("s"),
            run(user("u"), answer=(assistant("a"),)),
            run(ephemeral("r"), user("v"), ephemeral("q"), answer=(assistant("b"),)),
            run(ephemeral("p"), answer=(assistant("c"),)),
        ),
        program(
            session("s"),
            run(
                user("u"),
                answer=(assistant("a"), user("h", injected="ephemeral"), assistant("b")),
            ),
        ),
        program(
            session("s"), add(user("u")), failing("before-commit"), add(user("x")), add(user("v"))
        ),
        program(
            session("s"),
            add(user("u"), ephemeral("r")),
            act("branch", target="r"),
            add(user("v")),
        ),
        program(session("s"), add(user("u")), act("branch", id="nowhere"), add(user("v"))),
        program(
            session("s"),
            run(user("u"), answer=(assistant("a"),)),
            run(user("v"), answer=(assistant("b"),)),
            act("compact", keep=1, summary="S", label="k"),
            act("branch", target="a"),
            add(note("n")),
            act("fork_session", new="child", as_="C"),
            add(user("w"), on="C"),
        ),
    ],
    programs=_histories,
    weight=5,
)
def every_stored_parent_is_stored(trace: Trace) -> None:
    """Each parent that a stored entry names is an entry of the same stored log.

    The tree comes from parent ids alone, and a walk stops in silence at one it can't find. A
    session breaks it by chaining through an ephemeral entry or through one whose write failed:
    everything above is gone at the next resume, and no error says so.
    """
    told = {name_of(each) for each in trace.labels.values() if not is_ephemeral(each)}
    for event in trace.events:
        stored = {name_of(each) for key in event.logs for each in log_of(event, key)}
        for key in event.logs:
            for each in loose(log_of(event, key)):
                if parent_of(each) not in told - stored:
                    broken(
                        event,
                        expected=Words("a parent that the stored log holds"),
                        observed=each,
                        because="a stored entry names a parent that its log does not hold.",
                    )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-T6", "PI-A1"],
    incidents=["F29"],
    battery=[
        program(session("s"), add(user("u"), user("v"), note("n"), meta("m"), user("w"))),
        program(session("s"), run(user("u"), note("n"), answer=(assistant("a"), assistant("b")))),
    ],
    programs=_histories,
    weight=1,
)
def a_stored_entry_comes_after_its_parent(trace: Trace) -> None:
    """In a stored log, no entry stands before its parent, and none is its own.

    A session breaks it by writing a batch back to front; whoever reads the log up to some
    point then meets entries that hang in the air.
    """
    for event in trace.events:
        for key in event.logs:
            if any(early(log_of(event, key))):
                broken(
                    event,
                    expected=Words("the parent before its child"),
                    observed=log_of(event, key),
                    because="a stored entry comes after its parent.",
                )


@law(
    family="chain",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-A5"],
    incidents=["F29"],
    battery=[
        program(session("s"), add(user("u"), user("w"), user("v"))),
        program(session("s"), add(user("t")), add(user("u"), ephemeral("r"), user("w"), user("v"))),
    ],
)
def each_entry_of_a_batch_hangs_off_the_one_before(trace: Trace) -> None:
    """In one append, the parent of each durable entry is the durable entry before it.

    A session breaks it by hanging the whole batch off the leaf it began with: siblings, of
    which only the last is on the path.
    """
    for each in acts(trace, "add"):
        for entry, parent in list(breaks(lasting(each.taken), _start(each)))[:1]:
            broken(
                each.event,
                expected=Parent(parent, entry),
                observed=Parent(parent_of(entry), entry),
                because="in a batch, each durable entry hangs off the durable one before it.",
            )


def _start(each: Act) -> str:
    """Where the first entry of a batch says that it hangs: of no concern within the batch."""
    stored = lasting(each.taken)
    return parent_of(stored[0]) if stored else ""


@law(
    family="chain",
    door="session",
    acts={"add", "leaf"},
    applies=carries_sessions,
    source=["PI-A5", "PI-A6"],
    incidents=["F29"],
    battery=[
        program(session("s"), add(user("u")), add(user("v")), add(user("w")), act("leaf")),
        program(session("s"), add(user("u"), user("v")), add(user("w")), act("leaf")),
    ],
)
def an_append_hangs_off_the_leaf(trace: Trace) -> None:
    """The first durable entry of an append has the leaf as its parent; at the start it has none.

    A session breaks it by hanging every turn off the root.
    """
    for each in acts(trace, "add"):
        stored = lasting(each.taken)
        if each.event.ok and stored and each.leaf is not None and parent_of(stored[0]) != each.leaf:
            broken(
                each.event,
                expected=Parent(each.leaf, stored[0]),
                observed=Parent(parent_of(stored[0]), stored[0]),
                because="an append goes on from the leaf.",
            )


@law(
    family="chain",
    door="session",
    acts={"add", "leaf"},
    applies=carries_sessions,
    source=["PI-A5"],
    battery=[program(session("s"), add(user("u"), user("v"), user("w")), act("leaf"))],
)
def the_leaf_is_the_last_durable_entry(trace: Trace) -> None:
    """After an append of durable entries, the leaf is the last of them.

    A session breaks it by moving the leaf once for each call: a batch of three then counts
    for one.
    """
    for each in acts(trace, "add"):
        stored = lasting(each.taken)
        if (
            stored
            and stored == each.taken
            and each.event.leaf is not None
            and each.event.leaf != name_of(stored[-1])
        ):
            broken(
                each.event,
                expected=Leaf(name_of(stored[-1])),
                observed=Leaf(each.event.leaf),
                because="the leaf is the last durable entry that was appended.",
            )
