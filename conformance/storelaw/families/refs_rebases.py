"""Rebase at the refs door: copies on top of a target, and what is told of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, answered, ids, is_semantic, known, members, objects
from storelaw.model.refs_entries import TIME, attached, compact, custom, happened, put, said, state
from storelaw.program import Program, Step, ask
from storelaw.strategies.refs import rebased
from storelaw.trace import Trace
from storelaw.values import Entry

A, B, C = said("a"), said("b"), said("c")

#: ``main`` with a root and ``c``; ``f`` with the root and entries of its own.
APART: Final[tuple[Step, ...]] = (
    put(A),
    ask("A", "fork", "f"),
    put(B, custom("n"), state("s1")),
    ask("A", "checkout", "main"),
    put(C),
)
ONTO: Final = (ask("A", "rebase", "f", "main"), ask("A", "path", "f"))


@dataclass(frozen=True, slots=True)
class Rebase:
    """A rebase that was carried out, with what the rules say of it.

    ``ours`` is the path of the ref before, ``theirs`` the path of the target, ``shared``
    the number of entries of ``ours`` up to the last one on both.
    """

    made: Asked
    name: str
    ours: list[Entry]
    theirs: list[Entry]
    shared: int
    path: list[Entry]

    @property
    def whole(self) -> bool:
        """Whether there is no target."""
        return self.made.argument(1, "onto") is None

    @property
    def idle(self) -> bool:
        """Whether the ref stands on its target already."""
        on_top = ids(self.ours[: self.shared]) == ids(self.theirs)
        return on_top and not self.whole

    @property
    def fresh(self) -> list[Entry]:
        """What is to be copied."""
        later = [] if self.idle else self.ours[self.shared :]
        return [each for each in later if is_semantic(each)]

    @property
    def copies(self) -> list[Entry]:
        """What lies above the target on the path of the ref now."""
        return self.path[len(self.theirs) :]

    @property
    def pairs(self) -> list[tuple[Entry, Entry]]:
        """What was to be copied with its copies; none where their numbers differ."""
        alike = len(self.fresh) == len(self.copies)
        return list(zip(self.fresh, self.copies, strict=True)) if alike else []


def rebases(trace: Trace) -> Iterator[Rebase]:
    """Every rebase of a known ref onto an entry, or onto no target at all."""
    for made in answered(trace, "rebase"):
        name, onto = made.argument(0, "name"), made.argument(1, "onto")
        ours = made.then.path_to(name) if name in made.then.refs else None
        theirs = [] if onto is None else made.then.path_to(onto)
        path = made.now.path_to(name)
        empty = onto is not None and not theirs
        if ours is not None and theirs is not None and path is not None and not empty:
            yield Rebase(made, name, ours, theirs, _shared(ours, theirs), path)


def _shared(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int:
    there = set(ids(list(theirs)))
    places = [place for place, each in enumerate(ours, 1) if each.get("id") in there]
    return max(places, default=0)


def _content(entries: Sequence[Entry]) -> list[Any]:
    """Types and data, without the anchors of compactions."""
    told: list[Any] = []
    for each in entries:
        data = members(each.get("data"))
        rest = {key: value for key, value in data.items() if key != "lastEntryId"}
        told.append([each.get("type"), rest])
    return told


def _judge_path(trace: Trace, each: Rebase, because: str) -> None:
    wanted, found = [*each.theirs, *each.fresh], each.path
    if not trace.same(_content(wanted), _content(found)):
        broken(each.made.event, expected=wanted, observed=found, because=because)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R1", "AP-T8"],
    incidents=["F33"],
    battery=[
        attached(*APART, *ONTO),
        attached(*APART, ask("A", "rebase", "main", "f"), ask("A", "read")),
        attached(*APART, ask("A", "rebase", "f", "c"), ask("A", "path", "f")),
    ],
    programs=rebased,
    weight=2,
)
def a_rebase_puts_copies_on_its_target(trace: Trace) -> None:
    """After a rebase the ref's path is the target's, then what the ref had beyond both.

    A session breaks it by copying what both share again, by leaving entries out, or by
    putting them in another order.
    """
    for each in rebases(trace):
        if not each.whole and not each.idle:
            _judge_path(trace, each, "a rebased path is the target's path, then the copies.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R1"],
    incidents=["F31", "F36"],
    battery=[attached(*APART, *ONTO), attached(*APART, ask("A", "rebase", "f"))],
)
def a_copy_is_a_new_entry(trace: Trace) -> None:
    """The copies of a rebase have ids that the log didn't have.

    A session breaks it by writing the entries again under their ids: two entries of one id
    then have different parents.
    """
    for each in rebases(trace):
        taken = set(ids(each.made.before)) & set(ids(each.copies))
        if each.fresh and len(each.copies) >= len(each.fresh) and taken:
            broken(
                each.made.event,
                expected="ids that are new",
                observed=sorted(map(str, taken)),
                because="a copy has an id of its own.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R7", "AP-R1"],
    requirement="SHOULD",
    battery=[attached(*APART, *ONTO)],
)
def a_copy_has_a_time_of_its_own(trace: Trace) -> None:
    """The copies of a rebase are dated when they are made.

    A session breaks it by copying the time as well.
    """
    for each in rebases(trace):
        for old, new in each.pairs:
            if old.get("timestamp") == new.get("timestamp") == TIME:
                broken(
                    each.made.event,
                    expected=f"later than {old.get('timestamp')}",
                    observed=new.get("timestamp"),
                    because="a copy is dated when it is made.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R2"],
    battery=[
        attached(*APART, *ONTO),
        attached(*APART, ask("A", "rebase", "f")),
        attached(*APART, ask("A", "rebase", "f", "a")),
    ],
)
def a_rebase_tells_what_went_where(trace: Trace) -> None:
    """The answer names the ref, its old and new head and base, and each copy in path order.

    A session breaks it by answering in another order, or by naming the target for the
    common ancestor.
    """
    for each in rebases(trace):
        pairs = zip(each.fresh, each.copies, strict=False)
        ends = {
            "oldHeadId": each.ours[-1:],
            "oldBaseId": each.ours[: each.shared][-1:],
            "newBaseId": each.theirs[-1:],
            "newHeadId": each.path[-1:],
        }
        wanted: dict[str, Any] = {
            "name": each.name,
            "entries": [{"oldId": o.get("id"), "newId": n.get("id")} for o, n in pairs],
            **{key: found[0].get("id") for key, found in ends.items() if found},
        }
        told = {k: v for k, v in members(each.made.event.value).items() if v is not None}
        if not trace.same(wanted, told):
            broken(
                each.made.event,
                expected=wanted,
                observed=told,
                because="a rebase tells the ref, its ends and what became of each entry.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R3"],
    battery=[
        attached(put(A, B), ask("A", "rebase", "main", "main")),
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "rebase", "f", "main")),
        attached(put(A), ask("A", "fork", "f"), put(B), ask("A", "rebase", "main", "f")),
    ],
)
def an_up_to_date_rebase_copies_nothing(trace: Trace) -> None:
    """Where one path is part of the other there is nothing to copy, and the answer says so.

    A session breaks it by copying a branch onto itself again and again.
    """
    for each in rebases(trace):
        ahead = each.shared == len(each.ours)
        if each.whole or not (each.idle or ahead):
            continue
        told = objects(members(each.made.event.value).get("entries"))
        written = [one for one in each.made.fresh if is_semantic(one)]
        if told or written:
            broken(
                each.made.event,
                expected=[],
                observed=written or told,
                because="a rebase of what is up to date copies nothing.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R4"],
    battery=[
        attached(put(A, B), ask("A", "rebase", "main"), ask("A", "read")),
        attached(*APART, ask("A", "rebase", "f"), ask("A", "path", "f")),
    ],
)
def a_rebase_onto_nothing_copies_the_whole_chain(trace: Trace) -> None:
    """Without a target the whole path is copied, its root included.

    A session breaks it by taking no target for the head, or by refusing.
    """
    for each in rebases(trace):
        if each.whole:
            _judge_path(trace, each, "a rebase onto nothing copies the path from its root on.")
            if set(ids(each.path)) & set(ids(each.ours)):
                broken(
                    each.made.event,
                    expected="copies from the root on",
                    observed=ids(each.path),
                    because="a rebase onto nothing copies the path from its root on.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-R5"],
    battery=[
        attached(put(A), ask("A", "rebase", "nowhere", "main"), ask("A", "refs")),
        attached(put(A), ask("A", "rebase", "a", "main"), ask("A", "refs")),
        attached(put(A), ask("A", "rebase", "nowhere"), ask("A", "refs")),
    ],
)
def an_unknown_ref_is_not_rebased(trace: Trace) -> None:
    """A rebase of what is no ref fails, and no ref comes of it.

    A session breaks it by making the ref.
    """
    for made in known(trace, "rebase"):
        if made.argument(0, "name") not in made.then.refs and (made.event.ok or made.fresh):
            broken(
                made.event,
                expected="an error",
                observed=made.event.value,
                because="only a ref that there is can be rebased.",
            )


EVENTFUL: Final = (
    put(A),
    ask("A", "fork", "f"),
    put(B, happened("e"), state("s1")),
    ask("A", "checkout", "main"),
    put(C),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R6"],
    incidents=["F30"],
    battery=[attached(*EVENTFUL, *ONTO), attached(*EVENTFUL, ask("A", "rebase", "f"))],
)
def a_rebase_leaves_events_behind(trace: Trace) -> None:
    """Events are not copied: they happened once.

    A session breaks it by copying all of the branch, so that a turn ends twice.
    """
    for each in rebases(trace):
        events = [one for one in each.made.fresh if one.get("type") == "event"]
        if events:
            broken(
                each.made.event,
                expected=[],
                observed=events,
                because="a rebase copies no events.",
            )


def _anchored(*more: Step) -> Program:
    return attached(
        put(A),
        ask("A", "fork", "f"),
        put(B, said("k"), compact("z", "b"), state("s1")),
        ask("A", "checkout", "main"),
        put(C),
        *more,
    )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R8", "D-AP-3"],
    incidents=["F36"],
    battery=[
        _anchored(ask("A", "rebase", "f", "main"), ask("A", "path", "f")),
        _anchored(ask("A", "rebase", "f"), ask("A", "path", "f")),
    ],
)
def an_anchor_names_the_copy(trace: Trace) -> None:
    """What a copied compaction covers is named by the id of the copy.

    A session breaks it by copying the old id: it is on no path of the branch, and what the
    compaction had kept is gone from the view.
    """
    for each in rebases(trace):
        mapped = dict(zip(ids(each.fresh), ids(each.copies), strict=False))
        for old, new in each.pairs:
            anchor = members(old.get("data")).get("lastEntryId")
            found = members(new.get("data")).get("lastEntryId")
            if old.get("type") == "compact" and found != mapped.get(anchor, anchor):
                broken(
                    each.made.event,
                    expected=mapped.get(anchor, anchor),
                    observed=found,
                    because="an anchor goes along with the entry that it names.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["rebase"],
    source=["AP-R1", "AP-F3"],
    incidents=["F33"],
    battery=[attached(*APART, *ONTO), attached(*APART, ask("A", "checkout", "f"), *ONTO)],
)
def a_rebase_moves_its_own_ref(trace: Trace) -> None:
    """A rebase moves the ref that it names; the head and every other ref stay.

    A session breaks it by checking the rebased ref out.
    """
    for each in rebases(trace):
        then, now = each.made.then, each.made.now
        wanted = {key: at for key, at in then.refs.items() if key != each.name}
        found = {key: at for key, at in now.refs.items() if key != each.name}
        if wanted != found or then.head != now.head:
            broken(
                each.made.event,
                expected={"head": dict(then.head), "refs": wanted},
                observed={"head": dict(now.head), "refs": found},
                because="a rebase moves one ref.",
            )
