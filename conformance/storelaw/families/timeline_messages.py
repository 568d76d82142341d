"""Whose words a timeline shows, in which order, and what becomes of an inbox."""

import json
from typing import Any, Final

from storelaw import turn_samples as t
from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.model import timeline_sights as sights
from storelaw.model.timeline_sights import MESSAGES, TIMELINE, judge, looks
from storelaw.program import ask, door, program
from storelaw.strategies.timelines import asked, shown
from storelaw.trace import Trace
from storelaw.values import Entry, is_array, is_object

_TALK: Final = [t.user(0), t.answer(1), t.user(2)]
_EVERYTHING: Final = [
    t.user(0, "first", via=t.CHAT),
    t.note(1, t.upsert("trip", 1)),
    t.answer(2, "aside", t.reply("told")),
    t.user(3, t.live(t.wrapped("seen"))),
    t.inbox(4, "hi"),
    t.done(4),
    t.user(5, "hi"),
    t.note(6, t.removal("trip")),
    t.answer(7, "no", refused=True),
]


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V1"],
    incidents=["F02"],
    battery=[
        shown(TIMELINE, _TALK[::-1]),
        shown(TIMELINE, [t.answer(2), t.answer(10), t.answer(100)]),
        shown(TIMELINE, [t.user(7, "b"), t.inbox(7, "a"), t.answer(7, "c")]),
    ],
)
def turns_are_shown_by_index_and_role(trace: Trace) -> None:
    """A timeline is in the order of the indexes, and of the roles at one index.

    A projection breaks it by the order in which the store hands the turns out, by their
    times, or by indexes that sort as texts.
    """
    judge(trace, sights.outline, "items come by index and then role, whatever order was given.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V15"],
    battery=[shown(TIMELINE, _EVERYTHING, _EVERYTHING[::-1], _EVERYTHING[4:] + _EVERYTHING[:4])],
)
def the_order_of_the_turns_does_not_matter(trace: Trace) -> None:
    """The same turns in another order have the same timeline.

    Markers and plan notes that are looked for on the way, rather than in all turns, depend
    on what came before them.
    """
    seen: dict[str, Any] = {}
    for look in looks(trace):
        turns = json.dumps(sorted(look.turns, key=_place), sort_keys=True)
        before = seen.setdefault(turns, look.shown)
        if not trace.same(before, look.shown):
            because = "the same turns have the same timeline, in whatever order they are given."
            broken(look.event, expected=before, observed=look.shown, because=because)


def _place(turn: Entry) -> tuple[int, str]:
    return turn["index"], turn["role"]


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V2"],
    battery=[shown(TIMELINE, [*_TALK, t.inbox(3, "still there?")])],
)
def users_and_agents_have_their_names(trace: Trace) -> None:
    """What user and inbox turns say is the user's, what assistant turns say the agent's.

    A new role that falls into the branch for everything else speaks in the wrong voice.
    """
    judge(trace, sights.said, "user and inbox turns are the user's, assistant turns the agent's.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V2"],
    incidents=["F40"],
    battery=[
        shown(TIMELINE, [t.user(0), t.note(1, "compacting"), t.answer(2)]),
        shown(TIMELINE, [t.user(0), t.turn(1, "narrator", "meanwhile"), t.answer(2)]),
        shown(TIMELINE, [t.user(0), t.turn(1, "inbox_done", "taken"), t.answer(2)]),
    ],
)
def other_roles_say_nothing(trace: Trace) -> None:
    """Markers, system notes and turns of an unknown role are no messages.

    What the runner writes for itself is otherwise read by people as the agent's words.
    """
    judge(trace, sights.texts, "markers, notes and unknown roles show no message.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V3"],
    battery=[shown(TIMELINE, [t.inbox(2, "hi"), t.done(2), t.user(3, "hi")])],
)
def an_inbox_turn_with_a_marker_is_not_shown(trace: Trace) -> None:
    """An inbox turn that was promoted is dropped: the user turn stands for it.

    The raw turn stays in the log for those who look back, so showing all there is shows
    every such message twice.
    """
    judge(trace, sights.texts, "an inbox turn with a marker at its index is not shown.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V3"],
    battery=[shown(TIMELINE, [t.user(0), t.inbox(1, "hi")])],
)
def a_pending_inbox_turn_is_shown(trace: Trace) -> None:
    """An inbox turn that waits is shown, so that what was just sent is seen.

    Hiding the inbox altogether makes a message vanish until a runner takes it up.
    """
    judge(trace, sights.texts, "an inbox turn without a marker is shown.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V3", "D-OA-13"],
    incidents=["F16"],
    battery=[
        shown(TIMELINE, [t.inbox(2, "one"), t.inbox(3, "two"), t.done(3)]),
        shown(TIMELINE, [t.inbox(2, "one"), t.inbox(3, "two"), t.done(2), t.user(4, "one")]),
        shown(TIMELINE, [t.inbox(2, "same"), t.inbox(4, "same"), t.done(2), t.user(5, "same")]),
        shown(TIMELINE, [t.inbox(2, "hi"), t.user(3, "hi")]),
    ],
)
def a_marker_counts_at_its_own_index_alone(trace: Trace) -> None:
    """A marker takes away the inbox turn of its own index, and no other one.

    Matching by place or by text takes the wrong one where messages wait together or say
    the same. Between promotion and marker a message is seen twice, and never not at all.
    """
    judge(trace, sights.texts, "a marker takes away the inbox turn of its own index alone.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V14"],
    battery=[shown(TIMELINE, [t.user(0), t.answer(1, "I can't", refused=True)])],
)
def a_refused_answer_is_shown(trace: Trace) -> None:
    """An answer that was refused stays visible to people.

    It is kept from the model; one filter for both views takes it from the person who was
    just told.
    """
    judge(trace, sights.texts, "a refused answer is still shown.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V12"],
    incidents=["F06"],
    battery=[
        shown(TIMELINE, [t.inbox(2, "hi"), t.done(2), t.user(3, "hi")]),
        shown(TIMELINE, [t.user(0), t.answer(1, t.reply("told")), t.user(2, t.live("seen"))]),
    ],
)
def a_message_has_the_time_of_its_turn(trace: Trace) -> None:
    """Each message has the time of the turn that shows it.

    A promoted message has the time of its user turn, not that of the inbox.
    """
    judge(trace, sights.timed, "a message has the time of the turn that shows it.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V12"],
    battery=[
        shown(
            TIMELINE,
            [
                t.user(0, via=t.CHAT),
                t.answer(1),
                t.user(2, via=t.ARTIFACT),
                t.answer(3, via=t.CHAT),
            ],
        ),
    ],
)
def a_message_has_the_surface_of_its_turn(trace: Trace) -> None:
    """Each message has the surface of the turn that shows it, or none.

    A surface that is carried along, or forgotten, puts an answer on the wrong screen.
    """
    judge(trace, sights.surfaces, "a message has the surface of the turn that shows it.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE, MESSAGES},
    source=["OA-V13"],
    battery=[
        program(
            door("timeline", "T", "s"),
            ask("T", TIMELINE, entries=tuple(_EVERYTHING)),
            ask("T", MESSAGES, entries=tuple(_EVERYTHING)),
        )
    ],
)
def the_messages_are_the_timeline_without_its_plans(trace: Trace) -> None:
    """The view of the messages is the timeline with its plan cards left out.

    A second implementation of the same rules drifts away from the first.
    """
    listed = [each for each in looks(trace) if is_array(each.shown)]
    timelines = {json.dumps(each.turns): each.shown for each in listed}
    for look in looks(trace, MESSAGES):
        items = timelines.get(json.dumps(look.turns))
        if items is not None:
            expected = [_message(each) for each in items if not _is_plan(each)]
            if not trace.same(expected, look.shown):
                because = "the messages are those of the timeline, each as it is there."
                broken(look.event, expected=expected, observed=look.shown, because=because)


def _is_plan(item: Any) -> bool:
    return is_object(item) and item.get("kind") == "plan"


def _message(item: Any) -> Any:
    return item.get("message") if is_object(item) else item


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=[f"OA-V{number}" for number in range(1, 16)],
    battery=[shown(TIMELINE, _EVERYTHING)],
    programs=asked(TIMELINE),
    weight=4,
)
def the_timeline_is_what_the_rules_make_of_the_turns(trace: Trace) -> None:
    """A timeline has all items that the rules make of the turns, whole, and nothing else.

    Here the rules meet each other: notes between pending messages, replies that can't be
    read beside live results, and every turn out of order.
    """
    judge(trace, sights.whole, "a timeline is what the rules make of its turns, item by item.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={MESSAGES},
    source=["OA-V13", "OA-V15"],
    battery=[shown(MESSAGES, _EVERYTHING)],
    programs=asked(MESSAGES),
    weight=2,
)
def the_messages_are_what_the_rules_make_of_the_turns(trace: Trace) -> None:
    """The view of the messages has all that is said, whole, and nothing else."""
    because = "the messages are what the rules make of the turns, one by one."
    for look in looks(trace, MESSAGES):
        expected = sights.messages(look.turns)
        shown = sights.unmarked(look.shown)
        if not trace.same(expected, shown):
            broken(look.event, expected=expected, observed=shown, because=because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V15"],
    incidents=["F50"],
    battery=[shown(TIMELINE, _EVERYTHING[::-1]), shown(MESSAGES, _EVERYTHING[::-1])],
)
def the_turns_are_left_as_they_are(trace: Trace) -> None:
    """A projection changes nothing in the turns that it is given.

    Sorting in place, or taking envelopes off in place, changes what the caller writes next.
    """
    for method in (TIMELINE, MESSAGES):
        for look in looks(trace, method):
            if not trace.same(look.turns, look.event.given):
                because = "the turns are afterwards what they were, in the order that was given."
                broken(look.event, expected=look.turns, observed=look.event.given, because=because)


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V15"],
    battery=[shown(TIMELINE, _EVERYTHING, _EVERYTHING), shown(TIMELINE, _TALK, _EVERYTHING, _TALK)],
)
def asking_again_gives_the_same_timeline(trace: Trace) -> None:
    """The same turns have the same timeline whenever it is asked for.

    What a projection remembers of an earlier call shows up in a later one.
    """
    seen: dict[str, Any] = {}
    for look in looks(trace):
        before = seen.setdefault(json.dumps(look.turns), look.shown)
        if not trace.same(before, look.shown):
            because = "a timeline depends on its turns, and not on what was asked before."
            broken(look.event, expected=before, observed=look.shown, because=because)
