"""The ways in which a memory says no.

Each class is one refusal, told apart by identity; `http` is the status that
it has across a network. Every other exception is a fault of the store: 500,
and worth a retry (OA-Q1).
"""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import Repr
from typing import Any, ClassVar

_shown = Repr()
_shown.maxlevel, _shown.maxstring, _shown.maxother = 4, 200, 200


class Refusal(Exception):
    """A permanent refusal, whose first argument is the offending value. Rule: OA-Q1."""

    said: ClassVar[str] = "refused"
    http: ClassVar[int] = 400

    def __init__(self, value: object, why: str = "") -> None:
        super().__init__(value, why)

    def __str__(self) -> str:
        value, why = self.args
        return f"{self.said}: {_shown.repr(value)}" + (f" ({why})" if why else "")


class InvalidEntry(Refusal):
    """This is no entry, or no turn. Rules: OA-L5, D-OA-1, D-OA-2, D-OA-8, D-OA-11."""

    said = "not an entry that can be kept"


class InvalidQuery(Refusal):
    """A query asks for what no backend answers. Rule: OA-Q1."""

    said = "not a query"


class AppendOnlyKind(Refusal):
    """Entries of this kind are never deleted one by one. Rule: OA-L4."""

    said = "this kind is append-only"
    http = 403


class WriteDenied(Refusal):
    """The caller may not write this kind in this scope. Rule: OA-Q1."""

    said = "the caller may not write"
    http = 403


class ProvenanceRequired(Refusal):
    """An append-only entry came without a signature. Rule: OA-P1."""

    said = "this entry needs a signature"
    http = 403


class BadProvenance(Refusal):
    """A signature doesn't verify, or its publisher may not sign here. Rule: OA-P1."""

    said = "the signature is not good for"
    http = 403


class AppendOnlyConflict(Refusal):
    """An append-only id holds another payload; `stored` is what it holds. Rule: OA-A10."""

    said = "this id holds another payload"
    http = 409

    def __init__(self, value: object, stored: Mapping[str, Any]) -> None:
        super().__init__(value)
        self.stored = stored


class IndexConflict(Refusal):
    """A turn's (index, role) holds another turn. Rules: OA-A4, D-OA-15."""

    said = "this index and role hold another turn"
    http = 409
