"""What workers said, as a history: tags for entries, tickets for moments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from storelaw.errands import Word
from storelaw.errors import IDENTITIES
from storelaw.history import Act, History
from storelaw.manifest import Manifest
from storelaw.program import Step
from storelaw.values import Entry, brief, is_array, is_object, same

#: The outcomes of an act, by what was said of its step.
_OUTCOMES: Final[Mapping[str, Literal["ok", "failed", "unknown"]]] = {
    "ok": "ok",
    "raised": "unknown",
    "absent": "failed",
}


@dataclass(slots=True)
class Lane:
    """One worker: the number of its handle, its steps, and what it said of them so far."""

    name: str
    handle: int
    steps: tuple[Step, ...]
    words: list[Word] = field(default_factory=list[Word])

    def pairs(self) -> Iterator[tuple[Step, Word, Word | None]]:
        """Each step that began, with what was said at its begin and at its end."""
        ends = {each.index: each for each in self.words if each.stage != "begun"}
        for each in self.words:
            if each.stage == "begun":
                yield self.steps[each.index], each, ends.get(each.index)


def met(lanes: Sequence[Lane]) -> int:
    """How many pairs of steps, of different workers, overlapped in time."""
    spans = [
        (number, begun.at, ended.at)
        for number, lane in enumerate(lanes)
        for _, begun, ended in lane.pairs()
        if ended is not None
    ]
    return sum(
        mine < theirs and begun <= their_end and their_begin <= ended
        for mine, begun, ended in spans
        for theirs, their_begin, their_end in spans
    )


class Tags:
    """The names of entries: their ids, where they come back as they were sent."""

    def __init__(self, entries: Iterable[Entry], manifest: Manifest) -> None:
        self._manifest = manifest
        self._sent = list(entries)

    def of(self, entry: Any) -> str:
        """The tag of an entry that was sent or given back; a text of its own for any other."""
        found = next((each for each in self._sent if self._equal(entry, each)), None)
        return brief(entry) if found is None else _name(found)

    def _equal(self, given: Any, sent: Entry) -> bool:
        if self._manifest.contract.ids in ("minted", "number") and is_object(given):
            given = {**given, "id": sent.get("id")}
        return same(sent, given, self._manifest.losses)


def _name(entry: Entry) -> str:
    return str(entry["id"]) if "id" in entry else brief(entry)


def recorded(lanes: Sequence[Lane], tags: Tags, elsewhere: Iterable[Entry] = ()) -> History:
    """The appends and loads of all lanes; moments become tickets, equal ones the same.

    ``elsewhere`` are entries that were there before.
    """
    moments = sorted({each.at for lane in lanes for each in lane.words})
    tickets = {each: ticket for ticket, each in enumerate(moments, 1)}
    acts = [
        _act(lane, step, begun, ended, tickets, tags)
        for lane in lanes
        for step, begun, ended in lane.pairs()
        if step.do in ("append", "load")
    ]
    return History(tuple(acts), elsewhere=frozenset(map(tags.of, elsewhere)))


def _act(
    lane: Lane,
    step: Step,
    begun: Word,
    ended: Word | None,
    tickets: Mapping[int, int],
    tags: Tags,
) -> Act:
    loads = step.do == "load"
    return Act(
        worker=lane.name,
        handle=lane.handle,
        do="load" if loads else "append",
        session=step.session,
        sent=() if loads else tuple(map(tags.of, step.expanded())),
        seen=_seen(ended, tags) if loads else None,
        outcome=_outcome(ended),
        began=tickets[begun.at],
        ended=None if ended is None else tickets[ended.at],
    )


def _seen(ended: Word | None, tags: Tags) -> tuple[str, ...] | None:
    """The tags that a load gave; nothing is known of one that raised, but that it was unknown."""
    if ended is None or ended.stage != "ok":
        return () if ended is not None and ended.error == "SessionNotFound" else None
    if ended.value is None:
        return ()
    return tuple(map(tags.of, ended.value)) if is_array(ended.value) else None


def _outcome(ended: Word | None) -> Literal["ok", "failed", "unknown"]:
    if ended is None:
        return "unknown"
    return "failed" if ended.error in IDENTITIES else _OUTCOMES[ended.stage]
