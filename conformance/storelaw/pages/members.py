"""Two objects, member by member."""

from collections.abc import Mapping
from typing import Any

from .figure import Figure


def members_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of ``members``: a table of the places at which both sides differ."""
    more = ("There are more.",) if drawing["more"] else ()
    return Figure("Where both sides differ", (), more, rows=tuple(drawing["rows"]))
