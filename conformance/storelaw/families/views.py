"""The model view: the messages of a path, for the model."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.blocks import blocks, has_block, without
from storelaw.model.projections import messages_of
from storelaw.model.sights import MODEL, in_order, missing, refusals, sights, told
from storelaw.paths import chained
from storelaw.program import Draft, Program, program, view
from storelaw.samples import assistant, calls, meta, note, result, user
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

REMINDER: Entry = {"type": "reminder", "text": "the file changed", "origin": "watcher"}
THOUGHT: Entry = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
TIMES = ("2026-01-01T00:00:03Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z")


def shows(*paths: list[Entry]) -> Program:
    """A program that asks for the model view of each path."""
    return program(*(view(MODEL, each) for each in paths))


def generated(_: Manifest) -> "SearchStrategy[Program]":
    """Model views of generated paths."""
    from storelaw.strategies.paths import paths

    return paths(9).map(shows)


def _judge_shown(trace: Trace, wanted: Callable[[Entry], bool], because: str) -> None:
    for sight in sights(trace, MODEL):
        some = [each for each in messages_of(sight.path) if wanted(each)]
        if missing(trace, some, sight.shown):
            broken(sight.event, expected=sight.expected, observed=sight.shown, because=because)


def judge_blocks(trace: Trace, kind: str, because: str) -> None:
    """Every message that is shown has its blocks of a kind, each as it is."""
    for sight in sights(trace, MODEL):
        shown = [without(each, kind) for each in sight.shown]
        for each in missing(trace, sight.expected, sight.shown):
            if has_block(each, kind) and not missing(trace, [without(each, kind)], shown):
                broken(sight.event, expected=sight.expected, observed=sight.shown, because=because)


def _is_tooling(message: Entry) -> bool:
    return message.get("role") == "tool_result" or has_block(message, "tool_call")


LONG = chained(*(user(f"u{n}") if n % 2 else assistant(f"a{n}") for n in range(120)))


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1"],
    battery=[shows(LONG)],
    programs=generated,
    weight=3,
)
def the_model_view_is_the_messages_of_the_path(trace: Trace) -> None:
    """The model view is exactly the messages of the path, however long the path is.

    A projection breaks it by a window of its own, such as the last fifty messages, that
    nobody asked for: the model then answers without the beginning and nobody is told.
    """
    because = "the model view is all messages of the path, each as it is, and nothing else."
    for event in refusals(trace, MODEL):
        broken(event, expected="a list of messages", observed=told(event), because=because)
    for sight in sights(trace, MODEL):
        if not trace.same(sight.expected, sight.shown):
            broken(sight.event, expected=sight.expected, observed=sight.shown, because=because)


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-V3"],
    incidents=["F22"],
    battery=[shows(chained(user("u"), meta("skill"), assistant("a")))],
)
def the_model_view_shows_meta_messages(trace: Trace) -> None:
    """A stored meta message is in the model view, beside the ordinary ones.

    A projection breaks it by filtering injected messages in one place for both audiences:
    the skill that the session was opened with is gone after the first resume.
    """
    because = "a meta message is hidden from readers, never from the model."
    _judge_shown(trace, lambda each: each.get("injected") == "meta", because)


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-V3", "PI-R3"],
    battery=[shows(chained(user("u"), note("n", role="user", text="n"), assistant("a")))],
)
def custom_entries_are_not_in_the_model_view(trace: Trace) -> None:
    """A custom entry gives no message: an application's record is never sent to the model.

    A projection breaks it by turning whatever it does not know into text.
    """
    for sight in sights(trace, MODEL):
        customs = [each for each in sight.path if each.get("type") == "custom"]
        surplus = missing(trace, sight.shown, sight.expected)
        if customs and surplus and len(sight.shown) > len(sight.expected):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="a custom entry is the application's own, and no message of it is sent.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-V4"],
    incidents=["F04", "F02"],
    battery=[
        shows(chained(user("3"), assistant("2"), user("1"), created=TIMES)),
        shows(chained(user("u1"), assistant("a1"), meta("skill"), user("u2"))),
    ],
)
def the_model_view_keeps_the_order_of_the_path(trace: Trace) -> None:
    """Messages are in the model view in the order of the path, whatever their times and ids say.

    A projection breaks it by sorting by creation time, which steps back between machines,
    or by putting injected context first.
    """
    for sight in sights(trace, MODEL):
        if not in_order(trace, sight.expected, sight.shown):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="the path gives the order, and neither clocks nor ids nor kinds do.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1"],
    incidents=["F16"],
    battery=[
        shows(
            chained(
                user("u1", "go on"), assistant("a1"), user("u2", "go on"), assistant("a2", "fine")
            )
        )
    ],
)
def messages_that_repeat_are_all_in_the_model_view(trace: Trace) -> None:
    """Two equal messages on a path are two messages in the model view.

    A projection breaks it by dropping repeats by content: a user who says "go on" twice is
    heard once, and two answers stand in a row, which some providers refuse.
    """
    for sight in sights(trace, MODEL):
        absent = missing(trace, sight.expected, sight.shown)
        if any(not missing(trace, [each], sight.shown) for each in absent):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="an equal message elsewhere on the path is another message.",
            )


SILENT = Draft("silent", {"type": "message", "message": {"role": "assistant", "content": None}})
EMPTY = Draft("empty", {"type": "message", "message": {"role": "user", "content": []}})


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-R1"],
    battery=[shows(chained(user("u1"), SILENT, user("u2"))), shows(chained(EMPTY, user("u1")))],
)
def a_message_without_content_is_in_the_model_view(trace: Trace) -> None:
    """A message whose content is null or empty is a message of the path like any other.

    A projection breaks it by skipping what has nothing to say: the turns before and after
    then stand side by side with the same role. Null and empty say the same here.
    """
    for sight in sights(trace, MODEL):
        silent = [each["role"] for each in sight.expected if not blocks(each)]
        shown = [each.get("role") for each in sight.shown if is_object(each) and not blocks(each)]
        if len(silent) > len(shown):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="a message without content is still one turn of the conversation.",
            )


TOOLS = chained(user("u"), calls("call", "c1"), result("r", "c1", "ok", REMINDER), assistant("a"))


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V6"],
    battery=[shows(TOOLS), shows(chained(user("u", REMINDER, "look")))],
)
def a_reminder_inside_a_message_reaches_the_model(trace: Trace) -> None:
    """A reminder block stays where it is in its message, in the model view too.

    A projection breaks it by leaving out, for everybody, what only readers should not see.
    """
    because = "a reminder is for the model: a renderer drops it, the model view does not."
    judge_blocks(trace, "reminder", because)


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-R1"],
    incidents=["F22"],
    battery=[shows(chained(user("u"), assistant("a1", THOUGHT, "yes"), user("u2")))],
)
def a_thought_keeps_its_signature_in_the_model_view(trace: Trace) -> None:
    """A thinking block is in the model view with its text and signature.

    A projection breaks it by stripping reasoning, or only its signature: the provider then
    refuses the whole history.
    """
    because = "a thinking block without its signature is refused by the provider that made it."
    judge_blocks(trace, "thinking", because)


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-V1", "PI-S4"],
    incidents=["F35", "F07"],
    battery=[
        shows(chained(user("u"), calls("call", "b", "a"), result("rb", "b"), result("ra", "a")))
    ],
)
def calls_and_results_stay_together_in_the_model_view(trace: Trace) -> None:
    """Each tool call and each result of the path is in the model view, with its call id.

    A projection breaks it by showing the words of a turn and leaving out its machinery: a
    result without its call is refused by every provider.
    """
    because = "a call without its result, or a result without its call, makes the history invalid."
    _judge_shown(trace, _is_tooling, because)
