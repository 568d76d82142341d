"""Liars about the model view."""

from dataclasses import replace

from storelaw.engine_views import ReferenceViews
from storelaw.liars.honest import MANIFEST, HonestMedium
from storelaw.liars.registry import liar
from storelaw.model.blocks import blocks, without
from storelaw.values import Entry

VIEWS = replace(MANIFEST, name="honest-views", doors=frozenset({"store", "views"}))


class HonestViews(ReferenceViews, HonestMedium):
    """An honest medium that brings right views; view liars override one of the two."""

    manifest = VIEWS


@liar("the_model_view_is_the_messages_of_the_path", most=1)
class ShowsTheLastFifty(HonestViews):
    """Gives the model the last fifty messages."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view(path)[-50:]


@liar("the_model_view_shows_meta_messages", kinds=["F22"], most=1)
class DropsMeta(HonestViews):
    """Filters injected messages for both audiences."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return [each for each in super().model_view(path) if "injected" not in each]


@liar("custom_entries_are_not_in_the_model_view", most=1)
class SendsCustomEntries(HonestViews):
    """Turns what it does not know into text."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view([_as_message(each) for each in path])


def _as_message(entry: Entry) -> Entry:
    if entry["type"] != "custom":
        return entry
    words = {"type": "text", "text": str(entry)}
    return {**entry, "type": "message", "message": {"role": "user", "content": [words]}}


@liar("the_model_view_keeps_the_order_of_the_path", kinds=["F04"], most=1)
class SortsByTime(HonestViews):
    """Sorts the path by creation time."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view(sorted(path, key=lambda each: each["created_at"]))


@liar("the_model_view_keeps_the_order_of_the_path", most=1)
class PutsMetaFirst(HonestViews):
    """Puts injected context before the conversation."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return sorted(super().model_view(path), key=lambda each: "injected" not in each)


@liar("messages_that_repeat_are_all_in_the_model_view", kinds=["F16"], most=1)
class DropsRepeats(HonestViews):
    """Drops a message that equals an earlier one."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        messages = super().model_view(path)
        return [each for place, each in enumerate(messages) if each not in messages[:place]]


@liar("a_message_without_content_is_in_the_model_view", most=1)
class DropsNullContent(HonestViews):
    """Skips messages that have nothing to say."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return [each for each in super().model_view(path) if blocks(each)]


@liar("a_reminder_inside_a_message_reaches_the_model", most=1)
class StripsReminders(HonestViews):
    """Leaves reminder blocks out of the model view."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return [without(each, "reminder") for each in super().model_view(path)]


@liar("a_thought_keeps_its_signature_in_the_model_view", kinds=["F22"], most=1)
class StripsThoughts(HonestViews):
    """Leaves thinking blocks out of the model view."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return [without(each, "thinking") for each in super().model_view(path)]


@liar("calls_and_results_stay_together_in_the_model_view", kinds=["F35"], most=1)
class DropsResults(HonestViews):
    """Shows the words of a turn and leaves out its results."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return [each for each in super().model_view(path) if each["role"] != "tool_result"]
