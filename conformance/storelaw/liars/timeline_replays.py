"""Liars about what a model reads of the turns."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from storelaw.liars.registry import liar
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw.values import Entry
from storelaw_reference.turns import Block, Text, ToolResult, ToolUse, Turn
from storelaw_reference.turns.replay import EMPTY, Message, Replayer

_WHOLE = "a_replay_is_what_the_rules_make_of_the_turns"
_READS = "the_model_reads_users_and_answers"
_REFUSED = "a_refused_answer_is_kept_from_the_model"
_INDEX = "every_turn_counts_for_the_next_index"
_SURFACE = "a_surface_is_named_before_the_words"
_CALL = "an_unanswered_call_gets_an_error"
_FRONT = "what_is_made_up_stands_in_front"
_DELIVERED = "a_delivered_call_is_no_error"
_SAME = "a_replay_changes_nothing"
_ADVICE = "a_refusal_at_the_end_is_followed_by_advice"
_BLOCKS = "blocks_that_nobody_renders_are_left_out"


class _Inbox(Replayer):
    def _is_spoken(self, turn: Turn) -> bool:
        return super()._is_spoken(turn) or turn.role == "inbox"

    def _message(self, turn: Turn) -> Message:
        return super()._message(replace(turn, role="user") if turn.role == "inbox" else turn)


@liar(_READS, also=[_REFUSED, _CALL, _WHOLE], kinds=["F40"], most=2)
class ReadsTheInbox(TurnsTimeline):
    """Lets the model read what waits in the inbox."""

    replayer_class = _Inbox


class _Markers(Replayer):
    def _is_spoken(self, turn: Turn) -> bool:
        return super()._is_spoken(turn) or turn.role == "inbox_done"


@liar(_READS, most=2)
class ReadsMarkers(TurnsTimeline):
    """Lets the model read a marker as an answer."""

    replayer_class = _Markers


class _Shows(Replayer):
    def _is_hidden(self, turn: Turn) -> bool:
        return False


@liar(_REFUSED, also=[_ADVICE], kinds=["F37"], most=2)
class ReplaysRefusedAnswers(TurnsTimeline):
    """Lets the model read what was refused."""

    replayer_class = _Shows


class _Spoken(Replayer):
    def _next_index(self, ordered: Sequence[Turn]) -> int:
        return super()._next_index([each for each in ordered if self._is_spoken(each)])


@liar(_INDEX, most=2)
class CountsWhatTheModelReads(TurnsTimeline):
    """Gives an index again that a note has."""

    replayer_class = _Spoken


class _Counted(Replayer):
    def _next_index(self, ordered: Sequence[Turn]) -> int:
        return len(ordered)


@liar(_INDEX, most=2)
class CountsTurns(TurnsTimeline):
    """Takes the number of turns for the next index."""

    replayer_class = _Counted


class _NoPreface(Replayer):
    def _preface(self, turn: Turn) -> tuple[Block, ...]:
        return ()


@liar(_SURFACE, most=2)
class NamesNoSurface(TurnsTimeline):
    """Doesn't tell the model where its answer will be read."""

    replayer_class = _NoPreface


class _RawPreface(Replayer):
    def _preface(self, turn: Turn) -> tuple[Block, ...]:
        return (Text(f"[via {turn.via}]"),) if turn.via else ()


@liar(_SURFACE, most=2)
class NamesWhatItCannotRead(TurnsTimeline):
    """Puts the raw name of a surface before the words, whatever it is."""

    replayer_class = _RawPreface


class _Unanswered(Replayer):
    def _owed(self, message: Message, following: Any, delivered: set[str]) -> tuple[Block, ...]:
        return ()


@liar(_CALL, also=[_FRONT, _DELIVERED, _WHOLE], kinds=["F34"], most=2)
class LeavesCallsUnanswered(TurnsTimeline):
    """Sends a call without a result to the provider."""

    replayer_class = _Unanswered


class _Assumes(Replayer):
    def _made_up(self, call: str, delivered: bool) -> ToolResult:
        return replace(super()._made_up(call, delivered), is_error=False)


@liar(_CALL, also=[_DELIVERED, _WHOLE], kinds=["F34"], most=2)
class AssumesSuccess(TurnsTimeline):
    """Makes up a result that is no error."""

    replayer_class = _Assumes


class _AnyLater(Replayer):
    def _answered(self, messages: Sequence[Message], delivered: set[str]) -> list[Message]:
        given = {
            block.tool_use_id
            for message in messages
            for block in message.content
            if isinstance(block, ToolResult)
        }
        late = given - _prompt(messages)
        return super()._answered([_without(each, late) for each in messages], delivered)


def _prompt(messages: Sequence[Message]) -> set[str]:
    pairs = pairwise(messages)
    return {
        block.id
        for message, following in pairs
        for block in message.content
        if isinstance(block, ToolUse) and following.role == "user"
    }


def _without(message: Message, late: set[str]) -> Message:
    kept = (e for e in message.content if not (isinstance(e, ToolResult) and e.tool_use_id in late))
    return replace(message, content=tuple(kept) or (Text(EMPTY),))


@liar(_CALL, most=2)
class DropsLateResults(TurnsTimeline):
    """Leaves out a result that doesn't follow its call at once."""

    replayer_class = _AnyLater


class _Behind(Replayer):
    def _answered(self, messages: Sequence[Message], delivered: set[str]) -> list[Message]:
        answered = super()._answered(messages, delivered)
        known = [each.content for each in messages]
        return [each if each.content in known else _turned(each) for each in answered]


def _turned(message: Message) -> Message:
    results = [e for e in message.content if isinstance(e, ToolResult)]
    others = [e for e in message.content if not isinstance(e, ToolResult)]
    return replace(message, content=(*others, *results))


@liar(_FRONT, kinds=["F34"], most=2)
class PutsResultsBehindWords(TurnsTimeline):
    """Puts what it makes up at the end of the message."""

    replayer_class = _Behind


class _Silent(Replayer):
    def _made_up(self, call: str, delivered: bool) -> ToolResult:
        return replace(super()._made_up(call, delivered), content="")


@liar(_FRONT, most=2)
class MakesUpEmptyResults(TurnsTimeline):
    """Makes up a result that says nothing."""

    replayer_class = _Silent


class _Undelivered(Replayer):
    def _delivered(self, turns: Any) -> set[str]:
        return set()


@liar(_DELIVERED, kinds=["F34"], most=2)
class ReadsNoDeliveries(TurnsTimeline):
    """Calls what the user has received a failure."""

    replayer_class = _Undelivered


class _AllDelivered(Replayer):
    def _made_up(self, call: str, delivered: bool) -> ToolResult:
        return super()._made_up(call, delivered or self.any_delivered)

    any_delivered = False

    def _delivered(self, turns: Any) -> set[str]:
        found = super()._delivered(turns)
        self.any_delivered = bool(found)
        return found


@liar(_DELIVERED, most=2)
class TakesOneDeliveryForAll(TurnsTimeline):
    """Takes every open call for delivered where one is."""

    replayer_class = _AllDelivered


@liar(_SAME, kinds=["F39"], most=2)
class StoresWhatItMakesUp(TurnsTimeline):
    """Puts the made-up result into the turns it was given."""

    def replayed(self, turns: list[Entry]) -> Entry:
        replay = super().replayed(turns)
        last = replay["messages"][-1]
        turns[-1]["content"] = last["content"]
        return replay


@liar(_SAME, most=3)
class NumbersItsReplays(TurnsTimeline):
    """Gives a higher index each time it is asked."""

    asked = 0

    def replayed(self, turns: list[Entry]) -> Entry:
        self.asked += 1
        replay = super().replayed(turns)
        return {**replay, "next_index": replay["next_index"] + self.asked - 1}


class _NoAdvice(Replayer):
    def _advised(self, messages: list[Message]) -> list[Message]:
        return messages


@liar(_ADVICE, most=2)
class GivesNoAdvice(TurnsTimeline):
    """Lets the model run into the same refusal again."""

    replayer_class = _NoAdvice


class _Stale(Replayer):
    def _answered(self, messages: Sequence[Message], delivered: set[str]) -> list[Message]:
        answered = super()._answered(messages, delivered)
        return super()._advised(answered) if self.refusals else answered

    refusals = False

    def _is_hidden(self, turn: Turn) -> bool:
        hidden = super()._is_hidden(turn)
        self.refusals = self.refusals or hidden
        return hidden

    def _advised(self, messages: list[Message]) -> list[Message]:
        return messages


@liar(_ADVICE, also=[_REFUSED], most=2)
class AdvisesForEver(TurnsTimeline):
    """Gives advice after the user has gone on."""

    replayer_class = _Stale


class _EveryBlock(Replayer):
    def _known(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return blocks or (Text(EMPTY),)


@liar(_BLOCKS, most=2)
class ReplaysUnknownBlocks(TurnsTimeline):
    """Sends blocks to the provider that it doesn't know."""

    replayer_class = _EveryBlock


class _NoPlaceholder(Replayer):
    def _known(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        known = super()._known(blocks)
        return () if known == (Text(EMPTY),) else known


@liar(_BLOCKS, most=2)
class SendsEmptyMessages(TurnsTimeline):
    """Sends a message without content."""

    replayer_class = _NoPlaceholder


class _LastTwo(Replayer):
    def _answered(self, messages: Sequence[Message], delivered: set[str]) -> list[Message]:
        return super()._answered(messages, delivered)[-2:]


@liar(_WHOLE, also=[_READS, _REFUSED, _CALL, _SURFACE, _DELIVERED], most=2)
class ReplaysTheLastTwoMessages(TurnsTimeline):
    """Keeps a window of its own."""

    replayer_class = _LastTwo
