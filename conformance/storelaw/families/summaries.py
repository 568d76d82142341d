"""The model view of a compacted path: the summary, what stays, what came later."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.projections import Parts, carries, compactions, parts
from storelaw.model.sights import (
    MODEL,
    Sight,
    in_order,
    missing,
    path_of,
    refusals,
    sights,
    told,
)
from storelaw.paths import chained, summary
from storelaw.program import Program, program, view
from storelaw.samples import assistant, note, user
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def shows(*paths: list[Entry]) -> Program:
    """A program that asks for the model view of each path."""
    return program(*(view(MODEL, each) for each in paths))


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Model views of generated paths with up to three compactions."""
    from storelaw.strategies.paths import paths

    return paths(7, 3).map(shows)


def compacted(trace: Trace) -> Iterator[tuple[Sight, Parts]]:
    """The model views of paths with a compaction, and how the latest one cuts the path."""
    for sight in sights(trace, MODEL):
        cut = parts(sight.path)
        if cut.summary is not None:
            yield sight, cut


def _broken(sight: Sight, because: str) -> None:
    broken(sight.event, expected=sight.expected, observed=sight.shown, because=because)


TWO_TURNS = (user("u1"), assistant("a1"), user("u2"), assistant("a2"))
ONCE = chained(*TWO_TURNS, summary("C", "u2"), user("u3"))


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C5"],
    incidents=["F36"],
    battery=[shows(ONCE), shows(chained(user("u1"), summary("C")))],
)
def the_summary_comes_first_and_as_a_user_message(trace: Trace) -> None:
    """The model view of a compacted path begins with the summary, as a user message.

    A projection breaks it by giving the model words in its own mouth, by putting the summary
    after what it is about, or by leaving it out. A frame around the summary is no fault.
    """
    for sight, cut in compacted(trace):
        first: Any = sight.shown[0] if sight.shown else None
        spoken = is_object(first) and first.get("role") == "user"
        if cut.summary and not (spoken and carries(first, cut.summary)):
            _broken(sight, "the model reads the summary first, as a message of the user.")


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C5"],
    incidents=["F36"],
    battery=[
        shows(ONCE),
        shows(chained(user("u1"), note("n"), user("u2"), summary("C", "n"))),
    ],
)
def messages_from_the_anchor_on_stay_in_the_view(trace: Trace) -> None:
    """The entry that a compaction names as first kept is in the model view, and all after it.

    Any entry of the path may be the anchor, a custom entry too. A projection breaks it by
    beginning one entry too late, or by keeping the summary alone.
    """
    for sight, cut in compacted(trace):
        if missing(trace, cut.kept, sight.shown) or not in_order(trace, cut.kept, sight.shown):
            _broken(sight, "the first kept entry and what follows it stay word for word.")


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C5"],
    battery=[shows(ONCE), shows(chained(user("u1"), note("n"), user("u2"), summary("C", "u2")))],
)
def messages_before_the_anchor_leave_the_view(trace: Trace) -> None:
    """What a summary stands for is no longer in the model view beside it.

    A projection breaks it by adding the summary to the whole history: the next request is
    longer than the one that had to be compacted.
    """
    for sight, cut in compacted(trace):
        gone = [e for e in cut.gone if missing(trace, [e], [*cut.kept, *cut.later])]
        if cut.found and len(missing(trace, gone, sight.shown)) < len(gone):
            _broken(sight, "the summary stands for the messages before the first kept one.")


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C5"],
    incidents=["F36"],
    battery=[shows(chained(user("u1"), summary("C"), user("u2"), note("n"), assistant("a2")))],
)
def messages_after_a_compaction_are_in_the_view(trace: Trace) -> None:
    """What was said after the compaction is in the model view, after the summary.

    A projection breaks it by ending at the compaction: what was queued meanwhile, and every
    later turn, never reaches the model.
    """
    for sight, cut in compacted(trace):
        if missing(trace, cut.later, sight.shown):
            _broken(sight, "the conversation goes on behind a compaction.")


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C6", "PI-C2"],
    incidents=["F36"],
    battery=[
        shows(chained(user("u1"), summary("C", "missing"), user("u2"))),
        shows(chained(user("u1"), assistant("a1"), summary("C"), user("u2"))),
        shows(chained(user("u1"), summary("C", "u2"), user("u2"), assistant("a2"))),
        shows(chained(user("u1"), summary("C", "C"), user("u2"))),
    ],
)
def an_anchor_that_is_not_found_keeps_nothing(trace: Trace) -> None:
    """Where the first kept entry doesn't lie before the compaction, nothing before it stays.

    The anchor may be empty, unknown, the compaction itself, or an entry behind it. A
    projection breaks it by falling back on the whole history, or by an error.
    """
    for sight, cut in compacted(trace):
        gone = [e for e in cut.gone if missing(trace, [e], cut.later)]
        if not cut.found and len(missing(trace, gone, sight.shown)) < len(gone):
            _broken(sight, "no entry before the compaction is the first kept one: none stays.")
    for event in refusals(trace, MODEL):
        if compactions(path_of(event)):
            broken(
                event,
                expected="the summary, and what came later",
                observed=told(event),
                because="an anchor that is not found is no error.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C6"],
    battery=[
        shows(chained(user("u1"), summary("C", "u2"), user("u2"), assistant("a2"))),
        shows(ONCE),
    ],
)
def a_compaction_shows_no_message_twice(trace: Trace) -> None:
    """No message of a compacted path is in the model view more often than on the path.

    A projection breaks it by looking for the anchor on the whole path, or by adding the
    kept part to a view that holds it already.
    """
    for sight, cut in compacted(trace):
        whole = [*cut.gone, *cut.kept, *cut.later]
        for each in whole:
            if _count(trace, each, sight.shown) > _count(trace, each, whole):
                _broken(sight, "one message of the path was shown twice.")


def _count(trace: Trace, message: Entry, among: list[Any]) -> int:
    return sum(trace.same(message, each) for each in among)


TWICE = chained(
    user("u1"), summary("C1", "u1"), user("u2"), assistant("a2"), summary("C2", "u2"), user("u3")
)


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C7"],
    incidents=["F36"],
    battery=[
        shows(TWICE),
        shows(chained(user("u1"), summary("C1", "u1"), summary("C2", "C1"), user("u3"))),
    ],
)
def the_latest_compaction_wins(trace: Trace) -> None:
    """Of several compactions the last one on the path makes the view; no earlier one shows.

    A projection breaks it by stopping at the first compaction that it meets, or by showing
    all summaries.
    """
    for sight, _ in compacted(trace):
        summaries = [str(sight.path[at].get("summary", "")) for at in compactions(sight.path)]
        old = [each for each in summaries[:-1] if each and each not in str(sight.expected)]
        latest = any(carries(each, summaries[-1]) for each in sight.shown)
        earlier = any(each in str(sight.shown) for each in old)
        if len(summaries) > 1 and (earlier or not latest):
            _broken(sight, "an earlier summary is what the latest one was made of.")


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-C5", "PI-C7"],
    battery=[shows(chained(user("u1"), summary("C", "u1"), user("u2")))],
    programs=generated,
    weight=3,
)
def a_compacted_view_is_summary_kept_and_later(trace: Trace) -> None:
    """The model view of a compacted path holds the summary, what stays, what came later: no more.

    A projection breaks it by sending the compaction entry as a message beside its summary,
    or in any way that a hand-picked path doesn't show.
    """
    for sight, cut in compacted(trace):
        rest = sight.shown
        if rest and carries(rest[0], cut.summary or ""):
            rest = rest[1:]
        if not trace.same([*cut.kept, *cut.later], rest) or len(rest) == len(sight.shown):
            _broken(sight, "behind the summary come the kept messages and the later ones only.")
