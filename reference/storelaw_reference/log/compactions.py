"""Compaction: a summary stands for what lies before it; nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from storelaw_reference.log.entries import Entry, clock_ms, entry, last_of, random_id
from storelaw_reference.log.inputs import Input, developer, to_agent_input
from storelaw_reference.log.values import copied, is_object

OMITTED = "Earlier parts of this conversation were left out; no summary of them could be made."
"""The summary that is stored when summarizing fails again and again (AP-M6)."""

Summarize = Callable[[list[Input]], str | None]


def projected(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return entries as compaction shows them; without one, the very object that was given.

    The latest compact entry wins. First comes its summary, as a developer
    input in a `context_summary` tag under the compact's id and time; then
    what lies strictly between its `lastEntryId` and itself, then what follows
    it. Without that id before it, only what follows. Rules: AP-M2, AP-M3.
    """
    compact = last_of(entries, "compact")
    if compact is None:
        return entries
    at = next(i for i, each in enumerate(entries) if each is compact)
    anchor = compact["data"].get("lastEntryId")
    ids = [each["id"] for each in entries[:at]]
    kept = entries[ids.index(anchor) + 1 : at] if anchor in ids else entries[:0]
    return [_summary(compact), *kept, *entries[at + 1 :]]


def _summary(compact: Entry) -> Entry:
    said = f"<context_summary>\n{compact['data']['summary']}\n</context_summary>"
    return {**compact, "type": "input", "data": developer(said)}


class Compactor:
    """The life of a compaction: when it is due, what it covers, what happens if it fails.

    `summarize` gets the inputs to be covered and returns a summary; None, a
    blank one or an exception are failures, and `patience` failures in a row
    store `OMITTED`. `preserve` is how many input entries are kept verbatim
    (AP-M5); more are, where a call would be parted from its output (D-AP-13).
    `context_length` (in tokens) counts where the state names none.
    """

    def __init__(
        self,
        summarize: Summarize,
        *,
        preserve: int = 0,
        threshold: float = 0.9,
        context_length: int = 128_000,
        patience: int = 3,
        new_id: Callable[[], str] = random_id,
        now: Callable[[], int] = clock_ms,
    ) -> None:
        self._summarize, self._preserve, self._patience = summarize, preserve, patience
        self._threshold, self._context_length = threshold, context_length
        self._new_id, self._now = new_id, now
        self._failures = 0

    def due(self, total_tokens: int, state: dict[str, Any]) -> bool:
        """Tell whether a turn that took so many tokens fills the context. Rule: AP-M1."""
        length: float = state.get("contextLength", self._context_length)
        return total_tokens >= length * self._threshold

    def compacted(self, entries: Sequence[Entry]) -> Entry | None:
        """Return the compact entry to append to a history, or None for nothing to do.

        What is summarized is the projected history, an earlier summary first,
        never text that one has covered. Rules: AP-M4, AP-M5, AP-M6, AP-M8, D-AP-13.
        """
        view = self._view(entries)
        covered = view[: self._cut(view)]
        if not self._worth(covered, entries):
            return None
        summary = self._tried(to_agent_input(covered))
        if summary is None:
            return None
        data = {"summary": summary, "lastEntryId": covered[-1]["id"]}
        return entry("compact", data, new_id=self._new_id, now=self._now)

    def _view(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """What a summary is made of."""
        return projected(entries)

    def _worth(self, covered: Sequence[Entry], entries: Sequence[Entry]) -> bool:
        """Tell whether anything is covered that no summary covers yet."""
        compact = last_of(entries, "compact")
        known = None if compact is None else compact["id"]
        return any(each["type"] == "input" and each["id"] != known for each in covered)

    def _cut(self, view: Sequence[Entry]) -> int:
        """The place of the first entry that is kept."""
        return self._paired(view, self._preserved(view))

    def _preserved(self, view: Sequence[Entry]) -> int:
        inputs = [i for i, each in enumerate(view) if each["type"] == "input"]
        if self._preserve <= 0:
            return len(view)
        return inputs[-self._preserve] if self._preserve <= len(inputs) else 0

    def _paired(self, view: Sequence[Entry], cut: int) -> int:
        """Move a cut up until every call before it has its output before it."""
        while (earlier := self._unanswered(view[:cut])) is not None:
            cut = earlier
        return cut

    def _unanswered(self, covered: Sequence[Entry]) -> int | None:
        """The place of the first call without an output among the covered, or None."""
        calls: dict[str, int] = {}
        for place, each in enumerate(covered):
            kind, call = self._call(each)
            if kind == "function_call":
                calls.setdefault(call, place)
            elif kind == "function_call_output":
                calls.pop(call, None)
        return min(calls.values(), default=None)

    def _call(self, each: Entry) -> tuple[object, str]:
        """The type and the call id of an input item, empty where it has none."""
        item: object = each["data"] if each["type"] == "input" else None
        return (item.get("type"), str(item.get("call_id"))) if is_object(item) else (None, "")

    def _tried(self, inputs: list[Input]) -> str | None:
        """A summary, or None after a failure, or the fixed text after too many."""
        try:
            summary = self._summarize(copied(inputs))
        except Exception:  # noqa: BLE001 - a summarizer that raises has failed, no more (AP-M6)
            summary = None
        self._failures = 0 if self._is_summary(summary) else self._failures + 1
        if self._failures == 0:
            return summary
        return self._given_up()

    def _is_summary(self, summary: str | None) -> bool:
        return bool(summary and summary.strip())

    def _given_up(self) -> str | None:
        if self._failures < self._patience:
            return None
        self._failures = 0
        return OMITTED
