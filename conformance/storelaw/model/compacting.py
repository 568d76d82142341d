"""What each compaction of a session found, stored and showed to its summarizer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from storelaw.model.acts import Act, acts
from storelaw.model.chains import name_of, names, path
from storelaw.model.projections import answered, cut_for, model_view
from storelaw.trace import Trace
from storelaw.values import Entry


@dataclass(frozen=True, slots=True)
class Compaction:
    """One call of ``compact``: ``before`` is the active path that it was asked to shorten."""

    act: Act
    before: list[Entry]
    keep: int

    @property
    def cut(self) -> int | None:
        """The place of the first kept entry; ``None`` where there is nothing to do."""
        return cut_for(self.before, self.keep)

    @property
    def anchor(self) -> str:
        """The id of the first kept entry, empty where none is kept."""
        cut = self.cut
        return name_of(self.before[cut]) if cut is not None and cut < len(self.before) else ""

    @property
    def border(self) -> int:
        """Where the session itself cut: at the entry that it names, or behind the last one.

        Where it stored nothing, where it should have cut.
        """
        if not self.made:
            return self.cut or 0
        anchor, known = self.made[0].get("first_kept_id"), names(self.before)
        return known.index(anchor) if anchor in known else len(known)

    @property
    def prefix(self) -> list[Entry]:
        """The model view of what is summarized."""
        return model_view(self.before[: self.border])

    @property
    def plain(self) -> bool:
        """Whether the prefix needs no repair."""
        return answered(self.prefix)

    @property
    def made(self) -> list[Entry]:
        """The compaction entries that the call put into the stored log."""
        return [each for each in self.act.fresh if each.get("type") == "compaction"]

    @property
    def shown(self) -> list[Any]:
        """What the summarizer was shown."""
        return self.act.event.prompts[0] if self.act.event.prompts else []

    @property
    def quiet(self) -> bool:
        """Whether nothing else happened while the summary was made."""
        return not self.act.event["during"] and not self.act.event["fails"]


def compacted(trace: Trace) -> Iterator[Compaction]:
    """The compactions whose path is known."""
    for act in acts(trace, "compact"):
        if act.leaf is not None:
            yield Compaction(act, path(act.before, act.leaf), act.event["keep"] or 0)
