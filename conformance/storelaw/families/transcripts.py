"""The transcript view: the entries of a path, for a reader."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.sights import (
    TRANSCRIPT,
    Sight,
    ids,
    in_order,
    missing,
    refusals,
    sights,
    told,
)
from storelaw.paths import chained, summary
from storelaw.program import Draft, Program, program, view
from storelaw.samples import (
    assistant,
    calls,
    ephemeral,
    injected,
    meta,
    note,
    result,
    text_block,
    user,
)
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

REMINDER: Entry = {"type": "reminder", "text": "the file changed", "origin": "watcher"}
TIMES = ("2026-01-01T00:00:03Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z")


def shows(*paths: list[Entry]) -> Program:
    """A program that asks for the transcript view of each path."""
    return program(*(view(TRANSCRIPT, each) for each in paths))


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Transcript views of generated paths, compacted ones among them."""
    from storelaw.strategies.paths import paths

    return paths(9, 2).map(shows)


def _broken(sight: Sight, because: str) -> None:
    broken(
        sight.event,
        expected=ids(sight.expected),
        observed=ids(sight.shown),
        because=because,
    )


def _judge_shown(trace: Trace, wanted: Callable[[Entry], bool], because: str) -> None:
    for sight in sights(trace, TRANSCRIPT):
        some = ids([each for each in sight.path if wanted(each)])
        if missing(trace, some, ids(sight.shown)):
            _broken(sight, because)


def _judge_hidden(trace: Trace, unwanted: Callable[[Entry], bool], because: str) -> None:
    for sight in sights(trace, TRANSCRIPT):
        some = ids([each for each in sight.path if unwanted(each)])
        if len(missing(trace, some, ids(sight.shown))) < len(some):
            _broken(sight, because)


def of_type(kind: str) -> Callable[[Entry], bool]:
    """Whether an entry has this type."""
    return lambda entry: entry.get("type") == kind


def of_role(role: str) -> Callable[[Entry], bool]:
    """Whether an entry is a message of this role."""
    return lambda entry: is_object(entry.get("message")) and entry["message"].get("role") == role


LONG = chained(*(user(f"u{n}") if n % 2 else assistant(f"a{n}") for n in range(120)))


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2"],
    battery=[shows(LONG)],
    programs=generated,
    weight=2,
)
def the_transcript_is_the_path_without_injected_messages(trace: Trace) -> None:
    """The transcript view is exactly the entries of the path that nobody injected.

    A projection breaks it by a page size of its own: a long conversation is shown from the
    middle.
    """
    because = "a reader sees every entry of the path that wasn't injected, and nothing else."
    for sight in sights(trace, TRANSCRIPT):
        if not trace.same(ids(sight.expected), ids(sight.shown)):
            _broken(sight, because)
    for event in refusals(trace, TRANSCRIPT):
        broken(event, expected="a list of entries", observed=told(event), because=because)


def _by_harness(label: str, lifetime: str) -> Draft:
    made = result(label, "c1", "ok")
    message = {**made.entry["message"], "injected": lifetime}
    return Draft(label, {**made.entry, "message": message})


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2", "PI-V3", "PI-E10"],
    incidents=["F40"],
    battery=[
        shows(chained(user("u"), meta("skill"), assistant("a"))),
        shows(chained(user("u"), ephemeral("reminder"), assistant("a"))),
        shows(chained(calls("call", "c1"), _by_harness("told", "meta"), assistant("a"))),
    ],
)
def the_transcript_hides_injected_messages(trace: Trace) -> None:
    """A reader sees neither meta nor ephemeral messages, whatever their role.

    A projection breaks it by looking at user messages only, or at a flag on the entry that
    newer writers no longer set: readers then see the harness talk to its model.
    """
    because = "the message's own marker hides it from readers, whoever put it in."
    _judge_hidden(trace, lambda each: injected(each) is not None, because)


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2", "PI-V3", "PI-R3"],
    battery=[
        shows(chained(user("u"), note("n"), assistant("a"))),
        shows(
            chained(user("u"), Draft("x", {"type": "custom", "kind": "of.nobody"}), assistant("a"))
        ),
    ],
)
def the_transcript_shows_custom_entries(trace: Trace) -> None:
    """A reader sees custom entries, those of a kind that nobody registered too.

    A projection breaks it by showing messages only: artifacts vanish from the conversation
    in which they were made.
    """
    because = "custom entries are made for readers."
    _judge_shown(trace, of_type("custom"), because)


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2"],
    incidents=["F35"],
    battery=[shows(chained(user("u"), calls("call", "c1"), result("r", "c1"), assistant("a")))],
)
def the_transcript_shows_tool_results(trace: Trace) -> None:
    """A reader sees tool results like other messages: they are not injected.

    A projection breaks it by taking everything that no person wrote for machinery.
    """
    because = "a tool result is a message of the conversation, and nobody injected it."
    _judge_shown(trace, of_role("tool_result"), because)


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2", "PI-C10"],
    incidents=["F36"],
    battery=[
        shows(chained(user("u1"), assistant("a1"), user("u2"), summary("C", "u2"), user("u3")))
    ],
)
def the_transcript_shows_what_a_summary_stands_for(trace: Trace) -> None:
    """A reader sees the entries that a compaction covers: it shortens the model's view only.

    A projection breaks it by using one list for both audiences: after the first compaction
    the user's own words are gone from the screen.
    """
    because = "a compaction hides nothing from readers."
    _judge_shown(trace, of_type("message"), because)


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2", "PI-C10"],
    battery=[shows(chained(user("u1"), summary("C", "u1"), user("u2")))],
)
def the_transcript_shows_compaction_entries(trace: Trace) -> None:
    """A reader sees the compaction entry itself, at its place.

    A projection breaks it by treating a summary as injected context, which it is not.
    """
    because = "a compaction entry is not injected, so a reader sees it."
    _judge_shown(trace, of_type("compaction"), because)


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2"],
    incidents=["F04"],
    battery=[
        shows(chained(user("3"), assistant("2"), user("1"), created=TIMES)),
        shows(chained(user("u1"), note("n"), assistant("a1"))),
    ],
)
def the_transcript_keeps_the_order_of_the_path(trace: Trace) -> None:
    """A reader sees the entries in the order of the path, whatever their times and kinds.

    A projection breaks it by sorting by creation time, or by collecting one kind of entry
    at the end.
    """
    for sight in sights(trace, TRANSCRIPT):
        if not in_order(trace, ids(sight.expected), ids(sight.shown)):
            _broken(sight, "the path gives the order, and neither clocks nor kinds do.")


def _comparable(entry: Any) -> Any:
    """An entry without what a reader that doesn't know its kind may lose (PI-R3)."""
    if not is_object(entry) or entry.get("type") != "custom":
        return entry
    return {name: entry.get(name) for name in ("id", "parent_id", "created_at", "kind")}


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-V2", "PI-V6", "PI-R3"],
    battery=[
        shows(chained(user("u"), result("r", "c1", text_block("ok"), REMINDER))),
        shows(chained(user("u", " two\nlines "), assistant("a", "*fine*"), note("n"))),
    ],
)
def the_transcript_shows_each_entry_as_it_is(trace: Trace) -> None:
    """An entry in the transcript view is the entry of the path; rendering comes later.

    A projection breaks it by rendering already: trimmed text, markup, or blocks left out.
    A custom entry of an unknown kind need keep no more than its header and kind.
    """
    for sight in sights(trace, TRANSCRIPT):
        by_id = {each.get("id"): each for each in sight.path}
        for each in sight.shown:
            wanted = by_id.get(ids([each])[0])
            if wanted and not trace.same(_comparable(wanted), _comparable(each)):
                broken(
                    sight.event,
                    expected=wanted,
                    observed=each,
                    because="the transcript view gives entries; a renderer works on them later.",
                )
