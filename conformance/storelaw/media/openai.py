"""The OpenAI Agents SDK's ``SQLiteSession`` as a medium.

An item of that SDK is any JSON object, so an entry goes in as it is. The store knows no
entry ids and no parents; ``limit`` gives the latest items in chronological order; clearing
a session forgets it. With a file path it is persistent.
"""

from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.medium import Medium, PerSession


class OpenAIMedium(Medium):
    """One SQLite file; a handle has one ``SQLiteSession`` for each session."""

    manifest = Manifest(
        name="openai",
        durable=True,
        entry_id=None,
        filters=frozenset({"last"}),
        options={"create": "implicit", "unknown_session": "empty"},
        cost=60.0,
    )

    def open(self) -> PerSession:
        """A further client of the file."""
        make = imported("agents", "openai").SQLiteSession
        path = self.workdir / "sessions.db"
        return PerSession(
            lambda session_id: make(session_id, path),
            append="add_items",
            load="get_items",
            pop="pop_item",
            clear="clear_session",
            filters={"last": "limit"},
        )
