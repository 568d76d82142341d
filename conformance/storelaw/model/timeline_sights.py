"""What the timeline door of a medium showed: each answer beside the turns it was asked for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from storelaw.failures import broken
from storelaw.model.timelines import is_turn, timeline
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object

TIMELINE: Final = "visible_timeline"
MESSAGES: Final = "visible_messages"
REPLAYED: Final = "replayed"
UNWRAPPED: Final = "unwrapped"

#: What a law has in view of the items.
Aspect: TypeAlias = Callable[[Sequence[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Look:
    """One answer of a projection, or what it raised instead."""

    event: Event
    turns: list[Entry]

    @property
    def shown(self) -> Any:
        """What was given, or the words of the error."""
        return self.event.text if self.event.raised else self.event.value


def looks(trace: Trace, method: str = TIMELINE) -> Iterator[Look]:
    """The answers for turns that are whole, of which no two have one index and role."""
    for event in trace.of("ask"):
        turns = list(event.passed)
        if event.step.name == method and turns and all(map(is_turn, turns)) and _differ(turns):
            yield Look(event, turns)


def _differ(turns: Sequence[Entry]) -> bool:
    return len({(each["index"], each["role"]) for each in turns}) == len(turns)


def judge(trace: Trace, aspect: Aspect, because: str) -> None:
    """An aspect of each timeline is what the rules make of its turns."""
    for look in looks(trace):
        expected = aspect(timeline(look.turns))
        shown = aspect(look.shown) if is_array(look.shown) else look.shown
        if not trace.same(expected, shown):
            broken(look.event, expected=expected, observed=shown, because=because)


def _parts(items: Sequence[Any], kind: str) -> list[Any]:
    """The messages or cards of a timeline; what is neither stays, so that it is seen."""
    parts: list[Any] = []
    for each in items:
        part = each.get(str(each.get("kind"))) if is_object(each) else None
        if not is_object(part):
            parts.append(each)
        elif each["kind"] == kind:
            parts.append(part)
    return parts


def _members(items: Sequence[Any], kind: str, *names: str) -> list[Any]:
    return [
        {name: each[name] for name in names if each.get(name)} if is_object(each) else each
        for each in _parts(items, kind)
    ]


def said(items: Sequence[Any]) -> list[Any]:
    """Who says what."""
    return _members(items, "message", "role", "text")


def texts(items: Sequence[Any]) -> list[Any]:
    """What is said, by whomever."""
    return _members(items, "message", "text")


def timed(items: Sequence[Any]) -> list[Any]:
    """What is said, and when."""
    return _members(items, "message", "text", "createdAt")


def surfaces(items: Sequence[Any]) -> list[Any]:
    """What is said, and through which surface."""
    return _members(items, "message", "text", "via")


def names(items: Sequence[Any]) -> list[Any]:
    """The names of the plan cards."""
    return _members(items, "plan", "name")


def snapshots(items: Sequence[Any]) -> list[Any]:
    """The plan cards with their snapshots."""
    return _members(items, "plan", "name", "snapshot")


def deletions(items: Sequence[Any]) -> list[Any]:
    """The plan cards, and which are deleted."""
    return _members(items, "plan", "name", "deleted")


def appearances(items: Sequence[Any]) -> list[Any]:
    """The plan cards, and when they first appeared."""
    return _members(items, "plan", "name", "createdAt")


def outline(items: Sequence[Any]) -> list[Any]:
    """What comes after what: texts and names of cards."""
    return [(*texts([each]), *names([each]))[0] for each in items]


def whole(items: Sequence[Any]) -> list[Any]:
    """Everything, but that no surface may be written as an empty one."""
    return [_whole(each) for each in items]


def _whole(item: Any) -> Any:
    if not is_object(item) or "message" not in item:
        return item
    return {**item, "message": _unmarked(item["message"])}


def _unmarked(message: Any) -> Any:
    if not is_object(message) or message.get("via") != "":
        return message
    return {name: each for name, each in message.items() if name != "via"}


def messages(turns: Sequence[Entry]) -> list[Entry]:
    """The messages that the rules make of turns."""
    return [each["message"] for each in timeline(turns) if each["kind"] == "message"]


def unmarked(shown: Any) -> Any:
    """Messages in which an empty surface is left out."""
    return [_unmarked(each) for each in shown] if is_array(shown) else shown
