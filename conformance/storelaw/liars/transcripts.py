"""Liars about the transcript view."""

from storelaw.liars.registry import liar
from storelaw.liars.views import HonestViews
from storelaw.model.blocks import without
from storelaw.values import Entry


def _shown(path: list[Entry], kind: str) -> list[Entry]:
    return [each for each in path if each["type"] != kind]


@liar("the_transcript_is_the_path_without_injected_messages", most=1)
class ShowsTheLastPage(HonestViews):
    """Shows the last hundred entries."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return super().transcript_view(path)[-100:]


@liar("the_transcript_hides_injected_messages", most=1)
class ShowsMeta(HonestViews):
    """Hides ephemeral messages only."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        hidden = {"ephemeral"}
        return [each for each in path if each.get("message", {}).get("injected") not in hidden]


@liar("the_transcript_hides_injected_messages", kinds=["F40"], most=1)
class ShowsEphemerals(HonestViews):
    """Hides meta messages only."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return [each for each in path if each.get("message", {}).get("injected") != "meta"]


@liar("the_transcript_hides_injected_messages", most=1)
class HidesInjectedUserMessagesOnly(HonestViews):
    """Takes it that only user messages are ever injected."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        hidden = {each["id"] for each in path} - {
            each["id"] for each in super().transcript_view(path)
        }
        return [
            each for each in path if each["id"] not in hidden or each["message"]["role"] != "user"
        ]


@liar("the_transcript_shows_custom_entries", most=1)
class HidesCustomEntries(HonestViews):
    """Shows messages and summaries only."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return _shown(super().transcript_view(path), "custom")


@liar("the_transcript_shows_custom_entries", most=1)
class HidesUnknownKinds(HonestViews):
    """Shows custom entries of the kinds that it knows."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        shown = super().transcript_view(path)
        return [each for each in shown if each.get("kind", "note") == "note"]


@liar("the_transcript_shows_tool_results", kinds=["F35"], most=1)
class HidesToolResults(HonestViews):
    """Shows what people and the model said, and no results."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        shown = super().transcript_view(path)
        return [each for each in shown if each.get("message", {}).get("role") != "tool_result"]


@liar("the_transcript_shows_what_a_summary_stands_for", kinds=["F36"], most=1)
class HidesCoveredEntries(HonestViews):
    """Shows a reader no more than the model gets."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        places = [at for at, each in enumerate(path) if each["type"] == "compaction"]
        if places:
            anchor = path[places[-1]]["first_kept_id"]
            ids = [each["id"] for each in path[: places[-1]]]
            path = path[ids.index(anchor) if anchor in ids else places[-1] :]
        return super().transcript_view(path)


@liar("the_transcript_shows_compaction_entries", most=1)
class HidesCompactions(HonestViews):
    """Treats a summary as injected context."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return _shown(super().transcript_view(path), "compaction")


@liar("the_transcript_keeps_the_order_of_the_path", kinds=["F04"], most=1)
class ShowsByTime(HonestViews):
    """Sorts the transcript by creation time."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return sorted(super().transcript_view(path), key=lambda each: each["created_at"])


@liar("the_transcript_keeps_the_order_of_the_path", most=1)
class ShowsCustomEntriesLast(HonestViews):
    """Collects artifacts at the end."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return sorted(super().transcript_view(path), key=lambda each: each["type"] == "custom")


@liar("the_transcript_shows_each_entry_as_it_is", most=1)
class RendersTranscripts(HonestViews):
    """Leaves reminder blocks out of the entries that it gives."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return [
            {**each, "message": without(each["message"], "reminder")}
            if each["type"] == "message"
            else each
            for each in super().transcript_view(path)
        ]
