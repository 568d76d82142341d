"""The laws' own projections, against the rows of the rules as literal values."""

from typing import Any

import pytest

from storelaw.manifest import Manifest
from storelaw.model.blocks import blocks, has_block, without
from storelaw.model.compacting import Compaction, compacted
from storelaw.model.projections import (
    answered,
    carries,
    client_calls,
    compactions,
    cut_for,
    model_view,
    parts,
    spoken,
    text_of,
    transcript_view,
    turns,
)
from storelaw.model.prompts import prompts
from storelaw.model.sights import (
    MODEL,
    TRANSCRIPT,
    ids,
    in_order,
    is_valid,
    missing,
    path_of,
    places,
    refusals,
    sights,
    told,
)
from storelaw.paths import chained, summary
from storelaw.program import Step, act, run, session, view
from storelaw.samples import assistant, calls, ephemeral, meta, note, result, user
from storelaw.trace import Event, Trace
from storelaw.values import Entry

U1, A1, U2, A2, U3 = user("u1"), assistant("a1"), user("u2"), assistant("a2"), user("u3")
BARE = Manifest(name="bare")


def _texts(path: list[Entry]) -> list[str]:
    return [text_of(each) for each in model_view(path)]


def test_the_model_reads_meta_and_no_custom_entry() -> None:
    """u, meta, custom, a give three messages (PI-V1)."""
    assert _texts(chained(user("u"), meta("m"), note("n"), assistant("a"))) == ["u", "m", "a"]


def test_a_reader_sees_custom_entries_and_nothing_injected() -> None:
    """u, meta, custom, a, ephemeral give u, custom, a (PI-V2)."""
    path = chained(user("u"), meta("m"), note("n"), assistant("a"), ephemeral("e"))
    assert ids(transcript_view(path)) == ["u", "n", "a"]


def test_the_summary_stands_before_what_is_kept() -> None:
    """u1, a1, u2, a2, C(keep u2), u3 give S, u2, a2, u3 (PI-C5)."""
    path = chained(U1, A1, U2, A2, summary("C", "u2", "S"), U3)
    assert _texts(path) == ["S", "u2", "a2", "u3"]
    assert model_view(path)[0]["role"] == "user"
    assert ids(transcript_view(path)) == ["u1", "a1", "u2", "a2", "C", "u3"]


@pytest.mark.parametrize("anchor", ["missing", "", "u2", "C"])
def test_an_anchor_that_does_not_lie_before_keeps_nothing(anchor: str) -> None:
    """u1, C(keep missing), u2 give S, u2 (PI-C6)."""
    cut = parts(chained(U1, summary("C", anchor, "S"), U2))
    assert (cut.found, len(cut.gone), cut.kept, len(cut.later)) == (False, 1, [], 1)


def test_the_later_of_two_compactions_wins() -> None:
    """u1, C1(u1), u2, C2(u2), u3 give S2, u2, u3 (PI-C7)."""
    path = chained(U1, summary("C1", "u1", "S1"), U2, summary("C2", "u2", "S2"), U3)
    assert _texts(path) == ["S2", "u2", "u3"]
    assert compactions(path) == [1, 3]


def test_an_earlier_compaction_may_lie_in_what_is_kept() -> None:
    """A compaction entry is no message, even where it is kept."""
    path = chained(U1, summary("C1", "u1", "S1"), U2, summary("C2", "C1", "S2"))
    assert _texts(path) == ["S2", "u2"]


def test_an_empty_summary_is_an_empty_text_block() -> None:
    """A text block without text has no member for it."""
    assert spoken("") == {"role": "user", "content": [{"type": "text"}]}
    assert carries(spoken("so far"), "far")
    assert not carries(None, "far")


def test_a_reminder_is_no_text() -> None:
    """text "ok", reminder "x" read as "ok" (PI-V6)."""
    told_by = user("u", "ok", {"type": "reminder", "text": "x"}).entry["message"]
    assert text_of(told_by) == "ok"
    assert has_block(told_by, "reminder")
    assert blocks(without(told_by, "reminder")) == [{"type": "text", "text": "ok"}]
    assert without(told_by, "image") is told_by


@pytest.mark.parametrize("message", [None, "text", {}, {"content": None}, {"content": "text"}])
def test_what_is_no_message_has_no_blocks(message: Any) -> None:
    """A judge may ask about anything that a view gives."""
    assert blocks(message) == []


@pytest.mark.parametrize(
    ("keep", "cut"), [(0, 5), (1, 3), (2, None), (5, None)], ids=["none", "one", "two", "five"]
)
def test_a_cut_keeps_the_last_turns(keep: int, cut: int | None) -> None:
    """Meta messages begin no turn, and too few turns leave nothing to do (PI-C2 to PI-C4)."""
    assert cut_for(chained(U1, A1, meta("m"), U2, A2), keep) == cut
    assert turns(chained(note("n"), meta("m"), A1, U1)) == [3]


@pytest.mark.parametrize(
    ("drafts", "balanced"),
    [
        ([U1, A1], True),
        ([U1, calls("k", "c"), result("r", "c"), A1], True),
        ([U1, calls("k", "c", "d"), result("r", "d"), result("q", "c")], True),
        ([U1, calls("k", "c")], False),
        ([U1, calls("k", "c"), U2, result("r", "c")], False),
        ([U1, result("r", "c")], False),
    ],
)
def test_a_history_is_answered_or_left_to_repair(drafts: list[Any], balanced: bool) -> None:
    """Each client call has its result directly behind its message."""
    assert answered(model_view(chained(*drafts))) is balanced


def test_a_server_call_needs_no_result() -> None:
    """Calls that the provider ran itself are not answered by the client (PI-S3)."""
    block = {"type": "tool_call", "id": "s", "name": "search", "server": True}
    assert client_calls(assistant("a", block).entry["message"]) == []


def test_a_path_may_have_times_of_its_own() -> None:
    """The literal paths hang in one chain, dated as told."""
    path = chained(U1, A1, created=("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"))
    assert [each["created_at"][:10] for each in path] == ["2026-01-02", "2026-01-01"]
    assert [each.get("parent_id") for each in path] == [None, "u1"]


# ---------------------------------------------------------------------- sights


def _trace(*events: Event, **sessions: str) -> Trace:
    return Trace(BARE, events, {}, sessions)


def test_values_are_placed_once_each() -> None:
    """Two equal wanted values need two shown ones, in the order that is wanted."""
    trace = _trace()
    assert places(trace, [1, 2, 1], [2, 1]) == [1, 0, None]
    assert missing(trace, [1, 2, 1], [2, 1]) == [1]
    assert in_order(trace, [2, 1], [2, 1])
    assert not in_order(trace, [1, 2], [2, 1])
    assert in_order(trace, [3], [])


def test_sights_are_the_answers_that_are_lists() -> None:
    """A view that raised or gave nothing has no sight, but a refusal."""
    path = chained(U1)
    seen = Event(0, view(MODEL, path), value=(path[0]["message"],))
    nothing = Event(1, view(TRANSCRIPT, path), value=None)
    failed = Event(2, view(TRANSCRIPT, path), "raised", text="KeyError")
    torn = Event(3, view(MODEL, [{"type": "message"}]), "raised", text="KeyError")
    trace = _trace(seen, nothing, failed, torn)
    (sight,) = sights(trace)
    assert sight.shown == sight.expected
    assert list(sights(trace, TRANSCRIPT)) == []
    assert [told(each) for each in refusals(trace)] == [None, "KeyError"]
    assert list(refusals(trace, MODEL)) == []


def test_a_path_may_be_the_entries_of_its_step() -> None:
    """A step that holds its path as entries has the same path."""
    path = chained(U1)
    assert path_of(Event(0, Step(MODEL, "", tuple(path)))) == path
    assert path_of(Event(0, Step(MODEL))) == []
    assert ids([*path, None]) == ["u1", None]


@pytest.mark.parametrize(
    ("entry", "valid"),
    [
        ({"type": "message", "message": {}}, True),
        ({"type": "message"}, False),
        ({"type": "compaction", "summary": "S", "first_kept_id": ""}, True),
        ({"type": "compaction", "summary": "S"}, False),
        ({"type": "custom"}, False),
        ({"type": "hologram"}, True),
        ({}, True),
    ],
)
def test_a_reduced_entry_may_be_invalid(entry: Entry, valid: bool) -> None:
    """What an entry of its type can't be without must be there."""
    assert is_valid(entry) is valid


# ------------------------------------------------------------ prompts, compactions


def _session(step: Step, log: list[Entry], after: list[Entry], **more: Any) -> Trace:
    leaf = str(log[-1]["id"])
    opening = Event(0, session("s"), logs={"s": log}, leaf=leaf)
    return _trace(opening, Event(1, step, logs={"s": after}, leaf=leaf, **more), A="s")


def test_a_prompt_is_history_then_input() -> None:
    """What a run should show its model: the view of the path, then its messages (PI-V5)."""
    path = chained(U1, A1)
    trace = _session(run(ephemeral("e"), note("n"), U2), path, path, prompts=([],))
    (prompt,) = prompts(trace)
    assert [text_of(each) for each in prompt.expected] == ["u1", "a1", "e", "u2"]
    assert prompt.shown == []


def test_a_prompt_needs_a_leaf_a_request_and_an_answered_history() -> None:
    """Where one of them is missing, nothing is expected."""
    path = chained(U1, calls("k", "c"))
    assert list(prompts(_session(run(U2), path, path, prompts=([],)))) == []
    assert list(prompts(_session(run(U2), path[:1], path[:1]))) == []
    silent = _trace(Event(0, run(U2), logs={"s": path}, prompts=([],)), A="s")
    assert list(prompts(silent)) == []


def _compaction(keep: int, *stored: Any, **more: Any) -> Compaction:
    path = chained(U1, A1, U2, A2)
    after = chained(U1, A1, U2, A2, *stored)
    (made,) = compacted(_session(act("compact", keep=keep, **more), path, after))
    return made


def test_a_compaction_knows_where_it_should_cut() -> None:
    """The anchor is the n-th last turn, empty where none is kept or nothing is to be done."""
    assert [_compaction(keep).anchor for keep in (0, 1, 2)] == ["", "u2", ""]
    assert [_compaction(keep).cut for keep in (0, 1, 2)] == [4, 2, None]


def test_a_compaction_knows_where_it_did_cut() -> None:
    """The border is what the stored entry says, else what the rules say."""
    borders = [_compaction(1, *stored).border for stored in ([], [summary("C", "a1")])]
    assert borders == [2, 1]
    assert _compaction(1, summary("C", "nowhere")).border == 4
    assert _compaction(3).border == 0
    assert [text_of(each) for each in _compaction(1).prefix] == ["u1", "a1"]


def test_a_compaction_tells_what_happened_meanwhile() -> None:
    """A summarizer that failed, or during which something was done, was not left alone."""
    assert _compaction(1).quiet
    assert not _compaction(1, fails=True).quiet
    assert not _compaction(1, during=(act("leaf"),)).quiet
    assert (_compaction(1).shown, _compaction(1).plain) == ([], True)


def test_a_compaction_without_a_known_leaf_is_left_out() -> None:
    """Where a session doesn't tell its leaf, its path is not known."""
    event = Event(0, act("compact", keep=1), logs={"s": chained(U1)})
    assert list(compacted(_trace(event, A="s"))) == []
