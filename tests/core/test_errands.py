"""Errands: what a worker says of its steps, word by word."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from storelaw.driver import Driver
from storelaw.errands import MOST_TRIES, Errand, Word
from storelaw.errors import EntryConflict, Misconfigured, Stale
from storelaw.manifest import Manifest
from storelaw.program import Step, append, call, load
from storelaw.samples import said
from storelaw.worker import Onward, current

from .plain import Plain

ONE, TWO = said("1"), said("2")


class Store(Plain):
    """A store that raises what it was told to, each thing once, before it answers."""

    def __init__(self, *raised: Exception) -> None:
        super().__init__({})
        self.raised = list(raised)
        self.refreshed: list[Any] = []

    def load(self, session_id: Any, **filters: Any) -> Any:
        """Raise, or answer."""
        if self.raised:
            raise self.raised.pop(0)
        return super().load(session_id)


class Later(Store):
    """The same store, whose operations suspend twice."""

    async def append(self, session_id: Any, entries: list[Any]) -> None:  # type: ignore[override]
        """Suspend ahead and behind."""
        await asyncio.sleep(0)
        super().append(session_id, entries)
        await asyncio.sleep(0)

    async def load(self, session_id: Any, **filters: Any) -> Any:
        """Suspend ahead."""
        await asyncio.sleep(0)
        return super().load(session_id)


class OneByOne(Plain):
    """A store that takes one entry at a time, and suspends as it does."""

    append: Any = None

    async def append_one(self, session_id: Any, entry: Any) -> str:
        """Suspend."""
        await asyncio.sleep(0)
        super().append(session_id, [entry])
        return str(entry["id"])


def untimed(words: Sequence[Word]) -> list[Word]:
    """The words without their times, which never go back."""
    times = [each.at for each in words]
    assert times == sorted(times)
    return [replace(each, at=0) for each in words]


def said_of(handle: Any, *steps: Step) -> list[Word]:
    """What a worker says of its steps."""
    words: list[Word] = []
    driver = Driver(Manifest(name="plain"), current())
    Errand(driver, handle, words.append).carried_out(steps)
    return untimed(words)


def said_later(handle: Any, *steps: Step, pauses: Sequence[int] = ()) -> list[Word]:
    """What a task says of its steps."""
    words: list[Word] = []
    driver = Driver(Manifest(name="plain"), Onward(current()))
    asyncio.run(Errand(driver, handle, words.append).carried_out_later(steps, pauses))
    return untimed(words)


SAID = [
    Word(0, 0, "begun"),
    Word(0, 0, "ok"),
    Word(1, 0, "begun"),
    Word(1, 0, "raised", None, "EntryConflict", "EntryConflict: known"),
    Word(2, 0, "begun"),
    Word(2, 0, "raised", None, "unknown", "OSError: h\\xe9"),
    Word(3, 0, "begun"),
    Word(3, 0, "absent"),
    Word(4, 0, "begun"),
    Word(4, 0, "ok", [ONE]),
]

STEPS = (append("s", ONE), load("s"), load("s"), call("fork", "s", new="f"), load("s"))


def test_each_step_is_told_as_it_begins_and_as_it_ends() -> None:
    """With its answer, or what was raised; what a store doesn't have is absent."""
    assert said_of(Store(EntryConflict("known"), OSError("h\u00e9")), *STEPS) == SAID


def test_a_task_says_the_same() -> None:
    """Whether its store suspends or not."""
    errors = EntryConflict("known"), OSError("h\u00e9")
    assert said_later(Later(*errors), *STEPS) == SAID
    assert said_later(Store(*errors), *STEPS) == SAID


def test_an_operation_that_is_not_implemented_is_absent() -> None:
    """At once or when it is awaited."""
    expected = [Word(0, 0, "begun"), Word(0, 0, "absent")]
    assert said_of(Store(NotImplementedError()), load("s")) == expected
    assert said_later(Later(NotImplementedError()), load("s")) == expected


@pytest.mark.parametrize("said_by", [said_of, said_later])
def test_what_the_kit_itself_raises_is_no_answer(said_by: Any) -> None:
    """It ends the errand, in a task too."""
    store = Store if said_by is said_of else Later
    with pytest.raises(Misconfigured, match="no"):
        said_by(store(Misconfigured("no")), load("s"))


@pytest.mark.parametrize(("said_by", "store"), [(said_of, Store), (said_later, Later)])
def test_a_stale_handle_asks_again(said_by: Any, store: type[Store]) -> None:
    """Another writer was first, which is no error: the step is told once, with its answer."""
    told = said_by(store(*(Stale("old") for _ in range(MOST_TRIES))), append("s", ONE), load("s"))
    assert told[2:] == [Word(1, 0, "begun"), Word(1, 0, "ok", [ONE])]


@pytest.mark.parametrize(("said_by", "store"), [(said_of, Store), (said_later, Later)])
def test_a_handle_that_stays_stale_is_given_up(said_by: Any, store: type[Store]) -> None:
    """After many times it is told as it is."""
    told = said_by(store(*(Stale("old") for _ in range(MOST_TRIES + 1))), load("s"))
    assert told[1] == Word(0, 0, "raised", None, "Stale", "Stale: old")


def test_a_stale_task_refreshes_its_session() -> None:
    """Where there is a way to."""

    class Refreshing(Later):
        async def refresh(self, session_id: Any) -> None:
            """Note it."""
            self.refreshed.append(session_id)

    store = Refreshing(Stale("old"))
    assert said_later(store, load("s"))[1].stage == "ok"
    assert store.refreshed == ["s"]


def test_entries_that_are_appended_one_by_one_are_awaited_one_by_one() -> None:
    """The ids that come back are told in their order; answers without awaitables as they are."""
    handle = OneByOne({})
    assert said_later(handle, append("s", ONE, TWO))[1] == Word(0, 0, "ok", ["1", "2"])
    assert handle.logs == {"s": [ONE, TWO]}


@pytest.mark.parametrize(("pauses", "turns"), [((), 1), ((3,), 4), ((0, 5), 1)])
def test_a_task_goes_on_so_many_turns_of_the_loop_later(
    pauses: tuple[int, ...], turns: int
) -> None:
    """How many others have between the first suspension of a store and what it does then."""
    handle, seen = Later(), list[int]()
    driver = Driver(Manifest(name="plain"), Onward(current()))
    errand = Errand(driver, handle, lambda _: None)

    async def others(task: "asyncio.Task[None]") -> None:
        turn = 0
        while not task.done():
            if handle.logs and not seen:
                seen.append(turn)
            turn += 1
            await asyncio.sleep(0)

    async def together() -> None:
        task = asyncio.create_task(errand.carried_out_later([append("s", ONE)], pauses))
        await others(task)

    asyncio.run(together())
    assert seen == [turns + 1]


def test_an_error_comes_through_to_the_store_that_waits() -> None:
    """A future that fails raises inside the store, which may make something of it."""

    class Waiting(Plain):
        async def load(self, session_id: Any, **filters: Any) -> Any:
            """Wait for what fails, and answer all the same."""
            future = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(future.set_exception, OSError("gone"))
            try:
                return await future
            except OSError as error:
                return [str(error)]

    assert said_later(Waiting({}), load("s"), pauses=(2,))[1] == Word(0, 0, "ok", ["gone"])
