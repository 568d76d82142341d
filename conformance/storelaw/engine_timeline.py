"""The reference's projections of turns behind JSON: the timeline door of a medium.

They are a subject here, never an oracle: no law takes an expected value from them.
"""

from collections.abc import Iterable
from typing import ClassVar

from storelaw.engine_appender import turn_of
from storelaw.values import Entry
from storelaw_reference import turns as reference
from storelaw_reference.transcript.values import thawed
from storelaw_reference.turns.codec import encode_block
from storelaw_reference.turns.replay import Message, Replayer
from storelaw_reference.turns.timeline import PlanCard, Timeline


class ReferenceTimeline:
    """The projections of turns, to be mixed into a medium.

    A medium may name other classes for its timeline and its replayer.
    """

    timeline_class: ClassVar[type[Timeline]] = Timeline
    replayer_class: ClassVar[type[Replayer]] = Replayer

    def visible_timeline(self, turns: list[Entry]) -> list[Entry]:
        """The messages and plan cards that a person sees, as ``turns/timeline-item``."""
        return [_item(each) for each in self.timeline_class().items(_read(turns))]

    def visible_messages(self, turns: list[Entry]) -> list[Entry]:
        """The messages alone, as ``turns/visible-message``."""
        return [each["message"] for each in self.visible_timeline(turns) if "message" in each]

    def unwrapped(self, text: str) -> str:
        """A tool's output without its envelope."""
        return reference.unwrap(text)

    def replayed(self, turns: list[Entry]) -> Entry:
        """What a model reads, and the index at which the runner goes on."""
        replay = self.replayer_class().replay(_read(turns))
        messages = [_message(each) for each in replay.messages]
        return {"messages": messages, "next_index": replay.next_index}


def _read(turns: Iterable[Entry]) -> list[reference.Turn]:
    return [turn_of(each) for each in turns]


def _item(item: reference.TimelineItem) -> Entry:
    if isinstance(item, PlanCard):
        return {"kind": "plan", "plan": _card(item)}
    said: Entry = {"role": item.role, "text": item.text, "createdAt": item.created_at}
    return {"kind": "message", "message": {**said, **({"via": item.via} if item.via else {})}}


def _card(card: PlanCard) -> Entry:
    shown = {} if card.snapshot is None else {"snapshot": thawed(card.snapshot)}
    return {"name": card.name, **shown, "deleted": card.deleted, "createdAt": card.created_at}


def _message(message: Message) -> Entry:
    return {"role": message.role, "content": [encode_block(each) for each in message.content]}
