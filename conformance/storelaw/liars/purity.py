"""Liars whose views change, remember or refuse something."""

from pathlib import Path
from typing import Any

from storelaw.liars.registry import liar
from storelaw.liars.views import HonestViews
from storelaw.values import Entry, copied


class _Remembering(HonestViews):
    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.remembered: dict[Any, list[Entry]] = {}


@liar("a_view_leaves_its_path_unchanged", most=1)
class TakesEntriesOut(HonestViews):
    """Filters the list that it was given in place."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        path[:] = super().transcript_view(path)
        return path


@liar("a_view_leaves_its_path_unchanged", most=1)
class MarksMessages(HonestViews):
    """Notes in each message that the model has read it."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        messages = super().model_view(path)
        for each in path:
            each["seen"] = True
        return messages


@liar("a_view_of_the_same_path_is_the_same", also=["unknown_members_change_no_view"], most=2)
class ShowsOnlyWhatIsNew(_Remembering):
    """Remembers what it has shown of a path, and gives only the rest."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        shown = [
            each for each in super().transcript_view(path) if each["id"] not in self.remembered
        ]
        self.remembered.update((each["id"], []) for each in shown)
        return shown


@liar("a_view_of_another_path_is_another", most=2)
class CachesByLength(_Remembering):
    """Computes the model view again when the path has another length."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        view = self.remembered.setdefault(len(path), super().model_view(path))
        return list(copied(view))


@liar("a_view_of_another_path_is_another", most=2)
class CachesByLeaf(_Remembering):
    """Computes the transcript again when the leaf is another."""

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        leaf = path[-1]["id"] if path else ""
        return list(copied(self.remembered.setdefault(leaf, super().transcript_view(path))))


@liar("an_empty_path_has_empty_views", kinds=["F08"], most=1)
class FailsOnEmptyPaths(HonestViews):
    """Looks at the last entry first."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        return super().model_view([*path[:-1], path[-1]])


@liar("an_empty_path_has_empty_views", most=1)
class GreetsTheModel(HonestViews):
    """Has something to say where nobody has said anything."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        greeting = {"role": "assistant", "content": [{"type": "text", "text": "How can I help?"}]}
        return super().model_view(path) or [greeting]


@liar("a_view_answers_for_every_path", most=1)
class WantsAMessageFirst(HonestViews):
    """Takes it that a path begins with a message."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        opening = path[0]["message"]["role"] if path else "user"
        return super().model_view([each for each in path if opening in ("user", "assistant")])


@liar("a_view_answers_for_every_path", also=["an_anchor_that_is_not_found_keeps_nothing"], most=1)
class WantsAnAnchor(HonestViews):
    """Takes it that the anchor of a compaction is found."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        for place, each in enumerate(path):
            if each["type"] == "compaction":
                [one["id"] for one in path[:place]].index(each["first_kept_id"])
        return super().model_view(path)
