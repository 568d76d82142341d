"""Honest strangers: odd, right, and never accused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.errors import Rejected
from storelaw.matrix import accusations
from storelaw.medium import Medium
from storelaw.samples import said
from storelaw.strangers import strangers
from storelaw.strangers.answers import CutsTimes, DropsEmpties, ReordersKeys
from storelaw.strangers.limits import KeepsNewest, KeepsPairs, LimitsEntries, LimitsIds, Refuses
from storelaw.strangers.logs import RenamedLogs
from storelaw.strangers.minted import MintsIds, RandomIds
from storelaw.strangers.names import RenamedFields
from storelaw.strangers.sessions import OwnSession, at_once
from storelaw.strangers.shapes import AppendsOne, Async, OneHandle, PerSessionObjects
from storelaw.values import Entry, same

A: Entry = said("a")


def opened(medium: type[Medium], folder: Path) -> Any:
    """A handle of a sync stranger."""
    return medium(folder).open()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(strangers())), ids=lambda n: strangers()[n].__name__)
def test_no_law_accuses_a_stranger(number: int) -> None:
    """By battery no law is broken on a store that is right, and nobody is at fault.

    A fifth of the laws for each, which fifth depends on the stranger; the selftest, which
    is part of the gate, holds all of them, and generates programs too.
    """
    laws = catalogue.all_laws()[number % 5 :: 5]
    found = accusations([strangers()[number]], laws, "battery")
    assert [(each.law, each.failure, each.reason) for _, each in found] == []


def test_there_are_enough_strangers_and_each_has_a_name_of_its_own() -> None:
    """At least ten, told apart in the matrix."""
    names = {each.manifest.name for each in strangers()}
    assert len(names) == len(strangers()) >= 10


def test_a_stranger_is_odd(tmp_path: Path) -> None:
    """Each of these changes what a naive comparison would look at, and nothing else."""
    entry = {
        **A,
        "created_at": "2026-01-01T01:00:00.123456789+01:00",
        "note": "",
        "at": [{}, {"x": None}],
    }
    seen: dict[type[Medium], Entry] = {}
    for each in (ReordersKeys, CutsTimes, DropsEmpties):
        store = opened(each, tmp_path)
        store.append("s", [entry])
        (seen[each],) = store.load("s")
        assert seen[each] != entry or list(seen[each]) != list(entry)
        assert same(entry, seen[each], each.manifest.losses)
    assert list(seen[ReordersKeys]) == sorted(entry)
    assert seen[CutsTimes]["created_at"] == "2026-01-01T00:00:00.123456+00:00"
    assert seen[DropsEmpties]["at"] == [{}, {}]
    assert "note" not in seen[DropsEmpties]


def test_a_time_that_is_none_is_left_alone(tmp_path: Path) -> None:
    """Only what reads as a time is cut."""
    store = opened(CutsTimes, tmp_path)
    store.append("s", [{**A, "created_at": "yesterday"}, {"created_at": 5}])
    assert [each["created_at"] for each in store.load("s")] == ["yesterday", 5]


@pytest.mark.parametrize(
    ("medium", "session", "value"),
    [
        (Refuses, "s", "a\0"),
        (Refuses, "s", ["\ud800"]),
        (Refuses, "s", 2**53 + 1),
        (Refuses, "s", 1e308),
        (Refuses, "s", 5e-324),
        (Refuses, "s", {"\0": 1}),
        (LimitsIds, "s" * 25, 1),
        (LimitsEntries, "s", "x" * 5000),
        (LimitsEntries, "s", [[[[[[[[[[[[1]]]]]]]]]]]]),
    ],
)
def test_what_is_outside_a_limit_is_refused(
    medium: type[Medium], session: str, value: Any, tmp_path: Path
) -> None:
    """The stranger refuses as its manifest says, and keeps what lies inside."""
    store = opened(medium, tmp_path)
    with pytest.raises(Rejected):
        store.append(session, [{**A, "value": value}])
    store.append("s", [{**A, "value": [2**53, 0.0, -0.5, True, None, "x"]}])
    assert store.load("s")[0]["value"] == [2**53, 0.0, -0.5, True, None, "x"]


def test_retention_keeps_the_newest(tmp_path: Path) -> None:
    """Five entries, or three pairs of which the last may be half."""
    entries = [said(str(n)) for n in range(9)]
    newest, pairs = opened(KeepsNewest, tmp_path), opened(KeepsPairs, tmp_path)
    newest.append("s", entries)
    pairs.append("s", entries)
    assert newest.load("s") == entries[-5:]
    assert pairs.load("s") == entries[-5:]
    pairs.append("s", [A])
    assert pairs.load("s") == [*entries[-5:], A]


@pytest.mark.parametrize("medium", [MintsIds, RandomIds])
def test_minted_ids_are_returned(medium: type[Medium], tmp_path: Path) -> None:
    """The ids that append and replace return are those that load shows."""
    store = opened(medium, tmp_path)
    given = [*store.append("s", [A, A]), *store.append("s", [A])]
    assert [each["id"] for each in store.load("s")] == given
    assert len(set(given)) == 3
    assert [each["id"] for each in store.load("s")] != store.replace("s", [A])


def test_names_are_changed_both_ways(tmp_path: Path) -> None:
    """Headers and popped entries have the outer names, as loaded ones."""
    store = opened(RenamedFields, tmp_path)
    store.append("s", [{"uuid": "1", "type": "custom"}])
    assert store.headers("s") == [{"uuid": "1", "type": "custom"}]
    assert store.pop("s") == {"uuid": "1", "type": "custom"}
    assert store.pop("s") is None


def test_one_by_one_is_the_same_store(tmp_path: Path) -> None:
    """There is no batch operation, and all others are the honest store's."""
    store = opened(AppendsOne, tmp_path)
    assert store.append is None
    store.append_one("s", A)
    assert store.load("s") == [A]


def test_a_second_handle_is_refused_until_the_first_is_closed(tmp_path: Path) -> None:
    """One handle at once means one."""
    medium = OneHandle(tmp_path)
    first = medium.open()
    with pytest.raises(RuntimeError, match="open already"):
        medium.open()
    first.close()
    assert medium.open() is not first


def test_objects_for_each_session_pop_and_limit(tmp_path: Path) -> None:
    """The wrapped object's own names are used, and an unknown session has nothing to pop."""
    store = opened(PerSessionObjects, tmp_path)

    async def use() -> list[Any]:
        await store.append("s", [A, said("b")])
        return [await store.load("s", last=1), await store.pop("s"), await store.pop("t")]

    assert asyncio.run(use()) == [[said("b")], said("b"), None]


def test_an_async_medium_is_awaited_throughout(tmp_path: Path) -> None:
    """Opening and destroying are coroutines too."""

    async def use() -> list[Entry]:
        medium = Async(tmp_path)
        store = await medium.open()
        await store.append("s", [A])
        await medium.destroy()
        loaded: list[Entry] = await store.load("s")
        return loaded

    assert asyncio.run(use()) == [A]


def test_a_coroutine_that_waits_can_not_be_had_at_once() -> None:
    """The async session drives a model that waits for nothing, and says so of another."""

    async def waiting() -> None:
        await asyncio.sleep(0)

    coroutine = waiting()
    with pytest.raises(RuntimeError, match="waits"):
        at_once(coroutine)
    coroutine.close()


def test_the_own_session_runs_and_forks(tmp_path: Path) -> None:
    """All of the session is awaited, its model included."""

    async def model(messages: list[Entry]) -> list[Entry]:
        return [{"role": "assistant", "content": [{"type": "text", "text": str(len(messages))}]}]

    async def use() -> tuple[Any, Any]:
        medium = OwnSession(tmp_path)
        session = await medium.open_session(medium.open(), "s")
        draft = {"type": "message", "message": said("u")["message"]}
        receipts = await session.run([draft], model)
        child = await session.fork("t")
        return receipts, await child.messages()

    receipts, messages = asyncio.run(use())
    assert len(receipts) == 2
    assert [each["role"] for each in messages] == ["user", "assistant"]


def test_a_store_under_outer_names_gives_them_everywhere(tmp_path: Path) -> None:
    """Loads and pops are renamed; nothing stays nothing."""
    store = opened(RenamedLogs, tmp_path)
    store.append("s", [{"uuid": "a", "entryType": "state", "data": {}}])
    assert store.load("s") == [{"uuid": "a", "entryType": "state", "data": {}}]
    assert store.pop("s") == {"uuid": "a", "entryType": "state", "data": {}}
    assert store.pop("s") is None


def test_an_object_for_each_session_can_be_wiped(tmp_path: Path) -> None:
    """A wiped conversation is empty, one that never was may be wiped too."""

    async def wiped() -> Any:
        store: Any = PerSessionObjects(tmp_path).open()
        await store.append("s", [A])
        await store.clear("s")
        await store.clear("t")
        return await store.load("s")

    assert asyncio.run(wiped()) == []
