"""Clone at the refs door: what goes into another session, and that the two are apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.refs import (
    Asked,
    Reading,
    asked,
    ids,
    is_semantic,
    members,
    objects,
)
from storelaw.model.refs_entries import attached, custom, happened, put, said, state
from storelaw.program import Key, Step, ask
from storelaw.strategies.refs import cloned
from storelaw.trace import Trace
from storelaw.values import Entry

A, B, C, D = said("a"), said("b"), said("c"), said("d")

#: Two branches with an event and a custom entry each; the head is on ``main``.
FORKED: Final[tuple[Step, ...]] = (
    put(A, happened("e1")),
    ask("A", "fork", "f"),
    put(B, custom("n1"), happened("e2")),
    ask("A", "checkout", "main"),
    put(C, state("s1"), happened("e3")),
)
#: Two turns, each with its input, its answer and its events.
TURNS: Final[tuple[Step, ...]] = tuple(
    put(
        happened(f"{turn}-s", type="turn.start", turn=turn),
        said(f"{turn}-q"),
        said(f"{turn}-a"),
        happened(f"{turn}-d", type="turn.done", turn=turn),
    )
    for turn in ("t1", "t2")
)


def _clone(*values: Any, to: str = "t", label: str = "B") -> Step:
    return ask("A", "clone", to, *values, becomes=label, at=to)


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone that was asked for; ``there`` is what the other session held before."""

    made: Asked
    there: list[Entry]
    log: list[Entry]

    @property
    def names(self) -> list[str] | None:
        """The refs that were chosen, ``None`` where one of them is unknown."""
        then, refs = self.made.then, self.made.argument(1, "refs")
        active = then.head.get("name")
        if refs is None:
            return [str(active)] if active in then.refs else []
        names: list[str] = list(then.refs) if refs == "all" else refs
        return names if all(each in then.refs for each in names) else None

    @property
    def tips(self) -> list[str | None] | None:
        """What the paths lead to, ``None`` where a target is unknown."""
        known_at, at = self.made.then.found(self.made.argument(2))
        names = self.names
        if names is None or not known_at:
            return None
        return [*(self.made.then.refs[each] for each in names), at]

    @property
    def carried(self) -> list[Entry] | None:
        """The entries on the paths and the events that hang off them, in raw order."""
        then = self.made.then
        paths = [then.path(each) for each in self.tips or ()]
        if self.tips is None or any(each is None for each in paths):
            return None
        there = {one.get("id") for path in paths for one in path or ()}
        return [e for e in then.log if e.get("id") in there or _attached(e, there)]


def _attached(entry: Entry, there: set[Any]) -> bool:
    return entry.get("type") == "event" and entry.get("parentId") in there


def clones(trace: Trace) -> Iterator[Clone]:
    """Every clone of which the log was known before, with what the other session held."""
    held: dict[Key, list[Entry]] = {}
    for made in asked(trace):
        if made.method == "clone" and made.before is not None:
            key = made.event.step["at"]
            yield Clone(made, held.get(key, []), objects(made.event.logs.get(key)))
        for key, log in made.event.logs.items():
            held[key] = objects(log)


def _taken(trace: Trace) -> Iterator[tuple[Clone, list[Entry]]]:
    """The clones that were made, with what they should carry."""
    for each in clones(trace):
        carried = each.carried
        if each.made.event.ok and carried is not None and not each.there:
            yield each, carried


WAYS: Final = (
    (),
    ("all",),
    (["f"],),
    (["main"], "a"),
    (["f", "main"],),
)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C1", "AP-T8"],
    incidents=["F33"],
    battery=[attached(*FORKED, _clone(*each)) for each in WAYS],
    programs=cloned,
    weight=2,
)
def a_clone_has_the_paths_of_its_refs(trace: Trace) -> None:
    """A clone has the entries on the chosen paths, the very same, in the order of the log.

    A session breaks it by giving them new ids, so that events and anchors point nowhere,
    by copying ref after ref, or by taking other branches along.
    """
    for each, carried in _taken(trace):
        wanted = [one for one in carried if is_semantic(one)]
        found = [one for one in each.log if is_semantic(one)]
        if not trace.same(wanted, found):
            broken(
                each.made.event,
                expected=wanted,
                observed=found,
                because="a clone has the entries of its paths, as they are.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C1"],
    incidents=["F22"],
    battery=[attached(*FORKED, _clone(*each)) for each in WAYS[:3]],
)
def a_clone_has_the_events_on_its_paths(trace: Trace) -> None:
    """A clone has the events that hang off its entries, and no others.

    A session breaks it by leaving all events behind, or by taking all along. Those of a
    turn that would never end in the clone may stay behind (D-AP-4).
    """
    for each, carried in _taken(trace):
        cut = Reading.of(carried).open_turns
        events = [one for one in carried if one.get("type") == "event"]
        needed = [e for e in events if members(e.get("data")).get("turnId") not in cut]
        found = [one for one in each.log if one.get("type") == "event"]
        if not set(ids(needed)) <= set(ids(found)) <= set(ids(events)):
            broken(
                each.made.event,
                expected=needed,
                observed=found,
                because="events come with the entries that they hang off.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C1", "AP-S5"],
    incidents=["F33"],
    battery=[attached(*FORKED, _clone(*each)) for each in WAYS],
)
def a_clone_has_the_refs_that_were_chosen(trace: Trace) -> None:
    """A clone has the chosen refs, in their order, where they point in the source.

    A session breaks it by cloning all refs, or the entries alone.
    """
    for each, _ in _taken(trace):
        wanted = {name: each.made.then.refs[name] for name in each.names or ()}
        found = dict(Reading.of(each.log).refs)
        if list(wanted.items()) != list(found.items()):
            broken(
                each.made.event,
                expected=wanted,
                observed=found,
                because="a clone has the refs that were chosen.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C1"],
    incidents=["F32"],
    battery=[
        attached(*FORKED, _clone(*WAYS[0])),
        attached(*FORKED, _clone("all")),
        attached(*FORKED, _clone(["main"], "a")),
        attached(*FORKED, ask("A", "checkout", "a"), _clone()),
    ],
)
def a_clone_stands_where_it_was_told(trace: Trace) -> None:
    """A clone's head stands on its target, or without one where the source's does.

    A session breaks it by leaving the clone's head at nothing.
    """
    for each, _ in _taken(trace):
        wanted = each.made.then.found(each.made.argument(2))[1]
        found = Reading.of(each.log).target
        if found != wanted:
            broken(
                each.made.event,
                expected=wanted,
                observed=found,
                because="a clone stands on its target, or where its source stands.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone", "append"],
    source=["AP-C2"],
    incidents=["F33", "F50"],
    battery=[
        attached(put(A), _clone(), put(B, on="B"), ask("A", "read")),
        attached(put(A), _clone(), put(B), ask("B", "read")),
        attached(put(A), _clone(), ask("B", "checkout"), put(B, on="B"), put(C)),
    ],
)
def a_clone_and_its_source_are_apart(trace: Trace) -> None:
    """What is done to a clone leaves its source as it is, and the other way round.

    A session breaks it by working on one storage for both.
    """
    held: dict[Key, list[Entry]] = {}
    askings = {made.event.index: made for made in asked(trace)}
    for event in trace.events:
        if event.step.do == "append":
            held.pop(event.step.session, None)
        if event.index in askings:
            _judge_apart(trace, askings[event.index], held)


def _judge_apart(trace: Trace, made: Asked, held: dict[Key, list[Entry]]) -> None:
    for key, log in made.event.logs.items():
        before = held.get(key, objects(log)) if key != made.key else objects(log)
        if made.method != "clone" and not trace.same(before, objects(log)):
            broken(
                made.event,
                expected=before,
                observed=log,
                because="a clone and its source are two sessions.",
            )
        held[key] = objects(log)


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C3", "D-AP-1"],
    requirement="SHOULD",
    incidents=["F31"],
    battery=[
        attached(put(A), _clone(), put(B), _clone(label="C")),
        attached(put(A), ask("A", "clone", "s", becomes="B", at="s"), put(B)),
    ],
)
def a_clone_goes_into_an_empty_session(trace: Trace) -> None:
    """A clone into a session that holds something changes nothing there.

    A session breaks it by appending what is there already: one id then stands for two
    entries.
    """
    for each in clones(trace):
        there = each.made.before if each.made.event.step["at"] == each.made.key else each.there
        if there and not trace.same(there, each.log):
            broken(
                each.made.event,
                expected=there,
                observed=each.log,
                because="a clone goes into an empty session, or nowhere.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["clone"],
    source=["AP-C4", "D-AP-4"],
    incidents=["F19"],
    battery=[
        attached(*TURNS, _clone([], "t1-a"), ask("B", "read"), ask("B", "checkout", "t1-q")),
        attached(*TURNS, _clone([], "t1-q"), ask("B", "checkout")),
        attached(*TURNS, _clone(), ask("B", "fork", "g")),
    ],
)
def a_part_of_a_log_can_be_cloned(trace: Trace) -> None:
    """A clone of a session in which no turn runs is made, and no turn runs in it.

    A session breaks it by copying the start of a turn without its end: the clone is busy
    for ever, or the call fails when half of it is written.
    """
    for each in clones(trace):
        sound = (
            each.made.steady
            and each.carried is not None
            and not each.there
            and not each.made.then.open_turns
        )
        if not sound or each.made.event.step["at"] == each.made.key:
            continue
        stuck = Reading.of(each.log).open_turns
        if each.made.event.raised or stuck:
            broken(
                each.made.event,
                expected="a clone in which no turn runs",
                observed=each.made.event.text or stuck,
                because="a clone takes the whole of a turn's events, or none of them.",
            )


@law(
    family="log_refs",
    door="refs",
    operations=(),
    acts=["append"],
    source=["AP-C1", "AP-H1"],
    battery=[
        attached(put(A), _clone(["nowhere"]), ask("A", "read")),
        attached(put(A), _clone(["main", "nowhere"]), ask("A", "read")),
        attached(put(A), _clone(["main"], "nowhere"), ask("A", "read")),
    ],
)
def an_unknown_ref_is_not_cloned(trace: Trace) -> None:
    """A clone of a ref or a target that isn't there fails, and the other session stays empty.

    A session breaks it by cloning what it finds, or by writing before it looks.
    """
    for each in clones(trace):
        written = [one for one in each.log if one not in each.there]
        if each.tips is None and (each.made.event.ok or written):
            broken(
                each.made.event,
                expected="an error",
                observed=written,
                because="what is neither ref nor entry can't be cloned.",
            )
