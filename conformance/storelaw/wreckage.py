"""What a store shows after a crash: observations for the laws to judge.

A torn write and a killed process leave something behind; each is looked at through fresh
handles, before and after a further append.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from storelaw.values import Entry, is_array

#: What stands behind the bytes that a torn write left: nothing, NUL bytes, blanks.
Tail: TypeAlias = Literal["", "nul", "blank"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What one operation of a fresh handle came to: its answer, or what it raised.

    ``error`` is the identity of what was raised, ``text`` its words.
    """

    value: Any = None
    error: str | None = None
    text: str = ""

    @property
    def log(self) -> list[Entry]:
        """The entries that a load gave."""
        return list(self.value) if is_array(self.value) else []

    @property
    def ok(self) -> bool:
        """Whether nothing was raised."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Cut:
    """A copy of a medium in which a write ended early: after ``kept`` of ``of`` bytes.

    ``others`` says whether the further files that the write changed are as ``old`` or as
    ``new``. ``seen`` is the log, ``written`` the append after it, ``then`` the log after
    that; ``record`` is the session's record where there is one.
    ``at`` is where in the file the write began, ``near`` what stood just before it, ``left``
    what the cut left of it and ``lost`` the first bytes that it took.
    """

    file: str
    kept: int
    of: int
    tail: Tail = ""
    others: str = "new"
    created: bool = False
    ended: bool = False
    left: bytes = b""
    at: int = 0
    near: bytes = b""
    lost: bytes = b""
    seen: Sight = Sight()
    record: Sight = Sight()
    written: Sight = Sight()
    then: Sight = Sight()

    @property
    def place(self) -> tuple[str, Tail, int]:
        """What the copies that differ in ``others`` alone have in common."""
        return self.file, self.tail, self.kept

    @property
    def behind(self) -> bool:
        """Whether the write was torn behind what had been there."""
        return not self.created

    @property
    def unended(self) -> bool:
        """Whether a line feed is all that is missing there."""
        return self.behind and self.ended and self.kept == self.of - 1 and not self.tail


@dataclass(frozen=True, slots=True)
class Torn:
    """A write that was torn at ``tried`` of ``possible`` places, on copies of the medium.

    ``before`` is the log before it, ``whole`` the log after it, ``record`` the session's
    record where there is one.
    """

    before: Sight
    whole: Sight
    cuts: tuple[Cut, ...]
    tried: int
    possible: int
    record: Sight = Sight()


@dataclass(frozen=True, slots=True)
class Kill:
    """A process that was killed, and what fresh handles found of the session it worked in.

    The batches in ``sent`` had been acknowledged (or so many sessions been made as
    ``answered`` says), ``due`` is the one that came next; ``inside`` says that it had begun
    and not ended. ``ended`` says that the process came to its end alive, ``refusal`` is what
    an operation raised.
    ``seen`` is the log, ``retried`` the next operation made again and ``again`` the log
    after it, ``written`` a further append and ``later`` the log after that. ``listed`` is what
    the store listed before any of these, where it lists. ``last`` is the session that was made
    last, where each operation makes one.
    """

    session: Any
    answered: int
    inside: bool
    ended: bool = False
    refusal: str = ""
    sent: tuple[tuple[Entry, ...], ...] = ()
    due: tuple[Entry, ...] = ()
    seen: Sight = Sight()
    retried: Sight = Sight()
    again: Sight = Sight()
    written: Sight = Sight()
    later: Sight = Sight()
    last: Sight | None = None
    listed: Sight | None = None


@dataclass(frozen=True, slots=True)
class Killed:
    """All kills of one step; ``base`` is the log of the session that it names."""

    kills: tuple[Kill, ...]
    base: Sight = Sight()

    @property
    def inside(self) -> int:
        """How many kills fell between the begin and the end of an operation."""
        return sum(each.inside for each in self.kills)
