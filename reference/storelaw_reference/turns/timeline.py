"""The timeline: a transcript as a person sees it.

Each rule sits in one small method of `Timeline`, so that a timeline which
breaks just that rule is a subclass of three lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from storelaw_reference.turns.blocks import ToolResult, ToolUse
from storelaw_reference.turns.envelopes import unwrap
from storelaw_reference.turns.notes import PlanNote, parsed_object, plan_notes
from storelaw_reference.turns.records import Turn, turn_order

RESPOND = "respond_to_user"
"""The tool by which an agent speaks."""

_BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class VisibleMessage:
    """Words of the user or the agent, with the time and surface of the turn that shows them."""

    role: Literal["user", "agent"]
    text: str
    created_at: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True)
class PlanCard:
    """A plan: its latest snapshot (frozen JSON, None if there never was one).

    `created_at` is the time of its first appearance.
    """

    name: str
    snapshot: Mapping[str, Any] | None = None
    deleted: bool = False
    created_at: str = ""


TimelineItem = VisibleMessage | PlanCard


class Timeline:
    """How turns become what a person sees; pure (OA-V15)."""

    def items(self, turns: Iterable[Turn]) -> tuple[TimelineItem, ...]:
        """Return messages and plan cards in order. Rules: OA-V1 to OA-V15."""
        ordered = self._ordered(turns)
        done = self._done(ordered)
        items: list[VisibleMessage | str] = []
        cards: dict[str, PlanCard] = {}
        for turn in ordered:
            for note in self._notes(turn):
                items += [] if note.name in cards else [note.name]
                cards[note.name] = self._card(note, cards.get(note.name), turn)
            message = None if self._is_consumed(turn, done) else self._message(turn)
            items += [] if message is None else [message]
        return tuple(cards[item] if isinstance(item, str) else item for item in items)

    def _ordered(self, turns: Iterable[Turn]) -> list[Turn]:
        """By index and role. Rule: OA-V1."""
        return sorted(turns, key=turn_order)

    def _done(self, turns: Iterable[Turn]) -> set[int]:
        """The indexes that hold a marker. Rule: OA-V3."""
        return {turn.index for turn in turns if turn.role == "inbox_done"}

    def _is_consumed(self, turn: Turn, done: set[int]) -> bool:
        """An inbox turn with a marker at its own index was promoted. Rule: OA-V3."""
        return turn.role == "inbox" and turn.index in done

    # Messages

    def _message(self, turn: Turn) -> VisibleMessage | None:
        role = self._role(turn)
        if role is None:
            return None
        live = [block for block in turn.content if self._is_live(block)]
        text = self._live_text(live) if live else self._text(turn)
        speaker = "agent" if live else role
        return VisibleMessage(speaker, text, turn.created_at, turn.via) if text.strip() else None

    def _role(self, turn: Turn) -> Literal["user", "agent"] | None:
        """Who speaks in a turn of this role; a refused turn still speaks. Rules: OA-V2, OA-V14."""
        if turn.role in ("user", "inbox"):
            return "user"
        return "agent" if turn.role == "assistant" else None

    def _is_live(self, block: object) -> bool:
        return isinstance(block, ToolResult) and block.rendered_live

    def _live_text(self, results: Iterable[object]) -> str:
        """The results that the user has seen already, out of their envelopes. Rule: OA-V9."""
        shown = (unwrap(each.content) for each in results if isinstance(each, ToolResult))
        return self._joined(text for text in shown if text.strip())

    def _text(self, turn: Turn) -> str:
        return self._reply(turn) if turn.role == "assistant" else self._plain(turn)

    def _reply(self, turn: Turn) -> str:
        """What the agent says by tool; else nothing beside a call; else its words.

        Rules: OA-V4, OA-V5.
        """
        said = [text for call in turn.calls() if (text := self._said(call)).strip()]
        if said:
            return self._joined(said)
        return "" if turn.calls() else self._plain(turn)

    def _said(self, call: ToolUse) -> str:
        """The text argument of a reply; empty where there is none to read. Rule: OA-V8."""
        given = parsed_object(call.input or b"") if call.name == RESPOND else None
        text = (given or {}).get("text")
        return text if isinstance(text, str) else ""

    def _plain(self, turn: Turn) -> str:
        return self._joined(text for text in turn.texts() if text)

    def _joined(self, texts: Iterable[str]) -> str:
        """Texts with a blank line between them. Rule: OA-V6."""
        return _BLANK_LINE.join(texts)

    # Plan cards

    def _notes(self, turn: Turn) -> Iterable[PlanNote]:
        return plan_notes(turn)

    def _card(self, note: PlanNote, card: PlanCard | None, turn: Turn) -> PlanCard:
        """One card for each name, where and when it first appeared, as it is now.

        A deleted card keeps its last snapshot; an upsert revives it. Rule: OA-V11.
        """
        card = card or PlanCard(note.name, created_at=turn.created_at)
        if note.snapshot is None:
            return replace(card, deleted=True)
        return replace(card, deleted=False, snapshot=note.snapshot)


def visible_timeline(turns: Iterable[Turn]) -> tuple[TimelineItem, ...]:
    """Return what a person sees: messages and plan cards. Rules: OA-V1 to OA-V15."""
    return Timeline().items(turns)


def visible_messages(turns: Iterable[Turn]) -> tuple[VisibleMessage, ...]:
    """Return the timeline without its plan cards. Rule: OA-V13."""
    return tuple(item for item in visible_timeline(turns) if isinstance(item, VisibleMessage))
