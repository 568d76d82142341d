"""The two views of a session: one stored log, read for two audiences, and no second copy."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from storelaw.clauses import all_of, law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.families.tolerance import legacy, newer, reads_no_legacy
from storelaw.manifest import Manifest
from storelaw.model.acts import Act, acts
from storelaw.model.chains import name_of, path
from storelaw.model.projections import answered, messages_of, model_view, transcript_view
from storelaw.model.sights import ids, missing
from storelaw.paths import chained
from storelaw.program import Program, act, add, append, program, reopened, run, session
from storelaw.samples import assistant, note, user
from storelaw.trace import Trace
from storelaw.values import Entry, is_array

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

VIEWS: Final = (act("messages"), act("transcript"))
TALK: Final = (
    run(user("u1"), answer=(assistant("a1"),)),
    run(user("u2"), answer=(assistant("a2"),)),
)


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Sessions that are talked to, branched, compacted and reopened, and then read."""
    from storelaw.strategies.paths import conversations

    return conversations()


def asked(trace: Trace, what: str) -> Iterator[tuple[Act, list[Entry], list[Any]]]:
    """Each answer of a session's view, with the active path that it was asked of."""
    for each in acts(trace, what):
        if each.event.ok and is_array(each.event.value) and each.leaf is not None:
            yield each, path(each.before, each.leaf), each.event.value


@law(
    family="views",
    door="session",
    acts={"messages"},
    applies=carries_sessions,
    source=["PI-V1", "PI-V7", "PI-S1"],
    incidents=["F38"],
    battery=[
        program(session("s"), *TALK, act("messages")),
        program(session("s"), TALK[0], act("messages"), TALK[1], act("messages")),
        program(session("s"), *TALK, reopened(), session("s", "B"), act("messages", "B")),
    ],
    programs=generated,
    weight=2,
)
def the_messages_of_a_session_are_the_view_of_its_path(trace: Trace) -> None:
    """A session's messages are the model view of the stored path that ends at its leaf.

    A session breaks it by a second copy of the conversation beside the log, which it forgets
    to follow. Histories with unanswered calls are left to the laws about repair.
    """
    for each, entries, shown in asked(trace, "messages"):
        expected = model_view(entries)
        if answered(expected) and not trace.same(expected, shown):
            broken(
                each.event,
                expected=expected,
                observed=shown,
                because="there is one log, and the history is its projection.",
            )


@law(
    family="views",
    door="session",
    acts={"transcript"},
    applies=carries_sessions,
    source=["PI-V2", "PI-V7"],
    incidents=["F38"],
    battery=[
        program(session("s"), *TALK, act("transcript")),
        program(session("s"), TALK[0], act("transcript"), TALK[1], act("transcript")),
        program(session("s"), *TALK, reopened(), session("s", "B"), act("transcript", "B")),
    ],
    programs=generated,
    weight=2,
)
def the_transcript_of_a_session_is_the_view_of_its_path(trace: Trace) -> None:
    """A session's transcript is the transcript view of the stored path that ends at its leaf.

    A session breaks it by keeping what it has shown, beside the log.
    """
    for each, entries, shown in asked(trace, "transcript"):
        expected = transcript_view(entries)
        if not trace.same(ids(expected), ids(shown)):
            broken(
                each.event,
                expected=ids(expected),
                observed=ids(shown),
                because="there is one log, and the transcript is its projection.",
            )


@law(
    family="views",
    door="session",
    acts={"messages", "transcript", "branch"},
    applies=carries_sessions,
    source=["PI-V7", "PI-B1", "PI-T2"],
    incidents=["F32"],
    battery=[
        program(session("s"), *TALK, act("branch", target="a1"), *VIEWS),
        program(session("s"), *TALK, act("branch", target="a1"), add(user("u3")), *VIEWS),
    ],
)
def a_session_shows_its_active_branch_only(trace: Trace) -> None:
    """After a branch both views hold nothing of the branch that was left.

    A session breaks it by reading its log from the first line to the last.
    """
    for each, entries, shown in asked(trace, "transcript"):
        left = [name for name in ids(each.before) if name not in ids(entries)]
        if set(left) & set(ids(shown)):
            broken(
                each.event,
                expected=ids(transcript_view(entries)),
                observed=ids(shown),
                because="an entry of another branch is not on the active path.",
            )
    for each, entries, shown in asked(trace, "messages"):
        other = [one for one in each.before if name_of(one) not in ids(entries)]
        left = missing(trace, messages_of(other), model_view(entries))
        if len(missing(trace, left, shown)) < len(left):
            broken(
                each.event,
                expected=model_view(entries),
                observed=shown,
                because="a message of another branch is not on the active path.",
            )


_OLD: Final = chained(user("u1"), user("m"), assistant("a1"))
_LEGACY: Final = [_OLD[0], legacy(_OLD[1]), _OLD[2]]


@law(
    family="views",
    door="session",
    acts={"transcript"},
    applies=all_of(carries_sessions, reads_no_legacy),
    source=["PI-G1"],
    battery=[program(append("s", *_LEGACY), session("s"), act("transcript"))],
)
def a_session_shows_legacy_meta_entries(trace: Trace) -> None:
    """A stored entry with a top-level ``meta: true`` is ordinary, and in the transcript.

    A session breaks it by still reading the flag that moved to the message.
    """
    for each, entries, shown in asked(trace, "transcript"):
        old = [one for one in transcript_view(entries) if one.get("meta") is True]
        if missing(trace, ids(old), ids(shown)):
            broken(
                each.event,
                expected=ids(transcript_view(entries)),
                observed=ids(shown),
                because="a top-level meta flag means nothing any more.",
            )


@law(
    family="views",
    door="session",
    acts={"transcript"},
    applies=carries_sessions,
    source=["PI-G4", "PI-R3"],
    incidents=["F17"],
    battery=[
        program(
            append("s", *newer(chained(user("u1"), assistant("a1")))),
            session("s"),
            act("transcript"),
        ),
        program(
            append("s", *chained(user("u1"), note("n", of={"deep": [1]}), assistant("a1"))),
            session("s"),
            act("transcript"),
        ),
    ],
)
def a_log_of_another_writer_opens(trace: Trace) -> None:
    """A log with members and custom kinds that a session doesn't know opens, with its whole path.

    A session breaks it by a strict decoder, or by dropping what it can't decode: what hangs
    off that entry is cut from its root.
    """
    for each in acts(trace, "open_session"):
        if each.event.raised and each.after:
            broken(
                each.event,
                expected="the session",
                observed=each.event.text,
                because="unknown members are ignored, and so is what a custom kind means.",
            )
    for each, entries, shown in asked(trace, "transcript"):
        said = [one for one in transcript_view(entries) if one.get("type") == "message"]
        if missing(trace, ids(said), ids(shown)):
            broken(
                each.event,
                expected=ids(transcript_view(entries)),
                observed=ids(shown),
                because="what a session doesn't know costs it no entry of the path.",
            )
