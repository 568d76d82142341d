"""Turns to and from entries.

An optional member is left out at its zero value, and an unknown member is
ignored: entries of older and newer writers read (OA-A9, OA-G1).
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any

from storelaw_reference.transcript import fields
from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.values import is_array, is_object, thawed
from storelaw_reference.turns.blocks import Attachment, Block, Text, ToolResult, ToolUse, Unknown
from storelaw_reference.turns.entries import Json, Scope
from storelaw_reference.turns.errors import InvalidEntry
from storelaw_reference.turns.ids import entry_id, parsed_id
from storelaw_reference.turns.records import Turn, Usage


def entry_to_turn(entry: Mapping[str, Any]) -> Turn:
    """Read a turn: index and role from the id, time from the entry, the rest from content.

    Raises `InvalidEntry`. Rules: OA-A2, OA-A9, OA-A11, OA-G1, D-OA-1, D-OA-2, D-OA-3.
    """
    try:
        index, role = parsed_id(fields.needed(entry, "id"))
        content: object = entry.get("content")
        if not is_object(content):
            raise DecodeError(content, "the content of a turn is an object")
        return _turn(index, role, fields.string(entry, "createdAt"), content)
    except DecodeError as error:
        raise InvalidEntry(entry.get("id"), str(error)) from error


def turn_to_entry(turn: Turn, scope: Scope) -> Json:
    """Write a turn as an entry of a scope, which reads back equal.

    Raises `InvalidEntry` for what would not. Rules: OA-A1, OA-A9, OA-A11, D-OA-1, D-OA-2.
    """
    entry = {
        "scope": scope.json(),
        "kind": "turn",
        "id": entry_id(turn.index, turn.role),
        "createdAt": turn.created_at,
        "content": _content(turn),
    }
    if entry_to_turn(entry) != turn:
        raise InvalidEntry(turn, "it would read back as another turn")
    return entry


def _turn(index: int, role: str, created_at: str, content: Mapping[str, Any]) -> Turn:
    return Turn(
        index,
        role,
        _blocks(content),
        created_at,
        _usage(content),
        fields.string(content, "author"),
        fields.string(content, "via"),
        fields.boolean(content, "refused"),
        fields.string(content, "model"),
    )


def _content(turn: Turn) -> Json:
    blocks = [encode_block(block) for block in turn.content] or None
    usage = None if turn.usage is None else _usage_json(turn.usage)
    optional = {
        "usage": usage,
        "author": turn.author,
        "via": turn.via,
        "refused": turn.refused,
        "model": turn.model,
    }
    return {"content": blocks, **_present(optional)}


def _present(members: Json) -> Json:
    return {name: value for name, value in members.items() if value}


def _usage(content: Mapping[str, Any]) -> Usage | None:
    if content.get("usage") is None:
        return None
    counts = fields.mapping(content, "usage")
    names = ("inputTokens", "outputTokens", "cacheCreationTokens", "cacheReadTokens")
    return Usage(*(fields.integer(counts, name) for name in names))


def _usage_json(usage: Usage) -> Json:
    cached = {
        "cacheCreationTokens": usage.cache_creation_tokens,
        "cacheReadTokens": usage.cache_read_tokens,
    }
    needed = {"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens}
    return {**needed, **_present(cached)}


def _blocks(content: Mapping[str, Any]) -> tuple[Block, ...]:
    blocks = content.get("content")
    if blocks is None:
        return ()
    if not is_array(blocks):
        raise DecodeError(blocks, "content is an array or null")
    return tuple(map(decode_block, blocks))


def decode_block(json: object) -> Block:
    """Read one block; one of an unknown type is kept. Raises `DecodeError`. Rule: OA-S7."""
    if not is_object(json):
        raise DecodeError(json, "a block is a JSON object")
    read = _READERS.get(fields.string(json, "type"))
    return Unknown(json) if read is None else read(json)


def encode_block(block: Block) -> Json:
    """Write one block. Raises `InvalidEntry` for what is none. Rule: OA-A9."""
    if isinstance(block, Unknown):
        json: Json = thawed(block.json)
        return json
    if isinstance(block, Text):
        return {"type": "text", **_present({"text": block.text})}
    if isinstance(block, ToolUse):
        return {"type": "tool_use", "toolUse": _use_json(block)}
    if isinstance(block, ToolResult):
        return {"type": "tool_result", "toolResult": _result_json(block)}
    if isinstance(block, Attachment):  # pyright: ignore[reportUnnecessaryIsInstance]
        return {"type": "attachment", "attachment": _attachment_json(block)}
    raise InvalidEntry(block, "no block")


def _text(json: Mapping[str, Any]) -> Block:
    return Text(fields.string(json, "text"))


def _use(json: Mapping[str, Any]) -> Block:
    use = fields.mapping(json, "toolUse")
    given = use.get("input")
    decoded = None if given is None else _bytes(fields.string(use, "input"))
    return ToolUse(fields.string(use, "id"), fields.string(use, "name"), decoded)


def _use_json(use: ToolUse) -> Json:
    given = None if use.input is None else b64encode(use.input).decode()
    return {"id": use.id, "name": use.name, "input": given}


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise DecodeError(text, "no base64") from error


def _result(json: Mapping[str, Any]) -> Block:
    result = fields.mapping(json, "toolResult")
    flags = fields.boolean(result, "isError"), fields.boolean(result, "renderedLive")
    return ToolResult(fields.string(result, "toolUseId"), fields.string(result, "content"), *flags)


def _result_json(result: ToolResult) -> Json:
    flags = {"isError": result.is_error, "renderedLive": result.rendered_live}
    return {"toolUseId": result.tool_use_id, "content": result.content, **_present(flags)}


def _attachment(json: Mapping[str, Any]) -> Block:
    held = fields.mapping(json, "attachment")
    return Attachment(
        fields.string(held, "filename"),
        fields.string(held, "mime"),
        fields.string(held, "ref"),
        fields.integer(held, "sizeBytes"),
        fields.string(held, "textRef"),
        fields.string(held, "archiveRef"),
        fields.integer(held, "pages"),
    )


def _attachment_json(held: Attachment) -> Json:
    optional = {
        "sizeBytes": held.size_bytes,
        "textRef": held.text_ref,
        "archiveRef": held.archive_ref,
        "pages": held.pages,
    }
    return {"filename": held.filename, "mime": held.mime, "ref": held.ref, **_present(optional)}


_READERS: dict[str, Callable[[Mapping[str, Any]], Block]] = {
    "text": _text,
    "tool_use": _use,
    "tool_result": _result,
    "attachment": _attachment,
}
