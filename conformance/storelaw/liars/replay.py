"""Liars about what a model reads of a list of entries."""

from collections.abc import Sequence
from typing import Any

from storelaw.engine_replay import ReferenceReplay
from storelaw.liars.honest import claiming
from storelaw.liars.log_honest import LogHonest
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied

READS = "the_model_input_is_the_data_of_input_entries"
PLAIN = "without_a_compaction_nothing_is_projected"
FIRST = "a_projection_begins_with_the_summary"
LATEST = "the_latest_compaction_is_projected"
COVERED = "what_a_compaction_covers_is_not_projected"
KEPT = "what_a_compaction_keeps_is_projected"
LOST = "without_its_anchor_a_compaction_keeps_nothing"
NAMED = "the_summary_has_the_id_and_time_of_its_compaction"
READING = "a_projection_changes_no_entry"
SAME = "a_projection_says_the_same_each_time"


class ReplayHonest(ReferenceReplay, LogHonest):
    """The honest medium of the log profile with the reference's projections."""

    manifest = claiming(
        LogHonest.manifest,
        name="log-replay",
        doors=frozenset({"store", "agent", "refs", "replay"}),
    )


def _place(entries: Sequence[Entry]) -> int | None:
    """The place of the latest compaction."""
    places = [place for place, each in enumerate(entries) if each["type"] == "compact"]
    return places[-1] if places else None


@liar(READS, most=2)
class SendsStates(ReplayHonest):
    """Sends the states to the model too."""

    def to_agent_input(self, entries: list[Entry]) -> list[Any]:
        """Inputs and states."""
        return [each["data"] for each in entries if each["type"] in ("input", "state")]


@liar(READS, most=2)
class SendsMessagesOnly(ReplayHonest):
    """Understands no input but messages."""

    def to_agent_input(self, entries: list[Entry]) -> list[Any]:
        """The inputs that are messages."""
        found = super().to_agent_input(entries)
        return [each for each in found if each.get("type") == "message"]


@liar(READS, most=2)
class SendsTheNewestFirst(ReplayHonest):
    """Turns the inputs around."""

    def to_agent_input(self, entries: list[Entry]) -> list[Any]:
        """Backwards."""
        return super().to_agent_input(entries)[::-1]


@liar(PLAIN, most=2)
class ProjectsInputsOnly(ReplayHonest):
    """Drops what no model reads, where there is no compaction."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """Inputs, or what is right."""
        if _place(entries) is None:
            return [each for each in entries if each["type"] == "input"]
        return super().projected(entries)


@liar(FIRST, most=2)
class ProjectsTheSummaryLast(ReplayHonest):
    """Reads the summary after all that it should come before."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary behind the rest."""
        found = super().projected(entries)
        return found if _place(entries) is None else [*found[1:], found[0]]


@liar(FIRST, most=2)
class SummarizesAsTheUser(ReplayHonest):
    """Puts the summary into the user's mouth."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary with another role."""
        found: list[Entry] = copied(super().projected(entries))
        if _place(entries) is not None:
            found[0]["data"]["role"] = "user"
        return found


@liar(LATEST, also=[COVERED], most=2)
class TakesTheFirstCompaction(ReplayHonest):
    """Lets the first compaction win."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """Without the later compactions."""
        first = next((each for each in entries if each["type"] == "compact"), None)
        return super().projected(
            [each for each in entries if each is first or each["type"] != "compact"]
        )


@liar(COVERED, also=[LOST], most=2)
class KeepsWhatIsCovered(ReplayHonest):
    """Puts the summary before the whole history."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary, and everything."""
        place = _place(entries)
        found = super().projected(entries)
        return found if place is None else [found[0], *entries[:place], *entries[place + 1 :]]


@liar(COVERED, most=2)
class KeepsItsAnchor(ReplayHonest):
    """Keeps from the anchor on, not from behind it."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """One entry more."""
        place = _place(entries)
        found = super().projected(entries)
        data: dict[str, Any] = {} if place is None else entries[place]["data"]
        anchors = [each for each in entries[:place] if each["id"] == data.get("lastEntryId")]
        return [*found[:1], *anchors, *found[1:]] if anchors else found


@liar(KEPT, most=2)
class CutsAtTheCompaction(ReplayHonest):
    """Keeps only what follows the compaction."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary and what is new."""
        place = _place(entries)
        found = super().projected(entries)
        return found if place is None else [found[0], *entries[place + 1 :]]


@liar(LOST, most=2)
class KeepsAllWithoutAnAnchor(ReplayHonest):
    """Keeps all where it doesn't find the anchor."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary, and what was before it if nothing was found."""
        place = _place(entries)
        found = super().projected(entries)
        if place is None:
            return found
        anchor = entries[place]["data"].get("lastEntryId")
        lost = all(each["id"] != anchor for each in entries[:place])
        return [found[0], *entries[:place], *found[1:]] if lost else found


@liar(NAMED, most=2)
class MakesANewSummary(ReplayHonest):
    """Makes an entry of its own of the summary."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The summary under another id."""
        found = super().projected(entries)
        return found if _place(entries) is None else [{**found[0], "id": "summary"}, *found[1:]]


@liar(READING, most=3)
class WritesIntoTheCompaction(ReplayHonest):
    """Makes the compaction's entry the summary's message, in place."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """What is right, at a price."""
        found = super().projected(entries)
        place = _place(entries)
        if place is not None:
            entries[place].update(found[0])
        return found


@liar(SAME, most=3)
class RemembersTheLastAnswer(ReplayHonest):
    """Leaves out what it has shown before."""

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """What is right the first time, and less after it."""
        found = super().projected(entries)
        if entries == getattr(self, "_asked", None):
            return found[:1]
        self._asked: list[Entry] = copied(entries)
        return found
