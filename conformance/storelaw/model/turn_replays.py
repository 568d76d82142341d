"""What a model reads of turns, written from the rules OA-S1 to OA-S7: the expected side.

The words of what a replay makes up are its own; the rules say where it stands.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from storelaw.model.timelines import blocks, in_order, read, texts
from storelaw.values import Entry, is_array

#: The types of blocks that a provider renders.
KNOWN: Final = ("text", "tool_use", "tool_result", "attachment")

_SEGMENT: Final = "[a-z0-9][a-z0-9-]{0,63}"
_SURFACE: Final = re.compile(
    rf"urn:ap:view:(?:(chat|tui)|(artifact):{_SEGMENT}(?:/{_SEGMENT})?"
    rf"|(session):{_SEGMENT}/{_SEGMENT}(?:/{_SEGMENT})?)"
)


@dataclass(frozen=True, slots=True)
class Heard:
    """A message: its turn's blocks, and what is made up around them.

    ``owed`` are the calls that get a made-up result, by id, with whether it is an error;
    ``surface`` is the kind that a leading text names, ``advised`` whether words follow,
    ``empty`` whether a text stands for blocks that no provider renders.
    """

    role: str
    own: list[Entry] = field(default_factory=list[Entry])
    owed: dict[str, bool] = field(default_factory=dict[str, bool])
    surface: str = ""
    advised: bool = False
    empty: bool = False

    def results(self) -> list[tuple[str, bool]]:
        """The results by call id, each with whether it is an error."""
        given = (each["toolResult"] for each in self.own if each["type"] == "tool_result")
        return [*self.owed.items(), *((e["toolUseId"], bool(e.get("isError"))) for e in given)]

    def others(self) -> list[Entry]:
        """The blocks of the turn that are no results."""
        return [each for each in self.own if each["type"] != "tool_result"]


def surface(via: str) -> str:
    """The kind of a surface, or nothing for what names none. Rule: OA-S2."""
    found = _SURFACE.fullmatch(via)
    return str(found[found.lastindex or 0]) if found else ""


def next_index(turns: Sequence[Entry]) -> int:
    """One more than the last index of any turn. Rule: OA-S1."""
    return max((int(each["index"]) + 1 for each in turns), default=0)


def replay(turns: Sequence[Entry]) -> list[Heard]:
    """The messages. Rules: OA-S1 to OA-S7."""
    spoken = [each for each in in_order(turns) if each["role"] in ("user", "assistant")]
    heard = _answered([_heard(each) for each in spoken if not refused(each)], _delivered(turns))
    if not spoken or not refused(spoken[-1]):
        return heard
    if heard and heard[-1].role == "user":
        return [*heard[:-1], replace(heard[-1], advised=True)]
    return [*heard, Heard("user", advised=True)]


def is_open(turns: Sequence[Entry]) -> bool:
    """Whether the rules leave open where advice goes: behind an answer that wasn't refused."""
    spoken = [each for each in in_order(turns) if each["role"] in ("user", "assistant")]
    shown = [each for each in spoken if not refused(each)]
    return bool(spoken and refused(spoken[-1]) and shown and shown[-1]["role"] == "assistant")


def refused(turn: Entry) -> bool:
    """Whether a turn is an answer that is kept from the model."""
    return turn["role"] == "assistant" and bool(turn.get("refused"))


def _heard(turn: Entry) -> Heard:
    content: list[Entry] = turn.get("content") or []
    own = [each for each in content if each["type"] in KNOWN]
    named = surface(turn.get("via", "")) if turn["role"] == "user" else ""
    return Heard(turn["role"], own, surface=named, empty=not own)


def _delivered(turns: Sequence[Entry]) -> set[str]:
    """The calls that notes list as delivered. Rule: OA-S4."""
    notes = [each for turn in turns if turn["role"] == "system_note" for each in texts(turn)]
    lists = [(read(each) or {}).get("delivered") for each in notes]
    return {one for each in lists if is_array(each) for one in each if isinstance(one, str)}


def _answered(heard: Sequence[Heard], delivered: set[str]) -> list[Heard]:
    """Each call that the next user message doesn't answer gets a result there. Rule: OA-S3."""
    answered: list[Heard] = []
    owed: dict[str, bool] = {}
    for each, following in zip(heard, [*heard[1:], Heard("nobody")], strict=False):
        if owed and each.role == "assistant":
            answered.append(Heard("user", owed=owed))
        answered.append(replace(each, owed=owed if each.role == "user" else {}))
        known = dict(following.results()) if following.role == "user" else {}
        calls = [call["toolUse"]["id"] for call in blocks({"content": each.own}, "tool_use")]
        owed = {call: call not in delivered for call in calls if call not in known}
    return [*answered, Heard("user", owed=owed)] if owed else answered
