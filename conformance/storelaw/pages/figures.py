"""The drawings of failures: each kind of data in its own form."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .aftermaths import aftermath_figure
from .bytes import bytes_figure
from .columns import lists_figure
from .figure import Figure
from .lanes import lanes_figure
from .members import members_figure
from .trees import tree_figure

FIGURES: Final[Mapping[str, Callable[[Mapping[str, Any]], Figure]]] = {
    "tree": tree_figure,
    "lists": lists_figure,
    "members": members_figure,
    "lanes": lanes_figure,
    "bytes": bytes_figure,
    "aftermath": aftermath_figure,
}


def figure_of(drawing: Mapping[str, Any]) -> Figure:
    """The figure of a drawing that keeps to its schema (``harness/drawing``)."""
    return FIGURES[drawing["kind"]](drawing)
