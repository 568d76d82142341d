"""The appender and the turn codec: rows OA-A, OA-R and OA-G1 of the scenario tables."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from storelaw_reference.turns import (
    Appender,
    Attachment,
    IndexConflict,
    InvalidEntry,
    Json,
    Memory,
    MemoryBackend,
    Query,
    Scope,
    Skipped,
    Text,
    ToolResult,
    ToolUse,
    Turn,
    Unknown,
    Usage,
    entry_to_turn,
    has_opening_turn,
    read_all,
    turn_to_entry,
)

T0, T1 = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"
SCOPE = Scope("session", "ns/one")
HELLO = Turn(0, "user", (Text("hello"),), T0)
FULL = Turn(
    1,
    "assistant",
    (
        Text("hi"),
        Text(),
        ToolUse("c", "get", b'{"a": 1}'),
        ToolUse("d", "none"),
        ToolUse("e", "empty", b""),
        ToolResult("c", "ok", is_error=True, rendered_live=True),
        ToolResult("d"),
        Attachment("f.pdf", "application/pdf", "r", 3, "t", "a", 2),
        Attachment("", "", ""),
        Unknown({"type": "image", "data": [1, {"x": None}]}),
    ),
    T0,
    Usage(1, 2, 3, 4),
    "user:YQ",
    "urn:ap:view:chat",
    True,
    "acme/large",
)
CONTENT: Json = {
    "content": [
        {"type": "text", "text": "hi"},
        {"type": "text"},
        {"type": "tool_use", "toolUse": {"id": "c", "name": "get", "input": "eyJhIjogMX0="}},
        {"type": "tool_use", "toolUse": {"id": "d", "name": "none", "input": None}},
        {"type": "tool_use", "toolUse": {"id": "e", "name": "empty", "input": ""}},
        {
            "type": "tool_result",
            "toolResult": {
                "toolUseId": "c",
                "content": "ok",
                "isError": True,
                "renderedLive": True,
            },
        },
        {"type": "tool_result", "toolResult": {"toolUseId": "d", "content": ""}},
        {
            "type": "attachment",
            "attachment": {
                "filename": "f.pdf",
                "mime": "application/pdf",
                "ref": "r",
                "sizeBytes": 3,
                "textRef": "t",
                "archiveRef": "a",
                "pages": 2,
            },
        },
        {"type": "attachment", "attachment": {"filename": "", "mime": "", "ref": ""}},
        {"type": "image", "data": [1, {"x": None}]},
    ],
    "usage": {"inputTokens": 1, "outputTokens": 2, "cacheCreationTokens": 3, "cacheReadTokens": 4},
    "author": "user:YQ",
    "via": "urn:ap:view:chat",
    "refused": True,
    "model": "acme/large",
}
CHANGES: list[dict[str, Any]] = [
    {"content": (Text("other"),)},
    {"content": ()},
    {"author": "user:Yg"},
    {"via": "urn:ap:view:tui"},
    {"refused": True},
    {"model": "acme/small"},
    {"usage": Usage(1)},
    {"usage": Usage()},
]


def stored(memory: Memory, name: str) -> Json:
    """Return an entry that is there."""
    entry = memory.get(SCOPE, "turn", name)
    assert entry is not None
    return entry


def raw(name: str, content: object = None, **more: Any) -> Json:
    """Return a turn entry of any id and content."""
    base = {"scope": SCOPE.json(), "kind": "turn", "id": name, "createdAt": T0}
    return {**base, "content": content, **more}


def test_the_wire_shape_of_a_turn() -> None:
    """Every field has its member; index and role are in the id alone (OA-A1, A.3.2, A.3.3)."""
    assert turn_to_entry(FULL, SCOPE) == raw("turn-000001-assistant", CONTENT)
    assert entry_to_turn(raw("turn-000001-assistant", CONTENT)) == FULL


def test_empty_optional_fields_are_absent() -> None:
    """Neither `via` nor any other empty field is written; no content is null (OA-A9)."""
    assert turn_to_entry(Turn(0, "user"), SCOPE)["content"] == {"content": None}
    usage = turn_to_entry(Turn(0, "user", usage=Usage(1, 2)), SCOPE)["content"]["usage"]
    assert usage == {"inputTokens": 1, "outputTokens": 2}


@pytest.mark.parametrize("change", [{}, *CHANGES])
def test_each_field_round_trips(appender: Appender, change: dict[str, Any]) -> None:
    """A field that is set alone comes back as it was (OA-A11)."""
    turn = replace(HELLO, **change)
    appender.append(turn)
    assert appender.read_all().turns == (turn,)


def test_all_blocks_round_trip(appender: Appender) -> None:
    """Tool blocks, attachments and unknown blocks come back (OA-A11)."""
    assert appender.append(FULL) == FULL
    assert appender.read_all().turns == (FULL,)


def test_older_content_reads_as_empty() -> None:
    """Only `content`, or members of a newer writer: the rest is empty (OA-G1, OA-A9)."""
    older = {"content": [{"type": "text", "text": "hello"}], "newer": {"a": 1}}
    assert entry_to_turn(raw("turn-0-user", older)) == HELLO
    assert entry_to_turn(raw("turn-000000-user", {})) == replace(HELLO, content=())


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "text",
        {"content": {}},
        {"content": [1]},
        {"content": [{"type": "text", "text": 1}]},
        {"content": [{"type": "tool_use", "toolUse": {"input": "*"}}]},
        {"content": [{"type": "tool_use", "toolUse": {"input": 1}}]},
        {"usage": 1},
        {"usage": {"inputTokens": 1.5}},
        {"refused": "yes"},
    ],
)
def test_bad_content_is_skipped_and_reported(
    memory: Memory, appender: Appender, content: object
) -> None:
    """One bad row does not end the session, and is not passed over in silence (OA-R3)."""
    appender.append(HELLO)
    memory.put(raw("turn-x"))
    memory.put(raw("turn-000005-user", content))
    reading = appender.read_all()
    assert reading.turns == (HELLO,)
    assert [skip.id for skip in reading.skipped] == ["turn-000005-user", "turn-x"]
    assert all(skip.why for skip in reading.skipped)
    assert reading.next_index == 6


def test_a_report_names_the_publisher(memory: Memory, appender: Appender) -> None:
    """What was skipped says who signed it (OA-R3)."""
    held = {"publisher": "session:ns/one", "keyId": "k", "seq": 1, "sig": ""}
    memory.put(raw("turn-x", provenance=held))
    assert appender.read_all().skipped == (
        Skipped("turn-x", "session:ns/one", "not an entry that can be kept: 'turn-x' (no turn id)"),
    )


@pytest.mark.parametrize("name", ["turn-00-user", "turn-+0-user", "turn-000000-user extra"])
def test_only_one_spelling_claims_a_turn(memory: Memory, appender: Appender, name: str) -> None:
    """Another spelling is skipped and reported, and is no conflict (D-OA-3)."""
    memory.put(raw(name, {"content": None}))
    assert appender.append(HELLO) == HELLO
    reading = appender.read_all()
    assert reading.turns == (HELLO,)
    assert [skip.id for skip in reading.skipped] == [name]


def test_a_legacy_turn_is_a_turn(memory: Memory, appender: Appender) -> None:
    """It is read, and its place is taken; a twin under the own id wins (OA-G1, D-OA-3)."""
    memory.put(turn_to_entry(HELLO, SCOPE) | {"id": "turn-0-user"})
    assert appender.append(HELLO) == HELLO
    assert memory.get(SCOPE, "turn", "turn-000000-user") is None
    with pytest.raises(IndexConflict):
        appender.append(replace(HELLO, content=()))
    assert appender.read_all().turns == (HELLO,)
    newer = replace(HELLO, content=(Text("newer"),))
    memory.put(turn_to_entry(newer, SCOPE))
    reading = appender.read_all()
    assert reading.turns == (newer,)
    assert [skip.id for skip in reading.skipped] == ["turn-0-user"]


def test_a_repeated_append_is_a_no_op(memory: Memory, appender: Appender) -> None:
    """The same payload, at whatever time, keeps the first turn (OA-A3)."""
    assert appender.append(HELLO) == HELLO
    assert appender.append(HELLO) == HELLO
    assert appender.append(replace(HELLO, created_at=T1)) == HELLO
    assert appender.append(replace(HELLO, created_at="")) == HELLO
    assert appender.read_all().turns == (HELLO,)


@pytest.mark.parametrize("change", CHANGES)
def test_another_payload_is_a_conflict(appender: Appender, change: dict[str, Any]) -> None:
    """Each field of the payload counts, and the stored turn stays (OA-A4)."""
    appender.append(HELLO)
    with pytest.raises(IndexConflict):
        appender.append(replace(HELLO, **change))
    assert appender.read_all().turns == (HELLO,)


def test_another_role_at_the_same_index_is_another_turn(appender: Appender) -> None:
    """(2, inbox) and (2, user) are both stored (OA-A5)."""
    turns = Turn(2, "inbox", created_at=T0), Turn(2, "user", created_at=T0)
    for turn in turns[::-1]:
        appender.append(turn)
    assert appender.read_all().turns == turns


def test_a_reshaping_backend_changes_no_verdict(reshaping: MemoryBackend) -> None:
    """Idempotency and conflict survive key order, cut times and empty lists (OA-A6)."""
    memory = Memory(reshaping)
    appender = Appender(memory, SCOPE)
    turn = replace(FULL, created_at="2024-01-01T00:00:00.123456789Z")
    appender.append(turn)
    assert memory.put(turn_to_entry(turn, SCOPE))["content"] == CONTENT
    again = appender.append(turn)
    assert again == replace(turn, created_at="2024-01-01T00:00:00.123456+00:00")
    with pytest.raises(IndexConflict):
        appender.append(replace(turn, model="other"))


def test_content_that_is_no_object_is_a_conflict(memory: Memory, appender: Appender) -> None:
    """An undecodable entry holds its place: nothing overwrites it (OA-A4)."""
    memory.put(raw("turn-000000-user", "text"))
    with pytest.raises(IndexConflict):
        appender.append(HELLO)


def test_empty_members_of_another_writer_are_absent_ones(
    memory: Memory, appender: Appender
) -> None:
    """A stored `"via": ""` is no difference in payload (OA-A6, OA-A9)."""
    entry = turn_to_entry(HELLO, SCOPE)
    memory.put(entry | {"content": entry["content"] | {"via": "", "usage": None}})
    assert appender.append(HELLO) == HELLO


def test_a_failed_look_up_aborts_the_append(backend: Any, appender: Appender) -> None:
    """The cause comes out and nothing is put (OA-A7)."""
    cause = OSError("gone")
    backend.fail["query"] = cause
    with pytest.raises(OSError, match="gone") as caught:
        appender.append(HELLO)
    assert caught.value is cause
    assert backend.puts == 0


def test_a_failed_put_can_be_retried(backend: Any, appender: Appender) -> None:
    """Error, retry, one turn (OA-A3)."""
    backend.fail["put"] = OSError("gone")
    with pytest.raises(OSError, match="gone"):
        appender.append(HELLO)
    appender.append(HELLO)
    assert appender.read_all().turns == (HELLO,)


@pytest.mark.parametrize("zero", ["", "0001-01-01T00:00:00Z", "0001-01-01T01:00:00+01:00"])
def test_a_zero_time_is_now(appender: Appender, zero: str) -> None:
    """A time that was never set is replaced at append (OA-A8, D-OA-8)."""
    assert appender.append(replace(HELLO, created_at=zero)).created_at == "2024-01-01T00:00:01Z"


def test_a_set_time_is_kept_and_a_bad_one_refused(memory: Memory, appender: Appender) -> None:
    """Nanoseconds and offset stay; what is no time is no entry (OA-A8)."""
    text = "2024-01-01T01:00:00.123456789+01:00"
    appender.append(replace(HELLO, created_at=text))
    assert stored(memory, "turn-000000-user")["createdAt"] == text
    with pytest.raises(InvalidEntry):
        appender.append(Turn(1, "user", created_at="0001-junk"))


@pytest.mark.parametrize(
    "turn",
    [
        Turn(-1, "user"),
        Turn(0, ""),
        Turn(0, "system note"),
        Turn(0, "user", (Text("\x00"),)),
        Turn(0, "user", ({"type": "text"},)),  # type: ignore[arg-type]
        Turn(0, "user", (Unknown({"type": "text", "text": "a", "more": 1}),)),
        Turn(0, "user", author=1),  # type: ignore[arg-type]
        Turn(0, "user", usage=Usage(True)),
    ],
)
def test_what_would_not_read_back_is_refused(appender: Appender, turn: Turn) -> None:
    """A turn that a reader would lose or change is refused at append (D-OA-1, 2, 11)."""
    with pytest.raises(InvalidEntry):
        appender.append(turn)
    assert appender.read_all().turns == ()


def test_a_wide_index_reads_back_in_order(appender: Appender) -> None:
    """A million turns in, nothing is lost and the order is by number (D-OA-1)."""
    turns = tuple(Turn(index, "user", created_at=T0) for index in (999_999, 1_000_000))
    for turn in turns[::-1]:
        appender.append(turn)
    assert appender.read_all().turns == turns


def test_two_writers_of_one_index_collide(memory: Memory, appender: Appender) -> None:
    """Nobody is renumbered in silence (OA-A12)."""
    appender.append(Turn(2, "user", (Text("a"),)))
    with pytest.raises(IndexConflict):
        Appender(memory, SCOPE).append(Turn(2, "user", (Text("b"),)))


@pytest.mark.parametrize(("words", "conflicts"), [("hello", False), ("other", True)])
def test_a_racing_writer_gets_the_same_errors(
    backend: MemoryBackend, appender: Appender, words: str, conflicts: bool
) -> None:
    """Between look-up and put: same payload is success, another IndexConflict (OA-N2, D-OA-15)."""

    class Racing(Memory):
        """A memory in which the other writer is always a moment faster."""

        def query(self, query: Query) -> Any:
            """Answer, then let the other one write."""
            page = super().query(query)
            appender.append(HELLO)
            return page

    late = Turn(0, "user", (Text(words),), T1)
    racing = Appender(Racing(backend), SCOPE)
    if conflicts:
        with pytest.raises(IndexConflict):
            racing.append(late)
    else:
        assert racing.append(late) == HELLO
    assert appender.read_all().turns == (HELLO,)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_turns_are_read_in_order(memory: Memory, appender: Appender, order: list[int]) -> None:
    """Whatever the insertion order: 0, 1, 2; after 0: 1, 2 (OA-R1, OA-R2)."""
    turns = [Turn(index, "user", created_at=T0) for index in range(3)]
    for index in order:
        appender.append(turns[index])
    assert list(read_all(memory, SCOPE).turns) == turns
    assert list(appender.read_after(0).turns) == turns[1:]
    assert list(appender.read_after(2).turns) == []
    assert list(appender.read_after(-1).turns) == turns


@pytest.mark.parametrize(
    ("turns", "opened"),
    [
        ([], False),
        ([Turn(0, "user")], True),
        ([Turn(1, "assistant"), Turn(2, "user")], False),
        ([Turn(0, "inbox")], False),
        ([Turn(1, "assistant"), Turn(0, "user")], True),
    ],
)
def test_the_opening_turn(turns: list[Turn], opened: bool) -> None:
    """Index 0 and role user, wherever it stands (OA-L6)."""
    assert has_opening_turn(turns) is opened


def test_input_is_base64_of_the_bytes() -> None:
    """Arguments are bytes, valid JSON or not (A.3.3)."""
    entry = turn_to_entry(Turn(0, "assistant", (ToolUse("c", "n", b"{\xff"),)), SCOPE)
    use = entry["content"]["content"][0]["toolUse"]
    assert use == {"id": "c", "name": "n", "input": b64encode(b"{\xff").decode()}
