"""What a load may give at all: each entry once, sent by somebody, and not refused."""

from collections import Counter
from collections.abc import Iterator

from .acts import Act
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
    """Whether a line has each entry once and none that nobody sent."""
    unsent = line.positions.keys() - ledger.senders.keys() - ledger.elsewhere
    return not unsent and len(line.positions) == len(line.entries)


def purified(line: Line, ledger: Ledger) -> Iterator[Read]:
    """The reads without what nobody sent and without repetitions, for all further questions."""
    for read in line.reads:
        seen = (tag for tag in dict.fromkeys(read.seen) if _known(tag, ledger))
        yield Read(read.act, tuple(seen))


def _known(tag: str, ledger: Ledger) -> bool:
    return tag in ledger.senders or tag in ledger.elsewhere


def impurities(line: Line, ledger: Ledger) -> Iterator[Anomaly]:
    """Repeated entries, and those that nobody sent; at most one of each for a load."""
    for read in line.reads:
        unsent = next((tag for tag in read.seen if not _known(tag, ledger)), None)
        if unsent is not None:
            mark = "{0} was not sent to this session"
            yield accused("invented", SENT, (read.act,), (unsent,), mark)
        times = Counter(tag for tag in read.seen if _known(tag, ledger))
        twice = next((tag for tag, count in times.items() if count > 1), None)
        if twice is not None:
            mark = f"{{0}} is there {times[twice]} times"
            yield accused("duplicated", ONCE, (read.act,), (twice,), mark)


def foreseen(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give an entry whose append began only when they had ended."""
    del ledger, terms
    for read in line.reads:
        ended = read.act.ended
        position = len(read) if ended is None else line.since(len(read), ended)
        sender = line.senders[position] if position < len(read) else None
        if sender is not None:
            tag = line.entries[position]
            acts = (sender, read.act)
            yield accused("invented", SENT_BEFORE, acts, (tag,), "{0} was sent later")


def visible_failures(line: Line, ledger: Ledger, terms: Terms) -> Iterator[Anomaly]:
    """Loads that give entries of a refused append, more than the batch promise allows."""
    del ledger
    found = next(_forbidden(line, terms), None)
    if found is None:
        return
    position, sender = found
    tag = line.entries[position]
    claim = REFUSED if terms.whole or len(sender.sent) == 1 else REFUSED_RUN
    for read in line.showing(position):
        acts = (sender, read.act)
        yield accused("visible-failure", claim, acts, (tag,), "{0} was refused")


def _forbidden(line: Line, terms: Terms) -> Iterator[tuple[int, Act]]:
    for position, sender in enumerate(line.senders):
        if sender is None or sender.outcome != "failed":
            continue
        if terms.whole or not _in_proper_beginning(line, position, sender):
            yield position, sender


def _in_proper_beginning(line: Line, position: int, sender: Act) -> bool:
    """Whether all before an entry of a batch is there too, and the entry isn't the last."""
    place = sender.sent.index(line.entries[position])
    before = (line.positions.get(tag, position) for tag in sender.sent[:place])
    return place < len(sender.sent) - 1 and all(each < position for each in before)
