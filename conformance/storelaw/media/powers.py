"""The powers that media of stores of our own share: a clock, and a write that fails."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Final

from storelaw.driver import Injected
from storelaw.manifest import Manifest
from storelaw.media.texts import DEPTH, now_utc
from storelaw.medium import Medium

#: What the kit's own database stores say of themselves, each under its name.
DATABASE: Final = Manifest(
    name="database",
    durable=True,
    batch="atomic",
    crash="acknowledged",
    writers=frozenset({"tasks", "threads", "processes"}),
    consistency="real-time",
    closed_is_final=True,
    max_depth=DEPTH,
    filters=frozenset({"last", "first", "after", "before"}),
    options={
        "reappend": "duplicate",
        "id_scope": "session",
        "ids": "optional",
        "create": "explicit",
        "unknown_session": "raise",
        "unknown_delete": "ignore",
        "delete_by": "id",
        "negative_count": "nothing",
    },
)


class PoweredMedium(Medium):
    """Gives its stores the ``time``, and is told by them which point a write has ``reached``.

    The points are ``item`` (k entries of the batch were handled), ``before-commit`` and
    ``after-commit``.
    """

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self._now: Callable[[], datetime] = now_utc
        self._failure: tuple[str, int] | None = None

    def clock(self, fn: Callable[[], datetime]) -> None:
        """Date sessions by a function."""
        self._now = fn

    def time(self) -> datetime:
        """What the clock says."""
        return self._now()

    def fail_next(self, point: str, k: int = 0) -> None:
        """Let the next write that gets to a point fail there, once.

        ``inside`` is the last moment before the commit.
        """
        self._failure = ("before-commit" if point == "inside" else point, k)

    def reached(self, point: str, k: int = 0) -> None:
        """Fail, if this is the point."""
        if self._failure == (point, k):
            self._failure = None
            raise Injected(f"harness: the store fails at {point}")


class DatabaseMedium(PoweredMedium):
    """A medium whose store has no append-only files, and no line of an entry to be harmed."""

    files: ClassVar[None] = None
    damage: ClassVar[None] = None


def nothing(point: str, k: int = 0) -> None:
    """What happens at the points of a write, unless somebody asks for more."""
