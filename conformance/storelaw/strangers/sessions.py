"""A stranger with a session object of its own, all of it async."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from storelaw.engine import Engine
from storelaw.manifest import Manifest
from storelaw.media.reference import ReferenceMedium
from storelaw.strangers.shapes import Later
from storelaw.values import Entry


def at_once(answer: Awaitable[Any]) -> Any:
    """What a coroutine returns that waits for nothing."""
    try:
        next(answer.__await__())
    except StopIteration as done:
        return done.value
    raise RuntimeError("the coroutine waits for something")


class AsyncSession(Later):
    """A session of coroutines; its model is a coroutine too."""

    async def run(
        self, entries: list[Entry], model: Callable[[list[Entry]], Awaitable[list[Entry]]]
    ) -> Any:
        """Run the model over the history."""

        def speaking(messages: list[Entry]) -> Any:
            return at_once(model(messages))

        return self._now.run(entries, speaking)

    async def fork(self, new_id: str) -> "AsyncSession":
        """The child, async as its parent."""
        return AsyncSession(self._now.fork(new_id))


class OwnSession(ReferenceMedium):
    """Brings its own session, behind ``open_session``, over a store of explicit sessions."""

    manifest = Manifest(
        name="own session",
        durable=True,
        batch="atomic",
        doors=frozenset({"store", "session"}),
        errors=ReferenceMedium.manifest.errors,
        options=ReferenceMedium.manifest.options,
    )

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._engine = Engine()

    async def open_session(self, handle: Any, session_id: str) -> AsyncSession:
        """The session; it is created only where the store has none."""
        return AsyncSession(self._engine.open_session(handle, session_id))
