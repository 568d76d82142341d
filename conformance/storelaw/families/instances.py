"""Session objects: several at once on one log, and one that was closed."""

from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import acts
from storelaw.model.chains import names, parent_of
from storelaw.narrative import Words
from storelaw.program import Key, Program, act, add, program, run, session
from storelaw.samples import assistant, user
from storelaw.sides import Parent
from storelaw.strategies.turns import programs
from storelaw.trace import Trace

_PAIR: Final = (
    session("s", "A"),
    add(user("u")),
    session("s", "B"),
)


def _pairs(_: Manifest) -> SearchStrategy[Program]:
    """Two and more live sessions on one log, which take turns."""
    return programs(("second", "switch", "switch", "say", "run", "run", "branch", "tools"), least=3)


@law(
    family="resume",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-N2"],
    incidents=["F24", "F26", "F32"],
    battery=[
        program(*_PAIR, add(user("v")), add(user("w"), on="B")),
        program(
            *_PAIR, add(user("v")), add(user("w"), on="B"), add(user("x")), add(user("y"), on="B")
        ),
    ],
    programs=_pairs,
    weight=1,
)
def two_live_sessions_grow_siblings(trace: Trace) -> None:
    """Each of two sessions on one log goes on from its own leaf, and neither is refused.

    A session breaks it by chaining to whatever came last, so that two talks become one, or by
    refusing the second writer as out of date.
    """
    labels = {str(event.step.on) for event in trace.of("open_session") if event.ok}
    for each in acts(trace, "add", "run"):
        if len(labels) < 2 or each.event["fails"] or each.leaf is None:
            continue
        if each.event.raised:
            broken(
                each.event,
                expected=Words("an append at this session's leaf"),
                observed=Words("a refusal"),
                because="a session appends at its own leaf, whoever else has appended.",
            )
        roots = [entry for entry in each.fresh if entry.get("parent_id", "") == each.leaf]
        if each.fresh and not roots:
            broken(
                each.event,
                expected=Parent(each.leaf, each.fresh[0]),
                observed=Parent(parent_of(each.fresh[0]), each.fresh[0]),
                because="each of two live sessions goes on from its own leaf.",
            )


@law(
    family="resume",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-N2"],
    incidents=["F24", "F28"],
    battery=[
        program(*_PAIR, add(user("v")), add(user("w"), on="B")),
        program(*_PAIR, add(user("v"), user("x")), add(user("w"), on="B"), add(user("y"))),
    ],
    programs=_pairs,
    weight=1,
)
def two_live_sessions_lose_nothing(trace: Trace) -> None:
    """What either of two sessions on one log has stored stays stored.

    A session breaks it by writing back the whole log as it knows it.
    """
    kept: dict[Key, list[str]] = {}
    for each in acts(trace):
        known = kept.setdefault(each.key, [])
        missing = [name for name in known if name not in names(each.after)]
        if missing:
            broken(
                each.event,
                expected=Words("all that either session has stored"),
                observed=each.after,
                because="nothing that one session stored is lost to another.",
            )
        known.extend(name for name in names(each.fresh) if name not in known)


# ------------------------------------------------------------------ closed sessions

_CLOSED: Final = (session("s"), add(user("u")), act("close_session"))


@law(
    family="resume",
    door="session",
    requirement="MAY",
    acts={"close_session"},
    applies=carries_sessions,
    source=["PI-L10"],
    incidents=["F59"],
    battery=[program(*_CLOSED, run(user("v"), answer=(assistant("a"),)))],
)
def a_closed_session_runs_no_more(trace: Trace) -> None:
    """After a session object was closed, a run of it is refused.

    A session breaks it by opening itself again in silence.
    """
    closed: set[Any] = set()
    for event in trace.events:
        if event.step.do == "close_session" and event.ok:
            closed.add(event.step.on)
        elif event.step.do == "run" and event.ok and event.step.on in closed:
            broken(
                event,
                expected=Words("a refusal"),
                observed=Words("a run"),
                because="a session that was closed runs no more.",
            )


@law(
    family="resume",
    door="session",
    acts={"close_session", "entries"},
    applies=carries_sessions,
    source=["PI-L10"],
    incidents=["F28", "F59"],
    battery=[program(*_CLOSED, session("s", "B"), act("entries", "B"))],
)
def a_closed_session_can_be_opened_again(trace: Trace) -> None:
    """Closing a session ends the object, not the session: it opens again with the same log.

    A session breaks it by leaving its lock behind, or by taking its log along.
    """
    closed: set[Key] = set()
    for each in acts(trace):
        event = each.event
        if event.step.do == "close_session" and event.ok:
            closed.add(each.key)
        if each.key in closed and event.step.do == "open_session" and event.raised:
            broken(
                event,
                expected=Words("a session"),
                observed=Words("a refusal"),
                because="a session that was closed can be opened again.",
            )
        if each.key in closed and len(each.after) < len(each.before):
            broken(
                event,
                expected=each.before,
                observed=each.after,
                because="closing a session leaves its log as it is.",
            )
