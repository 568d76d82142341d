"""The kinds of fault that public reports tell of."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from storelaw.specification.text import table, with_tuples


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """A kind of fault: ``kind`` is its short id (``F01``), ``reports`` are public examples.

    A report is a repository and a number (``owner/name#7``). ``reason`` says why no law is
    about it, or what the laws don't see of it.
    """

    kind: str
    title: str
    text: str
    reports: tuple[str, ...] = ()
    reason: str = ""


@cache
def incidents() -> Mapping[str, Incident]:
    """All kinds, by their ids."""
    found = (Incident(**with_tuples(each)) for each in table("incidents")["incidents"])
    return {each.kind: each for each in found}


def incident_of(kind: str) -> Incident:
    """The kind of an id; raises KeyError for one that no report tells of."""
    return incidents()[kind]
