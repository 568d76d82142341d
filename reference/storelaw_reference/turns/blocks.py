"""Content blocks: the parts of a turn. Their shapes are the schemas'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from storelaw_reference.transcript.values import frozen


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call that the model makes; `input` is its arguments, JSON as bytes, or None."""

    id: str
    name: str
    input: bytes | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave; `content` is usually in an envelope.

    `rendered_live` says that the user has seen it already (OA-V9).
    """

    tool_use_id: str
    content: str = ""
    is_error: bool = False
    rendered_live: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that lies elsewhere, by references."""

    filename: str
    mime: str
    ref: str
    size_bytes: int = 0
    text_ref: str = ""
    archive_ref: str = ""
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Unknown:
    """A block of another type: stored as it is, shown to no model (OA-S7)."""

    json: Mapping[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "json", frozen(self.json))


Block = Text | ToolUse | ToolResult | Attachment | Unknown
