"""The log profile's projections: what a model reads of a list of entries."""

from collections.abc import Iterator
from itertools import pairwise

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.log_samples import asked, compact, happened, kept, put, told
from storelaw.manifest import Manifest
from storelaw.model.agents import carries, inputs_in
from storelaw.model.replays import (
    INPUT,
    PROJECTED,
    TAG,
    Projection,
    View,
    named,
    projection,
    views,
)
from storelaw.program import Program, ask, door, program
from storelaw.strategies.replays import entry_lists
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

OLD, KEPT, NEW = put("old"), put("kept"), put("new")

#: The literal tables of B.2 and B.4: what is covered, kept, and new.
PLAIN = (put("i1"), kept("s1", a=1), happened("e1"), put("i2"))
MIXED = (put("i1"), kept("s1"), happened("e1"), compact("C", "sum", "i1"), put("i2"))
SHORT = (OLD, KEPT, compact("C", "sum", "old"), NEW)
TWICE = (
    put("i1"),
    compact("C1", "first", "i1"),
    put("i2"),
    put("i3"),
    compact("C2", "second", "i2"),
    put("i4"),
)
LOST = (OLD, KEPT, compact("C", "sum", "nobody"), NEW)
BARE = (OLD, KEPT, compact("C", "sum"), NEW)
AHEAD = (OLD, compact("C", "sum", "new"), NEW)
CALLS = (put("i1"), put("i2", asked("c1")), put("i3", told("c1")), put("i4"))


def replayed(which: str, *lists: tuple[Entry, ...]) -> Program:
    """A program that asks one projection about lists of entries."""
    return program(door("replay", "V"), *(ask("V", which, entries=each) for each in lists))


def _lists(which: str) -> SearchStrategy[Program]:
    return entry_lists().map(lambda entries: replayed(which, tuple(entries)))


def inputs(_: Manifest) -> SearchStrategy[Program]:
    """Generated lists for ``to_agent_input``."""
    return _lists(INPUT)


def projections(_: Manifest) -> SearchStrategy[Program]:
    """Generated lists for ``projected``."""
    return _lists(PROJECTED)


def _say(view: View, expected: object, observed: object, because: str) -> None:
    broken(view.event, expected=expected, observed=observed, because=because)


@law(
    family="log_views",
    door="replay",
    acts={INPUT},
    source=["AP-V1"],
    battery=[replayed(INPUT, PLAIN, MIXED), replayed(INPUT, CALLS), replayed(INPUT, PLAIN[1:3])],
    programs=inputs,
    weight=2,
)
def the_model_input_is_the_data_of_input_entries(trace: Trace) -> None:
    """The model reads the data of the ``input`` entries, as they are, in order, and nothing else.

    A projection breaks it by sending what it knows of states and events too, or by
    understanding only messages.
    """
    for each in views(trace, INPUT):
        wanted = inputs_in(each.entries)
        if not trace.same(wanted, each.shown):
            _say(each, wanted, each.shown, "the model input is the data of the input entries.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, PLAIN, CALLS)],
    programs=projections,
)
def without_a_compaction_nothing_is_projected(trace: Trace) -> None:
    """A list without a ``compact`` entry is projected onto itself.

    A projection breaks it by dropping what the model doesn't read: nobody else can then
    use it.
    """
    for each in views(trace, PROJECTED):
        if projection(each.entries) is None and not trace.same(list(each.entries), each.shown):
            _say(each, list(each.entries), each.shown, "without a compaction nothing changes.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, SHORT), replayed(PROJECTED, LOST)],
    programs=projections,
)
def a_projection_begins_with_the_summary(trace: Trace) -> None:
    """The first entry of a projection is an input: the summary, in a tag, said by a developer.

    A projection breaks it by putting the summary where the compaction was: the model reads
    what it should remember after what happened since.
    """
    for each in views(trace, PROJECTED):
        first = each.shown[0] if each.shown else None
        if projection(each.entries) and not _is_tagged(first):
            _say(each, "a developer's summary", each.shown, "the summary comes first.")


def _is_tagged(entry: object) -> bool:
    """Whether an entry is an input that holds some summary."""
    data = entry.get("data") if is_object(entry) and entry.get("type") == "input" else None
    return is_object(data) and data.get("role") == "developer" and carries(data, TAG)


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, TWICE)],
    programs=projections,
)
def the_latest_compaction_is_projected(trace: Trace) -> None:
    """Of several compactions the last one of the list gives the summary.

    A projection breaks it by taking the first that it finds: what was summarized again is
    read as it was long ago.
    """
    for each in views(trace, PROJECTED):
        found = projection(each.entries)
        summaries = [one for one in each.shown if _is_tagged(one)]
        if found and summaries and not any(carries(one, found.summary) for one in summaries):
            _say(each, found.summary, summaries, "the latest compaction wins.")


def _lasting(trace: Trace) -> Iterator[tuple[View, Projection]]:
    """The projections of lists with a compaction, beside what the rules make of them."""
    for each in views(trace, PROJECTED):
        found = projection(each.entries)
        if found:
            yield each, found


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, SHORT, MIXED), replayed(PROJECTED, TWICE)],
    programs=projections,
)
def what_a_compaction_covers_is_not_projected(trace: Trace) -> None:
    """No entry up to the compaction's ``lastEntryId`` is in the projection.

    A projection breaks it by putting the summary beside the history: the request is longer
    than before.
    """
    for each, found in _lasting(trace):
        if _anchored(found):
            held = [one for one in named(found.covered) if one in named(each.shown)]
            if held:
                _say(each, [], held, "what is covered is read as its summary.")


def _anchored(found: Projection) -> bool:
    data = found.compact.get("data")
    anchor = data.get("lastEntryId") if is_object(data) else None
    return bool(found.covered) and found.covered[-1].get("id") == anchor


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, SHORT, MIXED), replayed(PROJECTED, TWICE)],
    programs=projections,
    weight=2,
)
def what_a_compaction_keeps_is_projected(trace: Trace) -> None:
    """The entries between ``lastEntryId`` and the compaction are projected, before the later ones.

    A projection breaks it by cutting at the compaction: the last turns, which were to stay
    word for word, are gone.
    """
    for each, found in _lasting(trace):
        wanted = [*found.kept, *found.later]
        entries = [one for one in each.shown if is_object(one) and one in wanted]
        if not trace.same(wanted, entries):
            _say(each, wanted, entries, "kept entries stay, in order, then the later ones.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M2"],
    battery=[replayed(PROJECTED, LOST), replayed(PROJECTED, BARE), replayed(PROJECTED, AHEAD)],
    programs=projections,
)
def without_its_anchor_a_compaction_keeps_nothing(trace: Trace) -> None:
    """Where ``lastEntryId`` is missing, or names nothing before it, all that was before is covered.

    A projection breaks it by keeping everything: history and summary are both read.
    """
    for each, found in _lasting(trace):
        held = [one for one in named(found.covered) if one in named(each.shown)]
        if not _anchored(found) and held:
            _say(each, [], held, "without an anchor only what follows is kept.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED},
    source=["AP-M3"],
    battery=[replayed(PROJECTED, SHORT)],
    programs=projections,
)
def the_summary_has_the_id_and_time_of_its_compaction(trace: Trace) -> None:
    """The entry that stands for a compaction has its id and its timestamp.

    A projection breaks it by making a new entry each time: two views of one log differ.
    """
    for each, found in _lasting(trace):
        wanted = [found.compact.get(name) for name in ("id", "timestamp")]
        first = [one for one in each.shown[:1] if _is_tagged(one)]
        if any([one.get(n) for n in ("id", "timestamp")] != wanted for one in first):
            _say(each, wanted, first, "the summary is the compaction's entry in another form.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED, INPUT},
    source=["AP-M3"],
    battery=[
        program(*replayed(PROJECTED, SHORT).steps, *replayed(INPUT, SHORT).steps[1:]),
    ],
)
def a_projection_changes_no_entry(trace: Trace) -> None:
    """The list that a projection was given, and its entries, are the same afterwards.

    A projection breaks it by writing the summary into the compaction's entry: what is
    stored next is the summary's message, not the compaction.
    """
    for which in (PROJECTED, INPUT):
        for each in views(trace, which):
            if not trace.same(list(each.entries), each.event.given):
                _say(each, list(each.entries), each.event.given, "a projection only reads.")


@law(
    family="log_views",
    door="replay",
    acts={PROJECTED, INPUT},
    source=["AP-M2", "AP-V1"],
    battery=[
        program(*replayed(PROJECTED, SHORT, SHORT).steps),
        program(*replayed(INPUT, PLAIN, PLAIN).steps, *replayed(PROJECTED, SHORT).steps[1:]),
    ],
)
def a_projection_says_the_same_each_time(trace: Trace) -> None:
    """The same entries are projected onto the same answer.

    A projection breaks it by remembering what it was asked before.
    """
    for which in (PROJECTED, INPUT):
        seen = list(views(trace, which))
        for one, other in pairwise(seen):
            if one.entries == other.entries and not trace.same(one.shown, other.shown):
                _say(other, one.shown, other.shown, "one list has one projection.")
