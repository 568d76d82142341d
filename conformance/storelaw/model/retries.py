"""What appends of known ids should leave, under each value of the option ``reappend``.

The model keeps every log that a session may have at a point, since a refused or failed
batch may leave a prefix where the store does not promise more. A reading keeps the logs
that it agrees with; where none is left, the rule does not explain the trace.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast

from storelaw.contract import OPTIONS
from storelaw.manifest import Manifest
from storelaw.narrative import Words
from storelaw.program import Key
from storelaw.trace import Event, Trace
from storelaw.values import Entry

#: What two logs are compared by.
Aspect: TypeAlias = Literal["count", "order", "whole"]

RULES: Final = OPTIONS["reappend"][0]

#: A store that keeps only so many entries forgets ids too; the ladder needs more room.
ROOM: Final = 32


def caller_ids(manifest: Manifest) -> str | None:
    """Why the caller's ids don't name the entries of a store, or ``None`` where they do."""
    if manifest.entry_id is None:
        return "manifest field entry_id is None: the store knows no ids of entries"
    if manifest.contract.ids in ("minted", "number"):
        return f"option ids is {manifest.contract.ids}: the store gives the ids"
    return None


def roomy(manifest: Manifest) -> str | None:
    """Why a store keeps too few entries to be asked for old ones, or ``None``."""
    if manifest.keep is None or manifest.keep >= ROOM:
        return None
    return f"the store keeps {manifest.keep} {manifest.keep_unit} only"


def retriable(manifest: Manifest) -> str | None:
    """Why no append can be retried by id on a store, or ``None``."""
    return caller_ids(manifest) or roomy(manifest)


def entries_in(event: Event) -> list[Entry]:
    """The entries that a load gave; what is no object is left out."""
    answer: object = event.value
    items = cast("list[object]", answer) if isinstance(answer, list) else []
    return [cast(Entry, each) for each in items if isinstance(each, dict)]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The event at which a rule stops to explain a trace."""

    event: Event
    expected: Any
    observed: Any


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch under a rule: the log after each entry, and whether one of them is refused."""

    logs: list[list[Entry]]
    refused: bool


def followed(
    log: list[Entry], batch: Iterable[Entry], rule: str, same: Callable[[object, object], bool]
) -> Batch:
    """The logs that a batch goes through under a rule, up to an entry that is refused."""
    logs = [log]
    for entry in batch:
        after = _put(logs[-1], entry, rule, same)
        if after is None:
            return Batch(logs, True)
        logs.append(after)
    return Batch(logs, False)


def _put(
    log: list[Entry], entry: Entry, rule: str, same: Callable[[object, object], bool]
) -> list[Entry] | None:
    name = entry.get("id")
    place = next((i for i, each in enumerate(log) if each.get("id") == name), None)
    if name is None or place is None or rule == "duplicate":
        return [*log, entry]
    if rule == "last-wins":
        equal = same(log[place], entry)
        return log if equal else [*log[:place], entry, *log[place + 1 :]]
    if rule == "first-wins" or (rule != "reject" and same(log[place], entry)):
        return log
    return None


@dataclass
class _Session:
    """One session under a rule: its possible logs, and the ids that a retry touched."""

    logs: list[list[Entry]] = field(default_factory=lambda: [[]])
    seen: set[str] = field(default_factory=set[str])
    involved: set[str] = field(default_factory=set[str])
    retried: bool = False


class Explanation:
    """A trace under one rule.

    Readings before the first retry are taken as they are: what they lose or change is for
    other laws. Compared are the entries (``whole``), the order of their ids, or how often
    each id is there.
    """

    def __init__(self, trace: Trace, rule: str, aspect: Aspect = "count") -> None:
        self._trace, self._rule, self._aspect = trace, rule, aspect
        self._sessions: dict[Key, _Session] = {}
        self._failing = False

    def contradiction(self) -> Contradiction | None:
        """The first event that the rule does not explain, or ``None``."""
        for event in self._trace.events:
            found = self._followed(event)
            if found is not None:
                return found
        return None

    def _followed(self, event: Event) -> Contradiction | None:
        session = self._sessions.setdefault(event.step.session, _Session())
        if event.step.do == "fail_next":
            self._failing = event.ok
        elif event.step.do == "append" and event.outcome != "skipped":
            return self._appended(session, event)
        elif event.step.do == "load" and event.ok and not event.step.args:
            return self._loaded(session, event)
        elif event.step.do in ("delete", "clear") and event.ok:
            session.logs = [[]]
        return None

    def _appended(self, session: _Session, event: Event) -> Contradiction | None:
        self._noted(session, event)
        failing = self._failing
        self._failing = failing and event.ok
        possible = [
            log
            for each in session.logs
            for log in self._possible(
                followed(each, event.passed, self._rule, self._trace.same), event, failing
            )
        ]
        if possible:
            session.logs = possible
            return None
        return Contradiction(event, *self._told(event))

    def _noted(self, session: _Session, event: Event) -> None:
        names = [str(each["id"]) for each in event.passed if each.get("id") is not None]
        repeats = len(names) > len(set(names)) or any(each in session.seen for each in names)
        if repeats:
            session.involved.update(names)
            session.retried = True
        session.seen.update(names)

    def _possible(self, batch: Batch, event: Event, failing: bool) -> list[list[Entry]]:
        if event.ok:
            return [] if batch.refused else batch.logs[-1:]
        if event.error == "SessionNotFound":
            return batch.logs[:1]
        if failing:
            return batch.logs if self._partial else [batch.logs[0], batch.logs[-1]]
        if not batch.refused or not self._may_raise(event):
            return []
        return batch.logs if self._partial else batch.logs[:1]

    @property
    def _partial(self) -> bool:
        return self._trace.manifest.batch != "atomic"

    def _may_raise(self, event: Event) -> bool:
        declared = self._trace.manifest.contract.reappend is not None
        strict = declared and self._rule == "idempotent-or-conflict"
        return not strict or event.error == "EntryConflict"

    def _told(self, event: Event) -> tuple[Words, Words]:
        if event.ok:
            return Words(f"the append is refused (reappend: {self._rule})"), Words("it passed")
        wanted = {
            "reject": "the append of a known id is refused, any other passes",
            "idempotent-or-conflict": "it passes, or raises EntryConflict for another payload",
        }
        return Words(wanted.get(self._rule, "the append passes")), Words("it raised")

    def _loaded(self, session: _Session, event: Event) -> Contradiction | None:
        observed = entries_in(event)
        if not session.retried:
            session.logs = [observed]
            return None
        agreeing = [each for each in session.logs if self._agrees(session, each, observed)]
        if not agreeing:
            return Contradiction(event, session.logs[0], observed)
        session.logs = agreeing
        return None

    def _agrees(self, session: _Session, log: list[Entry], observed: list[Entry]) -> bool:
        names = {each.get("id") for each in observed}
        known = {each.get("id") for each in log} | session.involved
        expected = [e for e in log if e.get("id") in session.involved or e.get("id") in names]
        observed = [each for each in observed if each.get("id") in known]
        if self._aspect == "whole":
            return self._trace.same(expected, observed)
        left, right = [[each.get("id") for each in side] for side in (expected, observed)]
        if self._aspect == "order":
            return list(dict.fromkeys(left)) == list(dict.fromkeys(right))
        return Counter(left) == Counter(right)


def candidates(manifest: Manifest) -> tuple[str, ...]:
    """The rules that a store may follow: the declared one, or each of them."""
    declared = manifest.contract.reappend
    return RULES if declared is None else (declared,)


def explained(trace: Trace, aspect: Aspect = "count") -> tuple[str, ...] | Contradiction:
    """The rules that explain a trace, or where the last of them failed to."""
    found = {
        rule: Explanation(trace, rule, aspect).contradiction()
        for rule in candidates(trace.manifest)
    }
    rules = tuple(rule for rule, each in found.items() if each is None)
    if rules:
        return rules
    return max((each for each in found.values() if each), key=lambda each: each.event.index)


def altered(trace: Trace) -> bool:
    """Whether an entry came back changed before any id was repeated: for other laws to judge."""
    passed: dict[object, Entry] = {}
    for event in trace.of("append", "load"):
        if event.step.do == "append":
            if any(each.get("id") in passed for each in event.passed):
                return False
            passed.update({each.get("id"): each for each in event.passed})
        elif event.ok and any(
            not trace.same(passed.get(each.get("id"), each), each) for each in entries_in(event)
        ):
            return True
    return False
