"""Generated lists of log entries: inputs, states, events, custom entries and compactions."""

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.log_samples import asked, compact, happened, kept, put, said, stored, told
from storelaw.values import Entry

_KINDS: Final = ("user", "assistant", "call", "output", "state", "event", "compact", "custom")


def entry_lists() -> SearchStrategy[list[Entry]]:
    """Up to ten entries with ids of their own; compactions name one of the list, or nobody."""
    kinds: SearchStrategy[str] = st.sampled_from(_KINDS)
    anchors: SearchStrategy[int] = st.integers(-1, 9)
    return st.lists(st.tuples(kinds, anchors), min_size=1, max_size=10).map(_listed)


def _listed(parts: Sequence[tuple[str, int]]) -> list[Entry]:
    return [_entry(kind, number, anchor) for number, (kind, anchor) in enumerate(parts)]


def _entry(kind: str, number: int, anchor: int) -> Entry:
    name = f"e{number}"
    inputs: dict[str, Any] = {
        "user": said(name),
        "assistant": said(name, "assistant"),
        "call": asked(f"c{anchor}"),
        "output": told(f"c{anchor}"),
    }
    if kind in inputs:
        return put(name, inputs[kind])
    if kind == "state":
        return kept(name, at=number)
    if kind == "event":
        return happened(name)
    if kind == "custom":
        return stored("app/note", name, {"number": number})
    return compact(name, f"sum {number}", None if anchor < 0 else f"e{anchor}")
