"""What both audiences see of a compacted session."""

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.failures import broken
from storelaw.families.compaction import ONE, THREE, TWO, generated, shorten
from storelaw.families.session_views import asked
from storelaw.model.acts import acts
from storelaw.model.projections import (
    answered,
    carries,
    compactions,
    messages_of,
    model_view,
    parts,
    transcript_view,
)
from storelaw.model.sights import ids, missing
from storelaw.program import act, add, program, session
from storelaw.samples import meta, note, user
from storelaw.trace import Trace
from storelaw.values import Entry, is_array, is_object


@law(
    family="views",
    door="session",
    acts={"compact", "messages"},
    applies=carries_sessions,
    source=["PI-C5", "PI-C7"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1), act("messages")),
        program(session("s"), ONE, TWO, shorten(1), THREE, shorten(1, "D"), act("messages")),
    ],
    programs=generated,
    weight=2,
)
def kept_turns_stay_in_a_sessions_messages(trace: Trace) -> None:
    """After a compaction the kept turns are among the session's messages, word for word.

    A session breaks it at the second compaction, when what the first one kept is taken for
    summarized.
    """
    for each, entries, shown in asked(trace, "messages"):
        kept = parts(entries).kept
        if answered(model_view(entries)) and missing(trace, kept, shown):
            broken(
                each.event,
                expected=model_view(entries),
                observed=shown,
                because="a turn that was kept is not in any summary.",
            )


@law(
    family="views",
    door="session",
    acts={"compact", "messages"},
    applies=carries_sessions,
    source=["PI-C5", "PI-C7"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1), act("messages")),
        program(session("s"), ONE, shorten(0), TWO, shorten(0, "D"), act("messages")),
    ],
)
def the_summary_takes_the_place_of_what_it_covers(trace: Trace) -> None:
    """After a compaction a session's messages begin with the latest summary, without its source.

    A session breaks it by storing the boundary and reading past it.
    """
    for each, entries, shown in asked(trace, "messages"):
        cut = parts(entries)
        if cut.summary is None or not answered(model_view(entries)):
            continue
        gone = missing(trace, cut.gone, [*cut.kept, *cut.later])
        first = shown[0] if shown else None
        spoken = is_object(first) and first.get("role") == "user" and carries(first, cut.summary)
        if not spoken or len(missing(trace, gone, shown)) < len(gone):
            broken(
                each.event,
                expected=model_view(entries),
                observed=shown,
                because="the model reads the summary, and no longer what it stands for.",
            )


@law(
    family="views",
    door="session",
    acts={"compact", "messages"},
    applies=carries_sessions,
    source=["PI-C5", "PI-V1"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, shorten(0), TWO, act("messages")),
        program(session("s"), ONE, shorten(0), add(meta("m"), user("u2")), act("messages")),
    ],
)
def what_is_said_after_a_compaction_is_heard(trace: Trace) -> None:
    """Messages that a session takes in after a compaction are among its messages.

    A session breaks it by answering with the view that the compaction made, or by dropping
    what was queued while the summary was being written.
    """
    for each, entries, shown in asked(trace, "messages"):
        later = parts(entries).later
        if compactions(entries) and answered(later) and missing(trace, later, shown):
            broken(
                each.event,
                expected=model_view(entries),
                observed=shown,
                because="the conversation goes on behind the summary.",
            )


@law(
    family="views",
    door="session",
    acts={"run", "messages", "compact"},
    applies=carries_sessions,
    source=["PI-C5", "PI-V1", "D-PI-5"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, shorten(0)),
        program(session("s"), ONE, TWO, shorten(1, during=(add(user("queued")),)), act("messages")),
    ],
)
def what_is_said_during_a_compaction_is_heard(trace: Trace) -> None:
    """A message that a session takes in while a summary is written is among its messages.

    A session breaks it by putting the finished summary beside what came meanwhile, off the
    path: the message is stored, and nobody reads it. Giving up the compaction is right.
    """
    meanwhile: list[Entry] = []
    for each in acts(trace):
        event = each.event
        if event.step.do in ("branch", "open_session", "fork_session"):
            meanwhile = []
        if event.step.do == "compact":
            taken = [one for one in event.nested if one.step.do == "add" and one.ok]
            meanwhile += [draft.entry for one in taken for draft in one.step.drafts()]
        heard = event.value if event.step.do == "messages" and event.ok else None
        if is_array(heard) and missing(trace, messages_of(meanwhile), heard):
            broken(
                event,
                expected=messages_of(meanwhile),
                observed=heard,
                because="what was queued during a compaction belongs to the conversation.",
            )


@law(
    family="views",
    door="session",
    acts={"compact", "transcript"},
    applies=carries_sessions,
    source=["PI-C10", "PI-V2"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1), act("transcript")),
        program(session("s"), ONE, add(note("n")), shorten(0), TWO, act("transcript")),
    ],
)
def a_reader_sees_everything_after_a_compaction(trace: Trace) -> None:
    """A compacted session's transcript shows what the summary covers, and the summary itself.

    A session breaks it by giving its reader what is left for the model.
    """
    for each, entries, shown in asked(trace, "transcript"):
        lost = missing(trace, ids(transcript_view(entries)), ids(shown))
        if compactions(entries) and lost:
            broken(
                each.event,
                expected=ids(transcript_view(entries)),
                observed=ids(shown),
                because="a compaction shortens the model's view, and no reader's.",
            )
