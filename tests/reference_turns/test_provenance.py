"""Provenance and prefix copies: rows OA-P and OA-F of the scenario tables."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from storelaw_reference.turns import (
    COPIED_FROM,
    TURN,
    Anchor,
    Appender,
    BadProvenance,
    Finding,
    HashKey,
    HashKeys,
    IndexConflict,
    InvalidEntry,
    Json,
    Kind,
    Kinds,
    Memory,
    MemoryBackend,
    ProvenanceRequired,
    Query,
    Scope,
    SigningMemory,
    Text,
    Turn,
    audit,
    copy_prefix,
    entry_digest,
    signed,
    turn_to_entry,
)

ONE, TWO = Scope("session", "ns/one"), Scope("session", "ns/two")
KEY, OTHER = HashKey("session:ns/one", b"one"), HashKey("session:ns/two", b"two")
SYSTEM = HashKey("system:operator", b"three")
RING = HashKeys([KEY, OTHER, SYSTEM])
CHAIN = (ONE, KEY.publisher)
T0 = "2024-01-01T00:00:00.5Z"


def entry(index: int, words: str = "a", scope: Scope = ONE, **more: Any) -> Json:
    """Return an unsigned turn entry."""
    turn = Turn(index, "user", (Text(words),), T0)
    return {**turn_to_entry(turn, scope), **more}


def chain(*indexes: int) -> list[Json]:
    """Return signed entries, each behind the one before."""
    rows: list[Json] = []
    for seq, index in enumerate(indexes, 1):
        rows.append(signed(entry(index), KEY, seq, entry_digest(rows[-1]) if rows else ""))
    return rows


def rows_of(memory: Memory, scope: Scope = ONE) -> list[Json]:
    """Return all entries of a scope."""
    return list(memory.query(Query(scope)).entries)


def test_a_verifier_wants_a_signature() -> None:
    """Unsigned is required, another session's publisher or key is bad (OA-P1)."""
    memory = Memory(MemoryBackend(), verifier=RING, kinds=Kinds([TURN, Kind("note", "note-")]))
    with pytest.raises(ProvenanceRequired):
        memory.put(entry(0))
    for bad in (
        signed(entry(0), OTHER, 1),
        signed(entry(0), HashKey("session:ns/one", b"unknown"), 1),
        {**signed(entry(0), KEY, 1), "createdAt": "2025-01-01T00:00:00Z"},
    ):
        with pytest.raises(BadProvenance):
            memory.put(bad)
    assert rows_of(memory) == []
    memory.put(signed(entry(0), KEY, 1))
    memory.put(signed(entry(1), SYSTEM, 1))
    memory.put({**entry(0), "kind": "note", "id": "note-1"})


def test_a_session_signs_as_itself() -> None:
    """A caller that is a session can't publish as the system (OA-P1)."""
    memory = Memory(MemoryBackend(), verifier=RING, caller="session:ns/one")
    with pytest.raises(BadProvenance):
        memory.put(signed(entry(0), SYSTEM, 1))
    assert memory.put(signed(entry(0), KEY, 1))["id"] == "turn-000000-user"


@pytest.mark.parametrize(
    "change",
    [
        *[{"seq": 0}, {"seq": 2**63}, {"seq": True}, {"seq": "1"}, {"prevHash": "0" * 64}],
        *[{"seq": 2}, {"seq": 2, "prevHash": "x"}, {"sig": 1}, {"sig": "*"}],
    ],
)
def test_an_envelope_has_a_bounded_position(change: Json) -> None:
    """Positions are 1 to 2^63 - 1, and all but the first link back (OA-P1, D-OA-10)."""
    memory = Memory(MemoryBackend(), verifier=RING)
    row = signed(entry(0), KEY, 1)
    with pytest.raises((InvalidEntry, BadProvenance)):
        memory.put({**row, "provenance": row["provenance"] | change})


def test_a_digest_survives_reshaping(reshaping: MemoryBackend) -> None:
    """Key order, cut times, tag order and empty lists change no digest (OA-P2)."""
    link = {"relation": "r", "scope": TWO.json(), "kind": "turn", "id": "turn-1"}
    given = entry(0, tags=["b", "a"], links=[link], createdAt="2024-01-01T00:00:00.1234567Z")
    row = signed(given, KEY, 1)
    memory = Memory(reshaping)
    memory.put(row)
    (again,) = rows_of(memory)
    assert again != row
    assert audit([again], RING) == ()
    assert entry_digest(again) == entry_digest(row)
    bare = {name: value for name, value in row.items() if name not in ("content", "tags", "links")}
    digests = {entry_digest(each) for each in (row, bare, signed(given, KEY, 2, "0" * 64))}
    assert len(digests) == 3


def test_a_digest_is_a_fixed_string() -> None:
    """The signed form is written down here, member by member (OA-P2)."""
    text = (
        '{"scopeKind":"session","scopeId":"ns/one","kind":"turn","id":"turn-000000-user",'
        '"createdAt":"2024-01-01T00:00:00.5Z","content":{"content":[{"text":"a","type":"text"}]},'
        f'"publisher":"session:ns/one","keyId":"{KEY.key_id}","seq":1}}'
    )
    assert entry_digest(signed(entry(0), KEY, 1)) == sha256(text.encode()).hexdigest()
    assert len(KEY.key_id) == 32


def test_a_sound_chain_has_no_findings() -> None:
    """Three in a row, in any order, with the anchor of their end (OA-P2)."""
    rows = chain(0, 1, 2)
    anchors = {CHAIN: Anchor(3, entry_digest(rows[-1]))}
    assert audit(rows[::-1], RING, anchors) == ()


def test_findings() -> None:
    """Each defect has its finding (OA-P2)."""
    first, second, third = chain(0, 1, 2)
    edited = {**second, "content": {"content": None}}
    assert audit([first, third], RING) == (Finding("gap", *CHAIN, first=2, last=2),)
    assert audit([first, edited, third], RING) == (
        Finding("bad-signature", *CHAIN, second["id"], 2, 2),
    )
    assert audit([entry(5)], RING) == (Finding("unsigned", ONE, "", "turn-000005-user"),)
    assert audit([first], HashKeys([])) == (Finding("unknown-key", *CHAIN, first["id"], 1, 1),)
    twin = signed(entry(3), KEY, 2, entry_digest(first))
    assert audit([first, second, twin], RING) == (Finding("fork", *CHAIN, twin["id"], 2, 2),)
    torn = signed(entry(3), KEY, 2, "0" * 64)
    assert audit([first, torn], RING) == (Finding("fork", *CHAIN, torn["id"], 2, 2),)


def test_an_anchor_shows_a_cut_tail() -> None:
    """A chain shorter than it once was is truncated, a replaced end is a fork (OA-P2)."""
    rows = chain(0, 1, 2)
    anchors = {CHAIN: Anchor(3, entry_digest(rows[-1]))}
    assert audit(rows[:2], RING, anchors) == (Finding("tail-truncated", *CHAIN, first=3, last=3),)
    assert audit([], RING, anchors) == (Finding("tail-truncated", *CHAIN, first=1, last=3),)
    other = {(TWO, KEY.publisher): Anchor(1, "0" * 64), **anchors}
    assert [finding.scope for finding in audit(rows, RING, other)] == [TWO]
    replaced = {CHAIN: Anchor(3, "0" * 64)}
    assert audit(rows, RING, replaced) == (Finding("fork", *CHAIN, rows[2]["id"], 3, 3),)


def test_a_huge_gap_is_one_finding() -> None:
    """A position of 2^62 costs no more than one of 3 (D-OA-10)."""
    far = signed(entry(1), KEY, 2**62, "0" * 64)
    assert audit([*chain(0), far], RING) == (Finding("gap", *CHAIN, first=2, last=2**62 - 1),)


def test_a_failed_or_absorbed_write_uses_no_position(backend: Any) -> None:
    """Positions stay contiguous after a fault, a retry and a restart (OA-P3)."""
    memory = SigningMemory(backend, KEY, verifier=RING, caller="session:ns/one")
    memory.put(entry(0))
    backend.fail["put"] = OSError("gone")
    with pytest.raises(OSError, match="gone"):
        memory.put(entry(1))
    memory.put(entry(1))
    stored = memory.put(entry(1))
    reopened = SigningMemory(backend, KEY)
    reopened.put(entry(2))
    assert [row["provenance"]["seq"] for row in rows_of(memory)] == [1, 2, 3]
    assert stored == rows_of(memory)[1]
    assert audit(rows_of(memory), RING) == ()


def test_a_signing_memory_signs_append_only_entries_only(backend: MemoryBackend) -> None:
    """Mutable entries and signed ones are left as they are (OA-P1)."""
    memory = SigningMemory(backend, KEY, kinds=Kinds([TURN, Kind("note", "note-")]))
    row = signed(entry(0), OTHER, 1)
    assert memory.put(row) == row
    assert "provenance" not in memory.put({**entry(0), "kind": "note", "id": "note-1"})


NOTES = Kinds([TURN, Kind("note", "note-"), Kind("own", "own-", copied=False)])


def link(name: str, kind: str = "turn", scope: Scope = ONE) -> Json:
    """Return a link."""
    return {"relation": "about", "scope": scope.json(), "kind": kind, "id": name}


def note(name: str, *links: Json, kind: str = "note") -> Json:
    """Return a note with links."""
    return {**entry(0), "kind": kind, "id": name, "links": list(links)}


def test_a_prefix_is_copied(backend: MemoryBackend) -> None:
    """Turns up to the cut, what is anchored there, what is unanchored (OA-F1)."""
    memory = Memory(backend, kinds=NOTES)
    for index in range(5):
        memory.put(entry(index))
    memory.put(note("note-free", link("note-in", "note"), link("own-1", "own")))
    memory.put(note("note-in", link("turn-000001-user"), link("turn-000002-user")))
    memory.put(note("note-out", link("turn-000001-user"), link("turn-000003-user")))
    memory.put(note("own-1", kind="own"))
    backend.put({**entry(0), "kind": "unheard-of"})
    copied = copy_prefix(memory, ONE, memory, TWO, 2)
    names = ["note-free", "note-in", *(f"turn-00000{index}-user" for index in range(3))]
    assert [row["id"] for row in rows_of(memory, TWO)] == names
    assert [row["id"] for row in copied.entries] == names
    free, anchored, first = copied.entries[:3]
    assert free["links"] == [link("note-in", "note", TWO), link("own-1", "own")]
    assert {row["scope"]["id"] for row in anchored["links"]} == {"ns/two"}
    assert first == entry(0, scope=TWO)


def test_a_copy_repeated_changes_nothing(memory: Memory) -> None:
    """Copy three times: the same log (OA-F2)."""
    memory.put(entry(0, tags=["a"]))
    memory.put(signed(entry(1), KEY, 1))
    once = copy_prefix(memory, ONE, memory, TWO, 1)
    for _ in range(2):
        assert copy_prefix(memory, ONE, memory, TWO, 1) == once
    assert tuple(rows_of(memory, TWO)) == once.entries


def test_a_child_that_wrote_first_conflicts(memory: Memory) -> None:
    """A copy overwrites nothing, and a late writer conflicts too (OA-F3)."""
    memory.put(entry(0))
    memory.put(entry(0, "other", TWO))
    with pytest.raises(Exception, match="another payload"):
        copy_prefix(memory, ONE, memory, TWO, 0)
    with pytest.raises(IndexConflict):
        Appender(memory, TWO).append(Turn(0, "user", (Text("third"),)))


def test_a_copy_keeps_tags_and_verifies(backend: MemoryBackend) -> None:
    """A target that signs signs anew in its scope (OA-F4, D-OA-7)."""
    source = SigningMemory(backend, KEY, verifier=RING)
    for index in range(2):
        source.put(entry(index, tags=["b", "a"]))
    target = SigningMemory(backend, OTHER, verifier=RING, caller="session:ns/two")
    copied = copy_prefix(source, ONE, target, TWO, 1)
    assert [row["tags"] for row in copied.entries] == [["b", "a"]] * 2
    assert [row["provenance"]["publisher"] for row in copied.entries] == [OTHER.publisher] * 2
    assert audit(rows_of(target, TWO), RING) == ()
    assert copy_prefix(source, ONE, target, TWO, 1) == copied


def test_a_copy_without_a_signer_is_marked(memory: Memory) -> None:
    """A signature of another scope is not carried; a link names the original (D-OA-7)."""
    memory.put(signed(entry(0), KEY, 1))
    (row,) = copy_prefix(memory, ONE, memory, TWO, 0).entries
    assert "provenance" not in row
    mark = {"relation": COPIED_FROM, "scope": ONE.json(), "kind": "turn", "id": row["id"]}
    assert row["links"] == [mark]


def test_malformed_ids_are_skipped_as_a_reader_skips_them(memory: Memory) -> None:
    """One bad row does not fail the copy for ever (D-OA-7)."""
    memory.put(entry(0))
    memory.put(signed({**entry(0), "id": "turn-x"}, KEY, 1))
    copied = copy_prefix(memory, ONE, memory, TWO, 0)
    assert [row["id"] for row in copied.entries] == ["turn-000000-user"]
    assert [(skip.id, skip.publisher) for skip in copied.skipped] == [("turn-x", KEY.publisher)]
    assert [skip.id for skip in Appender(memory, ONE).read_all().skipped] == ["turn-x"]


def test_a_mark_is_no_anchor(backend: MemoryBackend) -> None:
    """A marked note that is copied on is judged by its own links (OA-F1)."""
    memory = Memory(backend, kinds=NOTES)
    memory.put({**note("note-1"), "links": [link("turn-000009-user") | {"relation": COPIED_FROM}]})
    assert len(copy_prefix(memory, ONE, memory, TWO, 0).entries) == 1
