"""Liars about plan cards."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from storelaw.liars.registry import liar
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw_reference.turns import Text, Turn
from storelaw_reference.turns.notes import PlanNote, parsed_object, plan_notes
from storelaw_reference.turns.timeline import PlanCard, Timeline

_WHOLE = "the_timeline_is_what_the_rules_make_of_the_turns"
_PLACE = "a_plan_has_one_card_where_it_first_appeared"
_LATEST = "a_card_shows_the_latest_snapshot"
_KEEPS = "a_deleted_plan_keeps_its_last_snapshot"
_DELETED = "a_deleted_plan_is_marked"
_BACK = "a_deleted_plan_can_come_back"
_UNSEEN = "a_plan_that_was_never_there_is_a_deleted_card"
_NAMED = "a_plan_is_named_where_its_note_names_it"
_NONSENSE = "notes_without_name_or_sense_are_passed_over"
_TIME = "a_card_has_the_time_of_its_first_note"


class _Moves(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        last: dict[str, int] = {}
        for turn in sorted(listed, key=lambda each: each.index):
            last.update((each.name, turn.index) for each in plan_notes(turn))
        items = list(super().items(listed))
        later = [each for each in items if isinstance(each, PlanCard) and last[each.name] > 1]
        return tuple([each for each in items if each not in later] + later)


@liar(_PLACE, also=[_WHOLE], most=2)
class MovesCardsToTheLastNote(TurnsTimeline):
    """Shows a card where its plan was last noted."""

    timeline_class = _Moves


class _EachNote(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        listed = list(turns)
        items: list[Any] = list(super().items(listed))
        count = sum(1 for turn in listed for _ in plan_notes(turn))
        cards = [each for each in items if isinstance(each, PlanCard)]
        return (*items, *(cards[-1:] if len(cards) < count and not _ends(cards) else []))


def _ends(cards: list[PlanCard]) -> bool:
    return any(each.deleted or (each.snapshot or {}).get("step") != 1 for each in cards)


@liar(_PLACE, most=2)
class ShowsACardForEachNote(TurnsTimeline):
    """Shows a card again when its plan is noted again."""

    timeline_class = _EachNote


class _Folds(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return (replace(each, name=each.name.strip().lower()) for each in super()._notes(turn))


@liar("plans_of_other_names_are_other_plans", most=2)
class FoldsNames(TurnsTimeline):
    """Takes names for one that differ in case or blanks."""

    timeline_class = _Folds


class _First(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        made = super()._card(note, card, turn)
        kept = card is not None and card.snapshot is not None
        return replace(made, snapshot=card.snapshot) if card and kept else made


@liar(_LATEST, also=[_KEEPS], most=2)
class KeepsTheFirstSnapshot(TurnsTimeline):
    """Shows a plan as it first was."""

    timeline_class = _First


class _Names(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        made = super()._card(note, card, turn)
        return replace(made, snapshot=made.snapshot and {"name": note.name})


@liar(
    _LATEST,
    also=[_KEEPS, _WHOLE],
    most=2,
)
class KeepsTheNameOfASnapshot(TurnsTimeline):
    """Shows of a plan what it knows, the name."""

    timeline_class = _Names


class _Stays(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        made = super()._card(note, card, turn)
        return replace(made, deleted=made.deleted and card is None)


@liar(_DELETED, also=[_WHOLE], most=2)
class IgnoresDeletions(TurnsTimeline):
    """Leaves the card of a deleted plan as it was."""

    timeline_class = _Stays


class _Vanishes(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        items = super().items(turns)
        return tuple(e for e in items if not (isinstance(e, PlanCard) and e.deleted))


@liar(
    _DELETED,
    also=[_KEEPS, _UNSEEN, _NAMED, _WHOLE],
    most=2,
)
class DropsDeletedCards(TurnsTimeline):
    """Shows no card of a plan that was deleted."""

    timeline_class = _Vanishes


class _Forgets(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        made = super()._card(note, card, turn)
        return replace(made, snapshot=None) if made.deleted else made


@liar(_KEEPS, also=[_WHOLE], most=2)
class ForgetsTheSnapshotOfADeletedPlan(TurnsTimeline):
    """Takes the snapshot off with the plan."""

    timeline_class = _Forgets


class _Sticks(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        made = super()._card(note, card, turn)
        return replace(made, deleted=made.deleted or (card is not None and card.deleted))


@liar(_BACK, most=2)
class NeverRevivesAPlan(TurnsTimeline):
    """Keeps a plan deleted for ever."""

    timeline_class = _Sticks


class _Seen(Timeline):
    def items(self, turns: Iterable[Turn]) -> Any:
        items = super().items(turns)
        return tuple(e for e in items if not (isinstance(e, PlanCard) and e.snapshot is None))


@liar(_UNSEEN, also=[_NAMED], most=2)
class PassesOverUnseenDeletions(TurnsTimeline):
    """Makes no card of a plan that it hasn't seen."""

    timeline_class = _Seen


class _FromTheNote(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return (self._named(each, turn) for each in super()._notes(turn))

    def _named(self, note: PlanNote, turn: Turn) -> PlanNote:
        data = [(parsed_object(text) or {}).get("data") for text in turn.texts()]
        named = [e for e in data if note.snapshot is not None and e and e.get("name")]
        return replace(note, name=named[0]["name"]) if named else note


@liar(_NAMED, most=2)
class NamesPlansByTheNote(TurnsTimeline):
    """Reads the name of a new snapshot beside it."""

    timeline_class = _FromTheNote


class _Nameless(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        texts = turn.texts() if turn.role == "system_note" else ()
        found = [(parsed_object(each) or {}).get("data") for each in texts]
        empty = [each for each in found if each and each.get("name") == ""]
        return (*super()._notes(turn), *(PlanNote("") for _ in empty))


@liar(_NONSENSE, most=2)
class MakesCardsWithoutNames(TurnsTimeline):
    """Makes a card of a plan that has no name."""

    timeline_class = _Nameless


class _Strict(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        for text in turn.texts() if turn.role == "system_note" else ():
            if text.startswith("{"):
                json.loads(text)
        return super()._notes(turn)


@liar(_NONSENSE, kinds=["F17"], most=2)
class FailsOnBrokenNotes(TurnsTimeline):
    """Fails on a note that is no JSON."""

    timeline_class = _Strict


class _AnyKind(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return plan_notes(replace(turn, content=tuple(map(_as_plans, turn.content))))


def _as_plans(block: Any) -> Any:
    note = parsed_object(block.text) if isinstance(block, Text) else None
    if note is None or "data" not in note:
        return block
    return Text(block.text.replace('"kind": "budget"', '"kind": "plans"'))


@liar(_NONSENSE, most=2)
class TakesEveryNoteForAPlan(TurnsTimeline):
    """Doesn't look at the kind of a note."""

    timeline_class = _AnyKind


class _FirstNote(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return super()._notes(replace(turn, content=turn.content[:1]))


@liar(
    "every_note_of_a_turn_counts",
    also=["plans_of_other_names_are_other_plans", _LATEST],
    most=2,
)
class ReadsTheFirstNote(TurnsTimeline):
    """Reads the first block of a system note."""

    timeline_class = _FirstNote


class _AnyRole(Timeline):
    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return super()._notes(replace(turn, role="system_note"))


@liar("what_people_write_makes_no_card", most=2)
class ReadsNotesEverywhere(TurnsTimeline):
    """Takes what a person writes for a note."""

    timeline_class = _AnyRole


class _LastTime(Timeline):
    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        return replace(super()._card(note, card, turn), created_at=turn.created_at)


@liar(_TIME, also=[_WHOLE], most=2)
class DatesCardsByTheLastNote(TurnsTimeline):
    """Dates a card with the time of its latest note."""

    timeline_class = _LastTime
