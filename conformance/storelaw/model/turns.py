"""What rows and transcripts of turns should hold: the small model behind the turn laws.

Only what was accepted counts. A write that raised one of the five identities changed
nothing; any other leaves what it was about uncertain.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from storelaw.trace import UNKNOWN, Event, Trace
from storelaw.turned import scope_of
from storelaw.values import Entry, is_array, is_object, same

#: The index and the role of a turn: its identity in a transcript.
Slot: TypeAlias = tuple[Any, Any]

#: Scope kind, scope id, kind and id of an entry.
RowKey: TypeAlias = tuple[str, str, str, str]

#: What makes two writes of a turn the same one (OA-A3); a time is not among it.
PAYLOAD: Final = ("content", "usage", "author", "via", "refused", "model")

NUMBERS: Final = frozenset({"numbers"})


# ------------------------------------------------------------------------ turns


def slot(turn: Entry) -> Slot:
    """The identity of a turn."""
    return turn.get("index"), turn.get("role")


def turn_id(index: int, role: str) -> str:
    """The one id of a turn: the index padded to six digits, wider where it must be (OA-A1)."""
    return f"turn-{index:06d}-{role}"


def payload(turn: Entry) -> Entry:
    """The members that count when a turn is written again; empty ones are absent (OA-A9)."""
    return {name: turn[name] for name in PAYLOAD if turn.get(name)}


def alike(one: Entry, other: Entry) -> bool:
    """Whether two turns have the same payload: objects without order, numbers by value."""
    return same(payload(one), payload(other), NUMBERS)


def told(turn: Entry) -> Entry:
    """A turn without its time, and without what is empty."""
    return {"index": turn.get("index"), "role": turn.get("role"), **payload(turn)}


def is_turn(turn: Entry) -> bool:
    """Whether an index and a role name a turn that reads back (D-OA-1, D-OA-2), with its blocks."""
    index, role = slot(turn)
    whole = isinstance(index, int) and 0 <= index < 2**63
    named = isinstance(role, str) and bool(role) and not any(map(_is_blank, role))
    blocks: Any = turn.get("content") or []
    return whole and named and is_array(blocks) and all(map(_is_block, blocks))


#: What the payload of each known block can't do without.
_NEEDED: Final = {
    "tool_use": ("toolUse", {"id", "name", "input"}),
    "tool_result": ("toolResult", {"toolUseId", "content"}),
    "attachment": ("attachment", {"filename", "mime", "ref"}),
}


def _is_block(block: Any) -> bool:
    if not is_object(block) or not isinstance(block.get("type"), str):
        return False
    member, needed = _NEEDED.get(block["type"], ("type", set[str]()))
    held = block.get(member)
    return not needed or (is_object(held) and needed <= set(held))


def _is_blank(sign: str) -> bool:
    return sign.isspace() or not sign.isprintable()


def turns_in(event: Event) -> list[Entry]:
    """The turns that a reading gave; what is no object is left out."""
    return objects_in(event.value, "turns")


def objects_in(answer: Any, name: str) -> list[Entry]:
    """The objects in a list member of an answer."""
    listed = answer.get(name) if is_object(answer) else None
    return [each for each in listed if is_object(each)] if is_array(listed) else []


# ------------------------------------------------------------------------ doors


@dataclass
class Labels:
    """Which door each label of a trace stands for, and on which session."""

    doors: dict[str, tuple[str, Any]] = field(default_factory=dict[str, tuple[str, Any]])

    def feed(self, event: Event) -> None:
        """Follow the opening of a door."""
        if event.step.do == "open_door" and event.ok:
            self.doors[str(event.step.on)] = (event["door"], event.step.session)

    def door(self, event: Event) -> str:
        """The door that an event asked, or nothing."""
        return self.doors.get(str(event.step.on), ("", ""))[0]

    def key(self, event: Event) -> Any:
        """The session of the door that an event asked."""
        return self.doors.get(str(event.step.on), ("", ""))[1]


def asked(trace: Trace, door: str, *methods: str) -> Iterator[Event]:
    """The events that asked a door for one of these methods, skipped ones left out."""
    labels = Labels()
    for event in trace.events:
        labels.feed(event)
        named = event.step.do == "ask" and event.step.name in methods
        if named and event.outcome != "skipped" and labels.door(event) == door:
            yield event


def given(event: Event) -> Entry:
    """The one turn or entry of a step; an empty object where it has none."""
    return event.passed[0] if event.passed and is_object(event.passed[0]) else {}


def put_of(event: Event) -> Entry:
    """The entry that a step puts; an empty object where it is no entry at all."""
    return given(event) if is_entry(given(event)) else {}


def is_entry(entry: Entry) -> bool:
    """Whether an entry has a key and a time, and links with keys."""
    dated = isinstance(entry.get("createdAt"), str) and instant(entry["createdAt"]) != _NEVER
    return dated and _is_keyed(entry) and all(map(_is_keyed, entry.get("links") or ()))


def _is_keyed(entry: Entry) -> bool:
    place = entry.get("scope")
    named = all(isinstance(entry.get(each), str) for each in ("kind", "id"))
    return named and is_object(place) and set(place) == {"kind", "id"}


def values(event: Event) -> tuple[Any, ...]:
    """The further values of a step."""
    return tuple(event["with"] or ())


def query_of(event: Event) -> Entry:
    """The query of a step; an empty object where it has none."""
    first: Any = (*values(event), None)[0]
    return first if is_object(first) else {}


def is_refusal(event: Event) -> bool:
    """Whether an operation said no, rather than fail."""
    return event.raised and event.error != UNKNOWN


# ------------------------------------------------------------------------- rows


def row_key(entry: Entry) -> RowKey:
    """What no two entries share."""
    return entry["scope"]["kind"], entry["scope"]["id"], entry["kind"], entry["id"]


def _asked_key(event: Event) -> RowKey | None:
    match values(event):
        case ({"kind": str(scope_kind), "id": str(scope_id)}, str(kind), str(name)):
            return scope_kind, scope_id, kind, name
        case _:
            return None


#: The key of no entry.
_NOWHERE: Final[RowKey] = ("", "", "", "")


@dataclass
class Rows:
    """What the rows of a backend should be, with all versions that each key ever had."""

    live: dict[RowKey, Entry] = field(default_factory=dict[RowKey, Entry])
    versions: dict[RowKey, list[Entry]] = field(default_factory=dict[RowKey, "list[Entry]"])
    certain: bool = True

    def feed(self, event: Event) -> None:
        """Follow an event of the backend door; a write that failed leaves all uncertain."""
        name = event.step.name
        if event.raised and name in ("put", "delete", "delete_scope"):
            self.certain = self.certain and is_refusal(event)
        elif event.ok and name == "put":
            self._put(put_of(event))
        elif event.ok and name == "delete":
            self.live.pop(_asked_key(event) or _NOWHERE, None)
        elif event.ok and name == "delete_scope":
            kept = self.live.items()
            self.live = {key: one for key, one in kept if one["scope"] != query_of(event)}

    def _put(self, entry: Entry) -> None:
        if not entry:
            self.certain = False
            return
        self.live[row_key(entry)] = entry
        self.versions.setdefault(row_key(entry), []).append(entry)

    def wanted(self, event: Event) -> list[Entry] | None:
        """What a get or a query should give, in any order; ``None`` where that isn't known."""
        if not self.certain or event.step.name not in ("get", "query"):
            return None
        if event.step.name == "get":
            held = self.live.get(_asked_key(event) or _NOWHERE)
            return [] if held is None else [held]
        return [each for each in self.live.values() if matches(each, query_of(event))]


def reads(trace: Trace, *methods: str) -> Iterator[tuple[Event, list[Entry], Rows]]:
    """Each get and query of the backend door, with what it should give."""
    labels, rows = Labels(), Rows()
    for event in trace.events:
        labels.feed(event)
        if event.step.do != "ask" or event.outcome == "skipped":
            continue
        if labels.door(event) != "backend":
            rows.certain = False
        wanted = rows.wanted(event) if event.step.name in methods else None
        if wanted is not None:
            yield event, wanted, rows
        rows.feed(event)


def rows_in(event: Event) -> list[Entry]:
    """The entries that a get or a query gave."""
    answer = [event.value] if is_object(event.value) else event.value
    return [each for each in answer if is_object(each)] if is_array(answer) else []


def matches(entry: Entry, query: Entry) -> bool:
    """Whether an entry passes the filters of a query: all that are set."""
    return (
        query.get("scope") in (None, entry["scope"])
        and (not query.get("kinds") or entry["kind"] in query["kinds"])
        and (not query.get("ids") or entry["id"] in query["ids"])
        and set(query.get("tags") or ()) <= set(entry.get("tags") or ())
        and (not query.get("since") or moment(entry) >= instant(query["since"]))
        and (not query.get("until") or moment(entry) < instant(query["until"]))
    )


def instant(text: Any) -> datetime:
    """A time stamp in microseconds; one that nobody writes for what is none."""
    try:
        read = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return _NEVER
    return _NEVER if read.tzinfo is None else read


#: What stands for a text that is no time stamp; a second after the zero time.
_NEVER: Final = datetime.fromisoformat("0001-01-01T00:00:01+00:00")


def moment(entry: Entry) -> datetime:
    """The time of an entry, in microseconds."""
    return instant(entry.get("createdAt"))


def marks(entries: Iterable[Entry]) -> list[str]:
    """What tells entries apart in a text: their ids and the mark in their content, sorted."""
    return sorted(map(mark, entries))


def mark(entry: Entry) -> str:
    """The id of an entry and the mark in its content."""
    content = entry.get("content")
    inner = content.get("mark") if is_object(content) else None
    return f"{entry.get('id')} {inner}"


# ------------------------------------------------------------------- transcripts


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns that a session should hold, and the slots of which that isn't known."""

    turns: dict[Slot, Entry] = field(default_factory=dict[Slot, Entry])
    unsure: frozenset[Slot] = frozenset()
    certain: bool = True

    def ordered(self) -> list[Entry]:
        """The turns by index and role (OA-R1)."""
        return [self.turns[each] for each in sorted(self.turns)]


#: What an appender's methods read; every other one writes what the model doesn't follow.
_READING: Final = ("read_all", "read_after", "has_opening_turn", "replay")


def _after(before: Transcript, event: Event) -> Transcript:
    turn = given(event)
    if event.step.name != "append" or not is_turn(turn):
        quiet = event.step.name in (*_READING, "append", "get", "query", "status")
        return before if quiet or is_refusal(event) else replace(before, certain=False)
    if event.ok and slot(turn) not in before.unsure:
        return replace(before, turns={slot(turn): turn, **before.turns})
    if event.raised and not is_refusal(event) and slot(turn) not in before.turns:
        return replace(before, unsure=before.unsure | {slot(turn)})
    return before


def transcripts(trace: Trace) -> Iterator[tuple[Event, Transcript]]:
    """Each event that asked an appender, with the transcript as it should be before it."""
    labels = Labels()
    known: dict[Any, Transcript] = {}
    for event in trace.events:
        labels.feed(event)
        if event.step.do != "ask" or event.outcome == "skipped":
            continue
        key = labels.key(event)
        before = known.get(key, Transcript())
        if labels.door(event) == "appender":
            yield event, before
        known[key] = _after(before, event)


def readings(trace: Trace) -> Iterator[tuple[Event, Transcript]]:
    """Each successful ``read_all`` of a transcript that is known."""
    for event, before in transcripts(trace):
        if event.ok and event.step.name == "read_all" and before.certain and not before.unsure:
            yield event, before


def held(event: Event, key: Any) -> list[Entry]:
    """The raw entries that the store holds for a session after a step."""
    return [each for each in event.logs.get(key) or [] if is_object(each)]


def scope(key: Any) -> Entry:
    """The scope of a session key."""
    return scope_of(key)
