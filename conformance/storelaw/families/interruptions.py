"""Atomicity of replace, and of every write that is interrupted from outside (``fail_next``)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.atomicity import BAD, listed, places, plain
from storelaw.manifest import Manifest
from storelaw.model.lives import judge_undisturbed
from storelaw.model.retries import roomy
from storelaw.narrative import Words
from storelaw.program import Program, Step, append, call, failing, load, program
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))
BEGUN = (append("s", A, B), load("s"))


def _fails(point: str, k: int = 0) -> Step:
    return failing(point, k, door="store")


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A write that was made to fail, what was read before it, and the next reading."""

    point: str
    write: Event
    before: list[Entry]
    reading: Event

    @property
    def batch(self) -> list[Entry]:
        """The payloads of the write."""
        return [plain(each) for each in self.write.passed]


def interruptions(trace: Trace, operation: str) -> Iterator[Interrupted]:
    """The writes of one operation that raised after ``fail_next``, with the readings around."""
    shown: dict[object, list[Entry]] = {}
    open_: dict[object, tuple[str, Event]] = {}
    point = ""
    for event in trace.events:
        session = event.step.session
        if event.step.do == "fail_next" and event.ok:
            point = str(event["point"])
        elif event.step.do == operation and event.raised and point:
            open_[session], point = (point, event), ""
        elif event.step.do == "load" and session in open_:
            yield Interrupted(*open_.pop(session), shown.get(session, []), event)
        elif event.step.do == "load" and event.ok:
            shown[session] = listed(event)
        elif event.raised:
            point = ""


def judge_old_or_new(
    trace: Trace, operation: str, new: Callable[[Interrupted], list[Entry]], because: str
) -> None:
    """After an interrupted write a session reads as before it, or as after it."""
    for each in interruptions(trace, operation):
        now = listed(each.reading)
        if not any(trace.same(now, one) for one in (each.before, new(each))):
            broken(each.reading, expected=each.before, observed=now, because=because)


def _replacements(_: Manifest) -> Iterator[Program]:
    yield program(*BEGUN, call("replace", "s", C), load("s"))
    for spoilt in BAD:
        for batch in ((C, spoilt), (spoilt, C), (C, spoilt, D)):
            yield program(*BEGUN, call("replace", "s", *batch), load("s"))


@law(
    family="atomicity",
    source=["kit-replace"],
    incidents=["F19"],
    operations=["append", "load", "replace"],
    applies=roomy,
    battery=_replacements,
)
def a_failed_replace_leaves_the_old_log(trace: Trace) -> None:
    """A replace that raised has changed nothing.

    A store breaks it by deleting the old entries before it has found the new ones good.
    """
    judge_undisturbed(
        trace,
        lambda event: event.step.do == "replace" and event.raised,
        "a replace that raised leaves the old log.",
    )


@law(
    family="atomicity",
    source=["kit-replace", "kit-interruptions"],
    incidents=["F19"],
    operations=["append", "load", "replace"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(*BEGUN, _fails(point), call("replace", "s", C), load("s"), call("replace", "s", D))
        for point in ("before-commit", "inside", "after-commit")
    ],
)
def an_interrupted_replace_is_old_or_new(trace: Trace) -> None:
    """A replace that fails half-way leaves the old log or the new one.

    A store breaks it by a delete and an insert that are committed apart.
    """
    judge_old_or_new(
        trace, "replace", lambda each: each.batch, "a replace is done wholly or not at all."
    )


@law(
    family="atomicity",
    source=["kit-clear", "kit-interruptions"],
    incidents=["F19"],
    operations=["append", "load", "clear"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(*BEGUN, _fails(point), call("clear", "s"), load("s"), call("clear", "s"))
        for point in ("before-commit", "inside", "after-commit")
    ],
)
def an_interrupted_clear_is_old_or_new(trace: Trace) -> None:
    """A clear that fails half-way leaves all entries or none.

    A store breaks it by deleting from two tables under one late commit that never comes.
    """
    judge_old_or_new(trace, "clear", lambda _: [], "a clear is done wholly or not at all.")


@law(
    family="atomicity",
    source=["kit-delete", "kit-interruptions"],
    incidents=["F19", "F57"],
    operations=["append", "load", "delete"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(*BEGUN, _fails(point), call("delete", "s"), load("s"), call("delete", "s"))
        for point in ("before-commit", "inside", "after-commit")
    ],
)
def an_interrupted_delete_is_old_or_new(trace: Trace) -> None:
    """A delete that fails half-way leaves the whole session or an unknown one.

    A store breaks it by deleting entry after entry.
    """
    judge_old_or_new(trace, "delete", lambda _: [], "a delete is done wholly or not at all.")


@law(
    family="atomicity",
    source=["PI-A6", "kit-interruptions"],
    incidents=["F13", "F19"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(*BEGUN, _fails("before-commit"), append("s", C, D), append("s", E), load("s"))
    ],
)
def a_failure_before_the_commit_leaves_nothing(trace: Trace) -> None:
    """An append that failed before its commit has stored nothing.

    A store breaks it by an open transaction that the next writer's commit takes along.
    """
    for each in interruptions(trace, "append"):
        left = places(each.batch, listed(each.reading), trace)
        if each.point == "before-commit" and left:
            broken(
                each.reading,
                expected=each.before,
                observed=listed(each.reading),
                because="an append that failed before its commit has stored nothing.",
            )


@law(
    family="atomicity",
    source=["PI-A7", "kit-interruptions"],
    incidents=["F13", "F19"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(*BEGUN, _fails(point, k), append("s", C, D), append("s", E), load("s"))
        for point, k in (("item", 1), ("item", 0), ("inside", 0))
    ],
)
def a_failure_inside_a_batch_leaves_what_is_promised(trace: Trace) -> None:
    """A batch that failed half-way has stored nothing where batches are atomic, else a prefix.

    A store breaks it by committing entry by entry while it claims whole batches.
    """
    for each in interruptions(trace, "append"):
        if each.point in ("inside", "item"):
            _judge_cut(trace, each)


def _judge_cut(trace: Trace, each: Interrupted) -> None:
    now = listed(each.reading)
    kept = [now[place] for place in places(each.batch, now, trace)]
    atomic = trace.manifest.batch == "atomic"
    allowed: list[Entry] = [] if atomic else each.batch[: len(kept)]
    if not trace.same(allowed, kept):
        broken(
            each.reading,
            expected=allowed,
            observed=kept,
            because="a batch that failed half-way has stored nothing."
            if atomic
            else "a batch that failed half-way has stored a prefix.",
        )


@law(
    family="atomicity",
    source=["kit-interruptions", "kit-retries"],
    incidents=["F13", "F20"],
    powers=["fail_next"],
    applies=roomy,
    battery=[program(*BEGUN, _fails("after-commit"), append("s", C, D), append("s", E), load("s"))],
)
def a_failure_after_the_commit_leaves_the_whole_batch(trace: Trace) -> None:
    """An append that failed after its commit is there, all of it.

    A store breaks it by a clean-up in its error path that takes committed entries back.
    """
    for each in interruptions(trace, "append"):
        found = places(each.batch, listed(each.reading), trace)
        if each.point == "after-commit" and len(found) < len(each.batch):
            broken(
                each.reading,
                expected=each.before + each.batch,
                observed=listed(each.reading),
                because="what was committed stays, whatever happens to the reply.",
            )


def _unfinished(trace: Trace, operation: str, name: str) -> Iterator[tuple[Event, Event]]:
    """Each interrupted making of a session, and each later event on that session."""
    made: dict[object, Event] = {}
    point = ""
    for event in trace.events:
        if event.step.do == "fail_next" and event.ok:
            point = str(event["point"])
        elif event.step.do == operation and event.raised and point in ("before-commit", "inside"):
            made[event[name] if name else event.step.session], point = event, ""
        elif event.step.session in made:
            yield made[event.step.session], event
            if event.step.do != "load":
                del made[event.step.session]


def _judge_unmade(trace: Trace, operation: str, name: str, because: str) -> None:
    for made, event in _unfinished(trace, operation, name):
        filled = event.step.do == "load" and bool(event.value)
        taken = event.step.do == "create" and event.error == "SessionExists"
        if filled or taken:
            broken(
                event,
                expected=Words(f"the session is unknown, since its {made.step.do} raised"),
                observed=event.value if filled else Words("its id is taken"),
                because=because,
            )


@law(
    family="atomicity",
    source=["PI-L1", "kit-interruptions"],
    incidents=["F19"],
    operations=["append", "load", "create"],
    powers=["fail_next"],
    creates=True,
    battery=[
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            _fails(point),
            call("create", "s"),
            call("create", "s"),
        )
        for point in ("before-commit", "inside")
    ],
)
def an_interrupted_create_leaves_nothing(trace: Trace) -> None:
    """A create that failed leaves its id free.

    A store breaks it by a record that is written before the rest of the session.
    """
    _judge_unmade(trace, "create", "", "a create that raised leaves nothing behind.")


@law(
    family="atomicity",
    source=["kit-fork", "kit-interruptions"],
    incidents=["F19", "F33"],
    operations=["append", "load", "fork"],
    powers=["fail_next"],
    applies=roomy,
    battery=[
        program(
            *BEGUN, _fails(point), call("fork", "s", new="t"), load("t"), call("fork", "s", new="u")
        )
        for point in ("before-commit", "inside")
    ],
)
def an_interrupted_fork_leaves_nothing(trace: Trace) -> None:
    """A fork that failed leaves no part of a child.

    A store breaks it by copying entry after entry without a transaction.
    """
    _judge_unmade(trace, "fork", "new", "a fork that raised leaves nothing behind.")
