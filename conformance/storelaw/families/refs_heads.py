"""How a session begins, and what a reopened one finds: head, refs and views are stored."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import (
    Asked,
    Reading,
    answered,
    asked,
    is_control,
    is_semantic,
    known,
    members,
)
from storelaw.model.refs_entries import (
    attached,
    checkout,
    detached,
    happened,
    on_main,
    opened,
    over,
    put,
    ref,
    said,
)
from storelaw.program import Program, Step, ask, program, reopened
from storelaw.strategies.refs import resumed
from storelaw.trace import Trace
from storelaw.values import Entry

A, B, C = said("a"), said("b"), said("c")
READS: Final = (ask("A", "head"), ask("A", "refs"), ask("A", "read"))
AGAIN: Final = (ask("B", "head"), ask("B", "refs"), ask("B", "read"))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["head"],
    source=["AP-S1"],
    battery=[
        attached(ask("A", "head")),
        attached(put(A), ask("A", "head")),
        attached(ask("A", "refs"), ask("A", "head")),
        program(opened(), ask("A", "head"), opened("B"), ask("B", "head")),
    ],
)
def an_empty_log_begins_on_its_default_ref(trace: Trace) -> None:
    """The first use of an empty log writes the default ref, pointing at nothing, then its checkout.

    A session breaks it by checking out first, by pointing the ref at something, or by
    leaving the beginning out, so that the first turn is on no branch.
    """
    for made in known(trace):
        idle = made.method == "fail_next" or not made.event.ok
        if made.before or made.default is None or idle:
            continue
        found = [(e.get("type"), e.get("data")) for e in made.after[:2]]
        target = {"target": {"type": "ref", "name": made.default}}
        wanted = [("session/ref", {"name": made.default}), ("session/checkout", target)]
        if found != wanted:
            broken(
                made.event,
                expected=[{"type": kind, "data": data} for kind, data in wanted],
                observed=made.after[:2],
                because="an empty log begins with its default ref and the checkout of it.",
            )


def _again(*steps: Step) -> Program:
    return program(opened(), *steps, *READS, reopened(), opened("B"), *AGAIN)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["head"],
    source=["AP-S1", "AP-S2", "AP-S5"],
    incidents=["F38"],
    battery=[
        _again(put(A)),
        _again(put(A), ask("A", "checkout")),
        _again(put(A), ask("A", "fork", "f")),
        over(ref("r", "f"), checkout("k", name="f"), steps=(ask("A", "head"), put(A))),
    ],
)
def a_log_begins_once(trace: Trace) -> None:
    """A log that has a checkout gets no default ref, whoever opens it.

    A session breaks it by starting on the default ref on each opening: a detached head or
    another branch is left without anybody asking.
    """
    for made in known(trace):
        begun = any(each.get("type") == "session/checkout" for each in made.before or [])
        quiet = made.method in ("head", "refs", "read")
        if begun and quiet and made.after[len(made.before or []) :]:
            broken(
                made.event,
                expected=made.before,
                observed=made.after,
                because="a log begins once.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-S3"],
    battery=[detached(ask("A", "head"), put(A), ask("A", "head"), put(B)), detached(put(A))],
)
def without_a_default_ref_the_head_is_detached(trace: Trace) -> None:
    """Without a default ref nothing is written at first, and appends move a detached head.

    A session breaks it by making up a ref, or by leaving the head at nothing.
    """
    for made in answered(trace, "append", "event", "head", "refs", "read", "snapshot"):
        plain = not any(map(is_control, made.event.passed))
        if made.default is None and not made.before and plain:
            made_up = [each for each in made.after if each.get("type") == "session/ref"]
            still = made.event.passed and "targetId" not in made.now.head
            if made_up or (still and all(is_semantic(e) for e in made.event.passed)):
                broken(
                    made.event,
                    expected="a detached head on the last entry",
                    observed=made.after,
                    because="without a default ref the head is detached and moves.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    source=["AP-S4", "AP-H6"],
    battery=[
        program(opened(default=name), ask("A", "head"), put(A)) for name in ("a..b", "HEAD", "")
    ],
)
def a_bad_default_ref_is_refused_at_first_use(trace: Trace) -> None:
    """A default ref whose name is none makes the first operation fail, and nothing is written.

    A session breaks it by writing the ref as it is named.
    """
    for made in asked(trace):
        if made.default in ("a..b", "HEAD", "") and (made.event.ok or made.after):
            broken(
                made.event,
                expected="refused",
                observed=made.after,
                because="a default ref has a name that a ref may have.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["head", "refs", "read"],
    source=["AP-S5", "AP-T4"],
    incidents=["F32", "F38"],
    battery=[
        _again(put(A, B)),
        _again(put(A, B), ask("A", "checkout", "a")),
        _again(put(A), ask("A", "fork", "f"), put(B), ask("A", "checkout", "main"), put(C)),
        _again(put(A), ask("A", "fork", "f"), put(B)),
        _again(put(A), ask("A", "checkout")),
        _again(put(A, B), put(said("c", "a")), put(happened("e"))),
    ],
    programs=resumed,
    weight=3,
)
def head_refs_and_views_survive_a_reopen(trace: Trace) -> None:
    """Who opens the log again finds the head, the refs and the history that were there.

    A session breaks it by keeping the head in memory, by starting on the default ref, or
    by taking the last entry of the log for the head.
    """
    last: dict[str, Any] = {}
    for made in asked(trace):
        told = made.event.value
        if made.method not in ("head", "refs", "read"):
            last.clear()
        elif made.event.ok:
            if made.method in last and not trace.same(last[made.method], told):
                broken(
                    made.event,
                    expected=last[made.method],
                    observed=told,
                    because="head, refs and history are those of the log, whoever opens it.",
                )
            last[made.method] = told


def _replayed(made: Asked) -> Any:
    now = made.now
    if made.method == "head":
        return dict(now.head)
    if made.method == "refs":
        return dict(now.refs)
    return {"head": dict(now.head), "refs": dict(now.refs), "target": now.target}


MOVED: tuple[Entry, ...] = (
    ref("r-0", "main"),
    checkout("c-0", name="main"),
    A,
    ref("r-1", "main", "a"),
    said("b", "a"),
    ref("r-2", "main", "b"),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["head", "refs", "snapshot"],
    source=["AP-T4"],
    incidents=["F32"],
    battery=[
        over(*MOVED, steps=(ask("A", "refs"), ask("A", "head"), ask("A", "snapshot"))),
        over(*MOVED, checkout("c-1", name="main"), steps=(ask("A", "snapshot"),)),
        over(*MOVED, checkout("c-1", id="a"), steps=(ask("A", "head"), ask("A", "snapshot"))),
        over(*MOVED, ref("r-3", "f", "a"), steps=(ask("A", "refs"), ask("A", "snapshot"))),
        over(*MOVED, ref("r-3", "main", "a"), steps=(ask("A", "refs"), ask("A", "snapshot"))),
    ],
)
def the_log_says_where_refs_and_head_are(trace: Trace) -> None:
    """A ref is at its last target, the head is the last checkout, an attached head follows its ref.

    A session breaks it by keeping the first target of a name, or the target that a ref had
    when it was checked out.
    """
    for made in asked(trace, "head", "refs", "snapshot"):
        told = made.event.value
        if made.method == "snapshot":
            told = {key: members(told).get(key) for key in ("head", "refs", "target")}
        if made.event.ok and not trace.same(_replayed(made), told):
            broken(
                made.event,
                expected=_replayed(made),
                observed=told,
                because="the last entry of each kind says where refs and head are.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-K3", "D-AP-5"],
    incidents=["F19"],
    battery=[
        over(ref("r", "main"), steps=(put(A), ask("A", "head"), ask("A", "read"))),
        over(ref("r", "main"), steps=(ask("A", "head"), put(A))),
    ],
)
def a_lost_checkout_is_made_up_for(trace: Trace) -> None:
    """A log whose beginning was cut after the default ref stands on that ref all the same.

    A session breaks it by going on detached: the ref that was meant never moves.
    """
    for made in answered(trace):
        lone = [(each.get("type"), each.get("data")) for each in made.before or []]
        stood = Reading.of(made.after).head
        wanted = {"type": "ref", "name": made.default}
        if lone == [("session/ref", {"name": made.default})] and stood != wanted:
            broken(
                made.event,
                expected=wanted,
                observed=dict(stood),
                because="a session that lost its first checkout stands on its default ref.",
            )


TORN: Final = (*on_main(A), said("b", "a"), said("c", "b"))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["recover"],
    source=["AP-K1", "D-AP-5"],
    incidents=["F19", "F20"],
    battery=[
        over(*TORN, steps=(ask("A", "orphans"), ask("A", "recover"), ask("A", "read"))),
        over(*TORN[:-1], steps=(ask("A", "recover"), put(said("d")))),
        over(*on_main(A), steps=(ask("A", "recover"), ask("A", "read"))),
    ],
)
def recovery_takes_in_what_a_torn_append_left(trace: Trace) -> None:
    """After ``recover`` the entries whose control entry was lost are part of the head.

    A session breaks it by leaving them in the log and on no branch.
    """
    for made in answered(trace, "recover"):
        orphans = _orphans(made)
        on_path = {each.get("id") for each in made.now.path_to(None) or []}
        for each in orphans:
            if each.get("id") not in on_path:
                broken(
                    made.event,
                    expected=[one.get("id") for one in orphans],
                    observed=sorted(map(str, on_path)),
                    because="recovery takes in the entries behind the last control entry.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["orphans"],
    source=["AP-K1", "D-AP-5"],
    battery=[
        over(*TORN, steps=(ask("A", "orphans"),)),
        over(*on_main(A), happened("e", "a"), steps=(ask("A", "orphans"),)),
    ],
)
def a_torn_append_is_seen(trace: Trace) -> None:
    """``orphans`` names the entries whose control entry was lost, and no others.

    A session breaks it by answering with nothing: the loss stays without a sign.
    """
    for made in answered(trace, "orphans"):
        wanted = _orphans(made)
        if (wanted or not _behind(made)) and not trace.same(wanted, made.event.value):
            broken(
                made.event,
                expected=wanted,
                observed=made.event.value,
                because="what an append has left of itself can be told from the log.",
            )


def _behind(made: Asked) -> list[Entry]:
    """The entries that are no events behind the last control entry of a log that has one."""
    before = made.before or []
    last = max((index for index, each in enumerate(before, 1) if is_control(each)), default=0)
    return [each for each in before[last:] if is_semantic(each)] if last else []


def _orphans(made: Asked) -> list[Entry]:
    """Those entries, where they continue the head in one chain."""
    behind = _behind(made)
    parents = [made.then.target, *(each.get("id") for each in behind)]
    fits = all(e.get("parentId") == p for e, p in zip(behind, parents, strict=False))
    return behind if fits else []
