"""Compaction: what a history shows, and when and what to summarize."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from storelaw_reference.log import (
    OMITTED,
    Compactor,
    Input,
    Summarize,
    entry,
    projected,
    to_agent_input,
    user,
)


def made(id: str, type: str = "input", data: object = None) -> Any:
    """Return an entry under a given id."""
    data = user(id) if data is None else data
    return entry(type, data, new_id=lambda: id, now=lambda: 1)


def compact(id: str, summary: str, last: str | None = None) -> Any:
    """Return a compact entry."""
    anchor = {} if last is None else {"lastEntryId": last}
    return made(id, "compact", {"summary": summary, **anchor})


def said(entries: Any) -> list[str]:
    """Return the texts of inputs, a summary by its own text."""
    texts = [item["content"] for item in to_agent_input(entries)]
    return [text.removeprefix("<context_summary>\n").split("\n")[0] for text in texts]


def tool(id: str, kind: str, call: str) -> Any:
    """Return a function call, or its output."""
    return made(id, data={"type": kind, "call_id": call})


def recording(seen: list[list[Input]], summary: str) -> Summarize:
    """Return a summarizer that notes what it reads."""

    def summarize(read: list[Input]) -> str:
        seen.append(read)
        return summary

    return summarize


def test_m2_without_a_compaction_nothing_changes() -> None:
    """AP-M2: the very object that was given comes back."""
    entries = [made("a")]
    assert projected(entries) is entries


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([made("old"), made("kept"), compact("c", "S", "old"), made("new")], ["S", "kept", "new"]),
        ([made("old"), compact("c", "S", "nope"), made("new")], ["S", "new"]),
        ([made("old"), compact("c", "S"), made("new")], ["S", "new"]),
        ([compact("c", "S", "late"), made("late"), made("new")], ["S", "late", "new"]),
        ([made("a"), compact("c", "S", "a"), made("b"), compact("d", "T", "a")], ["T", "b"]),
    ],
)
def test_m2_the_latest_compaction_wins(entries: Any, expected: list[str]) -> None:
    """AP-M2: summary first, then what lies behind the anchor; an unknown anchor keeps nothing."""
    assert said(projected(entries)) == expected


def test_m3_a_projection_changes_no_history() -> None:
    """AP-M3: deep copy before = after; the summary has the compact's id and time."""
    entries = [made("a"), compact("c", "S", "a")]
    before = deepcopy(entries)
    (summary,) = projected(entries)
    assert entries == before
    assert (summary["id"], summary["timestamp"], summary["type"]) == ("c", 1, "input")
    assert summary["data"]["role"] == "developer"
    assert summary["data"]["content"] == "<context_summary>\nS\n</context_summary>"


def test_m4_a_summary_is_made_of_what_was_shown() -> None:
    """AP-M4: covered raw, C1, recent: the summarizer reads S1 and recent, never the raw text."""
    entries = [made("raw"), compact("c", "S1", "raw"), made("recent")]
    seen: list[list[Input]] = []
    new = Compactor(recording(seen, "S2")).compacted(entries)
    assert [item["content"].split("\n")[-2:-1] or item["content"] for item in seen[0]] == [
        ["S1"],
        "recent",
    ]
    assert new is not None
    assert new["data"] == {"summary": "S2", "lastEntryId": "recent"}
    assert said(projected([*entries, new])) == ["S2"]


@pytest.mark.parametrize(
    ("preserve", "covered", "kept"),
    [(0, 3, []), (1, 2, ["c"]), (2, 1, ["b", "c"]), (3, None, []), (9, None, [])],
)
def test_m5_preserve_counts_input_entries(
    preserve: int, covered: int | None, kept: list[str]
) -> None:
    """AP-M5: the last n inputs stay verbatim, whatever lies between; nothing left, no summary."""
    entries = [made("a"), made("s", "state", {}), made("b"), made("c"), made("e", "event")]
    seen: list[list[Input]] = []
    new = Compactor(recording(seen, "S"), preserve=preserve).compacted(entries)
    if new is None:
        assert covered is None
        assert seen == []
    else:
        assert len(seen[0]) == covered
        assert said(projected([*entries, new])) == ["S", *kept]


def test_m5_a_summary_alone_is_not_summarized_again() -> None:
    """AP-M4: with nothing newer than the last summary to cover, there is nothing to do."""
    entries = [made("a"), compact("c", "S", "a"), made("b")]
    assert Compactor(lambda read: "T", preserve=1).compacted(entries) is None
    assert Compactor(lambda read: "T").compacted([made("s", "state", {})]) is None


@pytest.mark.parametrize(
    ("preserve", "kept"),
    [(1, ["c1", "o1"]), (2, ["c1", "o1"]), (0, [])],
)
def test_d13_a_call_and_its_output_stay_together(preserve: int, kept: list[str]) -> None:
    """D-AP-13: preserve 1 with …, call, output keeps the call as well."""
    entries = [
        made("a"),
        made("odd", data=["no object"]),
        tool("c1", "function_call", "k"),
        tool("o1", "function_call_output", "k"),
    ]
    new = Compactor(lambda read: "S", preserve=preserve).compacted(entries)
    assert new is not None
    assert [each["id"] for each in projected([*entries, new])[1:]] == kept


def test_d13_parallel_and_open_calls_are_kept() -> None:
    """D-AP-13: a cut between outputs moves before all their calls; an open call isn't covered."""
    entries = [
        made("a"),
        tool("c1", "function_call", "k"),
        tool("c2", "function_call", "l"),
        tool("o1", "function_call_output", "k"),
        tool("o2", "function_call_output", "l"),
    ]
    new = Compactor(lambda read: "S", preserve=1).compacted(entries)
    assert new is not None
    assert new["data"]["lastEntryId"] == "a"
    assert Compactor(lambda read: "S").compacted(entries[1:2]) is None


def test_m6_three_failures_make_one_fallback() -> None:
    """AP-M6: failure, refusal, empty: nothing twice, then the fixed text once; then anew."""
    answers: list[Any] = [None, "  ", ValueError("x"), None, "S", None, "", None]

    def summarize(read: list[Input]) -> str | None:
        answer: str | Exception | None = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    compactor = Compactor(summarize)
    made_of = [compactor.compacted([made("a")]) for _ in range(8)]
    summaries = [each and each["data"]["summary"] for each in made_of]
    assert summaries == [None, None, OMITTED, None, "S", None, None, OMITTED]


def test_m8_what_arrives_while_summarizing_is_kept() -> None:
    """AP-M8: an input that comes in meanwhile is not in the summary, and not lost by it."""
    entries = [made("a")]

    def summarize(read: list[Input]) -> str:
        entries.append(made("b"))
        return "S"

    new = Compactor(summarize).compacted(entries)
    assert new is not None
    assert said(projected([*entries, new])) == ["S", "b"]


@pytest.mark.parametrize(
    ("tokens", "state", "due"),
    [
        (899, {"contextLength": 1000}, False),
        (900, {"contextLength": 1000}, True),
        (115_199, {}, False),
        (115_200, {}, True),
    ],
)
def test_m1_a_threshold_of_the_context(tokens: int, state: dict[str, Any], due: bool) -> None:
    """AP-M1: 0.9 of the state's context length, or of 128000 tokens."""
    assert Compactor(lambda read: "S").due(tokens, state) is due
