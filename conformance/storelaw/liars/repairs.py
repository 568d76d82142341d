"""Liars about repair."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import (
    INTERRUPTED,
    Entry,
    Message,
    MessageEntry,
    Session,
    Text,
    ToolCall,
    repaired,
)
from storelaw_reference.transcript.events import Receipt


def _made_up(call: ToolCall, **more: Any) -> Message:
    return Message(
        "tool_result",
        (Text(INTERRUPTED),),
        tool_call_id=call.id,
        tool_name=call.name,
        is_error=True,
        **more,
    )


@liar("every_call_has_a_result_in_the_view", kinds=["F34", "F35"], most=3)
class GivesTheHistoryAsItIs(HonestMedium):
    """Repairs nothing."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            return list(messages)


@liar(
    "no_call_has_two_results_in_the_view",
    also=["a_real_result_is_the_one_that_counts"],
    kinds=["F34"],
    most=6,
)
class AnswersALateCallTwice(HonestMedium):
    """Counts only results that stand directly behind their call, and gives late ones as well."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given: list[Message] = []
            for place, message in enumerate(messages):
                given.append(message)
                if message.role == "tool_result" and self._follows(messages, place):
                    continue
                near = self._near(messages, place)
                given += [_made_up(each) for each in message.client_calls() if each.id not in near]
            return sorted_groups(given)

        def _near(self, messages: Sequence[Message], place: int) -> set[str]:
            near: set[str] = set()
            for each in messages[place + 1 :]:
                if each.role != "tool_result":
                    break
                near.add(each.tool_call_id)
            return near

        def _follows(self, messages: Sequence[Message], place: int) -> bool:
            return place + 1 < len(messages) and messages[place + 1].role == "tool_result"


def sorted_groups(messages: Sequence[Message]) -> list[Message]:
    """The messages, with made-up results behind the real ones of their group."""
    given: list[Message] = []
    for is_result, group in groupby(messages, key=lambda each: each.role == "tool_result"):
        found = list(group)
        given += sorted(found, key=lambda each: each.is_error) if is_result else found
    return given


@liar(
    "a_real_result_is_the_one_that_counts",
    kinds=["F34"],
    most=6,
)
class DropsTheLateResult(HonestMedium):
    """Puts an error in the place of a result that came late."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            kept = [
                each
                for place, each in enumerate(messages)
                if each.role != "tool_result" or messages[place - 1].role != "user"
            ]
            return list(repaired(kept))


@liar("a_made_up_result_is_an_error_and_names_its_call", kinds=["F34"], most=3)
class AnswersWithNothing(HonestMedium):
    """Makes up results that are no errors."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given = super()._repaired(messages)
            return [each if each in messages else replace(each, is_error=False) for each in given]


@liar("a_made_up_result_is_an_error_and_names_its_call", kinds=["F34"], most=3)
class ForgetsTheTool(HonestMedium):
    """Makes up results without the name of their tool."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given = super()._repaired(messages)
            return [each if each in messages else replace(each, tool_name="") for each in given]


@liar("a_call_without_a_result_stays_in_the_view", kinds=["F34", "F37"], most=3)
class CutsOffTheTurn(HonestMedium):
    """Drops the messages whose calls have no result."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            answered = {each.tool_call_id for each in messages}
            return list(
                repaired(
                    [
                        each
                        for each in messages
                        if all(call.id in answered for call in each.client_calls())
                    ]
                )
            )


@liar("a_made_up_result_is_never_stored", kinds=["F34", "F38"], most=3)
class StoresItsRepairWithTheRun(HonestMedium):
    """Stores made-up results before the next input."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            given = self._model_view(self.path())
            made = [each for each in repaired(given) if each not in given]
            self._commit([MessageEntry(each) for each in made])
            return super()._turn(drafts, model)


@liar("a_server_call_gets_no_made_up_result", kinds=["F34"], most=3)
class AnswersForTheServer(HonestMedium):
    """Makes up results for calls of the server too."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given: list[Message] = []
            for message in super()._repaired(messages):
                given.append(message)
                blocks = message.content or ()
                given += [
                    _made_up(each) for each in blocks if isinstance(each, ToolCall) and each.server
                ]
            return given


@liar("real_results_come_first_and_missing_ones_in_call_order", kinds=["F34", "F07"], most=3)
class SortsResultsByCall(HonestMedium):
    """Puts all results of a message into the order of its calls."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given: list[Message] = []
            for is_result, group in groupby(
                super()._repaired(messages), key=lambda each: each.role == "tool_result"
            ):
                found = list(group)
                given += sorted(found, key=lambda each: each.tool_call_id) if is_result else found
            return given


@liar("the_new_input_is_not_repaired", kinds=["F34"], most=2)
class RepairsTheWholePrompt(HonestMedium):
    """Repairs history and input together."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            return super()._turn(drafts, lambda messages: model(self._repaired(messages)))


@liar("a_repaired_history_is_not_repaired_again", kinds=["F34", "F38"], most=3)
class TakesAnErrorForNothing(HonestMedium):
    """Puts an error of its own where the stored result is one."""

    class session_class(Session):
        def _repaired(self, messages: Sequence[Message]) -> list[Message]:
            given = super()._repaired(messages)
            return [
                replace(each, content=(Text("again"),))
                if each.is_error and each in messages
                else each
                for each in given
            ]
