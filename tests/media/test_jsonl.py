"""The JSONL store, operation by operation, and its torn tails."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storelaw.driver import Injected
from storelaw.errors import EntryConflict, Rejected, SessionExists, SessionNotFound
from storelaw.media.jsonl import Damaged, IdempotentJsonlMedium, JsonlMedium, JsonlStore
from storelaw.values import Entry
from storelaw_schemas import problems

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def entry(id: str, **more: Any) -> Entry:
    """A small entry."""
    return {"type": "custom", "id": id, "kind": "note", **more}


A, B, C, D = (entry(each) for each in "abcd")


@pytest.fixture
def medium(tmp_path: Path) -> JsonlMedium:
    """A medium in a folder of its own."""
    return JsonlMedium(tmp_path)


@pytest.fixture
def store(medium: JsonlMedium) -> JsonlStore:
    """A store with a session ``s`` that holds two entries."""
    store = medium.open()
    store.create("s")
    store.append("s", [A, B])
    return store


@pytest.fixture
def file(medium: JsonlMedium, store: JsonlStore) -> Path:
    """The file of the session ``s``."""
    (file,) = medium.files()
    return file


def test_entries_outlive_the_handle(medium: JsonlMedium, store: JsonlStore) -> None:
    """What was appended is there after close and open."""
    store.append("s", [])
    store.close()
    assert medium.open().load("s") == [A, B]


def test_an_append_only_grows_the_file(store: JsonlStore, file: Path) -> None:
    """Old bytes are a prefix of the new ones, and a batch is one line, of several an array."""
    before = file.read_bytes()
    store.append("s", [C, D])
    store.append("s", [A])
    after = file.read_bytes()
    assert after.startswith(before)
    assert [json.loads(each) for each in after[len(before) :].splitlines()] == [[C, D], A]
    assert store.load("s") == [A, B, C, D, A]


def test_a_created_session_is_empty_and_taken(store: JsonlStore) -> None:
    """A second create raises and changes nothing; an append never creates."""
    store.create("t")
    assert store.load("t") == []
    with pytest.raises(SessionExists):
        store.create("s", parent="p")
    assert store.load("s") == [A, B]
    for call in (store.load, store.record):
        with pytest.raises(SessionNotFound):
            call("u")
    with pytest.raises(SessionNotFound):
        store.append("u", [A])
    assert sorted(store.list_sessions()) == ["s", "t"]


def test_a_record_is_dated_by_the_clock(medium: JsonlMedium) -> None:
    """The first line is the record, as the schema wants it."""
    store = medium.open()
    medium.clock(lambda: NOON)
    store.create("s", parent="no such session")
    record = {"id": "s", "parent_id": "no such session", "created_at": NOON.isoformat()}
    assert store.record("s") == record
    (file,) = medium.files()
    line = json.loads(file.read_bytes())
    assert line == {"type": "session_init", **record}
    assert problems("transcript/session-record", line) == ()


def test_nothing_but_sessions_lies_in_the_folder(store: JsonlStore, file: Path) -> None:
    """Neither a create nor a refused one leaves its draft behind."""
    with pytest.raises(SessionExists):
        store.create("s")
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    "twin", ["S", "s ", "s\0", "\ud800", "../s", "s.jsonl", "/", "\U0001f600" * 128, ""]
)
def test_ids_that_look_alike_are_different(
    medium: JsonlMedium, store: JsonlStore, twin: str
) -> None:
    """Every id has a file of its own, inside the folder, on any file system."""
    store.create(twin)
    store.append(twin, [C])
    assert store.load(twin) == [C]
    assert store.load("s") == [A, B]
    assert set(store.list_sessions()) == {"s", twin}
    assert len({each.name.lower() for each in medium.files()}) == 2


@pytest.mark.parametrize(
    "tail", [b'{"type": "custom", "id": "c', b"\0\0\0", b'{"ty\0\0', b"   ", b"17", b"\xff"]
)
def test_a_torn_tail_is_dropped_and_mended(store: JsonlStore, file: Path, tail: bytes) -> None:
    """Earlier entries load, and the next append leaves the log whole. Rules: PI-K1, PI-K5."""
    with file.open("ab") as stream:
        stream.write(tail)
    assert store.load("s") == [A, B]
    store.append("s", [D])
    assert store.load("s") == [A, B, D]


def test_a_whole_entry_without_its_line_feed_is_one(store: JsonlStore, file: Path) -> None:
    """It loads, and the next append goes on its own line. Rules: PI-K2, PI-K5."""
    with file.open("ab") as stream:
        stream.write(json.dumps(C).encode())
    assert store.load("s") == [A, B, C]
    store.append("s", [D])
    assert store.load("s") == [A, B, C, D]


@pytest.mark.parametrize("line", [b"{", b"17", b"\0\0"])
def test_a_bad_line_before_the_last_is_an_error(store: JsonlStore, file: Path, line: bytes) -> None:
    """It is told, not skipped. Rule: PI-K3."""
    head, *rest = file.read_bytes().split(b"\n")
    file.write_bytes(b"\n".join([head, line, *rest]))
    with pytest.raises(Damaged, match="line 2"):
        store.load("s")


def test_a_blank_line_holds_nothing(store: JsonlStore, file: Path) -> None:
    """Blank lines lose no entry, so they are no damage."""
    with file.open("ab") as stream:
        stream.write(b"\n  \n")
    store.append("s", [C])
    assert store.load("s") == [A, B, C]


@pytest.mark.parametrize("head", [b"", b"\n", b'{"type": "session_init"', b'{"type": "x"}\n'])
def test_a_file_without_its_record_is_an_error(store: JsonlStore, file: Path, head: bytes) -> None:
    """An empty or torn first line is no empty session. Rule: PI-K4."""
    file.write_bytes(head)
    with pytest.raises(Damaged, match="record"):
        store.load("s")


def test_a_torn_record_is_not_mended(store: JsonlStore, file: Path) -> None:
    """An append to a file without a record raises and leaves it as it is."""
    for head in (b"", b'{"type": "session_init"'):
        file.write_bytes(head)
        with pytest.raises(Damaged, match="record"):
            store.append("s", [A])
        assert file.read_bytes() == head


def test_the_file_of_another_session_is_an_error(
    medium: JsonlMedium, store: JsonlStore, file: Path
) -> None:
    """The record's id is compared, not only the file's name."""
    content = file.read_bytes()
    store.create("t")
    (other,) = set(medium.files()) - {file}
    other.write_bytes(content)
    with pytest.raises(Damaged, match="another session"):
        store.load("t")


def test_a_short_write_is_taken_back(
    store: JsonlStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk takes a part of the batch only, none of it stays."""
    before, write = file.read_bytes(), os.write

    def halved(fd: int, data: bytes) -> int:
        return write(fd, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", halved)
    with pytest.raises(OSError, match="part of the batch"):
        store.append("s", [C, D])
    monkeypatch.undo()
    assert file.read_bytes() == before


def test_a_bad_entry_takes_its_batch_along(store: JsonlStore) -> None:
    """Nothing of a batch with an entry that is no JSON is stored."""
    with pytest.raises(Rejected):
        store.append("s", [C, entry("e", bad=object())])
    assert store.load("s") == [A, B]


@pytest.mark.parametrize(("point", "k"), [("before-commit", 0), ("item", 1), ("inside", 0)])
def test_a_failure_before_the_write_leaves_nothing(
    medium: JsonlMedium, store: JsonlStore, point: str, k: int
) -> None:
    """The failure comes once, and the next append passes."""
    medium.fail_next(point, k)
    with pytest.raises(Injected):
        store.append("s", [C, D])
    assert store.load("s") == [A, B]
    store.append("s", [C])
    assert store.load("s") == [A, B, C]


def test_every_write_can_fail_and_leaves_nothing(
    medium: JsonlMedium, store: JsonlStore, file: Path
) -> None:
    """A session isn't half made, deleted or forked, and no draft stays."""
    writes: tuple[Callable[[], object], ...] = (
        lambda: store.create("t"),
        lambda: store.delete("s"),
        lambda: store.fork("s", "t"),
    )
    for write in writes:
        medium.fail_next("inside")
        with pytest.raises(Injected):
            write()
        assert list(file.parent.iterdir()) == [file]
        assert store.load("s") == [A, B]


def test_a_failure_after_the_write_is_a_lost_reply(medium: JsonlMedium, store: JsonlStore) -> None:
    """The batch is there though the call raised."""
    medium.fail_next("after-commit")
    with pytest.raises(Injected):
        store.append("s", [C])
    assert store.load("s") == [A, B, C]


def test_a_deleted_session_is_unknown_and_begins_anew(store: JsonlStore) -> None:
    """Nothing of it comes back; deleting it again is no error."""
    store.delete("s")
    store.delete("s")
    with pytest.raises(SessionNotFound):
        store.load("s")
    store.create("s")
    assert store.load("s") == []


def test_a_fork_is_a_copy_up_to_an_entry(store: JsonlStore) -> None:
    """Parent and child are independent; a fork that fails leaves nothing."""
    assert store.fork("s", "t", at="a") == "t"
    store.fork("s", "u")
    store.append("t", [D])
    store.append("s", [C])
    assert store.load("t") == [A, D]
    assert store.load("u") == [A, B]
    assert store.record("t")["parent_id"] == "s"
    for source, new, at, error in (
        ("s", "v", "?", Rejected),
        ("x", "v", None, SessionNotFound),
        ("s", "t", None, SessionExists),
    ):
        with pytest.raises(error):
            store.fork(source, new, at)
    assert sorted(store.list_sessions()) == ["s", "t", "u"]


def test_a_known_id_is_a_retry_or_a_conflict(tmp_path: Path) -> None:
    """An equal payload is skipped, in one batch too; another one is refused with its batch."""
    store = IdempotentJsonlMedium(tmp_path).open()
    store.create("s")
    nameless = {"type": "custom", "kind": "note"}
    store.append("s", [A, A, B, nameless, nameless])
    store.append("s", [dict(reversed(B.items())), C])
    with pytest.raises(EntryConflict):
        store.append("s", [D, entry("a", title="other")])
    assert store.load("s") == [A, B, nameless, nameless, C]


def test_a_closed_store_does_nothing(store: JsonlStore) -> None:
    """Every call after close raises."""
    store.close()
    calls: tuple[Callable[[], object], ...] = (
        lambda: store.load("s"),
        lambda: store.append("s", [A]),
        store.list_sessions,
        lambda: store.create("t"),
    )
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()
