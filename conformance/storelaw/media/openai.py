"""The OpenAI Agents SDK's ``SQLiteSession`` as a medium.

An item of that SDK is any JSON object, so an entry goes in as it is. The store knows no
entry ids and no parents; ``limit`` gives the latest items in chronological order; clearing
a session forgets it. With a file path it is persistent.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.medium import Medium, PerSession

#: What brings the SDK and its parts.
EXTRA: Final = "openai"


class Sessions(PerSession):
    """A handle with one of the SDK's sessions for each session id.

    Closing it closes what the sessions share, where ``shared`` closes that, else each session.
    """

    def __init__(
        self, factory: Callable[[str], Any], shared: Callable[[], Any] | None = None
    ) -> None:
        super().__init__(
            factory,
            append="add_items",
            load="get_items",
            pop="pop_item",
            clear="clear_session",
            filters={"last": "limit"},
        )
        self._shared = shared

    def close(self) -> Any:
        """Nothing stays open."""
        return self._shared() if self._shared else super().close()


class OpenAIMedium(Medium):
    """One SQLite file; a handle has one ``SQLiteSession`` for each session."""

    manifest: ClassVar[Manifest] = Manifest(
        name="openai",
        durable=True,
        entry_id=None,
        filters=frozenset({"last"}),
        options={"create": "implicit", "unknown_session": "empty"},
        cost=60.0,
    )

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def open(self) -> Any:
        """A further client of the file."""
        make = imported("agents", EXTRA).SQLiteSession
        path = self.workdir / "sessions.db"
        return Sessions(lambda session_id: make(session_id, path))
