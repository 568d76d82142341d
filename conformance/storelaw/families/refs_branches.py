"""Checkout, clear, reset and fork at the refs door: where head and refs go."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, answered, ids, is_control, known
from storelaw.model.refs_entries import (
    attached,
    checkout,
    happened,
    on_main,
    over,
    put,
    ref,
    said,
)
from storelaw.program import Step, ask
from storelaw.strategies.refs import sessions
from storelaw.trace import Trace

A, B, C, D = said("a"), said("b"), said("c"), said("d")
GOOD: Final = ("feature", "a/b", "v1.0", "a-b_c", "x@y", "caf\u00e9", "main2", "a.locks")
BAD: Final = (
    *("", "@", "HEAD", ".a", "a.", "a/", "a.lock", "a..b", "a//b", "a/.b", "a@{b"),
    *("a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b", "a\x01b", "a\tb", "a\nb"),
)

#: A ref ``feature`` at the second entry, and an entry of the same name.
NAMED: Final = (
    ref("r-0", "main"),
    checkout("c-0", name="main"),
    said("feature"),
    said("b", "feature"),
    ref("r-1", "main", "b"),
    ref("r-2", "feature", "b"),
)


def _tells(method: str, *targets: Any) -> tuple[Step, ...]:
    return tuple(ask("A", method, each) for each in targets)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout"],
    source=["AP-H1"],
    incidents=["F31"],
    battery=[
        over(*NAMED, steps=(ask("A", "checkout", "feature"), ask("A", "head"))),
        over(*NAMED, steps=(ask("A", "checkout", "feature"), put(C), ask("A", "refs"))),
    ],
)
def a_ref_comes_before_an_entry_of_its_name(trace: Trace) -> None:
    """A target that is both a ref and an entry's id means the ref.

    A session breaks it by looking for the id first: the head is detached, at an old entry.
    """
    for made in answered(trace, "checkout"):
        both = made.target in made.then.refs and made.target in made.then.by_id
        if both and made.now.head != {"type": "ref", "name": made.target}:
            broken(
                made.event,
                expected={"type": "ref", "name": made.target},
                observed=dict(made.now.head),
                because="a target is looked for among the refs first.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-H1", "AP-V2"],
    battery=[
        attached(put(A), *_tells("checkout", "nowhere"), *_tells("path", "nowhere")),
        attached(put(A), *_tells("branch_path", "nowhere"), *_tells("build_input", "nowhere")),
        attached(put(A), *_tells("build_state", "nowhere"), ask("A", "fork", "f", "nowhere")),
        attached(put(A), ask("A", "rebase", "main", "nowhere")),
    ],
)
def an_unknown_target_is_an_error(trace: Trace) -> None:
    """A target that is neither ref nor entry makes the question fail, and moves nothing.

    A session breaks it by taking it for an empty branch, or for the head.
    """
    views = ("path", "branch_path", "build_input", "build_state")
    for made in known(trace, "checkout", "fork", "rebase", *views):
        target = made.argument(1) if made.method in ("fork", "rebase") else made.target
        if made.event.ok and target is not None and not _is_there(made, target):
            broken(
                made.event,
                expected="an error",
                observed=made.event.value,
                because="what is neither ref nor entry is not found.",
            )


def _is_there(made: Asked, target: Any) -> bool:
    return target in made.then.refs or target in made.then.by_id


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout"],
    source=["AP-H2", "AP-T4"],
    incidents=["F32"],
    battery=[
        attached(put(A, B), ask("A", "checkout", "a"), ask("A", "checkout", "b")),
        attached(put(A), ask("A", "checkout"), ask("A", "read"), ask("A", "checkout", "main")),
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "checkout", "main"), put(C)),
    ],
    programs=sessions,
    weight=2,
)
def a_checkout_moves_the_head(trace: Trace) -> None:
    """A checkout attaches the head to a ref, detaches it at an entry, or, of nothing, empties it.

    A session breaks it by staying attached, or by taking no target for the default ref.
    """
    for made in answered(trace, "checkout"):
        wanted = _attachment(made)
        if wanted is not None and dict(made.now.head) != wanted:
            broken(
                made.event,
                expected=wanted,
                observed=dict(made.now.head),
                because="a checkout moves the head to its target.",
            )


def _attachment(made: Asked) -> dict[str, Any] | None:
    """The head after a checkout; ``None`` where the target is unknown, or means two things."""
    is_ref, is_entry = made.target in made.then.refs, made.target in made.then.by_id
    if made.target is None:
        return {"type": "detached"}
    if is_ref == is_entry:
        return None
    if is_ref:
        return {"type": "ref", "name": made.target}
    return {"type": "detached", "targetId": made.target}


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout", "append"],
    source=["AP-H3", "AP-F3"],
    incidents=["F33"],
    battery=[
        attached(put(A, B), ask("A", "checkout", "a"), put(C), ask("A", "refs")),
        attached(put(A), ask("A", "checkout"), put(B)),
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "checkout", "main"), put(C)),
    ],
)
def a_branch_goes_its_own_way(trace: Trace) -> None:
    """An append moves the ref that the head is attached to, and no ref at all when detached.

    A session breaks it by moving the ref that was checked out before.
    """
    for made in answered(trace, "append"):
        if any(is_control(each) for each in made.event.passed):
            continue
        own = made.then.head.get("name")
        before = {k: v for k, v in made.then.refs.items() if k != own}
        after = {k: v for k, v in made.now.refs.items() if k != own}
        if before != after:
            broken(
                made.event,
                expected=before,
                observed=after,
                because="an append moves no ref but the one that is checked out.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["checkout"],
    source=["AP-H4", "AP-T3"],
    battery=[
        attached(put(A), ask("A", "checkout"), ask("A", "checkout", "main")),
        attached(put(A, B), ask("A", "checkout", "a")),
    ],
)
def a_checkout_is_one_control_entry(trace: Trace) -> None:
    """A checkout writes one ``session/checkout`` entry, also where the head stays.

    A session breaks it by writing none, so that a reopened one stands elsewhere, or by
    writing refs besides.
    """
    for made in answered(trace, "checkout"):
        kinds = [each.get("type") for each in made.fresh]
        if kinds != ["session/checkout"]:
            broken(
                made.event,
                expected=["session/checkout"],
                observed=kinds,
                because="a checkout is one control entry.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clear", "append"],
    source=["AP-H5"],
    incidents=["F37"],
    battery=[
        attached(put(A), ask("A", "clear"), put(B), ask("A", "build_input", "main")),
        attached(put(A), ask("A", "clear"), ask("A", "read")),
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "clear"), ask("A", "refs")),
    ],
)
def clear_keeps_the_history(trace: Trace) -> None:
    """A cleared session shows nothing, and its refs point where they did.

    A session breaks it by deleting the log, or by emptying the ref, so that there is no way
    back.
    """
    for made in answered(trace, "clear"):
        kept = {k: v for k, v in made.then.refs.items() if v is not None}
        if made.now.target is not None or any(made.now.refs.get(k) != v for k, v in kept.items()):
            broken(
                made.event,
                expected={"head": {"type": "detached"}, "refs": kept},
                observed={"head": dict(made.now.head), "refs": dict(made.now.refs)},
                because="clear checks out nothing and keeps history and refs.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["reset", "append"],
    source=["D-AP-15"],
    incidents=["F32"],
    battery=[
        attached(put(A), ask("A", "reset"), put(B), ask("A", "read")),
        attached(ask("A", "fork", "f"), put(A), ask("A", "reset"), put(B, C)),
    ],
)
def a_reset_stays_on_its_ref(trace: Trace) -> None:
    """After ``reset`` the history of the head is empty, and the head is attached as before.

    A session breaks it by detaching the head: later turns never reach the ref.
    """
    for made in answered(trace, "reset"):
        found = (dict(made.now.head), made.now.target)
        wanted = dict(made.then.head) if "name" in made.then.head else {"type": "detached"}
        if found != (wanted, None):
            broken(
                made.event,
                expected={**wanted, "at": None},
                observed={**found[0], "at": found[1]},
                because="a reset begins the ref anew and leaves the head on it.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["fork"],
    source=["AP-F1"],
    incidents=["F33"],
    battery=[
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "refs")),
        attached(put(A), ask("A", "fork", "f", checkout=False), put(B), ask("A", "refs")),
        attached(put(A, B), ask("A", "fork", "f", "a"), put(C)),
        attached(put(A, B), ask("A", "fork", "f", "a", False), put(C)),
        attached(ask("A", "fork", "f"), put(A)),
    ],
)
def a_fork_points_where_it_was_made(trace: Trace) -> None:
    """A fork makes a ref at the head, or at its target.

    A session breaks it by pointing the ref at nothing, or always at the head.
    """
    for made in answered(trace, "fork"):
        name, at = made.argument(0, "name"), made.argument(1, "at")
        there, wanted = made.then.found(at)
        if there and name not in made.then.refs and made.now.refs.get(name) != wanted:
            broken(
                made.event,
                expected=wanted,
                observed=made.now.refs.get(name, "no such ref"),
                because="a fork is a ref at the head, or at its target.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["fork"],
    source=["AP-F1"],
    incidents=["F33"],
    battery=[
        attached(put(A), ask("A", "fork", "f", checkout=False), put(B), ask("A", "head")),
        attached(put(A), ask("A", "fork", "f"), ask("A", "head")),
        attached(put(A, B), ask("A", "fork", "f", "a"), ask("A", "read")),
    ],
)
def a_fork_checks_out_unless_told_not_to(trace: Trace) -> None:
    """A fork attaches the head to the new ref; without checkout the head stays.

    A session breaks it by moving the head always, or never.
    """
    for made in answered(trace, "fork"):
        stays = made.argument(2, "checkout") is False
        name = made.argument(0, "name")
        wanted = made.then.head if stays else {"type": "ref", "name": name}
        if name not in made.then.refs and made.now.head != wanted:
            broken(
                made.event,
                expected=dict(wanted),
                observed=dict(made.now.head),
                because="a fork is checked out unless it is told not to be.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["fork"],
    source=["AP-F2", "D-AP-16"],
    incidents=["F33"],
    battery=[
        attached(
            put(A),
            ask("A", "fork", "f"),
            put(B),
            ask("A", "checkout", "main"),
            ask("A", "fork", "f"),
        ),
        attached(put(A, B), ask("A", "fork", "g"), ask("A", "fork", "main", "a"), ask("A", "refs")),
    ],
)
def a_fork_never_moves_another_ref(trace: Trace) -> None:
    """A fork leaves every ref that there is where it points; a taken name is refused.

    A session breaks it by taking the name over: the branch that had it is lost from sight.
    """
    for made in known(trace, "fork"):
        held = made.then.refs
        moved = {k: made.now.refs.get(k) for k, v in held.items() if made.now.refs.get(k) != v}
        if moved:
            broken(
                made.event,
                expected={each: held[each] for each in moved},
                observed=moved,
                because="the name of a fork is one that no ref has.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-H6"],
    battery=[attached(put(A), *(ask("A", "fork", each, checkout=False) for each in BAD))],
)
def a_bad_name_is_no_ref(trace: Trace) -> None:
    """A name that no ref may have is refused by a fork, and nothing is written.

    A session breaks it by writing whatever it is called.
    """
    for made in known(trace, "fork"):
        if made.argument(0, "name") in BAD and (made.event.ok or made.fresh):
            broken(
                made.event,
                expected="refused",
                observed=made.fresh,
                because="refs have names as branches of git have.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["fork"],
    source=["AP-H6"],
    battery=[attached(put(A), *(ask("A", "fork", each, checkout=False) for each in GOOD))],
)
def a_good_name_is_a_ref(trace: Trace) -> None:
    """A name that a ref may have is taken by a fork.

    A session breaks it by a stricter rule of its own, such as ASCII only.
    """
    for made in known(trace, "fork"):
        name = made.argument(0, "name")
        plain = name in GOOD and name not in made.then.refs and made.argument(1, "at") is None
        path = made.then.path_to(None)
        free = made.steady and path is not None and not made.then.open_turns
        if plain and free and made.event.raised:
            broken(
                made.event,
                expected="the ref is made",
                observed=made.event.text,
                because="this is a name that a ref may have.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-H7", "D-AP-12"],
    requirement="SHOULD",
    incidents=["F30"],
    battery=[
        attached(put(A, happened("e")), *_tells("checkout", "e")),
        over(*on_main(A), steps=_tells("checkout", "r-1", "c-0")),
        attached(put(A, happened("e")), ask("A", "fork", "f", "e")),
    ],
)
def the_head_stands_on_conversation_only(trace: Trace) -> None:
    """An event or a control entry can't be checked out.

    A session breaks it by taking any id: the next entry is chained to it, and it is on the
    path from then on.
    """
    for made in answered(trace, "checkout", "fork"):
        stood = made.now.by_id.get(made.now.target, {})
        if stood.get("type") in ("event", "session/ref", "session/checkout"):
            broken(
                made.event,
                expected="refused",
                observed=ids([stood]),
                because="the head stands on an entry of the conversation.",
            )
