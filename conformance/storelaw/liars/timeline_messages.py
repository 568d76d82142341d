"""Liars about whose words a timeline shows, and in which order."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from storelaw.liars.registry import liar
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw.values import Entry
from storelaw_reference.turns import Turn, VisibleMessage
from storelaw_reference.turns.timeline import Timeline

_WHOLE = "the_timeline_is_what_the_rules_make_of_the_turns"
_MESSAGES = "the_messages_are_what_the_rules_make_of_the_turns"


class _InputOrder(Timeline):
    def _ordered(self, turns: Iterable[Turn]) -> list[Turn]:
        return list(turns)


@liar(
    "turns_are_shown_by_index_and_role",
    also=["the_order_of_the_turns_does_not_matter"],
    kinds=["F02"],
    most=2,
)
class KeepsTheInputOrder(TurnsTimeline):
    """Shows turns in the order in which the store hands them out."""

    timeline_class = _InputOrder


class _TextOrder(Timeline):
    def _ordered(self, turns: Iterable[Turn]) -> list[Turn]:
        return sorted(turns, key=lambda each: (str(each.index), each.role))


@liar("turns_are_shown_by_index_and_role", kinds=["F02"], most=2)
class SortsIndexesAsTexts(TurnsTimeline):
    """Sorts 10 before 2."""

    timeline_class = _TextOrder


class _IndexOrder(Timeline):
    def _ordered(self, turns: Iterable[Turn]) -> list[Turn]:
        return sorted(turns, key=lambda each: each.index)


@liar("turns_are_shown_by_index_and_role", kinds=["F01"], most=2)
class SortsByIndexAlone(TurnsTimeline):
    """Leaves the order at one index to the store."""

    timeline_class = _IndexOrder


class _Streamed(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        seen = {each.index for place, each in enumerate(listed) if _comes_after(listed, place)}
        return super().items(e for e in listed if e.role != "inbox_done" or e.index in seen)


def _comes_after(turns: list[Turn], place: int) -> bool:
    marker = turns[place]
    before = {each.index for each in turns[:place] if each.role == "inbox"}
    return marker.role == "inbox_done" and marker.index in before


@liar("the_order_of_the_turns_does_not_matter", most=3)
class ReadsMarkersOnTheWay(TurnsTimeline):
    """Applies a marker only to what came before it in the input."""

    timeline_class = _Streamed


class _InboxIsTheAgents(Timeline):
    def _role(self, turn: Turn) -> Literal["user", "agent"] | None:
        return "agent" if turn.role == "inbox" else super()._role(turn)


@liar("users_and_agents_have_their_names", most=2)
class PutsTheInboxInTheAgentsMouth(TurnsTimeline):
    """Knows user turns, and takes the rest for the agent's."""

    timeline_class = _InboxIsTheAgents


@liar(
    "users_and_agents_have_their_names",
    also=[_WHOLE, _MESSAGES, "a_result_shown_live_is_the_agents"],
    most=2,
)
class CallsTheAgentAssistant(TurnsTimeline):
    """Shows the role as it is stored."""

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        items = super().visible_timeline(turns)
        for each in items:
            said = each.get("message", {})
            said.update({"role": "assistant"} if said.get("role") == "agent" else {})
        return items


class _ShowsNotes(Timeline):
    def _role(self, turn: Turn) -> Literal["user", "agent"] | None:
        return "agent" if turn.role == "system_note" else super()._role(turn)


@liar(
    "other_roles_say_nothing",
    also=[
        _WHOLE,
        _MESSAGES,
        "a_plan_has_one_card_where_it_first_appeared",
        "notes_without_name_or_sense_are_passed_over",
    ],
    kinds=["F40"],
    most=2,
)
class ShowsSystemNotes(TurnsTimeline):
    """Shows what the runner noted for itself as the agent's words."""

    timeline_class = _ShowsNotes


class _ShowsUnknown(Timeline):
    def _role(self, turn: Turn) -> Literal["user", "agent"] | None:
        known = ("user", "inbox", "assistant", "system_note", "inbox_done")
        return super()._role(turn) if turn.role in known else "agent"


@liar("other_roles_say_nothing", most=2)
class ShowsUnknownRoles(TurnsTimeline):
    """Takes a role that it doesn't know for the agent's."""

    timeline_class = _ShowsUnknown


class _ShowsMarkers(Timeline):
    def _role(self, turn: Turn) -> Literal["user", "agent"] | None:
        return "user" if turn.role == "inbox_done" else super()._role(turn)


@liar("other_roles_say_nothing", most=2)
class ShowsMarkers(TurnsTimeline):
    """Takes a marker for something that a person said."""

    timeline_class = _ShowsMarkers


class _Twice(Timeline):
    def _is_consumed(self, turn: Turn, done: set[int]) -> bool:
        return False


@liar(
    "an_inbox_turn_with_a_marker_is_not_shown",
    also=[
        "a_marker_counts_at_its_own_index_alone",
        "a_message_has_the_time_of_its_turn",
        _WHOLE,
        _MESSAGES,
    ],
    most=2,
)
class ShowsPromotedMessagesTwice(TurnsTimeline):
    """Shows the raw inbox turn beside the user turn that it became."""

    timeline_class = _Twice


class _Hides(Timeline):
    def _is_consumed(self, turn: Turn, done: set[int]) -> bool:
        return turn.role == "inbox"


@liar(
    "a_pending_inbox_turn_is_shown",
    also=[
        "a_marker_counts_at_its_own_index_alone",
        "users_and_agents_have_their_names",
        "turns_are_shown_by_index_and_role",
    ],
    most=2,
)
class HidesPendingMessages(TurnsTimeline):
    """Shows nothing of the inbox until a runner takes it up."""

    timeline_class = _Hides


class _CountsMarkers(Timeline):
    def _is_consumed(self, turn: Turn, done: set[int]) -> bool:
        return turn.role == "inbox" and bool(done) and turn.index <= max(done)


@liar("a_marker_counts_at_its_own_index_alone", most=2)
class TakesAwayAllUpToAMarker(TurnsTimeline):
    """Takes a marker for the end of the inbox."""

    timeline_class = _CountsMarkers


class _MatchesTexts(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        done = {each.index for each in listed if each.role == "inbox_done"}
        gone = {each.texts() for each in listed if each.role == "inbox" and each.index in done}
        return super().items(e for e in listed if e.role != "inbox" or e.texts() not in gone)


@liar("a_marker_counts_at_its_own_index_alone", kinds=["F16"], most=2)
class MatchesMarkersByText(TurnsTimeline):
    """Drops every inbox turn that says what a promoted one said."""

    timeline_class = _MatchesTexts


class _DropsEchoes(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        said = {each.texts() for each in listed if each.role == "user"}
        return super().items(e for e in listed if e.role != "inbox" or e.texts() not in said)


@liar("a_marker_counts_at_its_own_index_alone", kinds=["F16"], most=2)
class DropsWhatAUserTurnRepeats(TurnsTimeline):
    """Takes an inbox turn for promoted when a user turn says the same."""

    timeline_class = _DropsEchoes


class _HidesRefused(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        return None if turn.refused else super()._message(turn)


@liar("a_refused_answer_is_shown", also=[_WHOLE, _MESSAGES], most=2)
class HidesRefusedAnswers(TurnsTimeline):
    """Uses the model's filter for people too."""

    timeline_class = _HidesRefused


def _changed(items: list[Entry], **members: str) -> list[Entry]:
    return [
        {**each, "message": {**each["message"], **members}} if "message" in each else each
        for each in items
    ]


@liar("a_message_has_the_time_of_its_turn", also=[_WHOLE, _MESSAGES], kinds=["F06"], most=2)
class DatesAllMessagesAlike(TurnsTimeline):
    """Dates each message with the time of the first turn."""

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        items = super().visible_timeline(turns)
        return _changed(items, createdAt=min(each["createdAt"] for each in turns))


class _InboxTime(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        times = {each.texts(): each.created_at for each in listed if each.role == "inbox"}
        return tuple(self._dated(each, times) for each in super().items(listed))

    def _dated(self, item: Any, times: dict[tuple[str, ...], str]) -> Any:
        created = times.get((getattr(item, "text", ""),), item.created_at)
        return replace(item, created_at=created)


@liar("a_message_has_the_time_of_its_turn", also=[_WHOLE, _MESSAGES], most=2)
class DatesPromotedMessagesByTheInbox(TurnsTimeline):
    """Shows a promoted message with the time at which it came in."""

    timeline_class = _InboxTime


@liar("a_message_has_the_surface_of_its_turn", also=[_WHOLE, _MESSAGES], most=2)
class ForgetsSurfaces(TurnsTimeline):
    """Leaves the surface behind."""

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        return _changed(super().visible_timeline(turns), via="")


@liar("a_message_has_the_surface_of_its_turn", also=[_WHOLE, _MESSAGES], most=2)
class CarriesSurfacesAlong(TurnsTimeline):
    """Gives an answer the surface of the question before it."""

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        via, items = "", super().visible_timeline(turns)
        for said in (each["message"] for each in items if "message" in each):
            via = said.get("via", via)
            said.update({"via": via} if via else {})
        return items


@liar("the_messages_are_the_timeline_without_its_plans", also=[_MESSAGES], most=3)
class ShowsMessagesByOtherRules(TurnsTimeline):
    """Has a second implementation for messages, which knows no live results."""

    def visible_messages(self, turns: list[Entry]) -> list[Entry]:
        messages = super().visible_messages(turns)
        return [each for each in messages if each["text"] != "seen"]


class _LastFive(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        return super().items(turns)[-5:]


@liar(_WHOLE, also=[_MESSAGES], most=2)
class ShowsTheLastFive(TurnsTimeline):
    """Shows the last five items."""

    timeline_class = _LastFive


@liar(_MESSAGES, also=["the_messages_are_the_timeline_without_its_plans"], most=2)
class ShowsTheLastFourMessages(TurnsTimeline):
    """Cuts the view of the messages, and not the timeline."""

    def visible_messages(self, turns: list[Entry]) -> list[Entry]:
        return super().visible_messages(turns)[-4:]


@liar("the_turns_are_left_as_they_are", kinds=["F50"], most=2)
class SortsInPlace(TurnsTimeline):
    """Sorts the caller's list."""

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        turns.sort(key=lambda each: (each["index"], each["role"]))
        return super().visible_timeline(turns)


@liar("the_turns_are_left_as_they_are", most=2)
class ReadsTurnsUp(TurnsTimeline):
    """Takes each turn off the caller's list as it reads it."""

    def visible_messages(self, turns: list[Entry]) -> list[Entry]:
        messages = super().visible_messages(turns)
        turns.clear()
        return messages


@liar(
    "asking_again_gives_the_same_timeline",
    also=["the_messages_are_the_timeline_without_its_plans"],
    most=3,
)
class CountsItsCalls(TurnsTimeline):
    """Takes the last message for old news when it is asked a second time."""

    asked: tuple[list[Entry], ...] = ()

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        known, self.asked = turns in self.asked, (*self.asked, turns)
        items = super().visible_timeline(turns)
        return items[:-1] if known else items
