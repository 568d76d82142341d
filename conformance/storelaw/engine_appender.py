"""The default appender door: the reference appender over a medium's rows, speaking JSON.

It is a subject here, never an oracle. A turn is JSON as on the wire: ``index``, ``role``,
``createdAt`` and the members of its content. Refusals are translated as
:mod:`storelaw.engine_memory` says.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from storelaw.engine import stepped_clock
from storelaw.engine_memory import memory_over, translated
from storelaw.profiles import Opening
from storelaw.turned import scope_of
from storelaw.values import Entry
from storelaw_reference import turns

#: Where a turn's own id would be, while its content is read.
_ANYWHERE = {"scope": {"kind": "session", "id": "any/any"}, "kind": "turn", "id": "turn-000000-any"}
_BESIDE = ("index", "role", "createdAt")


def turn_of(told: Entry) -> turns.Turn:
    """A turn from JSON; the index and role are taken as they are."""
    content = {name: each for name, each in told.items() if name not in _BESIDE}
    entry = {**_ANYWHERE, "createdAt": told.get("createdAt", ""), "content": content}
    return replace(turns.entry_to_turn(entry), index=told["index"], role=told["role"])


def turn_json(turn: turns.Turn) -> Entry:
    """A turn as JSON."""
    entry = turns.turn_to_entry(turn, turns.Scope("session", "any/any"))
    beside = {"index": turn.index, "role": turn.role, "createdAt": turn.created_at}
    return {**beside, **entry["content"]}


def _turns_json(read: Iterable[turns.Turn]) -> list[Entry]:
    return [turn_json(each) for each in read]


def _skipped(left_out: Iterable[turns.Skipped]) -> list[Entry]:
    return [{"id": each.id, "publisher": each.publisher, "why": each.why} for each in left_out]


class EngineAppender:
    """A reference appender behind JSON: what the appender door of the port asks for.

    ``variants`` names classes in place of the reference's: appender, inbox,
    opening, prefix, replayer; ``beneath`` is the memory under the appender.
    """

    def __init__(
        self, memory: turns.Memory, scope: turns.Scope, variants: Mapping[str, Any]
    ) -> None:
        self._memory, self._scope, self._variants = memory, scope, variants
        made = variants.get("appender", turns.Appender)
        self._now = stepped_clock()
        self._appender: turns.Appender = made(memory, scope, now=self._now)

    def append(self, turn: Entry) -> Entry:
        """Write a turn; as it is stored."""
        with translated():
            return turn_json(self._appender.append(turn_of(turn)))

    def read_all(self) -> Entry:
        """All turns in order, what was skipped, and the next free index."""
        return self._reading(self._appender.read_all())

    def read_after(self, index: int) -> Entry:
        """The turns behind an index."""
        return self._reading(self._appender.read_after(index))

    def _reading(self, reading: turns.Reading) -> Entry:
        return {
            "turns": _turns_json(reading.turns),
            "skipped": _skipped(reading.skipped),
            "next_index": reading.next_index,
        }

    def receive(self, words: str, author: str = "", via: str = "") -> Entry:
        """Write a human message behind the last turn, into the inbox."""
        with translated():
            return turn_json(self._appender.receive(words, author=author, via=via))

    def record_inbox(self, index: int, words: str, author: str = "") -> Entry:
        """Write a human message into the inbox at an index."""
        with translated():
            return turn_json(
                turns.record_inbox(self._memory, self._scope, index, words, author, now=self._now)
            )

    def drain_inbox(self, next_index: int) -> Entry:
        """Promote what waits in the inbox; the placed turns and the next index."""
        inbox: turns.Inbox = self._variants.get("inbox", turns.Inbox)(self._appender)
        with translated():
            drained = inbox.drain(next_index)
        return {"turns": _turns_json(drained.turns), "next_index": drained.next_index}

    def has_opening_turn(self) -> bool:
        """Whether a user turn stands at index 0."""
        judge = self._variants.get("opening", turns.has_opening_turn)
        return bool(judge(self._appender.read_all().turns))

    def copy_prefix(self, new_key: str, cut: int) -> Entry:
        """Copy what belongs to the turns up to an index into another session."""
        prefix = self._variants.get("prefix", turns.Prefix)(self._memory, self._scope, cut)
        with translated():
            copied: turns.Copied = prefix.copy_to(self._memory, turns.Scope(**scope_of(new_key)))
        return {"entries": list(copied.entries), "skipped": _skipped(copied.skipped)}

    def replay(self) -> Entry:
        """What a model reads: the messages, and the index at which the runner goes on."""
        replayer: turns.Replayer = self._variants.get("replayer", turns.Replayer)()
        replay = replayer.replay(self._appender.read_all().turns)
        messages = [
            {"role": each.role, "content": [turns.encode_block(one) for one in each.content]}
            for each in replay.messages
        ]
        return {"messages": messages, "next_index": replay.next_index}


def opened(opening: Opening) -> EngineAppender:
    """The appender door over a handle, for the scope of the session key."""
    variants = getattr(opening.medium, "variants", {})
    memory = memory_over(opening, variants.get("beneath"))
    return EngineAppender(memory, turns.Scope(**scope_of(opening.key)), variants)
