"""What was found after a process was killed or a connection cut."""

from collections.abc import Mapping
from typing import Any, Final

from .figure import Figure

TITLES: Final = {"killed": "After the kill", "cut": "After the cut"}


def aftermath_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of an ``aftermath``: steps alone."""
    how = drawing["how"]
    return Figure(TITLES[how], (), (f"It was {how} {drawing['place']}.",), tuple(drawing["came"]))
