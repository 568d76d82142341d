"""What is found wrong, each with the few acts that contradict each other."""

from collections.abc import Container
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, Literal, TypeAlias, get_args

from .acts import Act, History

Kind: TypeAlias = Literal[
    "invented",
    "duplicated",
    "visible-failure",
    "lost",
    "split-batch",
    "reordered",
    "forked",
    "back-in-time",
    "stale",
    "real-time-order",
]

#: All kinds, in the order in which they are reported.
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

#: The longest name that is written out.
WIDEST: Final = 16


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One contradiction: what a right store gives, and the few acts that deny it.

    ``claim`` is the sentence that the store breaks; ``acts`` are the acts that contradict each
    other, in the order in which they began; ``tags`` are the entries about which they do, and
    ``pattern`` says how, with their places in ``tags`` for their names.
    ``quiet`` is the ticket after which a load of this session was final.
    ``more`` counts the further loads that show an anomaly of the same kind.
    """

    kind: Kind
    claim: str
    acts: tuple[Act, ...]
    tags: tuple[str, ...]
    pattern: str
    quiet: int = 0
    more: int = 0

    @property
    def mark(self) -> str:
        """How the acts contradict each other, in a few words of ASCII."""
        return self.pattern.format(*map(named, self.tags))

    def excerpt(self) -> History:
        """The acts alone, cut down to the tags: a history that shows this anomaly by itself.

        A refused batch keeps its last entry, so that a beginning of it doesn't become all.
        """
        failed = (each.sent[-1] for each in self.acts if each.outcome == "failed" and each.sent)
        kept = {*self.tags, *(() if self.kind == "visible-failure" else failed)}
        acts = tuple(_cut(each, kept, self.tags, self.kind) for each in self.acts)
        sent = {tag for each in acts for tag in each.sent}
        unsent = frozenset[str]() if self.kind == "invented" else frozenset(self.tags) - sent
        return History(acts, settled=self.quiet, elsewhere=unsent)


def named(tag: str) -> str:
    """A tag or another name as short ASCII."""
    text = ascii(tag)[1:-1]
    return text if len(text) <= WIDEST else f"{text[:6]}..{text[-8:]}"


def in_order(*acts: Act) -> tuple[Act, ...]:
    """Acts in the order in which they began."""
    return tuple(sorted(acts, key=attrgetter("began")))


def _cut(act: Act, sent: Container[str], tags: Container[str], kind: Kind) -> Act:
    """An act without the tags that don't matter, and without repetitions that don't."""
    seen = act.seen or ()
    once = seen if kind == "duplicated" else tuple(dict.fromkeys(seen))
    return replace(
        act,
        sent=tuple(each for each in act.sent if each in sent),
        seen=None if act.seen is None else tuple(each for each in once if each in tags),
    )


def accused(
    kind: Kind, claim: str, acts: tuple[Act, ...], tags: tuple[str, ...], pattern: str
) -> Anomaly:
    """An anomaly, its acts in the order in which they began."""
    return Anomaly(kind, claim, in_order(*acts), tags, pattern)
