"""Acts of concurrent workers, and the history that they make up.

An act is one append or one load, with the tickets that were taken before it was called and
after it answered. Entries are named by tags: each entry that is sent has a tag of its own, and
a load is told by the tags that it gave. An entry that comes back as something other than what
was sent under its tag (a piece of another writer's entry, say) is told by a tag that nobody
sent, such as ``a1~b2``.

What a load gave is kept as a plain tuple. A recorder does best to put the same string object
for a tag into all of them: comparing two tuples then costs a pointer for each entry.

A history is data, is saved as JSON (``schemas/harness/history.schema.json``) and is read back
by :meth:`History.of`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from sys import intern
from typing import Any, Literal, TypeAlias

from storelaw.formats import FORMATS, readable
from storelaw.program import Key

Deed: TypeAlias = Literal["append", "load"]
Outcome: TypeAlias = Literal["ok", "failed", "unknown"]

#: Who has an order of its own: a worker on one handle. Nothing is promised across handles.
Writer: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Act:
    """One append or load of a worker.

    ``sent`` are the tags of an append's batch, in order; ``seen`` those that a load gave, in
    order, ``()`` for an empty or unknown session, and ``None`` where it gave no log at all.
    ``outcome`` is ``ok`` when the store answered, ``failed`` when it raised one of the named
    errors, and ``unknown`` in any other case.
    ``began`` and ``ended`` are tickets of one counter, so that one act came before another in
    real time when it ended on a lower ticket than the other began; ``ended`` is ``None`` where
    no end was seen.
    """

    worker: str
    handle: int
    do: Deed
    session: Key
    sent: tuple[str, ...]
    seen: tuple[str, ...] | None
    outcome: Outcome
    began: int
    ended: int | None

    @property
    def writer(self) -> Writer:
        """The worker, on this handle."""
        return self.worker, self.handle

    def before(self, other: "Act") -> bool:
        """Whether this act had ended when the other began."""
        return self.ended is not None and self.ended < other.began

    def data(self) -> dict[str, Any]:
        """The act as JSON; what was not to be, or is not known, is left out."""
        data: dict[str, Any] = {"worker": self.worker, "handle": self.handle, "do": self.do}
        data["session"] = list(self.session) if isinstance(self.session, tuple) else self.session
        if self.do == "append":
            data["sent"] = list(self.sent)
        if self.seen is not None:
            data["seen"] = list(self.seen)
        data |= {"outcome": self.outcome, "began": self.began}
        return data if self.ended is None else {**data, "ended": self.ended}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Act":
        """An act from JSON that keeps to the schema."""
        session, seen = data["session"], data.get("seen")
        return cls(
            worker=data["worker"],
            handle=data["handle"],
            do=data["do"],
            session=session if isinstance(session, str) else tuple(session),
            sent=tuple(map(intern, data.get("sent", ()))),
            seen=None if seen is None else tuple(map(intern, seen)),
            outcome=data["outcome"],
            began=data["began"],
            ended=data.get("ended"),
        )


def last_ticket(act: Act) -> int:
    """The last ticket that is known of an act."""
    return act.began if act.ended is None else act.ended


@dataclass(frozen=True, slots=True)
class History:
    """The acts of one session or of many, in the order in which they began.

    ``settled`` is the ticket that was taken when the medium said that it had settled; 0 where
    nothing has to settle.
    ``elsewhere`` are tags that were sent by acts which this history, an excerpt, leaves out:
    they may be seen, and nothing more is asked of them.
    """

    acts: tuple[Act, ...]
    settled: int = 0
    elsewhere: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "acts", tuple(sorted(self.acts, key=attrgetter("began"))))

    def __len__(self) -> int:
        return len(self.acts)

    def without(self, *left_out: Act) -> "History":
        """The excerpt that leaves some acts out. It asks for nothing that the whole doesn't:
        what was sent may still be seen, and no load becomes final."""
        sent = {tag for each in left_out for tag in each.sent}
        kept = tuple(each for each in self.acts if each not in left_out)
        settled = max((last_ticket(each) for each in left_out), default=0)
        return replace(
            self,
            acts=kept,
            settled=max(self.settled, settled) if sent else self.settled,
            elsewhere=self.elsewhere | sent,
        )

    def data(self) -> dict[str, Any]:
        """The history as JSON (``harness/history``)."""
        data: dict[str, Any] = {"storelaw": FORMATS["history"]}
        if self.settled:
            data["settled"] = self.settled
        if self.elsewhere:
            data["elsewhere"] = sorted(self.elsewhere)
        return {**data, "acts": [each.data() for each in self.acts]}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "History":
        """A history from JSON; raises :class:`Misconfigured` for a newer version."""
        data = readable(data, "history")
        elsewhere: Iterable[str] = data.get("elsewhere", ())
        acts = tuple(map(Act.of, data["acts"]))
        return cls(acts, data.get("settled", 0), frozenset(elsewhere))
