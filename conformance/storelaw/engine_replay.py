"""The reference's projections of a log behind JSON: the replay door of the bundled media.

They are a subject here, never an oracle: no law takes an expected value from them.
"""

from typing import Any

from storelaw.values import Entry
from storelaw_reference import log


class ReferenceReplay:
    """The two projections of a list of entries, to be mixed into a medium."""

    def to_agent_input(self, entries: list[Entry]) -> list[Any]:
        """The inputs that a model reads."""
        return log.to_agent_input(entries)

    def projected(self, entries: list[Entry]) -> list[Entry]:
        """The entries as the latest compaction shows them."""
        return list(log.projected(entries))
