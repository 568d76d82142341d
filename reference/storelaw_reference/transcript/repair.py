"""Repair: every client call gets exactly one result, in the view and never in the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from storelaw_reference.transcript.blocks import Text, ToolCall
from storelaw_reference.transcript.messages import Message

INTERRUPTED = "tool execution interrupted"
"""The text of a result that is made up for a call without one."""


@dataclass(frozen=True, slots=True)
class _Pairing:
    """Who answers whom, by places in the list of messages."""

    caller: dict[int, int]
    answer: dict[tuple[int, str], int]


def repaired(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages with one result for each client call.

    Results directly behind their call keep their place; a real one that came
    late is moved behind them, a second one is dropped, and calls that have
    none get an error result, in call order. Server calls are left alone, and
    so is a result that no call asked for.
    Rules: PI-S2, PI-S3, PI-S4, PI-S6, PI-S7, D-PI-6.
    """
    given = tuple(messages)
    pairing = _pairing(given)
    return tuple(
        message for start, stop in _groups(given) for message in _group(given, start, stop, pairing)
    )


def _pairing(given: Sequence[Message]) -> _Pairing:
    """Give each result to the last call before it that has its id."""
    pairing = _Pairing({}, {})
    latest: dict[str, int] = {}
    for place, message in enumerate(given):
        latest.update((call.id, place) for call in message.client_calls())
        if message.role == "tool_result" and message.tool_call_id in latest:
            caller = latest[message.tool_call_id]
            pairing.caller[place] = caller
            pairing.answer.setdefault((caller, message.tool_call_id), place)
    return pairing


def _groups(given: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Cut the list into messages, each with the results directly behind it."""
    heads = [place for place, each in enumerate(given) if not place or each.role != "tool_result"]
    return pairwise([*heads, len(given)])


def _group(given: Sequence[Message], start: int, stop: int, pairing: _Pairing) -> Iterator[Message]:
    calls = {call.id: call for call in given[start].client_calls()}
    answers = [pairing.answer.get((start, call)) for call in calls]
    own = {place for place in answers if place is not None}
    for place in range(start, stop):
        if place in own or place not in pairing.caller:
            yield given[place]
    yield from (given[place] for place in sorted(own) if place >= stop)
    for call, answer in zip(calls.values(), answers, strict=True):
        if answer is None:
            yield _interrupted(call)


def _interrupted(call: ToolCall) -> Message:
    words = (Text(INTERRUPTED),)
    return Message("tool_result", words, tool_call_id=call.id, tool_name=call.name, is_error=True)
