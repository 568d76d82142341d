"""Media, and the wrapper for stores with one object for each session."""

import asyncio
import os
import random
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from storelaw.medium import Medium, PerSession, temporary


class Chat:
    """One object for one session."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.items: list[Any] = []
        self.closed = False

    def add_items(self, items: list[Any]) -> None:
        """Keep items."""
        self.items += items

    def get_items(self, limit: int | None = None) -> list[Any]:
        """The newest items."""
        return self.items if limit is None else self.items[-limit:]

    async def later(self) -> str:
        """An answer that must be awaited."""
        return self.session_id

    def finish(self) -> None:
        """Close."""
        self.closed = True

    async def finish_later(self) -> None:
        """Close, asynchronously."""
        self.closed = True


def test_a_medium_has_a_fresh_name_that_random_does_not_repeat(tmp_path: Path) -> None:
    """Names come from the operating system, so a reseeded ``random`` gives no twin."""
    state = random.getstate()
    random.seed(1)
    one = Medium(tmp_path)
    random.seed(1)
    two = Medium(tmp_path)
    random.setstate(state)
    assert one.name != two.name
    assert one.name.isalnum()
    assert one.workdir == tmp_path


def test_a_medium_must_define_open(tmp_path: Path) -> None:
    """The one method without a default says what is missing."""
    with pytest.raises(NotImplementedError, match=r"medium: Medium does not define open\(\)"):
        Medium(tmp_path).open()


def test_close_is_the_handles_own_where_it_has_one(tmp_path: Path) -> None:
    """A handle without ``close``, or with one that can't be called, is simply let go."""

    class Odd:
        close = "not a method"

    class Closing:
        def close(self) -> str:
            return "closed"

    medium = Medium(tmp_path)
    assert medium.close(Closing()) == "closed"
    assert medium.close(object()) is None
    assert medium.close(Odd()) is None


def test_the_other_methods_of_a_medium_do_nothing_by_default(tmp_path: Path) -> None:
    """start, stop and destroy need not be written."""
    Medium.start()
    Medium.stop()
    assert Medium(tmp_path).destroy() is None


@pytest.mark.parametrize("writable", [True, False])
def test_media_lie_in_memory_where_the_system_has_that(
    writable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shared memory directory is used if it can be written to."""
    monkeypatch.setattr(os, "access", lambda *_: writable)
    wanted = Path("/dev/shm") if writable else Path(tempfile.gettempdir())
    assert temporary() == wanted


def test_per_session_keeps_one_object_for_each_session() -> None:
    """Each operation goes to the object of its session, under the object's names."""
    made: list[str] = []

    def factory(session_id: str) -> Chat:
        made.append(session_id)
        return Chat(session_id)

    store: Any = PerSession(
        factory, append="add_items", load="get_items", filters={"last": "limit"}
    )
    store.append("a", [1, 2])
    store.append("b", [3])
    assert store.load("a") == [1, 2]
    assert store.load("a", last=1) == [2]
    assert store.load("b") == [3]
    assert made == ["a", "b"]
    assert not hasattr(store, "pop")


def test_per_session_awaits_an_async_factory_once() -> None:
    """The awaited object is kept; sync and async methods both answer."""
    made: list[str] = []

    async def factory(session_id: str) -> Chat:
        made.append(session_id)
        return Chat(session_id)

    store: Any = PerSession(factory, append="add_items", load="later")

    async def use() -> str:
        await store.append("a", [1])
        answer: str = await store.load("a")
        return answer

    assert asyncio.run(use()) == "a"
    assert made == ["a"]


def test_per_session_gives_a_second_chance_after_a_failed_async_factory() -> None:
    """An object that couldn't be made is made anew by the next call."""
    fails = [True]

    async def factory(session_id: str) -> Chat:
        if fails:
            fails.pop()
            raise LookupError(session_id)
        return Chat(session_id)

    store: Any = PerSession(factory, load="later")

    async def use() -> str:
        with pytest.raises(LookupError):
            await store.load("a")
        answer: str = await store.load("a")
        return answer

    assert asyncio.run(use()) == "a"


def test_per_session_awaits_an_async_method_of_a_sync_factory() -> None:
    """The answer of an async method is passed on for the caller to await."""
    store: Any = PerSession(Chat, load="later")
    answer: Awaitable[str] = store.load("a")

    async def use() -> str:
        return await answer

    assert asyncio.run(use()) == "a"


def test_per_session_closes_each_object_once() -> None:
    """Closing closes what was made and forgets it."""
    chats = {name: Chat(name) for name in ("a", "b")}
    store: Any = PerSession(chats.__getitem__, load="get_items", close="finish")
    store.load("a")
    store.load("b")
    assert store.close() is None
    assert all(each.closed for each in chats.values())
    chats["a"].closed = False
    store.close()
    assert not chats["a"].closed


def test_per_session_awaits_async_closing() -> None:
    """Awaitable closings are given back as one awaitable."""
    chats = {name: Chat(name) for name in ("a", "b")}
    store: Any = PerSession(chats.__getitem__, load="get_items", close="finish_later")
    store.load("a")
    store.load("b")

    async def use() -> None:
        await store.close()

    asyncio.run(use())
    assert all(each.closed for each in chats.values())


@pytest.mark.parametrize("close", [None, "nothing_of_that_name"])
def test_per_session_need_not_close(close: str | None) -> None:
    """Objects without a closing method, and stores that name none, are let go."""
    store: Any = PerSession(Chat, load="get_items", close=close)
    store.load("a")
    assert store.close() is None


def test_per_session_refuses_an_unknown_operation() -> None:
    """A misspelt operation is refused with the list of those that exist."""
    with pytest.raises(
        TypeError, match="PerSession knows no operation 'apend'; operations are append, append_one"
    ):
        PerSession(Chat, apend="add_items")
