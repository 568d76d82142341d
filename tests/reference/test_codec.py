"""Entries, messages and blocks, to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from storelaw_reference.transcript import (
    Block,
    Codec,
    CompactionEntry,
    CustomEntry,
    DecodeError,
    Entry,
    File,
    Header,
    Image,
    Message,
    MessageEntry,
    Reminder,
    ServerOutput,
    Text,
    Thinking,
    ToolCall,
    Usage,
    decode,
    decode_draft,
    decode_message,
    encode,
    encode_message,
    ephemeral,
    file,
    image,
    meta,
    register_custom,
    text,
    transcript_view,
)

HEADER: dict[str, Any] = {"id": "e1", "created_at": "2024-01-01T00:00:00Z"}
AT = Header("e1", "", "2024-01-01T00:00:00Z")


def line(**members: Any) -> dict[str, Any]:
    """Return a stored entry with a valid header."""
    return {**HEADER, **members}


def message(*blocks: Any, **members: Any) -> dict[str, Any]:
    """Return a stored message entry."""
    return line(type="message", message={"role": "user", "content": [*blocks], **members})


FULL = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "text", "text": "a", "signature": "s"},
        {"type": "text"},
        {"type": "image", "data": "aGk=", "mime_type": "image/png"},
        {"type": "file", "url": "x:y", "mime_type": "text/plain", "filename": "f"},
        {"type": "tool_call", "id": "c", "name": "f", "arguments": {"a": [1, {"b": None}]}},
        {
            "type": "tool_call",
            "id": "w",
            "name": "web",
            "server": True,
            "server_type": "web_search",
            "output": {"content": "r", "raw": {"k": [1.5, "x"]}, "is_error": True},
        },
        {"type": "reminder", "text": "r", "origin": "o"},
    ],
    "injected": "meta",
    "origin": "o",
    "api": "a",
    "provider": "p",
    "model": "m",
    "error": "e",
    "usage": {"input": 1, "output": 2, "cost": {"input": 0.5, "output": 1}},
    "stop_reason": "tool_use",
    "tool_call_id": "t",
    "tool_name": "n",
    "is_error": True,
    "timestamp": "2024-01-01T00:00:00.5Z",
}


@pytest.mark.parametrize(
    "json",
    [
        line(type="message", message=FULL),
        line(type="message", parent_id="e0", message={"role": "user", "content": None}),
        line(type="message", message={"role": "user", "content": []}),
        line(type="message", message={"role": "oracle", "content": [], "usage": {"input": 3}}),
        line(type="compaction", summary="s", first_kept_id="e0", tokens_before=7),
        line(type="compaction", summary="", first_kept_id="", tokens_before=0),
        line(type="custom", kind="k", Title={"a": [1, None]}),
        message({"type": "tool_call", "id": "c", "output": {}}),
        message({"type": "tool_call", "id": "c", "output": {"raw": 0}}),
    ],
)
def test_every_known_shape_comes_back_equal(json: dict[str, Any]) -> None:
    """Reading and writing lose nothing (PI-R1)."""
    assert encode(decode(json)) == json


def test_blocks_are_read_as_their_values() -> None:
    """Each block type has its class."""
    content = decode_message(FULL).content
    assert content is not None
    assert content[0] == Thinking("hm", "sig")
    assert content[2:4] == (Text(), Image("aGk=", "image/png"))
    assert content[4] == File(url="x:y", mime_type="text/plain", filename="f")
    assert content[5] == ToolCall("c", "f", {"a": [1, {"b": None}]})
    assert content[6] == ToolCall(
        "w",
        "web",
        server=True,
        server_type="web_search",
        output=ServerOutput("r", {"k": [1.5, "x"]}, True),
    )
    assert content[7] == Reminder("r", "o")


def test_empty_arguments_read_back_as_absent() -> None:
    """The one allowed loss: `{}` and no arguments are the same call."""
    json = message({"type": "tool_call", "id": "c", "name": "f", "arguments": {}})
    (block,) = encode(decode(json))["message"]["content"]
    assert "arguments" not in block


def test_absent_members_are_zero_values() -> None:
    """A missing or null member reads as empty, an absent message as an empty one."""
    assert decode(line(type="message")) == MessageEntry(Message(""), AT)
    assert decode_message({"role": "user", "api": None}) == Message("user")
    assert decode(line(type="custom")) == CustomEntry("", header=AT)


def test_a_message_time_that_cannot_be_parsed_is_dropped() -> None:
    """The message's own time is no reason to lose it."""
    assert decode_message({"role": "user", "timestamp": "yesterday"}).timestamp == ""


def test_unknown_members_are_ignored() -> None:
    """Extra keys at every level change nothing (PI-G4)."""
    json = message({"type": "text", "text": "a", "x": 1}, x=2)
    assert decode({**json, "x": 3}) == decode(message({"type": "text", "text": "a"}))


def test_a_legacy_meta_flag_is_ignored() -> None:
    """An entry with top-level `meta` is ordinary: the transcript shows it (PI-G1)."""
    entry = decode({**message({"type": "text", "text": "a"}), "meta": True})
    assert entry == MessageEntry(Message("user", (Text("a"),)), AT)
    assert transcript_view([entry]) == (entry,)


@pytest.mark.parametrize(
    ("json", "shown"),
    [
        (line(type="bogus"), "bogus"),
        (line(), "None"),
        ([1], r"\[1\]"),
        (message({"type": "hologram"}), "hologram"),
        (message("text"), "text"),
        (message({"type": "text", "text": 5}), "5"),
        (message({"type": "tool_call", "server": "yes"}), "yes"),
        (message({"type": "tool_call", "output": "x"}), "output"),
        (message({"type": "tool_call", "arguments": [1]}), "arguments"),
        (message(injected="forever"), "forever"),
        (message(usage={"input": 1.5}), "input"),
        (message(usage={"input": True}), "input"),
        (message(usage={"cost": {"input": "x"}}), "input"),
        (line(type="message", message={"role": "user", "content": "hi"}), "hi"),
        (line(type="message", message=[]), "message"),
        (line(type="compaction", first_kept_id=""), "summary"),
        (line(type="compaction", summary="s", firstKeptId="e1"), "first_kept_id"),
        ({"type": "message", "created_at": HEADER["created_at"]}, "an id"),
        ({"type": "message", "id": "", "created_at": HEADER["created_at"]}, "an id"),
        ({"type": "message", "id": 5, "created_at": HEADER["created_at"]}, "5"),
        ({"type": "message", "id": "e1"}, "time"),
        ({"type": "message", "id": "e1", "created_at": "soon"}, "soon"),
        ({"type": "message", "id": "e1", "createdAt": HEADER["created_at"]}, "created_at"),
        (line(type="message", parentId="e0"), "parent_id"),
    ],
)
def test_what_is_no_entry_is_an_error_that_shows_it(json: Any, shown: str) -> None:
    """Nothing is skipped and nothing silently becomes a root (PI-R4, PI-G3)."""
    with pytest.raises(DecodeError, match=shown):
        decode(json)


def test_an_application_may_have_a_field_of_a_legacy_name() -> None:
    """A custom entry's own `parentId` is its own business."""
    entry = decode(line(type="custom", kind="k", parentId="x"))
    assert encode(entry)["parentId"] == "x"


def test_a_draft_has_no_header_whatever_the_caller_says() -> None:
    """A caller's id, parent and time are dropped (PI-A4)."""
    json = message({"type": "text", "text": "a"})
    assert decode_draft({**json, "id": "mine", "parent_id": "p"}) == text("a")
    assert decode_draft({"type": "message", "message": json["message"]}) == text("a")


@pytest.mark.parametrize(
    "entry",
    [
        MessageEntry(Message("user", (cast(Block, "text"),)), AT),
        MessageEntry(Message("user", (Text(cast(str, 5)),)), AT),
        MessageEntry(Message("user", usage=Usage(input=cast(int, "x"))), AT),
        CompactionEntry(cast(str, None), header=AT),
        CustomEntry("k", {"id": "mine"}, header=AT),
        CustomEntry("nobody knows", value=object(), header=AT),
        text("a"),
        cast(Entry, {"type": "message"}),
    ],
)
def test_what_would_not_read_back_is_not_written(entry: Entry) -> None:
    """There is no write-only content (D-PI-4)."""
    with pytest.raises(DecodeError):
        encode(entry)


def test_an_unregistered_kind_keeps_its_fields() -> None:
    """An absent plugin costs nothing (PI-R3)."""
    json = line(type="custom", kind="k", Title="t")
    assert decode(json) == CustomEntry("k", {"Title": "t"}, header=AT)


@dataclass(frozen=True)
class Artifact:
    """An application's record."""

    title: str


def _artifact(fields: Mapping[str, Any]) -> Artifact:
    return Artifact(fields["Title"])


def _fields(artifact: Artifact) -> dict[str, Any]:
    return {"Title": artifact.title}


def test_a_registered_kind_is_read_and_written_as_a_value() -> None:
    """Both directions of a registration are used."""
    codec = Codec()
    codec.register_custom("artifact", _artifact, _fields)
    json = line(type="custom", kind="artifact", Title="t")
    assert codec.encode(CustomEntry("artifact", value=Artifact("t"), header=AT)) == json
    entry = codec.decode(json)
    assert isinstance(entry, CustomEntry)
    assert entry.value == Artifact("t")
    assert codec.encode(replace(entry, value=None)) == json


def test_a_kind_is_named_and_registered_once() -> None:
    """An empty kind and a repeated one are programming errors."""
    codec = Codec()
    codec.register_custom("k", _artifact, _fields)
    with pytest.raises(ValueError, match="'k'"):
        codec.register_custom("k", _artifact, _fields)
    with pytest.raises(ValueError, match="''"):
        register_custom("", _artifact, _fields)


def test_json_goes_in_and_out_by_copy() -> None:
    """Neither the JSON that was read nor the JSON that was written reaches an entry (D-PI-9)."""
    json = message({"type": "tool_call", "id": "c", "arguments": {"a": [1]}})
    entry = decode(json)
    json["message"]["content"][0]["arguments"]["a"].append(2)
    encode(entry)["message"]["content"][0]["arguments"]["a"].append(3)
    assert encode(entry)["message"]["content"][0]["arguments"] == {"a": [1]}


def test_the_constructors_build_drafts_of_user_messages() -> None:
    """`text`, `image` and `file` mirror each other; `meta` and `ephemeral` mark a message."""
    assert text("a") == MessageEntry(Message("user", (Text("a"),)))
    assert image("aGk=", "image/png").message.content == (Image("aGk=", "image/png"),)
    assert file("aGk=", mime_type="t").message.content == (File("aGk=", mime_type="t"),)
    assert file(url="x:y").message.content == (File(url="x:y"),)
    assert meta(text("a"), "skill").message == Message(
        "user", (Text("a"),), injected="meta", origin="skill"
    )
    assert encode_message(ephemeral(text("a")).message)["injected"] == "ephemeral"


@pytest.mark.parametrize("given", [{}, {"data": "aGk=", "url": "x:y"}])
def test_a_file_is_given_one_way(given: dict[str, str]) -> None:
    """None of the three, or two, is no file."""
    with pytest.raises(ValueError, match="exactly one"):
        file(**given)
