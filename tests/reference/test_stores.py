"""The memory store: creation, order, isolation and repeated appends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from threading import Thread
from typing import Any, cast

import pytest

from storelaw_reference.transcript import (
    EntryConflict,
    MemoryData,
    MemoryStore,
    Reappend,
    Rejected,
    SessionExists,
    SessionNotFound,
)


def merging() -> MemoryStore:
    """Return an idempotent store with an empty session `s`."""
    store = MemoryStore("idempotent-or-conflict")
    store.create("s")
    return store


@pytest.fixture
def store() -> Iterator[MemoryStore]:
    """Return a store with an empty session `s` and a fixed clock."""
    store = MemoryStore(now=lambda: datetime(2024, 1, 1, tzinfo=UTC))
    store.create("s")
    yield store
    store.close()


def test_a_created_session_is_empty(store: MemoryStore) -> None:
    """A session without entries loads as an empty list (PI-L5)."""
    assert store.load("s") == []


def test_a_taken_id_changes_nothing(store: MemoryStore) -> None:
    """The record and the log stay as they were (PI-L1)."""
    store.append("s", [{"id": "e1"}])
    with pytest.raises(SessionExists, match="'s'"):
        store.create("s", parent="p")
    assert store.record("s") == {"id": "s", "created_at": "2024-01-01T00:00:00Z"}
    assert store.load("s") == [{"id": "e1"}]


def test_a_record_keeps_its_parent_and_never_changes(store: MemoryStore) -> None:
    """A parent need not exist, and an append or a caller leaves the record alone (L2, L3)."""
    store.create("child", parent="nope")
    before = store.record("child")
    assert before["parent_id"] == "nope"
    store.append("child", [{"id": "e1"}])
    store.record("child")["parent_id"] = "changed"
    assert store.record("child") == before


def test_an_unknown_session_is_not_found(store: MemoryStore) -> None:
    """Neither a read nor an append creates (PI-L4, PI-A3)."""
    for call in (store.load, store.record, lambda key: store.append(key, [])):
        with pytest.raises(SessionNotFound, match="nope"):
            call("nope")
    store.create("nope")


def test_entries_load_in_append_order(store: MemoryStore) -> None:
    """Order within and across calls is that of the appends (PI-A1, PI-A2)."""
    entries: list[dict[str, Any]] = [
        {"id": "9", "created_at": 5},
        {"id": "1", "created_at": 1},
        {"id": "0"},
    ]
    store.append("s", entries[:1])
    store.append("s", entries[1:])
    assert store.load("s") == entries


def test_an_empty_append_changes_nothing(store: MemoryStore) -> None:
    """Zero entries are fine on a session that exists (PI-A3)."""
    store.append("s", [])
    assert store.load("s") == []


def test_nothing_is_shared_with_a_caller(store: MemoryStore) -> None:
    """Changing what was appended or loaded changes nothing (PI-R2, D-PI-9)."""
    entry: dict[str, Any] = {"content": [{"text": "a"}]}
    store.append("s", [entry])
    entry["content"][0]["text"] = "b"
    store.load("s")[0]["content"][0]["text"] = "c"
    assert store.load("s") == [{"content": [{"text": "a"}]}]


def test_values_come_back_of_the_same_type(store: MemoryStore) -> None:
    """Numbers, long texts and odd characters survive (PI-A8)."""
    entry = {"a": [True, 1, 1.0, -0.0, 2**53 + 1, None], "b": "x" * 2**19, "\0": "\ud800"}
    store.append("s", [entry])
    assert repr(store.load("s")) == repr([entry])


@pytest.mark.parametrize(
    "bad",
    [
        [],
        "text",
        {"a": float("nan")},
        {"a": object()},
        {1: "a"},
        {"a": (1,)},
        {"a": "\ud800\udc00"},
    ],
)
def test_what_would_not_come_back_is_refused_with_its_batch(store: MemoryStore, bad: Any) -> None:
    """All or nothing: a bad last entry leaves no first one (PI-A7)."""
    with pytest.raises(Rejected):
        store.append("s", [{"id": "e1"}, bad])
    assert store.load("s") == []


def test_a_deep_value_is_refused_rather_than_half_kept(store: MemoryStore) -> None:
    """A value beyond the depth of the JSON codec raises and stores nothing."""
    deep: list[Any] = []
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(Rejected):
        store.append("s", [{"a": deep}])
    assert store.load("s") == []


def test_a_repeated_append_is_stored_twice_by_default(store: MemoryStore) -> None:
    """The transcript profile merges nothing (PI-I2)."""
    store.append("s", [{"id": "e1"}])
    store.append("s", [{"id": "e1"}])
    assert len(store.load("s")) == 2


def test_two_handles_share_one_medium() -> None:
    """A second handle and a reopened one see the same log (PI-L8)."""
    data = MemoryData()
    first, second = MemoryStore(data=data), MemoryStore(data=data)
    first.create("s")
    first.append("s", [{"id": "e1"}])
    first.close()
    assert second.load("s") == [{"id": "e1"}]
    assert MemoryStore(data=data).load("s") == [{"id": "e1"}]


def test_an_equal_retry_keeps_the_first_place() -> None:
    """A batch that overlaps the log adds only what is new, key order aside."""
    store = merging()
    store.append("s", [{"id": "a", "x": 1}, {"id": "b"}])
    store.append("s", [{"id": "c"}, {"x": 1, "id": "a"}, {"id": "d"}, {"id": "d"}])
    assert [entry["id"] for entry in store.load("s")] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("other", [{"x": True}, {"x": 1.0}, {"x": [1]}, {}, {"x": 1, "y": None}])
def test_another_payload_is_a_conflict_and_stores_nothing(other: dict[str, Any]) -> None:
    """JSON equality is strict about types, in the log and within a batch."""
    store = merging()
    store.append("s", [{"id": "a", "x": 1}])
    with pytest.raises(EntryConflict, match="'a'"):
        store.append("s", [{"id": "new"}, {"id": "a", **other}])
    with pytest.raises(EntryConflict, match="'b'"):
        store.append("s", [{"id": "b", "x": 1}, {"id": "b", **other}])
    assert store.load("s") == [{"id": "a", "x": 1}]


def test_ids_are_scoped_to_a_session_and_entries_without_one_are_kept() -> None:
    """Real repeats are no retries."""
    store = merging()
    store.create("t")
    store.append("s", [{"id": "a"}, {"x": 1}, {"x": 1}, {"id": None}, {"id": None}])
    store.append("t", [{"id": "a", "x": 2}])
    assert len(store.load("s")) == 5
    assert store.load("t") == [{"id": "a", "x": 2}]


def test_threads_lose_nothing(store: MemoryStore) -> None:
    """Eight writers' entries are all there, each writer's in order (PI-N1)."""

    def write(writer: int) -> None:
        for step in range(100):
            store.append("s", [{"writer": writer, "step": step}])

    threads = [Thread(target=write, args=(writer,)) for writer in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = store.load("s")
    assert len(log) == 800
    for writer in range(8):
        assert [e["step"] for e in log if e["writer"] == writer] == list(range(100))


def test_an_unknown_way_to_reappend_is_refused() -> None:
    """A misspelt option doesn't quietly become the default."""
    with pytest.raises(ValueError, match="'merge'"):
        MemoryStore(cast(Reappend, "merge"))
