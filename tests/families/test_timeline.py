"""The laws of the timeline door: none accuses a medium that is right."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from storelaw import turn_samples as t
from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw.manifest import Manifest
from storelaw.model.timeline_sights import MESSAGES, REPLAYED, TIMELINE, UNWRAPPED
from storelaw.program import Step, ask
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry
from storelaw_schemas import problems

MODULES = ("messages", "replies", "live", "plans", "replays")
for name in MODULES:
    import_module(f"storelaw.families.timeline_{name}")

OURS = {f"storelaw.families.timeline_{name}" for name in MODULES}
LAWS = {each.name: each for each in registered() if each.judge.__module__ in OURS}
MANIFEST = Manifest(name="bare", profile="turns", doors=frozenset({"backend", "timeline"}))

TALK = [t.user(0), t.answer(1)]
SAID = [
    {"kind": "message", "message": {"role": "user", "text": "question 0"}},
    {"kind": "message", "message": {"role": "agent", "text": "answer 1"}},
]


def _asked(method: str, turns: list[Any], value: Any, **more: Any) -> Event:
    step = ask("T", method, entries=tuple(turns))
    event: dict[str, Any] = {"passed": tuple(turns), "given": list(turns), **more}
    return Event(0, step, value=value, **event)


def _judged(law: str, *events: Event) -> str | None:
    """What a law says of these events: why it is broken, or nothing."""
    try:
        LAWS[law].judge(Trace(MANIFEST, events))
    except Broken as broken:
        return broken.because
    return None


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda each: each.name)
def test_the_honest_medium_holds_every_law(law: Law) -> None:
    """Right projections are accused of nothing, by fixed and by generated programs."""
    verdict = hold(law, TurnsTimeline, "quick")
    assert verdict.outcome == "held", verdict.reason


def test_every_law_is_about_the_timeline() -> None:
    """None of the laws asks more than the door has."""
    assert {each.door for each in LAWS.values()} == {"timeline"}
    assert {each.family for each in LAWS.values()} == {"turn_timeline"}


def test_every_rule_of_the_timeline_has_a_law_of_its_own() -> None:
    """Each OA-V and OA-S rule that can be seen here is named by a law beside the wide ones."""
    narrow = {rule for each in LAWS.values() if len(each.source) < 5 for rule in each.source}
    assert {f"OA-V{number}" for number in range(1, 16)} <= narrow
    assert {f"OA-S{number}" for number in range(1, 8)} <= narrow
    assert {"D-OA-4", "D-OA-12", "D-OA-13"} <= narrow


class WithoutExtras(TurnsTimeline):
    """A medium whose door has no more than it must."""

    replayed: Any = None
    unwrapped: Any = None


def test_a_medium_needs_neither_replay_nor_unwrapping() -> None:
    """The laws of the replay don't apply without it; those of envelopes hold by the timeline."""
    verdicts = {name: hold(law, WithoutExtras, "battery") for name, law in LAWS.items()}
    replays = {name for name, law in LAWS.items() if REPLAYED in law.acts}
    assert {name for name, each in verdicts.items() if each.outcome == "held"} == {*LAWS} - replays
    assert {verdicts[name].outcome for name in replays} == {"not applicable"}


def test_what_the_honest_medium_shows_is_what_the_schemas_describe(tmp_path: Path) -> None:
    """Items and messages are valid, with and without surface and snapshot."""
    turns = [t.user(0, via=t.CHAT), t.answer(1), t.note(2, t.upsert("a"), t.removal("b"))]
    medium = TurnsTimeline(tmp_path)
    items = medium.visible_timeline(turns)
    assert [str(one) for each in items for one in problems("turns/timeline-item", each)] == []
    messages = medium.visible_messages(turns)
    assert [str(one) for each in messages for one in problems("turns/visible-message", each)] == []
    assert (len(items), len(messages)) == (4, 2)


# ---------------------------------------------------------------------- judges

GARBAGE: list[Any] = [
    None,
    7,
    "text",
    [None],
    [7, "x"],
    [{}],
    [{"kind": "message"}],
    [{"kind": "plan", "plan": 3}],
    [{"kind": "message", "message": None}],
    {},
    {"messages": None},
    {"messages": [7]},
    {"messages": [{"role": "user"}]},
    {"messages": [{"role": "user", "content": [7, None]}], "next_index": 1},
    {"messages": [{"role": "assistant", "content": [{"toolResult": 7}]}], "next_index": None},
]


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda each: each.name)
def test_judges_are_total(law: Law) -> None:
    """Whatever a projection answers, a judge gives a verdict and raises nothing else."""
    turns = [t.user(0, "hi", via=t.CHAT), t.answer(1, t.use("a"))]
    for value in GARBAGE:
        events = [_asked(method, turns, value) for method in (TIMELINE, MESSAGES, REPLAYED)]
        assert _judged(law.name, *events, *events) in (None, *_reasons(law))


def _reasons(law: Law) -> set[str]:
    """Why a law may be broken, as its module words it."""
    constants = law.judge.__code__.co_consts
    return {each for each in constants if isinstance(each, str)}


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda each: each.name)
def test_judges_pass_over_what_reduction_tears(law: Law) -> None:
    """Turns that are whole no longer, doubled or missing are judged by nobody."""
    torn: list[list[Entry]] = [
        [],
        [{"role": "user"}],
        [{**t.user(0), "createdAt": "2026"}],
        [{**t.user(0), "content": [{"text": "no type"}]}],
        [{**t.user(0), "content": [{"type": "tool_result"}]}],
        [{**t.user(0), "content": [{"type": "tool_result", "toolResult": 7}]}],
        [{**t.user(0), "content": [{"type": "tool_use", "toolUse": {"id": "a", "name": "b"}}]}],
        [t.answer(0, {"type": "tool_use", "toolUse": {"id": "a", "name": "b", "input": "x"}})],
        [{**t.user(0), "content": "text"}],
        [t.user(0), t.user(0)],
    ]
    for turns in torn:
        for method in (TIMELINE, MESSAGES, REPLAYED):
            assert _judged(law.name, _asked(method, turns, "nonsense")) is None


WHOLE = "the_timeline_is_what_the_rules_make_of_the_turns"


def test_a_projection_that_raises_is_judged() -> None:
    """An error is no timeline, and its words are what was observed."""
    event = _asked(TIMELINE, TALK, None, outcome="raised", text="boom")
    with pytest.raises(Broken) as caught:
        LAWS[WHOLE].judge(Trace(MANIFEST, (event,)))
    assert caught.value.observed == "boom"


def test_an_empty_surface_is_none() -> None:
    """A medium may write that a message has no surface."""
    dated = [
        {**each, "message": {**each["message"], "createdAt": turn["createdAt"], "via": ""}}
        for each, turn in zip(SAID, TALK, strict=True)
        if isinstance(each["message"], dict)
    ]
    assert _judged(WHOLE, _asked(TIMELINE, TALK, dated)) is None
    messages = [each["message"] for each in dated]
    law = "the_messages_are_what_the_rules_make_of_the_turns"
    assert _judged(law, _asked(MESSAGES, TALK, messages)) is None
    assert _judged("a_message_has_the_surface_of_its_turn", _asked(TIMELINE, TALK, dated)) is None
    assert _judged(WHOLE, _asked(TIMELINE, TALK, SAID)) is not None


def test_unwrapping_is_judged_by_what_it_gives() -> None:
    """A text is compared with what the rules make of it; what is no text is passed over."""
    law = "an_envelope_is_taken_off"

    def event(given: Any, **more: Any) -> Event:
        step: Step = ask("T", UNWRAPPED, given)
        return Event(0, step, **more)

    assert _judged(law, event(t.wrapped("x"), value="x")) is None
    assert _judged(law, event(t.wrapped("x"), value="y")) is not None
    assert _judged(law, event("x", outcome="raised", text="boom")) is not None
    assert _judged(law, event(7, value="y")) is None
    assert _judged(law, Event(0, ask("T", UNWRAPPED), value="y")) is None


def test_advice_behind_an_answer_is_left_open() -> None:
    """Where the rules don't say which message takes the advice, nothing is demanded."""
    turns = [t.user(0), t.answer(1), t.answer(2, "no", refused=True)]
    law = "a_refusal_at_the_end_is_followed_by_advice"
    assert _judged(law, _asked(REPLAYED, turns, "nonsense")) is None
    assert _judged(law, _asked(REPLAYED, turns[:2], "nonsense")) is not None


def test_a_surface_must_be_named() -> None:
    """A leading text that names another surface, or none, is no preface."""
    law = "a_surface_is_named_before_the_words"
    turns = [t.user(0, "hi", via=t.CHAT)]

    def shown(*content: Any) -> str | None:
        value = {"messages": [{"role": "user", "content": list(content)}], "next_index": 1}
        return _judged(law, _asked(REPLAYED, turns, value))

    assert shown(t.words("from the chat"), t.words("hi")) is None
    assert shown(t.words("from the terminal"), t.words("hi")) is not None
    assert shown(t.words("hi")) is not None
    assert shown(7, t.words("hi")) is not None
