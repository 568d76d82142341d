"""Liars about entries that are older or newer than their reader."""

from storelaw.families.tolerance import FUTURE, KNOWN_BLOCKS, KNOWN_TYPES
from storelaw.liars.registry import liar
from storelaw.liars.views import HonestViews
from storelaw.values import Entry


@liar("the_transcript_shows_legacy_meta_entries", most=1)
class HonoursLegacyMeta(HonestViews):
    """Still hides entries with a top-level meta flag."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return super().transcript_view([each for each in path if not each.get("meta")])


@liar("the_model_reads_legacy_meta_entries", most=1)
class DropsLegacyMeta(HonestViews):
    """Keeps entries with a top-level meta flag from the model."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view([each for each in path if not each.get("meta")])


@liar("unknown_members_change_no_view", kinds=["F17"], most=2)
class RefusesUnknownMembers(HonestViews):
    """Decodes strictly."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        _refuse(path)
        return super().model_view(path)


def _refuse(path: list[Entry]) -> None:
    if any(FUTURE in each for each in path):
        raise TypeError(f"unexpected member {FUTURE!r}")


@liar("unknown_members_change_no_view", most=2)
class DropsNewerEntries(HonestViews):
    """Leaves out entries with members that it does not know."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return super().transcript_view([each for each in path if FUTURE not in each])


@liar("an_unknown_entry_type_is_not_skipped_in_silence", kinds=["F17"], most=1)
class SkipsUnknownTypes(HonestViews):
    """Shows what it understands."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        return super().transcript_view([each for each in path if each["type"] in KNOWN_TYPES])


@liar("an_unknown_block_is_kept_or_refused", most=1)
class DropsUnknownBlocks(HonestViews):
    """Sends the blocks that it understands."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view([_understood(each) for each in path])


def _understood(entry: Entry) -> Entry:
    if entry["type"] != "message":
        return entry
    blocks = [b for b in entry["message"]["content"] or () if b["type"] in KNOWN_BLOCKS]
    return {**entry, "message": {**entry["message"], "content": blocks}}
