"""Surfaces: the views from which a user speaks, named by URN. Their shapes are the schemas'."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SEGMENT = "[a-z0-9][a-z0-9-]{0,63}"
_URN = re.compile(
    rf"urn:ap:view:(?:(?P<bare>chat|tui)"
    rf"|(?P<artifact>artifact):(?P<name>{_SEGMENT})(?:/(?P<sub>{_SEGMENT}))?"
    rf"|session:(?P<session>{_SEGMENT}/{_SEGMENT})(?:/(?P<part>{_SEGMENT}))?)"
)


@dataclass(frozen=True, slots=True)
class Surface:
    """A surface: `chat`, `tui`, an `artifact` by id or a `session` by namespace and name."""

    kind: str
    value: str = ""
    sub: str = ""

    @classmethod
    def parse(cls, urn: str) -> Surface | None:
        """Read a URN; None for what is none. Rule: OA-S2."""
        match = _URN.fullmatch(urn)
        if match is None:
            return None
        if match["bare"]:
            return cls(match["bare"])
        if match["artifact"]:
            return cls("artifact", match["name"], match["sub"] or "")
        return cls("session", match["session"], match["part"] or "")

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.value, self.sub) if part)
