"""The acts of each session, sorted for judging."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from storelaw.errors import HarnessFault
from storelaw.program import Key

from .acts import Act, History, Writer, last_ticket


@dataclass(frozen=True, slots=True)
class Ledger:
    """One session: who sent each tag, what was acknowledged, what was loaded.

    ``places`` holds for each tag of a larger batch its place in it;
    ``acknowledged`` is in the order in which the store answered, and ``by_writer`` is the same
    for each writer; ``quiet`` is the ticket after which a load is final; ``elsewhere`` are tags
    that acts outside the history have sent.
    """

    senders: Mapping[str, Act]
    places: Mapping[str, int]
    acknowledged: Sequence[Act]
    by_writer: Mapping[Writer, Sequence[Act]]
    loads: Sequence[Act]
    quiet: int
    elsewhere: frozenset[str]

    def final(self, load: Act) -> bool:
        """Whether a load began when everything had ended and settled."""
        return load.began > self.quiet


def ledgers(history: History) -> list[Ledger]:
    """A ledger for each session.

    Raises :class:`HarnessFault` for a history that can't have happened.
    """
    sessions = defaultdict[Key, list[Act]](list)
    for act in history.acts:
        sessions[act.session].append(act)
    return [_ledger(acts, history) for acts in sessions.values()]


def _ledger(acts: Sequence[Act], history: History) -> Ledger:
    _check_ends(acts)
    appends = [each for each in acts if each.do == "append"]
    answered = [each for each in appends if each.outcome == "ok"]
    acknowledged = sorted(answered, key=attrgetter("ended"))
    return Ledger(
        senders=_senders(appends),
        places=_places(appends),
        acknowledged=acknowledged,
        by_writer=_by_writer(acknowledged),
        loads=[
            each
            for each in acts
            if each.do == "load" and each.outcome == "ok" and each.seen is not None
        ],
        quiet=max(history.settled, max(map(last_ticket, appends), default=0)),
        elsewhere=history.elsewhere,
    )


def _by_writer(acts: Sequence[Act]) -> dict[Writer, list[Act]]:
    found = defaultdict[Writer, list[Act]](list)
    for each in acts:
        found[each.writer].append(each)
    return found


def _check_ends(acts: Sequence[Act]) -> None:
    for each in acts:
        if each.ended is None:
            if each.outcome == "ok":
                raise HarnessFault(f"harness: an act is ok but has no end, give it one: {each}")
        elif each.ended < each.began:
            raise HarnessFault(
                f"harness: an act ended before it began, take both tickets in order: {each}"
            )


def _senders(appends: Sequence[Act]) -> dict[str, Act]:
    senders = {tag: each for each in appends for tag in each.sent}
    if len(senders) < sum(len(each.sent) for each in appends):
        _refuse_second(appends)
    return senders


def _places(appends: Sequence[Act]) -> dict[str, int]:
    batches = (each.sent for each in appends if len(each.sent) > 1)
    return {tag: place for batch in batches for place, tag in enumerate(batch)}


def _refuse_second(appends: Sequence[Act]) -> None:
    ((twice, _),) = Counter(tag for each in appends for tag in each.sent).most_common(1)
    raise HarnessFault(
        f"harness: the tag {twice!r} was sent twice to one session; give each entry its own"
    )
