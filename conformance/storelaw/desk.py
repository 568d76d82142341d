"""The doors of a performance beside the store: objects by label, and what they are asked.

A door is opened by the medium's own ``open_NAME``, by the profile's default engine over the
handle, or is the medium itself. Its methods are called with JSON; a program says where a
function or an earlier answer stands in for a value.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from storelaw.driver import Absent, Driver, Injected
from storelaw.errors import StorelawError
from storelaw.manifest import Manifest
from storelaw.profiles import Door, Opening, Profile, profile_named
from storelaw.program import Key, Step
from storelaw.trace import Event
from storelaw.values import Entry, copied, is_array, is_object

if TYPE_CHECKING:
    from storelaw.player import Performance

ACTS: Final = frozenset({"open_door", "ask"})

#: What a function of a program raises where the program says that it fails.
FAILS: Final = "the function fails"


@dataclass(slots=True)
class Bench:
    """What a desk needs of a performance, for a worker with a handle of its own."""

    driver: Driver
    medium: Any
    handles: Mapping[int, Any]
    loaded: Any = None
    appended: list[Entry] = field(default_factory=list[Entry])

    @property
    def manifest(self) -> Manifest:
        """The manifest of the medium."""
        return self.driver.manifest


class Desk:
    """The door objects of one performance, or of one worker beside it."""

    def __init__(self, performance: "Performance | Bench") -> None:
        self._performance = performance
        self._objects: dict[str, Any] = {}
        self._answers: dict[str, Any] = {}
        self._keys: dict[Key, int] = {}
        self._prompts: list[Any] = []
        self._nested: list[Event] = []

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step and look at what the store holds."""
        if step.do == "ask" and step.on not in self._objects:
            return Event(index, step, "skipped")
        if step.do == "open_door" and (step["handle"] or 0) not in self._performance.handles:
            return Event(index, step, "skipped")
        self._prompts, self._nested = [], []
        passed = step.expanded()
        given = copied(passed)
        act = self._open if step.do == "open_door" else self._ask
        event = cast("Performance", self._performance).attempt(
            index, step, lambda: act(step, given), passed=tuple(passed), given=given
        )
        return replace(
            event,
            logs={key: self._held(key) for key in self._keys},
            prompts=tuple(self._prompts),
            nested=tuple(self._nested),
        )

    def answer(self, step: Step) -> Any:
        """Carry out one step, and give its answer alone; :class:`Absent` at an unopened door."""
        if step.do == "ask" and step.on not in self._objects:
            raise Absent(step.name)
        given = copied(step.expanded())
        return self._open(step, given) if step.do == "open_door" else self._ask(step, given)

    def _profile(self) -> Profile:
        return profile_named(self._performance.manifest.profile)

    def _held(self, key: Key) -> list[Entry] | None:
        performance = cast("Performance", self._performance)
        number = self._keys[key]
        if number in performance.stage.gone:
            return None
        try:
            held = self._profile().raw(performance.driver, performance.handles[number], key)
            return None if held is None else [performance.driver.inward(copied(e)) for e in held]
        except StorelawError:
            raise
        except Exception:
            return None

    # -------------------------------------------------------------- opening

    def _open(self, step: Step, _: list[Entry]) -> Any:
        number: int = step["handle"] or 0
        name: str = step["door"]
        given: dict[str, Any] = step["named"] or {}
        named = {key: self._value(each) for key, each in given.items()}
        self._objects[str(step.on)] = self._opened(name, step.session, number, named)
        self._keys[step.session] = number

    def _opened(self, name: str, key: Key, number: int, named: Mapping[str, Any]) -> Any:
        performance = self._performance
        medium, handle = performance.medium, performance.handles[number]
        own = getattr(medium, f"open_{name}", None)
        if callable(own):
            theirs = performance.driver.key(key)
            return performance.driver.resolved(f"open_{name}()", own, handle, theirs, **named)
        door = self._profile().door(name)
        if door is None or not (door.opener or _is_medium(door, medium)):
            raise Absent(f"open_{name}")
        if door.opener is None:
            return medium
        variant = getattr(medium, "variants", {}).get(name)
        opening = Opening(performance.driver, handle, medium, key, named, variant)
        return performance.driver.resolved(f"open_{name}()", door.opener, opening)

    # --------------------------------------------------------------- asking

    def _ask(self, step: Step, given: list[Entry]) -> Any:
        target = self._objects[str(step.on)]
        method = getattr(target, step["method"], None)
        if not callable(method):
            raise Absent(step["method"])
        asynchronous = inspect.iscoroutinefunction(method)
        arguments = [self._value(each, step, asynchronous) for each in step["with"] or ()]
        if step.entries:
            arguments.insert(0, given[0] if step["one"] else given)
            self._performance.appended = given
        told: dict[str, Any] = step["named"] or {}
        named = {key: self._value(each, step, asynchronous) for key, each in told.items()}
        doing = f"{step.on}.{step['method']}()"
        answer = self._performance.driver.resolved(doing, method, *arguments, **named)
        if step["becomes"]:
            return self._kept(str(step["becomes"]), answer, step)
        self._performance.loaded = answer
        seen = copied(answer)
        if step["as"]:
            self._answers[step["as"]] = seen
        return seen

    def _kept(self, label: str, answer: Any, step: Step) -> None:
        self._objects[label] = answer
        if step["at"]:
            self._keys[step["at"]] = self._keys.get(step.session, 0)

    def _value(self, value: Any, step: Step | None = None, asynchronous: bool = False) -> Any:
        """A JSON argument, with what it stands for where it stands for something."""
        if is_object(value):
            if "$answer" in value:
                return self._answered(value)
            if "$call" in value and step is not None:
                return self._function(value["$call"], step, asynchronous)
            return {key: self._value(each, step, asynchronous) for key, each in value.items()}
        if is_array(value):
            return [self._value(each, step, asynchronous) for each in value]
        return value

    def _answered(self, value: Mapping[str, Any]) -> Any:
        answer: Any = self._answers.get(value["$answer"])
        for each in value.get("at", ()):
            try:
                answer = answer[each]
            except (LookupError, TypeError):
                answer = None
        if answer is None:
            raise Absent(f"an answer called {value['$answer']}")
        return copied(answer)

    def _function(
        self, told: Mapping[str, Any], step: Step, asynchronous: bool
    ) -> Callable[..., Any]:
        def function(*arguments: Any) -> Any:
            self._prompts.append(copied(arguments[0] if len(arguments) == 1 else list(arguments)))
            self._meanwhile(step)
            if told.get("fails"):
                raise Injected(FAILS)
            return copied(told.get("answers"))

        async def function_later(*arguments: Any) -> Any:
            return function(*arguments)

        return function_later if asynchronous else function

    def _meanwhile(self, step: Step) -> None:
        """The steps inside a function, at its first call: one that sends to its own turn ends."""
        prompts, nested = self._prompts, self._nested
        if nested:
            return
        for index, each in enumerate(step["during"] or ()):
            nested.append(cast("Performance", self._performance).event(index, each))
            self._prompts, self._nested = prompts, nested


def _is_medium(door: Door, medium: Any) -> bool:
    return bool(door.methods) and all(callable(getattr(medium, n, None)) for n in door.methods)
