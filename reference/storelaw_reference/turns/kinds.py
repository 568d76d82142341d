"""Kinds: what a memory knows about the entries of one name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from storelaw_reference.transcript.values import NOTHING, frozen
from storelaw_reference.turns.entries import Scope

WriteAuthority = Literal["anyone", "session"]
"""Who may write: anyone, or the session that the scope belongs to (and the system)."""


class ScopeHooks:
    """What a kind does beside the writes in one scope; does nothing unless overridden."""

    def stored(self, entry: Mapping[str, Any]) -> None:
        """Hear of an entry that was written, not of one that was already there."""

    def deleted(self, entry_id: str) -> None:
        """Hear of an entry that was removed."""


def _quiet(scope: Scope) -> ScopeHooks:
    return ScopeHooks()


@dataclass(frozen=True, slots=True)
class Kind:
    """The contract of one kind of entry.

    `content_schema` describes content to readers; `put` does not enforce it
    (OA-L5). `indexed_fields` are dotted paths in content that a query may
    filter by. A kind with `copied` false stays behind when a prefix is copied.
    """

    name: str
    prefix: str
    append_only: bool = False
    copied: bool = True
    write_authority: WriteAuthority = "anyone"
    content_schema: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    indexed_fields: tuple[str, ...] = ()
    new_scope_hooks: Callable[[Scope], ScopeHooks] = _quiet


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}

TURN = Kind(
    name="turn",
    prefix="turn-",
    append_only=True,
    write_authority="session",
    content_schema=frozen(
        {
            "type": "object",
            "required": ["content"],
            "properties": {
                "content": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "required": ["type"],
                        "properties": {"type": _TEXT},
                    },
                },
                "usage": {
                    "type": "object",
                    "required": ["inputTokens", "outputTokens"],
                    "properties": {
                        "inputTokens": _COUNT,
                        "outputTokens": _COUNT,
                        "cacheCreationTokens": _COUNT,
                        "cacheReadTokens": _COUNT,
                    },
                },
                "author": _TEXT,
                "via": _TEXT,
                "refused": {"type": "boolean"},
                "model": _TEXT,
            },
        }
    ),
    indexed_fields=("author", "model", "refused", "via"),
)
"""The transcript: append-only, authored by the agent session itself."""


class Kinds:
    """The registered kinds, by name. Rule: OA-L5."""

    def __init__(self, kinds: Iterable[Kind] = (TURN,)) -> None:
        self._kinds: dict[str, Kind] = {}
        for kind in kinds:
            self.register(kind)

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._kinds.values())

    def register(self, kind: Kind) -> None:
        """Add a kind; raises `ValueError` for an empty or taken name, or an empty prefix."""
        if not kind.name or not kind.prefix or kind.name in self._kinds:
            raise ValueError(f"a kind has a prefix, and a name of its own: {kind.name!r}")
        self._kinds[kind.name] = kind

    def find(self, name: str) -> Kind | None:
        """Return the kind of a name, or None."""
        return self._kinds.get(name)
