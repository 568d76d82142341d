"""What a figure is: panels side by side, and words that say the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing under its own short title."""

    title: str
    drawing: Markup


@dataclass(frozen=True, slots=True)
class Figure:
    """The panels of a drawing, the sentences that tell it, and the marks that it uses.

    ``steps`` are what further operations came to, each with whether it passed, ``rows`` the
    places at which both sides differ.
    """

    title: str
    panels: tuple[Panel, ...]
    sentences: tuple[str, ...]
    steps: tuple[Mapping[str, Any], ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()


def listed(names: Iterable[str]) -> str:
    """Names in a sentence."""
    return ", ".join(names) or "nothing"
