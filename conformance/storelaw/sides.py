"""What an id means that a judge compares, so that a failure can be drawn as the tree it is about."""

from typing import Self

from storelaw.values import Entry


class Leaf(str):
    """The id of the entry at which a session stands; empty at the start."""

    __slots__ = ()


class Parent(str):
    """The id of the entry off which one hangs; empty at a root."""

    __slots__ = ("of",)

    of: Entry

    def __new__(cls, name: str, of: Entry) -> Self:
        """The parent's id, with the entry whose parent it is."""
        made = super().__new__(cls, name)
        made.of = of
        return made
