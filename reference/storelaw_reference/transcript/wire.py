"""Messages and blocks, to and from JSON.

Every member but a discriminator and `content` is left out at its zero value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields as members
from typing import Any

from storelaw_reference.transcript import fields
from storelaw_reference.transcript.blocks import (
    Block,
    File,
    Image,
    Reminder,
    ServerOutput,
    Text,
    Thinking,
    ToolCall,
)
from storelaw_reference.transcript.errors import DecodeError
from storelaw_reference.transcript.messages import Cost, Injected, Message, Usage
from storelaw_reference.transcript.times import nanoseconds
from storelaw_reference.transcript.values import NOTHING, is_array, is_object, thawed

Reader = Callable[[Mapping[str, Any], str], Any]

_COUNTS = [member.name for member in members(Cost)]


def _read(kind: type[Any], readers: Mapping[str, Reader], json: Mapping[str, Any]) -> Any:
    return kind(**{name: read(json, name) for name, read in readers.items()})


_DEFAULTS: dict[str, tuple[tuple[str, Any], ...]] = {}


def _defaults(value: Any) -> tuple[tuple[str, Any], ...]:
    """Return the members of `value`'s class and their defaults, looked up once."""
    name = type(value).__name__
    if name not in _DEFAULTS:
        _DEFAULTS[name] = tuple((member.name, member.default) for member in members(value))
    return _DEFAULTS[name]


def _written(value: Any) -> dict[str, Any]:
    """Return the members that differ from what `value`'s class has by default."""
    pairs = ((name, default, getattr(value, name)) for name, default in _defaults(value))
    return {
        name: thawed(held) for name, default, held in pairs if held != default and held != NOTHING
    }


def _server_output(json: Mapping[str, Any], name: str) -> ServerOutput | None:
    if json.get(name) is None:
        return None
    readers = {"content": fields.string, "raw": fields.anything, "is_error": fields.boolean}
    output: ServerOutput = _read(ServerOutput, readers, fields.mapping(json, name))
    return output


def _strings(*names: str) -> dict[str, Reader]:
    return dict.fromkeys(names, fields.string)


_BLOCKS: dict[str, tuple[type[Block], dict[str, Reader]]] = {
    "text": (Text, _strings("text", "signature")),
    "thinking": (Thinking, _strings("thinking", "signature")),
    "image": (Image, _strings("data", "mime_type")),
    "file": (File, _strings("data", "url", "file_id", "mime_type", "filename")),
    "reminder": (Reminder, _strings("text", "origin")),
    "tool_call": (
        ToolCall,
        _strings("id", "name", "signature", "server_type")
        | {"arguments": fields.mapping, "server": fields.boolean, "output": _server_output},
    ),
}
_NAMES: dict[type[Any], str] = {kind: name for name, (kind, _) in _BLOCKS.items()}


def decode_block(json: object) -> Block:
    """Read one block; an unknown type is a `DecodeError` that names it. Rule: D-PI-4."""
    if not is_object(json):
        raise DecodeError(json, "a block is a JSON object")
    name = fields.string(json, "type")
    if name not in _BLOCKS:
        raise DecodeError(name, "unknown block type")
    block: Block = _read(*_BLOCKS[name], json)
    return block


def encode_block(block: Block) -> dict[str, Any]:
    """Write one block; a value that is none is a `DecodeError`. Rule: D-PI-4."""
    if type(block) not in _NAMES:
        raise DecodeError(block, "no block")
    json = {"type": _NAMES[type(block)], **_written(block)}
    if isinstance(block, ToolCall) and block.output is not None:
        json["output"] = _written(block.output)
    return json


def _content(json: Mapping[str, Any], name: str) -> tuple[Block, ...] | None:
    blocks = json.get(name)
    if blocks is None:
        return None
    if not is_array(blocks):
        raise DecodeError(blocks, "content is an array or null")
    return tuple(decode_block(block) for block in blocks)


def _injected(json: Mapping[str, Any], name: str) -> Injected | None:
    value = json.get(name)
    if value not in (None, "meta", "ephemeral"):
        raise DecodeError(value, "injected is meta or ephemeral")
    return value


def _usage(json: Mapping[str, Any], name: str) -> Usage:
    counts = fields.mapping(json, name)
    cost = _read(Cost, dict.fromkeys(_COUNTS, fields.number), fields.mapping(counts, "cost"))
    return Usage(**{count: fields.integer(counts, count) for count in _COUNTS}, cost=cost)


def _timestamp(json: Mapping[str, Any], name: str) -> str:
    """Read a message's time; one that can't be parsed is dropped, not an error."""
    text = fields.string(json, name)
    try:
        nanoseconds(text)
    except DecodeError:
        return ""
    return text


_MESSAGE: dict[str, Reader] = {
    **_strings("role", "origin", "api", "provider", "model", "error"),
    **_strings("stop_reason", "tool_call_id", "tool_name"),
    "content": _content,
    "injected": _injected,
    "is_error": fields.boolean,
    "timestamp": _timestamp,
    "usage": _usage,
}


def decode_message(json: Mapping[str, Any]) -> Message:
    """Read a message; unknown members are ignored, role and stop reason are not judged.

    Raises `DecodeError`. Rules: PI-R1, PI-G4.
    """
    message: Message = _read(Message, _MESSAGE, json)
    return message


def encode_message(message: Message) -> dict[str, Any]:
    """Write a message as JSON of its own. Raises `DecodeError`. Rules: PI-R1, D-PI-4."""
    blocks = message.content
    json = _written(message)
    json["content"] = None if blocks is None else [encode_block(block) for block in blocks]
    if "usage" in json:
        json["usage"] = _written(message.usage)
    if message.usage.cost != Cost():
        json["usage"]["cost"] = _written(message.usage.cost)
    return json
