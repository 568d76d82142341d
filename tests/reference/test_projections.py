"""Trees, paths, views and the words of a message: pure functions of a log."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from storelaw_reference.transcript import (
    CompactionEntry,
    CustomEntry,
    Entry,
    Header,
    Message,
    MessageEntry,
    Reminder,
    Text,
    Thinking,
    ephemeral,
    meta,
    model_view,
    path,
    text,
    text_of,
    transcript_view,
    tree,
)


def entry(key: str, parent: str = "", second: int = 0) -> Entry:
    """Return a message entry of that id, parent and second of creation."""
    header = Header(key, parent, f"2024-01-01T00:00:{second:02}Z")
    return MessageEntry(Message("user", (Text(key),)), header)


def compaction(key: str, kept: str) -> Entry:
    """Return a compaction whose summary is its id in upper case."""
    return CompactionEntry(key.upper(), kept, header=Header(key))


def ids(entries: Sequence[Entry]) -> list[str]:
    """Return the ids of entries, in order."""
    return [each.header.id for each in entries]


def drawn(log: Sequence[Entry]) -> dict[str, list[str]]:
    """Return the tree of a log as ids, its roots under the empty id."""
    found = tree(log)
    children = {key: ids(family) for key, family in found.children.items() if family}
    return {"": ids(found.roots), **children}


def read(entries: Sequence[Entry]) -> list[str]:
    """Return the words of the model view."""
    return [text_of(message) for message in model_view(entries)]


FORKED = [entry("e1"), entry("e2", "e1"), entry("e3", "e2"), entry("e5", "e1")]


@pytest.mark.parametrize(
    ("log", "leaf", "expected"),
    [
        (FORKED, "e5", ["e1", "e5"]),
        (FORKED, "e3", ["e1", "e2", "e3"]),
        (FORKED, "", []),
        (FORKED, "nope", []),
        ([entry("x2", "missing"), entry("x3", "x2")], "x3", ["x2", "x3"]),
        ([entry("c1", "c2"), entry("c2", "c1")], "c2", ["c1", "c2"]),
        ([entry("a", "a")], "a", ["a"]),
        ([entry("a"), entry("b", "a"), entry("b", "")], "b", ["b"]),
    ],
)
def test_a_path_walks_parents_and_always_ends(
    log: list[Entry], leaf: str, expected: list[str]
) -> None:
    """Unknown leaves, missing parents and cycles end the walk quietly (PI-T2, T3, T4)."""
    assert ids(path(log, leaf)) == expected


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([], {"": []}),
        (FORKED, {"": ["e1"], "e1": ["e2", "e5"], "e2": ["e3"]}),
        ([entry("e1"), entry("e2", "missing")], {"": ["e1", "e2"]}),
        ([entry("r"), entry("k", "r", 5), entry("l", "r", 1)], {"": ["r"], "r": ["l", "k"]}),
        ([entry("r"), entry("k", "r"), entry("l", "r")], {"": ["r"], "r": ["k", "l"]}),
        ([entry("a", "", 2), entry("b", "", 1)], {"": ["b", "a"]}),
        ([entry("c1", "c2"), entry("c2", "c1")], {"": ["c1"], "c1": ["c2"]}),
        ([entry("a"), entry("a", "a")], {"": ["a"]}),
        ([entry("a"), entry("b", "a"), entry("b", "a")], {"": ["a"], "a": ["b"]}),
        (
            [entry("x", "c2"), entry("c1", "c2"), entry("c2", "c1"), entry("y", "x")],
            {"": ["c2"], "c2": ["x", "c1"], "x": ["y"]},
        ),
    ],
)
def test_a_tree_shows_each_entry_once(log: list[Entry], expected: dict[str, list[str]]) -> None:
    """Orphans, cycles and duplicates end in a tree of every id (PI-T1, PI-T5, D-PI-10)."""
    assert drawn(log) == expected


def test_a_long_chain_is_no_deep_value() -> None:
    """A tree of 5000 generations is drawn without recursion."""
    log = [entry("0"), *(entry(str(at), str(at - 1)) for at in range(1, 5000))]
    assert len(tree(log).children) == 5000


U1, A1, U2, A2, U3 = (entry(key) for key in ("u1", "a1", "u2", "a2", "u3"))
CUSTOM = CustomEntry("k", header=Header("x"))


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([], []),
        ([U1, meta(text("m")), CUSTOM, A1], ["u1", "m", "a1"]),
        ([U1, A1, U2, A2, compaction("s", "u2"), U3], ["S", "u2", "a2", "u3"]),
        ([U1, compaction("s", "missing"), U2], ["S", "u2"]),
        ([U1, compaction("s", "u2"), U2], ["S", "u2"]),
        ([U1, compaction("s", ""), U2], ["S", "u2"]),
        ([U1, compaction("s1", "u1"), U2, compaction("s2", "u2"), U3], ["S2", "u2", "u3"]),
        ([U1, compaction("s1", "u1"), U2, compaction("s2", "u1"), U3], ["S2", "u1", "u2", "u3"]),
        ([U1, CUSTOM, A1, compaction("s", "x")], ["S", "a1"]),
    ],
)
def test_a_model_reads_messages_and_the_last_summary(log: list[Entry], expected: list[str]) -> None:
    """Custom entries and covered ones are left out (PI-V1, PI-C5, PI-C6, PI-C7)."""
    assert read(log) == expected


def test_a_summary_is_a_user_message() -> None:
    """The summary speaks as the user, first (PI-C5)."""
    assert model_view([compaction("s", "")])[0] == Message("user", (Text("S"),))


def test_a_person_sees_all_but_injected_context() -> None:
    """Custom, compaction and covered entries are shown, meta and ephemeral are not (PI-V2)."""
    hidden = [meta(text("m")), ephemeral(text("e"))]
    shown = [U1, CUSTOM, A1, compaction("s", "a1"), U2]
    log = [U1, hidden[0], CUSTOM, A1, hidden[1], compaction("s", "a1"), U2]
    assert list(transcript_view(log)) == shown


def test_views_leave_the_path_alone() -> None:
    """Two readings of one path are equal, and the path is what it was (PI-V7)."""
    log = [U1, A1, compaction("s", "a1"), U2]
    before = list(log)
    assert model_view(log) == model_view(log)
    assert transcript_view(log) == transcript_view(log)
    assert log == before


def test_a_reminder_is_not_text_and_reaches_the_model() -> None:
    """A renderer keeps the text blocks, the model gets every block (PI-V6)."""
    result = Message("tool_result", (Text("o"), Reminder("x"), Thinking("y"), Text("k")))
    assert text_of(result) == "ok"
    assert text_of(Message("user")) == ""
    assert model_view([MessageEntry(result)]) == (result,)
