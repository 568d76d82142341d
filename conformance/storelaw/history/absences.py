"""What a load must give: everything that was acknowledged, soon enough.

Appends are looked through in the order in which the store answered, up to the first that is
missing from a line altogether. That costs no more steps than the line has entries, and any load
that had to give a later one had to give that one too.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .acts import Act, Writer
from .contents import barred
from .ledgers import Ledger
from .lines import NOWHERE, Line, Read
from .terms import Terms
from .witnesses import Anomaly, Kind, accused

FINAL = "Once everything has ended, a load gives all that was acknowledged."
CURRENT = "A load gives all that was acknowledged before it began."
OWN = "A load gives all that its own writer had been told is stored."
BEFORE = "A load that gives an entry gives all that was acknowledged before that entry was sent."
OWN_BEFORE = "A load that gives an entry gives all that its writer had been told is stored before."

PASSED = "{0} is missing, {1} is there"


@dataclass(frozen=True, slots=True)
class Dues:
    """Acknowledged appends in the order of the answers, and how far down a line they reach.

    ``reaches`` holds for each the highest position up to it, ``owners`` the append that has it.
    """

    ends: Sequence[int]
    reaches: Sequence[float]
    owners: Sequence[Act]

    def missing(self, length: int, ticket: int) -> Act | None:
        """An append that was acknowledged before a ticket and isn't whole below a length."""
        count = bisect_left(self.ends, ticket)
        late = count > 0 and self.reaches[count - 1] >= length
        return self.owners[count - 1] if late else None

    @property
    def absent(self) -> Act | None:
        """The first append that isn't whole anywhere in the line."""
        return self.owners[-1] if self.reaches and self.reaches[-1] == NOWHERE else None


def dues(line: Line, acknowledged: Sequence[Act]) -> Dues:
    """The acknowledged appends over a line, up to the first that is missing."""
    ends: list[int] = []
    reaches: list[float] = []
    owners: list[Act] = []
    reach, owner = -1.0, None
    for act in acknowledged:
        end = line.end_of(act)
        if owner is None or end > reach:
            reach, owner = end, act
        ends.append(act.ended or 0)
        reaches.append(reach)
        owners.append(owner)
        if reach == NOWHERE:
            break
    return Dues(ends, reaches, owners)


def losses(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Final loads, and under real time all loads, that miss what was acknowledged."""
    owed = [each for each in line.reads if terms.real_time or ledger.final(each.act)]
    if not owed:
        return
    all_dues = dues(line, ledger.acknowledged)
    for read in owed:
        missing = all_dues.missing(len(read), read.act.began)
        if missing is not None and ledger.final(read.act):
            yield _missed(line, "lost", FINAL, missing, read)
        elif missing is not None:
            yield _missed(line, "stale", CURRENT, missing, read)
        elif terms.real_time and all_dues.absent is not None:
            yield from _gap(line, all_dues.absent, read, terms)


def _missed(line: Line, kind: Kind, claim: str, missing: Act, read: Read) -> Anomaly:
    tag = line.missing(missing, len(read))
    return accused(kind, claim, (missing, read.act), (tag,), "{0} is missing")


def _gap(line: Line, absent: Act, read: Read, terms: Terms) -> Iterator[Anomaly]:
    """A load that gives what was sent after the acknowledgement of what it misses."""
    position = line.since(len(read), absent.ended or 0)
    later = line.senders[position] if position < len(read) else None
    if later is not None and not barred(line, position, terms):
        missed, tag = line.missing(absent, len(read)), line.entries[position]
        acts = (absent, later, read.act)
        yield accused("real-time-order", BEFORE, acts, (missed, tag), PASSED)


def forgotten(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Where there is one order, without real time: loads that miss what their own writer, or
    the writer of an entry they give, had been told is stored."""
    if not terms.one_order or terms.real_time:
        return
    open_reads = [each for each in line.reads if not ledger.final(each.act)]
    writers = {each.act.writer for each in open_reads}
    owed = {each: dues(line, ledger.by_writer.get(each, ())) for each in writers}
    gap = _first_gap(line, ledger, terms) if open_reads else None
    for read in open_reads:
        yield from _own(line, owed[read.act.writer], gap, read)


def _own(line: Line, owed: Dues, gap: tuple[int, Act] | None, read: Read) -> Iterator[Anomaly]:
    missing = owed.missing(len(read), read.act.began)
    if missing is not None:
        yield _missed(line, "stale", OWN, missing, read)
    elif gap is not None and gap[0] < len(read):
        yield _own_gap(line, gap[0], gap[1], read)


def _own_gap(line: Line, position: int, absent: Act, read: Read) -> Anomaly:
    later = line.senders[position] or absent
    missed, tag = line.missing(absent, len(read)), line.entries[position]
    return accused("reordered", OWN_BEFORE, (absent, later, read.act), (missed, tag), PASSED)


def _first_gap(line: Line, ledger: Ledger, terms: Terms) -> tuple[int, Act] | None:
    """The first entry whose writer had been told that another is stored which isn't there."""
    absent: dict[Writer, Act | None] = {}
    for position, sender in enumerate(line.senders):
        if sender is not None and not barred(line, position, terms):
            writer = sender.writer
            if writer not in absent:
                absent[writer] = _absent(line, ledger.by_writer.get(writer, ()))
            missing = absent[writer]
            if missing is not None and missing.before(sender):
                return position, missing
    return None


def _absent(line: Line, acknowledged: Sequence[Act]) -> Act | None:
    return next((each for each in acknowledged if line.end_of(each) == NOWHERE), None)
