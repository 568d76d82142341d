"""Short words for acts, so that a history is read at a glance.

``A append a1 a2 | 1 2`` is an append of two tags by worker A on handle 0, from ticket 1 to
ticket 2. ``B/1 load s2: a1 | 3 4`` is a load by B on handle 1 from session s2. Behind the
tickets an outcome may stand; ``-`` is an end that nobody saw, and ``load ?`` gave no log.
"""

from storelaw.history import Act, History
from storelaw.history.acts import Deed, Outcome

DEEDS: dict[str, Deed] = {"append": "append", "load": "load"}
OUTCOMES: dict[str, Outcome] = {"ok": "ok", "failed": "failed", "unknown": "unknown"}


def act(line: str) -> Act:
    """One act."""
    what, _, when = line.partition("|")
    who, do, *tags = what.split()
    began, ended, *outcome = when.split()
    session = tags.pop(0)[:-1] if tags and tags[0].endswith(":") else "s"
    worker, _, handle = who.partition("/")
    return Act(
        worker=worker,
        handle=int(handle or 0),
        do=DEEDS[do],
        session=session,
        sent=tuple(tags) if do == "append" else (),
        seen=None if do == "append" or tags == ["?"] else tuple(tags),
        outcome=OUTCOMES[outcome[0] if outcome else "ok"],
        began=int(began),
        ended=None if ended == "-" else int(ended),
    )


def history(text: str, settled: int = 0) -> History:
    """The acts of a text, one on each line."""
    return History(tuple(act(each) for each in text.strip().splitlines()), settled)
