"""Views are pure functions of the path: they change nothing and remember nothing."""

from collections.abc import Iterator

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model.sights import MODEL, TRANSCRIPT, Sight, path_of, refusals, sights, told
from storelaw.paths import chained, summary
from storelaw.program import Program, program, view
from storelaw.samples import assistant, meta, note, user
from storelaw.trace import Trace
from storelaw.values import Entry, same


def both(*paths: list[Entry]) -> Program:
    """A program that asks for both views of each path."""
    return program(*(view(which, each) for each in paths for which in (MODEL, TRANSCRIPT)))


MIXED = chained(user("u1"), meta("m"), note("n"), summary("C", "u1"), assistant("a1"))
PLAIN = chained(user("u1"), assistant("a1"))


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-V7"],
    battery=[both(MIXED)],
)
def a_view_leaves_its_path_unchanged(trace: Trace) -> None:
    """A view changes neither the list that it is given nor the entries in it.

    A projection breaks it by taking entries out of the list in place: the log that the
    session holds loses them, and the next view of the same path is another.
    """
    for event in trace.of(MODEL, TRANSCRIPT):
        if not same(path_of(event), event.given):
            broken(
                event,
                expected=path_of(event),
                observed=event.given,
                because="a view reads the path; whoever holds the path finds it as it was.",
            )


def _pairs(trace: Trace) -> Iterator[tuple[Sight, Sight]]:
    seen: list[Sight] = []
    for sight in sights(trace):
        yield from ((each, sight) for each in seen if each.event.step.do == sight.event.step.do)
        seen.append(sight)


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-V7"],
    battery=[both(PLAIN, PLAIN), both(PLAIN, chained(user("u2"), assistant("a2")), PLAIN)],
)
def a_view_of_the_same_path_is_the_same(trace: Trace) -> None:
    """Asked twice for one path, a view answers twice the same.

    A projection breaks it by remembering what it has shown, and giving only the rest.
    """
    for earlier, sight in _pairs(trace):
        if same(earlier.path, sight.path) and not trace.same(earlier.shown, sight.shown):
            broken(
                sight.event,
                expected=earlier.shown,
                observed=sight.shown,
                because="a view is a function of its path: the second answer is the first.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-V7"],
    battery=[
        both(PLAIN, chained(user("u2"), assistant("a2"))),
        both(chained(user("u1"), assistant("a")), chained(user("u2"), assistant("a"))),
    ],
)
def a_view_of_another_path_is_another(trace: Trace) -> None:
    """Two paths that differ in what a view shows have different views.

    A projection breaks it by a cache whose key is too small: the length of the path, or the
    id of its leaf, which an edited or branched conversation shares with the one before.
    """
    for earlier, sight in _pairs(trace):
        expected = trace.same(earlier.expected, sight.expected)
        if not expected and trace.same(earlier.shown, sight.shown):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="this is the view of another path, which was asked for before.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-V1", "PI-V2", "PI-T2"],
    incidents=["F08"],
    battery=[both([])],
)
def an_empty_path_has_empty_views(trace: Trace) -> None:
    """The views of a path without entries are empty lists.

    A projection breaks it by looking at the last entry first, or by greeting the model.
    """
    because = "a session that has just begun has nothing to show, and that is no error."
    for event in refusals(trace):
        if not path_of(event):
            broken(event, expected=[], observed=told(event), because=because)
    for sight in sights(trace):
        if not sight.path and sight.shown:
            broken(sight.event, expected=[], observed=sight.shown, because=because)


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-V1", "PI-V2", "PI-C5"],
    battery=[
        both(chained(note("n"))),
        both(chained(meta("m"))),
        both(chained(summary("C"))),
        both(chained(user("u1"), summary("C", "C"), user("u2"))),
        both(MIXED),
    ],
)
def a_view_answers_for_every_path(trace: Trace) -> None:
    """A view answers with a list for each path of valid entries, whatever kinds they are.

    A projection breaks it by taking for granted that a path begins with a message, or that
    an anchor can be found.
    """
    for event in refusals(trace):
        if path_of(event):
            broken(
                event,
                expected="a list",
                observed=told(event),
                because="every path of valid entries has both views.",
            )
