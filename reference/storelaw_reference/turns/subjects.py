"""Subjects: who wrote a turn."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from storelaw_reference.turns.errors import InvalidEntry


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody of a type (`user`, `session`, `system`, …) with an id.

    Its text is `<type>:<id>`; the id of a user is written as unpadded base64url.
    """

    type: str
    id: str

    @classmethod
    def parse(cls, text: str) -> Subject:
        """Read a subject's text. Raises `InvalidEntry` unless it writes back the same."""
        kind, colon, name = text.partition(":")
        try:
            subject = cls(kind, _decoded(name) if kind == "user" else name)
        except ValueError as error:
            raise InvalidEntry(text, "no subject") from error
        if not kind or not colon or not name or str(subject) != text:
            raise InvalidEntry(text, "no subject")
        return subject

    def __str__(self) -> str:
        return f"{self.type}:{_encoded(self.id) if self.type == 'user' else self.id}"


def _encoded(name: str) -> str:
    return urlsafe_b64encode(name.encode()).decode().rstrip("=")


def _decoded(name: str) -> str:
    return urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
