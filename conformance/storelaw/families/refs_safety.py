"""What no operation at the refs door may do to the log that was there before."""

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, ids, is_control, is_whole, known
from storelaw.model.refs_entries import (
    attached,
    checkout,
    happened,
    over,
    put,
    ref,
    said,
    state,
)
from storelaw.program import Program, Step, ask
from storelaw.strategies.refs import sessions
from storelaw.trace import Trace
from storelaw.values import Entry

A, B, C, D = said("a"), said("b"), said("c"), said("d")
BROKEN: Entry = {"id": "x", "type": "input"}

FORKED: tuple[Step, ...] = (
    put(A),
    ask("A", "fork", "f"),
    put(B, happened("e")),
    ask("A", "checkout", "main"),
    put(C),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-H4", "AP-R1", "AP-H5", "AP-A1"],
    incidents=["F36", "F39"],
    battery=[
        attached(*FORKED, ask("A", "rebase", "f", "main"), put(D)),
        attached(*FORKED, ask("A", "clear"), put(D), ask("A", "reset")),
        attached(*FORKED, ask("A", "read"), ask("A", "fork", "main"), ask("A", "recover")),
        attached(put(A), ask("A", "checkout"), ask("A", "checkout", "main"), put(B)),
        attached(*FORKED, ask("A", "clone", "t", "all", becomes="B", at="t"), put(D)),
    ],
    programs=sessions,
    weight=3,
)
def what_is_in_the_log_stays(trace: Trace) -> None:
    """Every operation leaves the entries of the raw log as they were, and adds behind them.

    A session breaks it by moving the entries that a rebase copies, by deleting on clear, or
    by writing over the last checkout.
    """
    for made in known(trace):
        before = made.before or []
        kept = made.after[: len(before)]
        if not trace.same(before, kept):
            broken(
                made.event,
                expected=before,
                observed=kept,
                because="the log only grows; what is in it stays.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["read", "snapshot"],
    source=["AP-S2", "AP-S5", "AP-A3"],
    incidents=["F39"],
    battery=[
        attached(put(A), *(ask("A", each) for each in ("read", "snapshot", "head", "refs"))),
        attached(put(A), *(ask("A", each) for each in ("path", "build_input", "build_state"))),
    ],
)
def a_question_writes_nothing(trace: Trace) -> None:
    """Reading a session that has begun leaves the log exactly as it was.

    A session breaks it by writing its default ref anew on each use.
    """
    reads = ("read", "snapshot", "head", "refs", "entries", "path", "branch_path")
    for made in known(trace, *reads, "build_input", "build_state", "orphans"):
        if made.before and made.fresh:
            broken(
                made.event, expected=[], observed=made.fresh, because="a question writes nothing."
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["D-AP-1", "AP-T6"],
    incidents=["F31"],
    battery=[
        attached(put(A), put(A), ask("A", "read"), put(B)),
        attached(put(A, B), put(A), ask("A", "read")),
        attached(put(A), put(B, state("st"), B), ask("A", "read")),
        attached(put(A, happened("e")), put(happened("e"), B), ask("A", "read")),
    ],
)
def a_known_entry_does_no_damage(trace: Trace) -> str | None:
    """An entry whose id is in the log is refused or ignored, and the head keeps its path.

    A session breaks it by storing a second entry under the id, which becomes its own
    ancestor: every later walk goes round.
    """
    note = None
    for made in known(trace, "append"):
        twice = [each for each in ids(made.fresh) if ids(made.after).count(each) > 1]
        if twice:
            broken(
                made.event,
                expected=made.before,
                observed=made.after,
                because="an id stands for one entry of the log.",
            )
        known_already = set(ids(list(made.event.passed))) & set(ids(made.before))
        if known_already:
            note = "a known entry is " + ("refused" if made.event.raised else "ignored")
    return note


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-Q1", "AP-N1", "AP-T3"],
    incidents=["F19"],
    battery=[
        attached(put(A, BROKEN, B), put(C)),
        attached(put(A), put(B, A), put(C)),
        attached(put(A), ask("A", "fail_next", 1), put(B), put(C)),
        attached(put(A), ask("A", "fail_next"), ask("A", "fork", "f"), put(C)),
    ],
)
def a_refused_operation_leaves_nothing(trace: Trace) -> None:
    """Where an operation raises, nothing of it is in the log: it is one write or none.

    A session breaks it by storing entries one by one, or the entries and their control
    entry in two writes: what failed half-way is there, and on no branch.
    """
    for made in known(trace):
        if made.event.raised and made.fresh:
            broken(
                made.event,
                expected=[],
                observed=made.fresh,
                because="an operation that raises leaves nothing in the log.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-Q1", "AP-A7"],
    incidents=["F20"],
    battery=[
        attached(put(A), ask("A", "fail_next"), put(B), put(C), ask("A", "read")),
        attached(put(A, happened("e"), B), put(state("st"))),
    ],
)
def what_was_taken_is_in_the_log(trace: Trace) -> None:
    """Where an append doesn't raise, each of its entries is in the raw log.

    A session breaks it by catching what the storage raises, and answering as if all were
    well.
    """
    for made in known(trace, "append"):
        lost = [e for e in made.event.passed if e.get("id") not in ids(made.after)]
        if made.event.ok and lost:
            broken(
                made.event,
                expected=lost,
                observed=made.fresh,
                because="a failure of the storage is an error of the operation.",
            )


def _ordinary(made: Asked) -> bool:
    """Whether an append is one that nothing speaks against."""
    there = set(ids(made.before))
    new = ids(list(made.event.passed))
    fit = all(is_whole(each) and not is_control(each) for each in made.event.passed)
    return made.steady and fit and not there & set(new) and len(set(new)) == len(new)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-N1"],
    battery=[
        attached(put(A), put(BROKEN), put(B), ask("A", "read")),
        attached(put(A), ask("A", "checkout", "nowhere"), put(B)),
        attached(put(A), ask("A", "fail_next"), put(B), put(C)),
    ],
)
def a_failure_does_not_block_the_next(trace: Trace) -> None:
    """After an operation that failed, the session takes the next append.

    A session breaks it by keeping its queue shut, or a lock held, after an error.
    """
    failed: dict[str, bool] = {}
    for made in known(trace):
        label = str(made.event.step.on)
        again = made.method == "append" and made.event.raised and failed.get(label)
        if again and _ordinary(made):
            broken(
                made.event,
                expected="the append is taken",
                observed=made.event.text,
                because="a failure doesn't block the next operation.",
            )
        failed[label] = made.event.raised


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["D-AP-12"],
    incidents=["F29"],
    battery=[
        attached(put(A), put(ref("k", "main", "ghost")), ask("A", "read")),
        attached(put(A), put(checkout("k", id="ghost")), ask("A", "read")),
        attached(put(A), put(checkout("k", name="nowhere")), ask("A", "read")),
        attached(put(A, happened("e")), put(checkout("k", id="e")), ask("A", "read")),
        attached(put(A), put(ref("k", "f", "a"), checkout("l", name="f")), put(B)),
    ],
)
def a_control_entry_is_checked_before_it_is_stored(trace: Trace) -> None:
    """A control entry that names what isn't there is refused, and nothing is written.

    A session breaks it by storing whatever it is handed: head and refs then stand on
    nothing, and every read fails.
    """
    for made in known(trace, "append"):
        passed = list(made.event.passed)
        if passed and all(is_control(each) for each in passed):
            now = made.now
            stood = made.then.path(made.then.target) is not None
            named = now.head.get("name")
            lost = now.path(now.target) is None or (
                named is not None and named != made.default and named not in now.refs
            )
            stands = now.by_id.get(now.target, {}).get("type")
            if stood and made.fresh and (lost or stands == "event"):
                broken(
                    made.event,
                    expected="refused",
                    observed=made.fresh,
                    because="a control entry names something that a head can stand on.",
                )


def _raw(*entries: Entry) -> Program:
    return over(*entries, steps=(ask("A", "read"), put(B)))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-G1", "AP-S2", "D-AP-17"],
    incidents=["F49", "F38"],
    battery=[
        attached(put(A)),
        _raw(A, C),
        _raw({"id": "i", "type": "message", "role": "user", "content": []}),
        _raw({"id": "i", "type": "message", "role": "user", "content": []}, A),
    ],
)
def a_foreign_log_is_refused_or_seen(trace: Trace) -> str | None:
    """Over a log that no session has written, reading raises or shows what is there.

    A session breaks it by answering with an empty history, so that the start-up entries
    are written once more and a conversation is lost from sight without an error.
    """
    note = None
    for made in known(trace, "read"):
        raw = made.before or []
        if not raw or made.default is None or made.hampered or any(map(is_control, raw)):
            continue
        note = "a plain log is " + ("refused" if made.event.raised else "adopted")
        if made.event.ok and not set(ids(raw)) <= set(ids(made.event.value)):
            broken(
                made.event,
                expected=raw,
                observed=made.event.value,
                because="a log without refs is refused or adopted, and not passed over.",
            )
    return note
