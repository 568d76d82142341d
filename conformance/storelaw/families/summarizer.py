"""Compaction: what the summarizer reads."""

from storelaw.clauses import law
from storelaw.conditions import carries_sessions
from storelaw.families.compaction import ONE, THREE, TWO, say_broken, shorten
from storelaw.model.compacting import Compaction, compacted
from storelaw.model.projections import (
    carries,
    compactions,
    messages_of,
    parts,
)
from storelaw.model.sights import in_order, missing
from storelaw.program import add, program, session
from storelaw.samples import meta, note
from storelaw.trace import Trace
from storelaw.values import is_object


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C8", "PI-C2"],
    battery=[
        program(session("s"), ONE, TWO, shorten(1)),
        program(session("s"), ONE, add(meta("m"), note("n")), TWO, shorten(1)),
        program(session("s"), ONE, TWO, shorten(0)),
    ],
)
def the_summarizer_reads_what_it_summarizes(trace: Trace) -> None:
    """All messages before the first kept one are shown to the summarizer, in their order.

    A session breaks it by leaving out injected context, or by summarizing less than it cuts.
    """
    for each in compacted(trace):
        said = [one for one in each.prefix if not any(carries(one, s) for s in _summaries(each))]
        lost = missing(trace, said, each.shown) or not in_order(trace, said, each.shown)
        if each.shown and each.plain and lost:
            say_broken(each, each.prefix, each.shown, "what is not read is not in the summary.")


def _summaries(each: Compaction) -> list[str]:
    return [str(each.before[at].get("summary", "")) for at in compactions(each.before)]


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C8", "PI-C2"],
    battery=[program(session("s"), ONE, TWO, shorten(1))],
)
def the_summarizer_reads_no_kept_turn(trace: Trace) -> None:
    """The turns that stay word for word are not shown to the summarizer.

    A session breaks it by summarizing everything: the model then reads the last turns twice.
    """
    for each in compacted(trace):
        kept = messages_of(each.before[each.border :])
        kept = missing(trace, kept, each.prefix)
        if each.shown and each.plain and len(missing(trace, kept, each.shown)) < len(kept):
            say_broken(each, each.prefix, each.shown, "the summary covers what is before the cut.")


@law(
    family="views",
    door="session",
    acts={"compact"},
    applies=carries_sessions,
    source=["PI-C8"],
    incidents=["F36"],
    battery=[
        program(session("s"), ONE, shorten(0), TWO, shorten(0, "D")),
        program(session("s"), ONE, TWO, shorten(1), THREE, shorten(1, "D")),
    ],
)
def the_summarizer_reads_the_earlier_summary(trace: Trace) -> None:
    """A second compaction shows its summarizer the first summary, not the text that it replaced.

    A session breaks it by starting from the raw log again: the request is as long as if
    nothing had ever been compacted, or the first summary is lost from the second.
    """
    for each in compacted(trace):
        before = each.before[: each.border]
        cut = parts(before)
        if cut.summary is None or not each.shown or not each.plain:
            continue
        gone = missing(trace, cut.gone, each.prefix)
        told = any(carries(one, cut.summary) for one in each.shown)
        if not told or len(missing(trace, gone, each.shown)) < len(gone):
            say_broken(
                each, each.prefix, each.shown, "a summary is made of the view, not of the log."
            )


@law(
    family="views",
    door="session",
    acts={"compact"},
    requirement="SHOULD",
    applies=carries_sessions,
    source=["PI-C8"],
    battery=[program(session("s"), ONE, TWO, shorten(1))],
)
def the_instruction_to_the_summarizer_comes_last(trace: Trace) -> None:
    """Behind the messages to summarize, the summarizer reads an instruction as a user message.

    A session breaks it by asking first, and letting the conversation have the last word.
    """
    for each in compacted(trace):
        if not each.shown or not each.plain or missing(trace, each.prefix, each.shown):
            continue
        last = each.shown[-1]
        instructs = is_object(last) and last.get("role") == "user"
        if not instructs or not missing(trace, [last], each.prefix):
            say_broken(each, "the conversation, then an instruction", each.shown, "it comes last.")
