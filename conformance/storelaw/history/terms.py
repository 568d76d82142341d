"""The promises under which a history is judged, and what each of them means.

Consistency, by the names of the manifest; each model asks all that the one before it asks.

``per-writer``
    A load gives no entry twice, none that nobody sent, and none of an append that was refused.
    Among what it gives, the entries of one writer stand in the order in which it sent them.
    A final load, one that began after every append of its session had ended and the medium had
    settled, gives every acknowledged entry. A load that isn't final may miss anything. An
    append of which no end was seen holds nobody up: what others were told is stored stays.
``sequential``
    In addition there is one order of all entries, and every load gives a beginning of it. A
    writer never sees less than it saw before, and sees what it had acknowledged itself.
``real-time``
    In addition the one order keeps to real time: what was acknowledged before another append
    began stands before it, a load gives all that was acknowledged before it began, and it
    gives no less than a load that had ended before.

A *writer* is a worker on one handle. Two handles are two clients, so only ``real-time`` orders
what one worker does on two of them. Within a writer, too, an append comes before another only
where it was acknowledged before the other began: acts that overlap have no order, and an append
with an unknown outcome may take effect late, or never.

``batch`` is ``atomic`` when each load gives a batch whole or not at all, and, where there is
one order, gives it unbroken. With ``prefix`` (and ``one``) a load may give a beginning of a
batch, others' entries may stand in between, and a refused append may leave a proper beginning.

All this can be decided without searching for an order, because the log is the order: tags are
unique, so each position names the append that filled it, and entries are only added, so each
load is a place in the log. What is left is to compare places with tickets, and a chain of such
comparisons is contradictory only when one pair in it is.

Not claimed: anything about two sessions together (each is judged by itself), about stores that
drop old entries on purpose, or about entries that were sent twice.
"""

from dataclasses import dataclass
from typing import Final

from storelaw.errors import Misconfigured

CONSISTENCIES: Final = ("per-writer", "sequential", "real-time")
BATCHES: Final = ("prefix", "atomic", "one")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the store promises; raises :class:`Misconfigured` for a promise that doesn't exist."""

    consistency: str
    batch: str

    def __post_init__(self) -> None:
        _check("consistency", self.consistency, CONSISTENCIES)
        _check("batch", self.batch, BATCHES)

    @property
    def one_order(self) -> bool:
        """Whether every load gives a beginning of one order."""
        return self.consistency != "per-writer"

    @property
    def real_time(self) -> bool:
        """Whether the one order keeps to real time."""
        return self.consistency == "real-time"

    @property
    def whole(self) -> bool:
        """Whether batches are there whole or not at all."""
        return self.batch == "atomic"


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise Misconfigured(
            f"configuration: {name} is {value!r}; it takes one of {', '.join(allowed)}"
        )
