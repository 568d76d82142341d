"""What a store author writes: a medium, on which handles are opened."""

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from storelaw.manifest import OPERATIONS, Manifest

__all__ = ["OPERATIONS", "POWERS", "Medium", "PerSession", "temporary"]

#: The powers of a medium, each opening laws that are otherwise not evaluated.
POWERS: Final = (
    "crash",
    "files",
    "damage",
    "clock",
    "settle",
    "fail_next",
    "target",
    "route",
    "former",
)


class Medium:
    """The place where a store keeps its data; subclass it, name a manifest, and open handles.

    Made once for each program, on a fresh empty directory ``workdir``, with a fresh unique
    ``name`` (letters and digits, safe as a key prefix or schema name).
    ``open()`` may be called many times on one medium; open, close, open is a restart.
    Powers (``crash``, ``files``, ``damage``, ``clock``, ``settle``, ``fail_next``,
    ``target``, ``route``, ``former``), ``open_session(handle, session_id)`` and the views
    ``model_view(path)`` and ``transcript_view(path)`` are added by defining them. A power that
    is ``None`` says that the store has nothing that it could be about (a database has no
    append-only ``files``): laws that need it are then not applicable, where a missing one
    leaves them not evaluated.
    """

    manifest: ClassVar[Manifest]

    #: False for a store that lives in memory alone; it then may get a directory that an
    #: earlier program left untouched, which is cheaper.
    needs_directory: ClassVar[bool] = True

    def __init__(self, workdir: Path) -> None:
        self.workdir = workdir
        self.name = "sl" + os.urandom(8).hex()

    @classmethod
    def start(cls) -> None:
        """Dear set-up, once for each process."""

    @classmethod
    def stop(cls) -> None:
        """Undo what ``start`` did."""

    def open(self) -> Any:
        """A new handle (or an awaitable of one) on this medium."""
        raise NotImplementedError(f"medium: {type(self).__name__} does not define open()")

    def close(self, handle: Any) -> Any:
        """Close a handle; by default by its own ``close()``, where it has one."""
        closing = getattr(handle, "close", None)
        return closing() if callable(closing) else None

    def destroy(self) -> Any:
        """Free what the medium holds outside ``workdir``."""


def temporary() -> Path:
    """The directory under which media get their own; on memory where the system has such."""
    shared = Path("/dev/shm")
    return shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())


class PerSession:
    """A handle for stores that have one object for each session.

    ``factory(session_id)`` makes (or returns an awaitable of) the object; each further
    argument maps an operation of the port to the name of that object's method::

        PerSession(lambda id: SQLiteSession(id, path), append="add_items", load="get_items")

    Rule: issue text of the port; one object is kept for each session until ``close``.
    """

    def __init__(
        self,
        factory: Callable[[Any], Any],
        *,
        close: str | None = "close",
        filters: Mapping[str, str] | None = None,
        **operations: str,
    ) -> None:
        unknown = sorted(set(operations) - set(OPERATIONS))
        if unknown:
            raise TypeError(
                f"medium: PerSession knows no operation {unknown[0]!r}; "
                f"operations are {', '.join(OPERATIONS)}"
            )
        self._factory, self._close = factory, close
        self._filters = dict(filters or {})
        self._objects: dict[Any, Any] = {}
        for operation, method in operations.items():
            setattr(self, operation, self._forward(method))

    def _forward(self, method: str) -> Callable[..., Any]:
        def operation(session_id: Any, *args: Any, **filters: Any) -> Any:
            named = {self._filters.get(name, name): value for name, value in filters.items()}
            target = self._object(session_id)
            if hasattr(target, "__await__"):
                return self._later(target, session_id, method, args, named)
            return getattr(target, method)(*args, **named)

        return operation

    async def _later(
        self, making: Any, session_id: Any, method: str, args: Any, named: dict[str, Any]
    ) -> Any:
        try:
            self._objects[session_id] = await making
        except BaseException:
            del self._objects[session_id]
            raise
        answer = getattr(self._objects[session_id], method)(*args, **named)
        return await answer if hasattr(answer, "__await__") else answer

    def _object(self, session_id: Any) -> Any:
        if session_id not in self._objects:
            self._objects[session_id] = self._factory(session_id)
        return self._objects[session_id]

    def close(self) -> Any:
        """Close each object by the method that ``close=`` names, if it has one."""
        closing = [
            getattr(each, self._close)
            for each in self._objects.values()
            if self._close and hasattr(each, self._close)
        ]
        self._objects.clear()
        answers = [each() for each in closing]
        awaitables = [each for each in answers if hasattr(each, "__await__")]
        return _all(awaitables) if awaitables else None


async def _all(awaitables: list[Any]) -> None:
    for each in awaitables:
        await each
