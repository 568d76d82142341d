"""The session door of a performance: session objects, their labels, what their models saw."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from storelaw.driver import Absent, Injected
from storelaw.engine import Engine, EngineStore
from storelaw.errors import StorelawError
from storelaw.program import Draft, Key, Step
from storelaw.trace import Event, payload
from storelaw.values import Entry, copied, is_object, same

if TYPE_CHECKING:
    from storelaw.player import Performance

#: The steps that belong to the session door.
ACTS: Final = frozenset(
    {
        "open_session",
        "close_session",
        "add",
        "run",
        "messages",
        "transcript",
        "entries",
        "leaf",
        "branch",
        "fork_session",
        "compact",
        "fail_next",
    }
)

#: What a model raises where a program says that it fails.
MODEL_FAILS: Final = "the model fails"


class Stage:
    """The session objects of one performance."""

    def __init__(self, performance: "Performance") -> None:
        self._performance = performance
        self.labels: dict[str, Entry] = {}
        self.sessions: dict[str, Key] = {}
        self.gone: set[int] = set()
        self._objects: dict[str, Any] = {}
        self._ids: dict[str, set[str]] = {}
        self._handles: dict[str, int] = {}
        self._stores: dict[int, EngineStore] = {}
        self._engine: Engine | None = None
        self._failures: list[tuple[str, int]] = []
        self._prompts: list[list[Entry]] = []
        self._nested: list[Event] = []

    def live_handles(self, handles: Mapping[int, Any]) -> list[int]:
        """The handles that are still open."""
        return [number for number in handles if number not in self.gone]

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step of the session door and look at the stored logs."""
        self._prompts, self._nested = [], []
        label = cast(str, step.on)
        if step.do not in ("open_session", "fail_next") and label not in self._objects:
            return Event(index, step, "skipped")
        if step.do == "open_session" and (step["handle"] or 0) not in self._performance.handles:
            return Event(index, step, "skipped")
        act = getattr(self, f"_{step.do}")
        event = self._performance.attempt(index, step, lambda: act(step))
        return self._observed(event, label)

    def _observed(self, event: Event, label: str) -> Event:
        logs = {key: self._log(key) for key in dict.fromkeys(self.sessions.values())}
        return replace(
            event,
            logs=logs,
            leaf=self._leaf_of(label),
            prompts=tuple(self._prompts),
            nested=tuple(self._nested),
        )

    def _log(self, key: Key) -> list[Entry] | None:
        performance = self._performance
        driver, handle = performance.driver, performance.handles[self._number(key)]
        try:
            answer = driver.call(handle, "load", driver.key(key))
            return None if answer is None else [driver.inward(copied(each)) for each in answer]
        except StorelawError:
            raise
        except Exception:
            return None

    def _number(self, key: Key) -> int:
        for label, each in self.sessions.items():
            if each == key and self._handles[label] not in self.gone:
                return self._handles[label]
        return 0

    def _leaf_of(self, label: str) -> str | None:
        session = self._objects.get(label)
        try:
            return None if session is None else self._call(session, "leaf") or ""
        except StorelawError:
            raise
        except Exception:
            return None

    def _call(self, session: Any, method: str, *args: Any) -> Any:
        call = getattr(session, method, None)
        if not callable(call):
            raise Absent(method)
        return self._performance.driver.resolved(f"session.{method}()", call, *args)

    # ------------------------------------------------------------- the steps

    def _open_session(self, step: Step) -> Any:
        label, number = cast(str, step.on), step["handle"] or 0
        self.sessions[label], self._handles[label] = step.session, number
        self._objects[label] = self._made(step.session, number)
        leaf = self._leaf_of(label)
        self._ids.pop(label, None)
        if leaf == "":
            self._ids[label] = set()
        return leaf

    def _made(self, key: Key, number: int) -> Any:
        performance = self._performance
        handle, medium = performance.handles[number], performance.medium
        if callable(getattr(medium, "open_session", None)):
            return performance.driver.resolved(
                "open_session()", medium.open_session, handle, performance.driver.key(key)
            )
        if self._engine is None:
            variant = getattr(medium, "session_class", None)
            self._engine = Engine(variant) if variant else Engine()
        store = EngineStore(performance.driver, handle)
        store.failures = self._failures
        return self._engine.open_session(store, cast(str, key))

    def _close_session(self, step: Step) -> Any:
        return self._call(self._objects[cast(str, step.on)], "close")

    def _fail_next(self, step: Step) -> Any:
        medium = self._performance.medium
        point, k = step["point"], step["k"] or 0
        if step["door"] != "store" and not callable(getattr(medium, "open_session", None)):
            self._failures.append((point, k))
            return None
        if not callable(getattr(medium, "fail_next", None)):
            raise Absent("fail_next")
        return self._performance.driver.resolved("fail_next()", medium.fail_next, point, k)

    def _add(self, step: Step) -> Any:
        label, drafts = cast(str, step.on), step.drafts()
        entries = [copied(each.entry) for each in drafts]
        answer = copied(self._call(self._objects[label], "append", entries))
        self._label(drafts, answer)
        if label in self._ids:
            self._seen(label, answer)
        return answer

    def _run(self, step: Step) -> Any:
        label, drafts = cast(str, step.on), step.drafts()
        answers: tuple[Draft, ...] = step["answer"] or ()
        session = self._objects[label]
        if label not in self._ids:
            self._seen(label, self._known(label))
        model = self._model(session, step, answers)
        try:
            entries = [copied(each.entry) for each in drafts]
            return copied(self._call(session, "run", entries, model))
        finally:
            known = self._ids[label]
            fresh = [each for each in self._known(label) if str(each.get("id")) not in known]
            self._label([*drafts, *answers], fresh)
            self._seen(label, fresh)

    def _seen(self, label: str, entries: Any) -> None:
        """Remember the ids that a session object has shown, so that what comes next is new."""
        ids = self._ids.setdefault(label, set())
        ids.update(str(each.get("id")) for each in entries or () if is_object(each))

    def _known(self, label: str) -> list[Entry]:
        session = self._objects[label]
        try:
            known: list[Entry] = copied(list(self._call(session, "entries")))
            return known
        except Absent:
            return self._log(self.sessions[label]) or []

    def _model(
        self, session: Any, step: Step, answers: tuple[Draft, ...]
    ) -> Callable[[list[Entry]], Any]:
        def speak(messages: list[Entry]) -> Iterator[Entry]:
            self._prompts.append(copied(list(messages)))
            self._meanwhile(step)
            for each in answers:
                yield copied(each.entry["message"])
            if step["fails"]:
                raise Injected(MODEL_FAILS)

        async def speak_later(messages: list[Entry]) -> list[Entry]:
            return list(speak(messages))

        run = getattr(session, "run", None)
        return speak_later if inspect.iscoroutinefunction(run) else speak

    def _meanwhile(self, step: Step) -> None:
        prompts, nested = self._prompts, self._nested
        for index, each in enumerate(step["during"] or ()):
            nested.append(self._performance.event(index, each))
            self._prompts, self._nested = prompts, nested

    def _label(self, drafts: list[Draft], assigned: Any) -> None:
        remaining: list[Entry] = [each for each in assigned or () if is_object(each)]
        for draft in drafts:
            wanted = payload(draft.entry)
            found = next((each for each in remaining if same(payload(each), wanted)), None)
            if found is not None:
                self.labels[draft.label] = found
                remaining = [each for each in remaining if each is not found]

    def _messages(self, step: Step) -> Any:
        return copied(self._call(self._objects[cast(str, step.on)], "messages"))

    def _transcript(self, step: Step) -> Any:
        return copied(self._call(self._objects[cast(str, step.on)], "transcript"))

    def _entries(self, step: Step) -> Any:
        return copied(self._call(self._objects[cast(str, step.on)], "entries"))

    def _leaf(self, step: Step) -> Any:
        return self._call(self._objects[cast(str, step.on)], "leaf")

    def _branch(self, step: Step) -> Any:
        target = step["target"]
        identifier = self.labels[target].get("id") if target in self.labels else step["id"]
        if identifier is None:
            raise Absent("branch")
        return self._call(self._objects[cast(str, step.on)], "branch", identifier)

    def _fork_session(self, step: Step) -> Any:
        label, name, new = cast(str, step.on), step["as_"], step["new"]
        key = self._performance.driver.key(new)
        child = self._call(self._objects[label], "fork", key)
        self.sessions[name], self._handles[name] = new, self._handles[label]
        self._objects[name] = child
        return self._leaf_of(name)

    def _compact(self, step: Step) -> Any:
        def summarize(messages: list[Entry]) -> str:
            self._prompts.append(copied(list(messages)))
            self._meanwhile(step)
            if step["fails"]:
                raise Injected("the summarizer fails")
            return cast(str, step["summary"] or "summary")

        session = self._objects[cast(str, step.on)]
        answer = copied(self._call(session, "compact", summarize, step["keep"] or 0))
        if is_object(answer) and step["label"]:
            self.labels[step["label"]] = answer
        return answer
