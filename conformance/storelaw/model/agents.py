"""What the agents of a trace were asked, and what their logs held before and after."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from storelaw.program import Key
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object

#: What ends a turn, as the type of an event; and what begins one.
ENDS: Final = frozenset({"turn.done", "turn.failed", "turn.aborted"})
START: Final = "turn.start"


@dataclass(frozen=True, slots=True)
class Deed:
    """One call of an agent: ``named`` are the arguments of its opening.

    ``ready`` says that the agent had done something before, so that its initial input and
    state were settled.
    """

    event: Event
    key: Key
    named: Mapping[str, Any]
    before: list[Entry]
    after: list[Entry]
    ready: bool

    @property
    def added(self) -> list[Entry]:
        """The entries that are new: those behind the old ones, or with an id of their own."""
        if self.after[: len(self.before)] == self.before:
            return self.after[len(self.before) :]
        known = [each.get("id") for each in self.before]
        return [each for each in self.after if each.get("id") not in known]

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The named arguments of the call."""
        named: Mapping[str, Any] = self.event["named"] or dict[str, Any]()
        return named

    @property
    def argument(self) -> Any:
        """The first argument of the call, or nothing."""
        return next(iter(self.event["with"] or ()), None)

    @property
    def initial_input(self) -> list[Any]:
        """The initial input of the opening."""
        return list(self.named.get("initial_input") or [])

    @property
    def initial_state(self) -> dict[str, Any]:
        """The initial state of the opening."""
        return dict(self.named.get("initial_state") or {})

    @property
    def inside(self) -> list[Event]:
        """What happened to the same agent inside the call, and succeeded."""
        return [e for e in self.event.nested if e.step.on == self.event.step.on and e.ok]

    @property
    def sent(self) -> list[Any]:
        """The inputs that were sent into the turn while it ran."""
        return [one for e in self.inside if e.step.name == "send" for one in e.passed]

    @property
    def given_up(self) -> bool:
        """Whether the turn was aborted, interrupted or reset while it ran."""
        return any(e.step.name in ("abort", "interrupt", "reset") for e in self.inside)

    @property
    def answers(self) -> list[Any]:
        """The inputs that the runner of a turn answers, each time it is called."""
        told = self._told
        outputs = told.get("outputs") if is_object(told) else told
        return list(outputs) if is_array(outputs) else []

    @property
    def tokens(self) -> int:
        """What the runner says that the context took."""
        told = self._told
        return int(told.get("total_tokens", 0)) if is_object(told) else 0

    @property
    def _told(self) -> Any:
        call = self.argument.get("$call") if is_object(self.argument) else None
        return call.get("answers") if is_object(call) else None

    @property
    def shown(self) -> list[Any]:
        """What the runner was shown, call by call."""
        calls = 2 if self.sent else 1
        if "transform" in self.arguments:
            return list(self.event.prompts[1 : 2 * calls : 2])
        return list(self.event.prompts[:calls])

    @property
    def summarized(self) -> list[Any]:
        """What the summarizer was shown, call by call."""
        calls = 2 if self.sent else 1
        return list(self.event.prompts[2 * calls if "transform" in self.arguments else calls :])


@dataclass
class _Walk:
    """The agents by label, and what is known of each log."""

    agents: dict[Any, tuple[Key, Mapping[str, Any]]] = field(default_factory=dict[Any, Any])
    logs: dict[Key, list[Entry] | None] = field(default_factory=dict[Key, Any])
    ready: set[Any] = field(default_factory=set[Any])

    def fed(self, event: Event) -> Iterator[Deed]:
        """Follow an event; the deed that it is, if it is one."""
        if event.outcome == "skipped":
            return
        if event.step.do in ("open_door", "ask"):
            yield from self._asked(event)
        elif event.step.do == "append" and event.ok:
            held = self.logs.get(event.step.session, [])
            fresh = None if held is None else [*held, *event.passed]
            self.logs[event.step.session] = fresh
        elif event.step.do == "reopen":
            self.logs = dict.fromkeys(self.logs)
        elif event.step.do != "load":
            self.logs[event.step.session] = [] if event.step.do == "clear" and event.ok else None

    def _asked(self, event: Event) -> Iterator[Deed]:
        label = event.step.on
        if event.step.do == "open_door":
            self.ready.discard(label)
            self.agents[label] = (event.step.session, event["named"] or {})
        key, named = self.agents.get(label, ("", {}))
        before, after = self.logs.get(key, []), event.logs.get(key)
        if before is not None and after is not None:
            yield Deed(event, key, named, before, after, label in self.ready)
        self._noted(event)

    def _noted(self, event: Event) -> None:
        self.logs.update(event.logs)
        if event.step.do == "ask" and event.ok and event.step.name != "state":
            self.ready.add(event.step.on)
        child = event["becomes"]
        if child:
            self.agents[child] = (event["at"] or "", event["named"] or {})
            self.ready.discard(child)


def deeds(trace: Trace, *names: str) -> Iterator[Deed]:
    """The calls of agents by these names, where the log before and after is known."""
    walk = _Walk()
    for event in trace.events:
        for each in walk.fed(event):
            if each.event.step.name in names:
                yield each


def turns(trace: Trace) -> Iterator[Deed]:
    """The turns of agents that were ready for them."""
    return (each for each in deeds(trace, "turn") if each.ready)


def inputs_in(entries: Iterable[Entry]) -> list[Any]:
    """The data of the input entries, in order."""
    return [each.get("data") for each in entries if each.get("type") == "input"]


def of_type(entries: Iterable[Entry], type: str) -> list[Any]:
    """The data of the entries of a type, in order."""
    return [each.get("data") for each in entries if each.get("type") == type]


def types(entries: Iterable[Entry]) -> list[Any]:
    """The types of entries, in order."""
    return [each.get("type") for each in entries]


def events_in(entries: Iterable[Entry]) -> list[Entry]:
    """The data of the events that are objects."""
    return [each for each in of_type(entries, "event") if is_object(each)]


def is_boundary(item: Any) -> bool:
    """Whether an input tells the model that a turn was broken off."""
    return carries(item, "turn_aborted")


def carries(value: Any, text: str) -> bool:
    """Whether a JSON value has a text somewhere in it."""
    return json.dumps(text)[1:-1] in json.dumps(value)


def within(wanted: Sequence[Any], found: Sequence[Any]) -> bool:
    """Whether all wanted values are among the found, as often as they are wanted."""
    left = list(found)
    for each in wanted:
        if each not in left:
            return False
        left.remove(each)
    return True
