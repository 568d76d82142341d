"""Appends whose connection to the server is cut: the step, as data, and what was found of it."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storelaw.errors import IDENTITIES
from storelaw.program import Item, Key, Step, append
from storelaw.samples import said
from storelaw.values import Entry
from storelaw.wreckage import Sight

#: What is lost: the request; the reply; the second half of the reply.
Place: TypeAlias = Literal["before-request", "before-reply", "in-reply"]

#: What another client appends at last.
AFTER: Final = said("after")

#: What lies in each session before anything is cut.
FIRST: Final = said("first")

#: An append of more exchanges than this is not cut in its later ones.
MOST: Final = 12


def lose(session: Key, *entries: Item, point: Place, then: Entry = AFTER) -> Step:
    """Append by way of a proxy that cuts the connection at a point of an exchange.

    It is the first exchange of the append in one session, the second one in another, and so
    on. Each time the append is then made again, under the same ids, and another client
    appends ``then``.
    """
    return Step("lose", session, entries, 0, {"point": point, "then": append(session, then)})


def numbered(step: Step, number: int) -> Step:
    """A step on a session of its own, with ids of its own for the entries."""
    entries = tuple(_named(each, number) for each in step.expanded())
    return Step("append", f"{step.session}-{number}", entries)


def _named(entry: Entry, number: int) -> Entry:
    return {**entry, "id": f"{entry['id']}-{number}"} if "id" in entry else entry


@dataclass(frozen=True, slots=True)
class Cutoff:
    """An append whose connection was to be cut after ``passed`` of its exchanges.

    ``struck`` says whether it was: an append may have no such exchange.
    ``came`` is what the append came to for its client, ``seen`` the log after it,
    ``retried`` the same append by another client and ``again`` the log after that,
    ``written`` a further append by a third client and ``later`` the log at the end.
    """

    session: Key
    passed: int
    struck: bool
    before: tuple[Entry, ...]
    sent: tuple[Entry, ...]
    came: Sight
    seen: Sight
    retried: Sight
    again: Sight
    written: Sight
    later: Sight

    @property
    def outcome(self) -> Literal["ok", "failed", "unknown"]:
        """What the client knows of its append: failed where it was refused by name."""
        if self.came.ok:
            return "ok"
        return "failed" if self.came.error in IDENTITIES else "unknown"


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """All appends of one step."""

    found: tuple[Cutoff, ...]

    @property
    def struck(self) -> int:
        """How many connections were cut."""
        return sum(each.struck for each in self.found)
