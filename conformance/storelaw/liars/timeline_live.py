"""Liars about live results and envelopes."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable

from storelaw.liars.registry import liar
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw_reference.turns import Text, ToolResult, Turn, VisibleMessage, unwrap
from storelaw_reference.turns.timeline import Timeline

_WHOLE = "the_timeline_is_what_the_rules_make_of_the_turns"
_MESSAGES = "the_messages_are_what_the_rules_make_of_the_turns"
_ONLY = "only_results_that_were_shown_live_are_shown"
_BLANK = "blank_results_are_passed_over"
_TORN = "a_torn_envelope_is_text_like_any_other"
_FORGED = "a_forged_close_does_not_end_an_envelope"
_NONCES = "lines_with_two_nonces_are_no_envelope"
_OUTER = "only_the_outer_envelope_is_taken_off"


class _Users(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        shown, role = super()._message(turn), self._role(turn)
        if shown is None or role is None:
            return shown
        return VisibleMessage(role, shown.text, shown.created_at, shown.via)


@liar("a_result_shown_live_is_the_agents", also=[_WHOLE, _MESSAGES], most=2)
class GivesLiveResultsToTheUser(TurnsTimeline):
    """Shows results as words of the user, in whose turn they stand."""

    timeline_class = _Users


class _NoLive(Timeline):
    def _is_live(self, block: object) -> bool:
        return False


@liar(
    "a_result_shown_live_is_the_agents",
    also=[
        _ONLY,
        _BLANK,
        _WHOLE,
        _MESSAGES,
        "a_failure_shown_live_is_shown",
        "nothing_else_of_a_live_turn_is_shown",
        "a_message_has_the_time_of_its_turn",
        "a_text_without_an_envelope_is_left_alone",
        "an_envelope_is_taken_off",
        _FORGED,
        _NONCES,
        _OUTER,
        _TORN,
    ],
    most=2,
)
class HidesLiveResults(TurnsTimeline):
    """Shows no results at all."""

    timeline_class = _NoLive


class _WholeTurn(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        return super()._message(_all_live(turn) if any(map(self._is_live, turn.content)) else turn)


def _all_live(turn: Turn) -> Turn:
    content = tuple(
        ToolResult(each.tool_use_id, each.content, each.is_error, True)
        if isinstance(each, ToolResult)
        else each
        for each in turn.content
    )
    return Turn(turn.index, turn.role, content, turn.created_at, via=turn.via)


@liar(_ONLY, most=2)
class ReadsTheFlagForTheTurn(TurnsTimeline):
    """Shows all results of a turn in which one has the flag."""

    timeline_class = _WholeTurn


class _AllResults(Timeline):
    def _is_live(self, block: object) -> bool:
        return isinstance(block, ToolResult)


@liar(_ONLY, most=2)
class ShowsEveryResult(TurnsTimeline):
    """Doesn't look at the flag."""

    timeline_class = _AllResults


class _NoErrors(Timeline):
    def _is_live(self, block: object) -> bool:
        return super()._is_live(block) and not (isinstance(block, ToolResult) and block.is_error)


@liar("a_failure_shown_live_is_shown", most=2)
class HidesFailures(TurnsTimeline):
    """Shows no errors."""

    timeline_class = _NoErrors


class _WithTexts(Timeline):
    def _message(self, turn: Turn) -> VisibleMessage | None:
        shown = super()._message(turn)
        if shown is None or not any(map(self._is_live, turn.content)):
            return shown
        texts = (each.text for each in turn.content if isinstance(each, Text))
        text = self._joined((*texts, shown.text))
        return VisibleMessage(shown.role, text, shown.created_at, shown.via)


@liar("nothing_else_of_a_live_turn_is_shown", most=2)
class ShowsTextsBesideLiveResults(TurnsTimeline):
    """Puts the user's words into the agent's mouth."""

    timeline_class = _WithTexts


class _Gaps(Timeline):
    def _live_text(self, results: Iterable[object]) -> str:
        return self._joined(unwrap(e.content) for e in results if isinstance(e, ToolResult))


@liar(_BLANK, most=2)
class LeavesGapsForBlankResults(TurnsTimeline):
    """Joins results with nothing in them too."""

    timeline_class = _Gaps


class _FallsBack(Timeline):
    def _live_text(self, results: Iterable[object]) -> str:
        return super()._live_text(results) or "(nothing)"


@liar(_BLANK, most=2)
class SaysThatThereIsNothing(TurnsTimeline):
    """Has words of its own for results with nothing in them."""

    timeline_class = _FallsBack


# ------------------------------------------------------------------- envelopes


class _Unwrapping(Timeline, ABC):
    """Takes envelopes off in a way of its own."""

    @abstractmethod
    def _taken(self, text: str) -> str:
        """What it shows of a content."""

    def _live_text(self, results: Iterable[object]) -> str:
        shown = (self._taken(each.content) for each in results if isinstance(each, ToolResult))
        return self._joined(text for text in shown if text.strip())


_LINE = re.compile(r"</?(?:untrusted-tool-output|pt-untrusted)[^\n]*>\n?")


class _Wrapped(_Unwrapping):
    def _taken(self, text: str) -> str:
        return text


@liar("an_envelope_is_taken_off", also=[_BLANK, _FORGED, _OUTER, _WHOLE, _MESSAGES], most=2)
class LeavesEnvelopesOn(TurnsTimeline):
    """Shows the lines that are meant for the model."""

    timeline_class = _Wrapped


def _first_form(text: str) -> str:
    return text if text.startswith("<pt-untrusted") else unwrap(text)


class _OneForm(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _first_form(text)


@liar("an_envelope_is_taken_off", most=2)
class KnowsOneForm(TurnsTimeline):
    """Knows envelopes of one form only."""

    timeline_class = _OneForm


@liar("an_envelope_is_taken_off", also=[_FORGED, _OUTER], most=2)
class UnwrapsNothing(TurnsTimeline):
    """Gives a text back as it is, though its timeline takes envelopes off."""

    def unwrapped(self, text: str) -> str:
        return text


def _trimmed(text: str) -> str:
    return unwrap(text).strip()


class _Trims(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _trimmed(text)


@liar("a_text_without_an_envelope_is_left_alone", also=["an_envelope_is_taken_off", _TORN], most=2)
class TrimsContents(TurnsTimeline):
    """Strips white space off what it shows."""

    timeline_class = _Trims


def _without_tags(text: str) -> str:
    return unwrap(re.sub("</?b>", "", text))


class _NoTags(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _without_tags(text)


@liar("a_text_without_an_envelope_is_left_alone", most=2)
class TakesEveryTagOff(TurnsTimeline):
    """Takes off whatever looks like a tag."""

    timeline_class = _NoTags


def _to_first_close(text: str) -> str:
    inner = unwrap(text)
    return inner if inner == text else inner.split("\n</untrusted-tool-output")[0]


class _FirstClose(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _to_first_close(text)


@liar(_FORGED, also=[_OUTER], most=2)
class EndsAtTheFirstClose(TurnsTimeline):
    """Lets the first closing line end the envelope."""

    timeline_class = _FirstClose


def _all_lines(text: str) -> str:
    inner = unwrap(text)
    return inner if inner == text else _LINE.sub("", inner)


class _AllLines(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _all_lines(text)


@liar(_FORGED, also=[_OUTER], most=2)
class StripsForgedLines(TurnsTimeline):
    """Takes every line that looks like one of an envelope out of the content."""

    timeline_class = _AllLines


def _all_envelopes(text: str) -> str:
    inner = unwrap(text)
    return text if inner == text else _all_envelopes(inner)


class _AllEnvelopes(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _all_envelopes(text)


@liar(_OUTER, most=2)
class UnwrapsToTheCore(TurnsTimeline):
    """Takes envelopes off until there is none."""

    timeline_class = _AllEnvelopes


def _any_nonce(text: str) -> str:
    found = re.fullmatch(
        r'<untrusted-tool-output nonce="\w+">\n(.*)\n</untrusted-tool-output nonce="\w+">',
        text,
        re.DOTALL,
    )
    return found[1] if found else unwrap(text)


class _AnyNonce(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _any_nonce(text)


@liar(_NONCES, most=2)
class ComparesNoNonces(TurnsTimeline):
    """Takes off lines whose nonces differ."""

    timeline_class = _AnyNonce


def _counted(text: str) -> str:
    head, tail = text.find(">\n") + 2, text.rfind("\n</")
    torn = text.startswith("<untrusted-tool-output nonce=") and tail < head
    return text[len(text)] if torn else unwrap(text)


class _Counts(_Unwrapping):
    def _taken(self, text: str) -> str:
        return _counted(text)


@liar(_TORN, kinds=["F17"], most=2)
class CountsInTornEnvelopes(TurnsTimeline):
    """Counts on lines that aren't there, and fails."""

    timeline_class = _Counts


@liar(_TORN, most=2)
class FailsOnTornEnvelopes(TurnsTimeline):
    """Fails where it is asked for the content itself."""

    def unwrapped(self, text: str) -> str:
        return _counted(text)
