"""Content blocks: the parts of a message. Their shapes are the schemas'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from storelaw_reference.transcript.values import NOTHING, frozen


@dataclass(frozen=True, slots=True)
class Text:
    """Words for the reader and the model."""

    text: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model's reasoning, with the provider's signature of it."""

    thinking: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture; `data` is base64."""

    data: str = ""
    mime_type: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A file, by its base64 `data`, its `url` or a provider's `file_id`."""

    data: str = ""
    url: str = ""
    file_id: str = ""
    mime_type: str = ""
    filename: str = ""


@dataclass(frozen=True, slots=True)
class ServerOutput:
    """What a server-side tool call gave; `raw` is any JSON value, frozen."""

    content: str = ""
    raw: Any = None
    is_error: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "raw", frozen(self.raw))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model makes.

    A client call is answered by a `tool_result` message; a server call
    carries its own `output` and never gets one (PI-S3).
    Empty `arguments` and absent ones are the same.
    """

    id: str = ""
    name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    signature: str = ""
    server: bool = False
    server_type: str = ""
    output: ServerOutput | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", frozen(self.arguments))


@dataclass(frozen=True, slots=True)
class Reminder:
    """Injected context inside a message: the model reads it, a reader doesn't (PI-V6)."""

    text: str = ""
    origin: str = ""


Block = Text | Thinking | Image | File | ToolCall | Reminder
