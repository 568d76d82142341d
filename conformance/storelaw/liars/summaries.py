"""Liars about the model view of a compacted path."""

from typing import Any

from storelaw.liars.registry import liar
from storelaw.liars.views import HonestViews
from storelaw.model.projections import spoken
from storelaw.values import Entry

GENERAL = "a_compacted_view_is_summary_kept_and_later"


def _places(path: list[Entry]) -> list[int]:
    return [place for place, each in enumerate(path) if each["type"] == "compaction"]


def _cut(path: list[Entry]) -> int:
    """The place of the latest compaction, or -1."""
    return (_places(path) or [-1])[-1]


def _with(path: list[Entry], place: int, **members: Any) -> list[Entry]:
    """The path with other members in one entry."""
    return [*path[:place], {**path[place], **members}, *path[place + 1 :]]


@liar("the_summary_comes_first_and_as_a_user_message", most=1)
class SpeaksTheSummaryAsAssistant(HonestViews):
    """Gives the model the summary as words of its own."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = super().model_view(path)
        return [{**view[0], "role": "assistant"}, *view[1:]] if _places(path) else view


@liar("the_summary_comes_first_and_as_a_user_message", also=[GENERAL], most=1)
class PutsTheSummaryLast(HonestViews):
    """Puts the summary behind what it is about."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = super().model_view(path)
        return [*view[1:], view[0]] if _places(path) else view


@liar(
    "the_summary_comes_first_and_as_a_user_message",
    also=[GENERAL, "the_latest_compaction_wins"],
    kinds=["F36"],
    most=1,
)
class StoresTheBoundaryWithoutItsSummary(HonestViews):
    """Cuts the history and has no summary to show for it."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = super().model_view(path)
        return view[1:] if _places(path) else view


@liar("messages_from_the_anchor_on_stay_in_the_view", also=[GENERAL], kinds=["F36"], most=1)
class BeginsBehindTheAnchor(HonestViews):
    """Takes the anchor for the last entry that is gone."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place, ids = _cut(path), [each["id"] for each in path]
        if place > 0 and path[place]["first_kept_id"] in ids[:place]:
            following = ids.index(path[place]["first_kept_id"]) + 1
            path = _with(path, place, first_kept_id=ids[following])
        return super().model_view(path)


@liar("messages_from_the_anchor_on_stay_in_the_view", also=[GENERAL], kinds=["F36"], most=1)
class KeepsTheSummaryAlone(HonestViews):
    """Keeps nothing word for word."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        return super().model_view(path[place:] if place > 0 else path)


@liar("messages_from_the_anchor_on_stay_in_the_view", most=1)
class AnchorsOnMessagesOnly(HonestViews):
    """Looks for the anchor among the messages of the path."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view([each for each in path if each["type"] != "custom"])


@liar("messages_before_the_anchor_leave_the_view", also=[], kinds=["F36"], most=1)
class AddsTheSummaryToTheHistory(HonestViews):
    """Shows the whole history behind its summary, where the anchor is found."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        if place > 0 and path[place]["first_kept_id"] in [each["id"] for each in path[:place]]:
            path = _with(path, place, first_kept_id=path[0]["id"])
        return super().model_view(path)


@liar("messages_after_a_compaction_are_in_the_view", also=[GENERAL], kinds=["F36"], most=1)
class EndsAtTheCompaction(HonestViews):
    """Forgets what was said after the compaction."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        return super().model_view(path[: place + 1] if place >= 0 else path)


@liar("an_anchor_that_is_not_found_keeps_nothing", kinds=["F36"], most=1)
class KeepsEverythingWithoutAnAnchor(HonestViews):
    """Falls back on the whole history where the anchor is unknown."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        if place > 0 and path[place]["first_kept_id"] not in [e["id"] for e in path[:place]]:
            path = _with(path, place, first_kept_id=path[0]["id"])
        return super().model_view(path)


@liar("an_anchor_that_is_not_found_keeps_nothing", most=1)
class TakesAnEmptyAnchorForTheRoot(HonestViews):
    """Keeps everything where the anchor is empty."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        if place > 0 and path[place]["first_kept_id"] == "":
            path = _with(path, place, first_kept_id=path[0]["id"])
        return super().model_view(path)


@liar("an_anchor_that_is_not_found_keeps_nothing", also=["a_view_answers_for_every_path"], most=1)
class RaisesWithoutAnAnchor(HonestViews):
    """Takes an anchor that it cannot find for an error."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        place = _cut(path)
        if place > 0:
            [each["id"] for each in path[:place]].index(path[place]["first_kept_id"])
        return super().model_view(path)


@liar("a_compaction_shows_no_message_twice", most=1)
class LooksForTheAnchorEverywhere(HonestViews):
    """Looks for the anchor on the whole path, and adds what follows the compaction."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view, place = super().model_view(path), _cut(path)
        behind = [each["id"] for each in path[place + 1 :]]
        if place >= 0 and path[place]["first_kept_id"] in behind:
            return [*view, *view[1 + behind.index(path[place]["first_kept_id"]) :]]
        return view


@liar("the_latest_compaction_wins", kinds=["F36"], most=1)
class StopsAtTheFirstCompaction(HonestViews):
    """Lets the first compaction make the view."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        others = _places(path)[1:]
        return super().model_view([each for at, each in enumerate(path) if at not in others])


@liar("the_latest_compaction_wins", kinds=["F36"], most=1)
class ShowsAllSummaries(HonestViews):
    """Shows earlier summaries behind the latest."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = super().model_view(path)
        old = [spoken(path[place]["summary"]) for place in _places(path)[:-1]]
        return [*view[:1], *old, *view[1:]]


@liar(GENERAL, most=1)
class SendsCompactionEntries(HonestViews):
    """Sends a compaction entry as a message, beside its summary."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = super().model_view(path)
        words = {"type": "text", "text": "The conversation was compacted."}
        return [*view, {"role": "user", "content": [words]}] if _places(path) else view
