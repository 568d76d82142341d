"""Liars about what an answer says."""

from collections.abc import Iterable

from storelaw.liars.registry import liar
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw_reference.turns import ToolUse, Turn, VisibleMessage
from storelaw_reference.turns.timeline import RESPOND, Timeline

_WHOLE = "the_timeline_is_what_the_rules_make_of_the_turns"
_MESSAGES = "the_messages_are_what_the_rules_make_of_the_turns"
_BLANK = "blank_messages_are_not_shown"
_UNREADABLE = "an_argument_that_cannot_be_read_is_none"


class _SaysBoth(Timeline):
    def _reply(self, turn: Turn) -> str:
        replied = super()._reply(turn)
        return self._joined((*turn.texts(), replied)) if replied and turn.calls() else replied


@liar("a_reply_by_tool_is_all_that_an_answer_says", also=[_WHOLE, _MESSAGES], most=2)
class ShowsWordsBesideTheReply(TurnsTimeline):
    """Shows the preamble and the reply."""

    timeline_class = _SaysBoth


class _FirstReply(Timeline):
    def _reply(self, turn: Turn) -> str:
        said = [text for call in turn.calls() if (text := self._said(call)).strip()]
        return said[0] if said else super()._reply(turn)


@liar("replies_of_one_answer_are_joined_by_a_blank_line", most=2)
class ShowsTheFirstReply(TurnsTimeline):
    """Takes the first reply for the only one."""

    timeline_class = _FirstReply


class _ShowsPreamble(Timeline):
    def _reply(self, turn: Turn) -> str:
        return super()._reply(turn) or self._plain(turn)


@liar("words_beside_a_call_are_not_shown", also=[_UNREADABLE], most=2)
class ShowsPreambles(TurnsTimeline):
    """Shows the words of an answer that calls a tool."""

    timeline_class = _ShowsPreamble


class _ByName(Timeline):
    def _reply(self, turn: Turn) -> str:
        spoken = [call for call in turn.calls() if call.name == RESPOND]
        return super()._reply(turn) if spoken else self._plain(turn)


@liar("words_beside_a_call_are_not_shown", most=2)
class HidesWordsOfRepliesAlone(TurnsTimeline):
    """Hides the words beside a reply, and shows those beside any other call."""

    timeline_class = _ByName


class _Glues(Timeline):
    def _joined(self, texts: Iterable[str]) -> str:
        return "".join(texts)


@liar(
    "text_blocks_are_joined_by_a_blank_line",
    also=[
        "replies_of_one_answer_are_joined_by_a_blank_line",
        "a_result_shown_live_is_the_agents",
        "blank_results_are_passed_over",
    ],
    most=2,
)
class JoinsTextsDirectly(TurnsTimeline):
    """Lets one block grow into the next."""

    timeline_class = _Glues


class _Gaps(Timeline):
    def _plain(self, turn: Turn) -> str:
        return self._joined(turn.texts())


@liar("text_blocks_are_joined_by_a_blank_line", most=2)
class JoinsEmptyTextsToo(TurnsTimeline):
    """Leaves a gap for a text block that is empty."""

    timeline_class = _Gaps


class _Trims(Timeline):
    def _plain(self, turn: Turn) -> str:
        return self._joined(text.strip() for text in turn.texts() if text)


@liar("text_blocks_are_joined_by_a_blank_line", most=2)
class TrimsTexts(TurnsTimeline):
    """Strips white space off each text."""

    timeline_class = _Trims


class _Bubbles(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        shown, role = super()._message(turn), self._role(turn)
        if shown or role is None or turn.calls() or not turn.texts():
            return shown
        live = any(self._is_live(block) for block in turn.content)
        return None if live else VisibleMessage(role, self._plain(turn), turn.created_at, turn.via)


@liar(_BLANK, most=2)
class ShowsEmptyBubbles(TurnsTimeline):
    """Shows a message with nothing in it."""

    timeline_class = _Bubbles


class _NotEmpty(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        role, text = self._role(turn), self._text(turn)
        if role is None or not text or text.strip():
            return super()._message(turn)
        return VisibleMessage(role, text, turn.created_at, turn.via)


@liar(_BLANK, most=2)
class TakesBlanksForWords(TurnsTimeline):
    """Hides what is empty, but not what is blank."""

    timeline_class = _NotEmpty


class _Raw(Timeline):
    def _said(self, call: ToolUse) -> str:
        said = super()._said(call)
        return said or (call.input or b"").decode(errors="replace") if _unread(call, said) else said


def _unread(call: ToolUse, said: str) -> bool:
    return call.name == RESPOND and not said and b'"text": "' not in (call.input or b"")[:-3]


@liar(_UNREADABLE, most=2)
class ShowsRawArguments(TurnsTimeline):
    """Shows an argument that it can't read as it is."""

    timeline_class = _Raw


class _Fails(Timeline):
    def _said(self, call: ToolUse) -> str:
        said = super()._said(call)
        if call.name == RESPOND and not said and not (call.input or b"").startswith(b'{"text": "'):
            raise ValueError("no argument")
        return said


@liar(_UNREADABLE, kinds=["F17"], most=2)
class FailsOnArguments(TurnsTimeline):
    """Raises for an argument that it can't read."""

    timeline_class = _Fails
