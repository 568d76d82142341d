"""What an append at the refs door chains to what, and where it leaves the head."""

from collections.abc import Iterator
from dataclasses import dataclass

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import Asked, answered, is_control, is_semantic, is_whole, known
from storelaw.model.refs_entries import (
    attached,
    custom,
    detached,
    happened,
    on_main,
    over,
    put,
    said,
    state,
)
from storelaw.program import ask
from storelaw.sides import Leaf
from storelaw.strategies.refs import appends
from storelaw.trace import Trace
from storelaw.values import Entry

A, B, C = said("a"), said("b"), said("c")
KNOWN = frozenset({"input", "state", "compact"})


@dataclass(frozen=True, slots=True)
class Link:
    """One entry of an append, as given and as stored, with the tail that lay before it.

    ``before`` is the entry of the same append just before it.
    """

    made: Asked
    passed: Entry
    stored: Entry
    tail: str | None
    before: Entry | None

    @property
    def given(self) -> bool:
        """Whether the caller named a parent."""
        return self.passed.get("parentId") is not None

    @property
    def parent(self) -> Entry | None:
        """The stored parent, where there is one."""
        return self.made.now.by_id.get(self.stored.get("parentId"))


def links(trace: Trace) -> Iterator[Link]:
    """Every entry of every append that was taken, with the tail that the rules give it."""
    for made in answered(trace, "append"):
        stored = {each.get("id"): each for each in made.fresh}
        tail, before = made.then.target, None
        for each in made.event.passed:
            name = str(each.get("id"))
            if name in stored:
                yield Link(made, each, stored[name], tail, before)
            tail, before = (name if is_semantic(each) else tail), each


def _judge_parent(link: Link, because: str) -> None:
    if link.stored.get("parentId") != link.tail:
        broken(
            link.made.event,
            expected={"id": link.stored.get("id"), "parentId": link.tail},
            observed={"id": link.stored.get("id"), "parentId": link.stored.get("parentId")},
            because=because,
        )


def _chained(link: Link) -> bool:
    """Whether a link is a semantic entry without a parent of its own, under another such."""
    plain = is_semantic(link.passed) and not link.given
    return plain and (link.parent is None or is_semantic(link.parent))


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T1"],
    incidents=["F32"],
    battery=[
        attached(put(A), put(B), put(C)),
        attached(put(A), put(state("st")), put(B)),
        detached(put(A), put(B)),
    ],
    programs=appends,
)
def an_append_follows_the_head(trace: Trace) -> None:
    """The first entry of an append has the entry that the head stands on as its parent.

    A session breaks it by making each append a root of its own, so that a resumed
    conversation begins with its last turn.
    """
    for link in links(trace):
        if _chained(link) and link.before is None:
            _judge_parent(link, "an append goes on from the entry that the head stands on.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T1"],
    incidents=["F32"],
    battery=[
        attached(put(A, B, C)),
        attached(put(A), put(B, state("st"), C)),
        detached(put(A, B)),
    ],
)
def entries_of_one_append_follow_each_other(trace: Trace) -> None:
    """Within one append each entry has the one before it as its parent.

    A session breaks it by giving all of a batch the same parent: siblings, of which the
    path keeps one.
    """
    for link in links(trace):
        if _chained(link) and link.before is not None and is_semantic(link.before):
            _judge_parent(link, "the entries of one append form one chain.")


def _judge_barren(trace: Trace, kinds: frozenset[str], because: str) -> None:
    """No entry that was left to the session has a parent of these types."""
    for link in links(trace):
        parent = link.parent
        if is_semantic(link.passed) and not link.given and parent and parent.get("type") in kinds:
            broken(link.made.event, expected="another parent", observed=parent, because=because)


EVENT_BETWEEN = (
    attached(put(A, happened("e"), B)),
    attached(put(A), put(happened("e")), put(B)),
    attached(put(A), ask("A", "event", {"type": "note"}), put(B)),
    attached(put(A, happened("e")), ask("A", "checkout", "e"), put(B)),
    detached(put(happened("e"), A)),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T1", "AP-H7"],
    incidents=["F30"],
    battery=EVENT_BETWEEN,
    programs=appends,
    weight=2,
)
def an_event_is_no_parent(trace: Trace) -> None:
    """An event never becomes the parent of an entry, unless the caller says so.

    A session breaks it by taking the last entry of the log for the tail, or by letting a
    checkout stand on an event.
    """
    _judge_barren(trace, frozenset({"event"}), "an event is nobody's parent.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T1", "AP-H7"],
    incidents=["F30"],
    battery=[
        attached(put(A), put(B)),
        attached(put(A), ask("A", "fork", "f"), put(B)),
        attached(put(A), ask("A", "checkout"), put(B)),
        over(*on_main(A), steps=(ask("A", "checkout", "r-1"), put(B))),
    ],
)
def a_control_entry_is_no_parent(trace: Trace) -> None:
    """A ref or checkout entry never becomes the parent of an entry, unless the caller says so.

    A session breaks it by chaining to the last entry of the log, which after an append is
    the control entry that moved the head.
    """
    _judge_barren(
        trace,
        frozenset({"session/ref", "session/checkout"}),
        "a control entry is nobody's parent.",
    )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T1"],
    battery=[attached(put(A, happened("e"), B)), attached(put(A), put(happened("e")))],
)
def an_event_hangs_off_the_tail(trace: Trace) -> None:
    """An event of an append has the entry before it in the conversation as its parent.

    A session breaks it by storing events without a parent: no branch shows them then.
    """
    for link in links(trace):
        plain = link.parent is None or is_semantic(link.parent)
        if link.passed.get("type") == "event" and not link.given and plain:
            _judge_parent(link, "an event hangs off the tail at its place.")


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T2"],
    battery=[attached(put(A, B), put(said("c", "a"))), attached(put(A, B, said("c", "a")))],
)
def a_given_parent_is_kept(trace: Trace) -> None:
    """A parent that the caller names is stored as it is.

    A session breaks it by chaining every entry itself: an answer to an earlier turn then
    stands at the end.
    """
    for link in links(trace):
        if link.given and link.stored.get("parentId") != link.passed["parentId"]:
            broken(
                link.made.event,
                expected=link.passed,
                observed=link.stored,
                because="the caller's parent is kept.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T2", "AP-T3"],
    incidents=["F32"],
    battery=[
        attached(put(A, B), put(said("c", "a"))),
        attached(put(A), put(B, happened("e"))),
        detached(put(A), put(B)),
    ],
)
def the_head_moves_to_the_last_entry(trace: Trace) -> None:
    """After an append the head stands on its last entry that is no event, whatever its parent.

    A session breaks it by moving the head only where it chose the parent, or not at all:
    what was said is in the log, and on no branch.
    """
    for made in answered(trace, "append"):
        taken = [each for each in made.event.passed if is_semantic(each)]
        wanted = taken[-1].get("id") if taken else None
        if wanted in {each.get("id") for each in made.fresh} and made.now.target != wanted:
            broken(
                made.event,
                expected=Leaf(wanted or ""),
                observed=Leaf(made.now.target or ""),
                because="an append moves the head to its last entry.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T3"],
    battery=[
        attached(put(A), put(B, happened("e"), C)),
        attached(put(A), put(happened("e"))),
        detached(put(A), put(B)),
    ],
)
def the_control_entry_comes_last(trace: Trace) -> None:
    """An append that moves the tail stores its entries, then one control entry, and no more.

    A session breaks it by moving the ref first, towards an entry that isn't there if the
    write is cut short.
    """
    for made in answered(trace, "append"):
        if not made.before or any(is_control(each) for each in made.event.passed):
            continue
        names = [each.get("id") for each in made.event.passed]
        stored = [each for each in made.fresh if is_control(each) or each.get("id") in names]
        moved = any(is_semantic(each) for each in stored)
        places = [index for index, each in enumerate(stored) if is_control(each)]
        wanted = [len(stored) - 1] if moved else []
        if places != wanted and not (moved and not places):
            broken(
                made.event,
                expected=[*names, *(["control"] if moved else [])],
                observed=["control" if is_control(e) else e.get("id") for e in stored],
                because="one control entry ends an append that moves the tail.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-T8"],
    battery=[attached(put(A), put(custom("n")), put(B))],
)
def a_custom_entry_is_a_node(trace: Trace) -> None:
    """An entry of an unknown type is part of the path, without being registered anywhere.

    A session breaks it by treating as a node only what it knows.
    """
    for made in answered(trace, "append"):
        on_path = made.now.path_to(None)
        for each in made.event.passed if on_path is not None else ():
            own = is_semantic(each) and each.get("type") not in KNOWN
            if own and each in _stored(made) and each.get("id") not in _ids(on_path):
                broken(
                    made.event,
                    expected=[*_ids(on_path), each.get("id")],
                    observed=_ids(on_path),
                    because="a custom entry is a node of the conversation.",
                )


def _stored(made: Asked) -> list[Entry]:
    """The passed entries of an append without parents of their own that are in the log."""
    there = _ids(made.fresh)
    ends_here = not any(each.get("parentId") for each in made.event.passed)
    return [e for e in made.event.passed if ends_here and e.get("id") in there]


def _ids(entries: list[Entry] | None) -> list[object]:
    return [each.get("id") for each in entries or ()]


@law(
    family="log_refs",
    door="refs",
    operations=(),
    source=["AP-T9"],
    acts=["append"],
    battery=[
        attached(put(A), ask("A", "event", {"type": "note"}), ask("A", "fork", "f"), put(B)),
        attached(put(A), ask("A", "checkout"), ask("A", "checkout", "main")),
    ],
)
def every_entry_has_the_four_members(trace: Trace) -> None:
    """All that a session writes has an id, a type, data and a time, control entries too.

    A session breaks it by writing bare markers for its own use.
    """
    for made in known(trace):
        for each in made.after[len(made.before or []) :]:
            if not is_whole(each):
                broken(
                    made.event,
                    expected="id, type, data and timestamp",
                    observed=each,
                    because="every entry has id, type, data and timestamp.",
                )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["event"],
    source=["AP-E1"],
    incidents=["F32"],
    battery=[
        attached(put(A), ask("A", "event", {"type": "note"}), put(B)),
        attached(put(A), put(happened("e")), put(B)),
        attached(ask("A", "event", {"type": "note"})),
    ],
)
def an_event_leaves_the_head_alone(trace: Trace) -> None:
    """Recording an event moves neither the head nor a ref.

    A session breaks it by letting the newest entry be the head.
    """
    for made in known(trace, "event", "append"):
        happens = all(each.get("type") == "event" for each in made.event.passed)
        then, now = made.then, made.now
        if happens and (then.head != now.head or then.target != now.target):
            broken(
                made.event,
                expected={**then.head, "at": then.target},
                observed={**now.head, "at": now.target},
                because="an event moves nothing.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["event"],
    source=["AP-E1"],
    battery=[
        attached(put(A, B), ask("A", "event", {"type": "note"})),
        attached(put(A, B), ask("A", "event", {"type": "note"}, "a")),
        attached(put(A, B), ask("A", "event", {"type": "note"}, parent_id="a")),
    ],
)
def a_recorded_event_hangs_where_it_should(trace: Trace) -> None:
    """``event`` gives back the entry that it stored: under the given parent, else under the head.

    A session breaks it by ignoring the parent, or by answering with another entry.
    """
    for made in answered(trace, "event"):
        given = made.argument(1, "parent_id")
        wanted = made.then.target if given is None else given
        fresh = [each for each in made.fresh if each.get("type") == "event"]
        if [made.event.value] != fresh:
            broken(
                made.event,
                expected=made.event.value,
                observed=made.fresh,
                because="the answer is the stored event.",
            )
        if fresh[0].get("parentId") != wanted:
            broken(
                made.event,
                expected=wanted,
                observed=fresh[0].get("parentId"),
                because="an event hangs off its given parent, or off the head.",
            )
