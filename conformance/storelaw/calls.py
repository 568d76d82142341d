"""The operations of a handle as a program asks for them: arguments out, answers back in."""

from typing import Any

from storelaw.driver import Driver
from storelaw.program import Step
from storelaw.values import Entry, copied, is_array, is_object


class Calls:
    """Makes the calls of steps through one driver."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def given(self, entries: list[Entry]) -> list[Entry]:
        """Entries as the store gets them: copies under its names."""
        return [self.driver.outward(_made_bad(copied(each))) for each in entries]

    def made(self, handle: Any, step: Step, given: list[Entry]) -> Any:
        """The answer of a step's operation, as the store gave it."""
        key = self.driver.key(step.session)
        if step.do == "append":
            return self.driver.append(handle, key, given)
        if step.do == "list_sessions":
            answer = self.driver.call(handle, "list_sessions", *(step["prefix"] or ()))
            return [self.driver.session_of(each) for each in answer]
        arguments = [given] if step.do == "replace" else [given[0]] if step.entries else []
        named = {name: self._argument(name, value) for name, value in step.args.items()}
        arguments += [named.pop(name) for name in ("new", "which") if name in named]
        return self.driver.call(handle, step.do, key, *arguments, **named)

    def _argument(self, name: str, value: Any) -> Any:
        return self.driver.key(value) if name in ("new", "parent") and value else value

    def read(self, operation: str, answer: Any) -> Any:
        """A snapshot of an answer, its entries under our names."""
        if operation in ("load", "headers") and is_array(answer):
            return [self.driver.inward(copied(each)) for each in answer]
        if operation == "pop":
            return self.driver.inward(copied(answer))
        return copied(answer)


class _NoJson:
    """A value that no JSON has."""


def _made_bad(entry: Entry) -> Entry:
    """The entry, with what ``program.bad`` stands for in its place."""
    mark = entry.get("bad")
    if is_object(mark) and set(mark) == {"$storelaw"}:
        entry["bad"] = _NoJson() if mark["$storelaw"] == "object" else float("nan")
    return entry
