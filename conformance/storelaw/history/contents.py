"""What a load may give at all: each entry once, sent by somebody, and not refused."""

from collections import Counter
from collections.abc import Iterator

from .acts import Act, last_ticket
from .ledgers import Ledger
from .lines import Line, Read
from .terms import Terms
from .witnesses import Anomaly, accused

SENT = "A load gives only entries that were sent to its session."
SENT_BEFORE = "A load gives no entry that was sent after the load had ended."
ONCE = "A load gives each entry once."
REFUSED = "An append that was refused leaves nothing to be seen."
REFUSED_RUN = "An append that was refused leaves at most a beginning of its batch, and never all."


def pure(line: Line, ledger: Ledger) -> bool:
    """Whether the reads of a line have each entry once, and none that was not sent by then."""
    if len(line.positions) < len(line.entries):
        return False
    if not all(tag in ledger.senders or tag in ledger.elsewhere for tag in line.positions):
        return False
    return not any(_foresees(line, each) for each in line.reads)


def _foresees(line: Line, read: Read) -> bool:
    return len(read) > 0 and line.newest[len(read) - 1] > last_ticket(read.act)


def purified(line: Line, ledger: Ledger) -> Iterator[Read]:
    """The reads for all further questions: without repetitions and what nobody sent.

    A read that foresees an entry is left out: whatever else it gave, it can't be placed.
    """
    for read in line.reads:
        if not _foresees(line, read):
            seen = (tag for tag in dict.fromkeys(read.seen) if _sent(tag, read, ledger))
            yield Read(read.act, tuple(seen))


def _sent(tag: str, read: Read, ledger: Ledger) -> bool:
    """Whether an entry was sent before a load ended."""
    sender = ledger.senders.get(tag)
    return tag in ledger.elsewhere if sender is None else not read.act.before(sender)


def impurities(line: Line, ledger: Ledger) -> Iterator[Anomaly]:
    """Entries that were not sent, and repeated ones; at most one of each for a load."""
    for read in line.reads:
        unsent = next((tag for tag in read.seen if not _sent(tag, read, ledger)), None)
        if unsent is not None:
            yield _invented(unsent, read, ledger)
        times = Counter(tag for tag in read.seen if _sent(tag, read, ledger))
        twice = next((tag for tag, count in times.items() if count > 1), None)
        if twice is not None:
            mark = f"{{0}} is there {times[twice]} times"
            yield accused("duplicated", ONCE, (read.act,), (twice,), mark)


def _invented(tag: str, read: Read, ledger: Ledger) -> Anomaly:
    sender = ledger.senders.get(tag)
    if sender is None:
        mark = "{0} was not sent to this session"
        return accused("invented", SENT, (read.act,), (tag,), mark)
    return accused("invented", SENT_BEFORE, (sender, read.act), (tag,), "{0} was sent later")


def barred(line: Line, position: int, terms: Terms) -> bool:
    """Whether an entry can't be there at all, because its append was refused."""
    sender = line.senders[position]
    if sender is None or sender.outcome != "failed":
        return False
    return terms.whole or line.entries[position] == sender.sent[-1]


def visible_failures(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give entries of a refused append, more than the batch promise allows."""
    del ledger
    found = next(_visible(line, terms), None)
    if found is None:
        return
    position, sender, skipped = found
    claim = REFUSED if terms.whole or len(sender.sent) == 1 else REFUSED_RUN
    tags = (line.entries[position], *skipped)
    for read in line.showing(position):
        acts = (sender, read.act)
        yield accused("visible-failure", claim, acts, tags, "{0} was refused")


def _visible(line: Line, terms: Terms) -> Iterator[tuple[int, Act, tuple[str, ...]]]:
    """Entries that may not be there, each with the one that it may not be there without."""
    counts = Counter[int]()
    for position, sender in enumerate(line.senders):
        if sender is not None and sender.outcome == "failed":
            expected = sender.sent[counts[id(sender)]]
            counts[id(sender)] += 1
            if barred(line, position, terms):
                yield position, sender, ()
            elif expected != line.entries[position]:
                yield position, sender, (expected,)
