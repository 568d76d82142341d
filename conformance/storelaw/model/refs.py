"""The expected side of the refs door: what a raw log says of refs, head, paths and turns.

Replays the entries by the rules AP-T4, AP-T5, AP-T7, AP-V1, AP-V3 and AP-B1; a log that no
session has begun yet is read as its default ref would begin it (AP-S1, AP-K3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from storelaw.program import Key
from storelaw.trace import UNKNOWN, Event, Trace
from storelaw.values import Entry, is_array, is_object

CONTROLS: Final = frozenset({"session/ref", "session/checkout"})
TURN_ENDS: Final = frozenset({"turn.done", "turn.failed", "turn.aborted"})


def is_control(entry: Entry) -> bool:
    """Whether an entry moves a ref or the head."""
    return entry.get("type") in CONTROLS


def is_semantic(entry: Entry) -> bool:
    """Whether an entry is a node of the conversation; every unknown type is (AP-T8)."""
    return entry.get("type") != "event" and not is_control(entry)


def is_whole(entry: Entry) -> bool:
    """Whether an entry has the four members (AP-T9)."""
    named = all(isinstance(entry.get(key), str) and entry[key] for key in ("id", "type"))
    return named and "data" in entry and type(entry.get("timestamp")) is int


def members(value: object) -> dict[str, Any]:
    """A JSON object; an empty one in place of anything else."""
    return value if is_object(value) else {}


def objects(value: object) -> list[Entry]:
    """The JSON objects of a list; none of anything else."""
    return [each for each in value if is_object(each)] if is_array(value) else []


def ids(value: object) -> list[Any]:
    """The ids of the entries of a list."""
    return [each.get("id") for each in objects(value)]


@dataclass(frozen=True, slots=True)
class Reading:
    """A raw log with what it says: refs, head (as the door tells it) and the head's target."""

    log: Sequence[Entry]
    by_id: Mapping[Any, Entry]
    refs: Mapping[str, str | None]
    head: Mapping[str, Any]
    target: str | None

    @classmethod
    def of(cls, log: Sequence[Entry], default: str | None = None) -> "Reading":
        """Replay a log: refs are the last of each name, the head is the last checkout (AP-T4)."""
        refs = _refs(log)
        head = _head(log, default)
        if head.get("name") == default is not None:
            refs.setdefault(str(default), None)
        target = refs.get(head["name"]) if "name" in head else head.get("targetId")
        return cls(log, {each.get("id"): each for each in log}, refs, head, target)

    def found(self, target: Any) -> tuple[bool, str | None]:
        """Whether a target names something, and the entry: head, then ref, then id (AP-H1)."""
        if target is None:
            return True, self.target
        if target in self.refs:
            return True, self.refs[target]
        entry = self.by_id.get(target)
        return entry is not None and is_semantic(entry), target

    def path(self, entry_id: str | None) -> list[Entry] | None:
        """The entries from the root to one, or ``None`` where no root is reached (AP-T5, AP-T6)."""
        path: list[Entry] = []
        while entry_id is not None:
            entry = self.by_id.get(entry_id)
            if entry is None or len(path) > len(self.log):
                return None
            path.append(entry)
            entry_id = entry.get("parentId")
        return path[::-1]

    def path_to(self, target: Any) -> list[Entry] | None:
        """The path to a target; ``None`` where there is none."""
        known, entry_id = self.found(target)
        return self.path(entry_id) if known else None

    def branch(self, target: Any) -> list[Entry] | None:
        """The path with the events that hang off it, in raw order (AP-T7)."""
        path = self.path_to(target)
        if path is None:
            return None
        on_path = set(ids(path))
        return [e for e in self.log if e.get("id") in on_path or _hangs_off(e, on_path)]

    def inputs(self, target: Any) -> list[Any] | None:
        """The data of the inputs of a branch (AP-V1, AP-V2)."""
        return self._data(target, "input")

    def state(self, target: Any) -> Any:
        """The last state of a branch, ``{}`` where it has none (AP-V3)."""
        states = self._data(target, "state")
        return None if states is None else (states or [{}])[-1]

    def _data(self, target: Any, kind: str) -> list[Any] | None:
        branch = self.branch(target)
        if branch is None:
            return None
        return [each.get("data") for each in branch if each.get("type") == kind]

    @property
    def open_turns(self) -> list[str]:
        """The turns that have begun and not ended; malformed events count for nothing (AP-B1)."""
        told = [members(e.get("data")) for e in self.log if e.get("type") == "event"]
        turns = [(d.get("type"), d.get("turnId")) for d in told]
        ended = [turn for kind, turn in turns if kind in TURN_ENDS]
        begun = [turn for kind, turn in turns if kind == "turn.start" and isinstance(turn, str)]
        return [turn for turn in begun if turn not in ended]


def _refs(log: Sequence[Entry]) -> dict[str, str | None]:
    found = [members(e.get("data")) for e in log if e.get("type") == "session/ref"]
    return {str(data.get("name")): data.get("targetId") for data in found}


def _head(log: Sequence[Entry], default: str | None) -> dict[str, Any]:
    last = [e for e in log if e.get("type") == "session/checkout"][-1:]
    if not last and default is not None and all(is_control(each) for each in log[:1]):
        return {"type": "ref", "name": default}
    target = members(members(last[0].get("data")).get("target")) if last else {}
    if target.get("type") == "ref":
        return {"type": "ref", "name": target.get("name")}
    return {"type": "detached", **({"targetId": target["id"]} if "id" in target else {})}


def _hangs_off(entry: Entry, on_path: set[Any]) -> bool:
    return entry.get("type") == "event" and entry.get("parentId") in on_path


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a refs door, between two looks at the raw log of its session.

    ``before`` is ``None`` where the log may have changed since it was last seen; ``hampered``
    says that a failure was asked for, or that the handle under the door was closed.
    """

    event: Event
    key: Key
    default: str | None
    before: list[Entry] | None
    after: list[Entry]
    hampered: bool = False

    @property
    def steady(self) -> bool:
        """Whether nothing outside the question speaks against it: a sound log has begun."""
        before = self.before or []
        begun = any(each.get("type") == "session/checkout" for each in before)
        return not self.hampered and all(map(is_whole, before)) and (begun or not self.default)

    @property
    def method(self) -> str:
        """The method that was asked for."""
        return self.event.step.name

    @property
    def target(self) -> Any:
        """The first argument, ``None`` where there is none."""
        return self.argument(0)

    def argument(self, place: int, name: str = "") -> Any:
        """An argument by place or by name, ``None`` where it wasn't given."""
        values = self.event["with"] or ()
        if place < len(values):
            return values[place]
        return members(self.event["named"]).get(name)

    @property
    def then(self) -> Reading:
        """What the log said before."""
        return Reading.of(self.before or [], self.default)

    @property
    def now(self) -> Reading:
        """What the log says after."""
        return Reading.of(self.after, self.default)

    @property
    def fresh(self) -> list[Entry]:
        """What was added to the log, without what begins one."""
        return fresh(self.before or [], self.after, self.default)


def fresh(before: list[Entry], after: list[Entry], default: str | None) -> list[Entry]:
    """The entries of a log beyond those before, without the two that begin an empty one."""
    added = after[len(before) :]
    begun = 0
    if default is not None and "session/checkout" not in {e.get("type") for e in before}:
        wanted = ("session/checkout",) if before else ("session/ref", "session/checkout")
        begins = [e.get("type") for e in added[: len(wanted)]] == list(wanted)
        begun = len(wanted) if begins else 0
    return added[begun:]


@dataclass(frozen=True, slots=True)
class _Where:
    key: Key
    default: str | None


def asked(trace: Trace, *methods: str) -> Iterator[Asked]:
    """The questions of these methods (or all) to refs doors, each with the logs around it."""
    places: dict[str, _Where] = {}
    logs: dict[Key, list[Entry]] = {}
    failing: set[str] = set()
    shut: set[str] = set()
    for event in trace.events:
        step = event.step
        if step.do in ("close", "reopen"):
            shut.update(places)
        if step.do == "append":
            logs.pop(step.session, None)
        if step.do == "open_door" and event.ok:
            named = members(step["named"])
            places[str(step.on)] = _Where(step.session, named.get("default_ref"))
            shut.discard(str(step.on))
        where = places.get(str(step.on))
        if step.do == "ask" and where is not None and event.outcome != "skipped":
            made = _asked(event, where, logs, hampered=str(step.on) in failing | shut)
            _note_failure(made, failing)
            if not methods or made.method in methods:
                yield made
            if step["becomes"] and event.ok:
                places[str(step["becomes"])] = _Where(step["at"], where.default)
        for key, log in event.logs.items():
            logs[key] = objects(log)


def _note_failure(made: Asked, failing: set[str]) -> None:
    """Remember that a failure was asked for, until an error without an identity shows it."""
    if made.method == "fail_next":
        failing.add(str(made.event.step.on))
    elif made.event.error == UNKNOWN:
        failing.discard(str(made.event.step.on))


def _asked(
    event: Event, where: _Where, logs: Mapping[Key, list[Entry]], *, hampered: bool
) -> Asked:
    before, after = logs.get(where.key), objects(event.logs.get(where.key))
    return Asked(event, where.key, where.default, before, after, hampered)


def known(trace: Trace, *methods: str) -> Iterator[Asked]:
    """The questions before which the log was known."""
    return (each for each in asked(trace, *methods) if each.before is not None)


def answered(trace: Trace, *methods: str) -> Iterator[Asked]:
    """Those that were answered."""
    return (each for each in known(trace, *methods) if each.event.ok)
