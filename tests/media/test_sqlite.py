"""The SQLite store, operation by operation."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storelaw.driver import Injected
from storelaw.errors import EntryConflict, Rejected, SessionExists, SessionNotFound
from storelaw.media.sqlite import IdempotentSqliteMedium, SqliteMedium, SqliteStore
from storelaw.values import Entry

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def entry(id: str, **more: Any) -> Entry:
    """A small entry."""
    return {"type": "custom", "id": id, "kind": "note", **more}


A, B, C, D = (entry(each) for each in "abcd")


@pytest.fixture
def medium(tmp_path: Path) -> SqliteMedium:
    """A medium in a folder of its own."""
    return SqliteMedium(tmp_path)


@pytest.fixture
def store(medium: SqliteMedium) -> Iterator[SqliteStore]:
    """A store with a session ``s`` that holds four entries."""
    store = medium.open()
    store.create("s")
    store.append("s", [A, B])
    store.append("s", [C, D])
    yield store
    store.close()


def test_entries_outlive_the_handle(medium: SqliteMedium, store: SqliteStore) -> None:
    """What was appended is there after close and open."""
    store.close()
    again = medium.open()
    assert again.load("s") == [A, B, C, D]
    again.close()


def test_the_file_is_in_wal_mode_and_synced_at_checkpoints(tmp_path: Path) -> None:
    """The promise is about processes: WAL, and no sync at each commit."""
    store = SqliteStore(tmp_path / "x.db")
    store.create("s")
    db = store._db
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (1,)
    store.close()


def test_a_file_that_another_process_made_meanwhile_is_kept(
    medium: SqliteMedium, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two may find no file at once; the second takes the first one's, and leaves no draft."""
    monkeypatch.setattr(Path, "exists", lambda _: False)
    second = medium.open()
    assert second.load("s") == [A, B, C, D]
    second.close()
    names = {each.name.partition(".db")[2] for each in medium.workdir.iterdir()}
    assert names <= {"", "-wal", "-shm"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"last": 2}, [C, D]),
        ({"last": 9}, [A, B, C, D]),
        ({"last": 0}, []),
        ({"last": -1}, []),
        ({"first": 2}, [A, B]),
        ({"first": 0}, []),
        ({"first": 2**70}, [A, B, C, D]),
        ({"first": 3, "last": 2}, [B, C]),
        ({"first": 3, "last": 0}, []),
        ({"after": "a"}, [B, C, D]),
        ({"before": "d"}, [A, B, C]),
        ({"after": "a", "before": "d", "last": 1}, [C]),
        ({"after": "a", "first": 1}, [B]),
        ({"after": "?"}, [A, B, C, D]),
        ({"before": "?"}, [A, B, C, D]),
        ({"after": "c", "before": "b"}, []),
    ],
)
def test_a_filtered_read_is_the_slice(
    store: SqliteStore, filters: dict[str, Any], expected: list[Entry]
) -> None:
    """Bounds come first, then the first so many, then the last so many of those."""
    assert store.load("s", **filters) == expected


def test_bounds_take_the_first_of_equal_ids(store: SqliteStore) -> None:
    """Where an id is there twice, its first place counts."""
    store.append("s", [B])
    assert store.load("s", after="b") == [C, D, B]
    assert store.load("s", before="b") == [A]


def test_a_created_session_is_empty_and_taken(store: SqliteStore) -> None:
    """A second create raises and changes nothing; an append never creates."""
    store.create("t")
    assert store.load("t") == []
    with pytest.raises(SessionExists):
        store.create("s", parent="p")
    assert store.load("s") == [A, B, C, D]
    assert "parent_id" not in store.record("s")
    for call in (store.load, store.record, store.headers):
        with pytest.raises(SessionNotFound):
            call("u")
    for write in (store.append, store.replace):
        with pytest.raises(SessionNotFound):
            write("u", [A])
    assert sorted(store.list_sessions()) == ["s", "t"]


def test_a_record_is_dated_by_the_clock(medium: SqliteMedium) -> None:
    """The clock of the medium is read at create, also by handles that are open already."""
    store = medium.open()
    medium.clock(lambda: NOON)
    store.create("s", parent="no such session")
    assert store.record("s") == {
        "id": "s",
        "parent_id": "no such session",
        "created_at": NOON.isoformat(),
    }
    store.close()


@pytest.mark.parametrize("twin", ["S", "s ", "s\0", "\ud800", "s%", "ß", ""])
def test_ids_that_look_alike_are_different(store: SqliteStore, twin: str) -> None:
    """No collation, trimming or folding makes two ids one."""
    store.create(twin)
    store.append(twin, [A])
    assert store.load(twin) == [A]
    assert store.load("s") == [A, B, C, D]
    assert set(store.list_sessions()) == {"s", twin}


def test_an_id_that_would_change_is_refused(store: SqliteStore) -> None:
    """Two surrogates that make a pair would become another id."""
    with pytest.raises(Rejected):
        store.create("\ud83d" + "\ude00")


def test_a_bad_entry_takes_its_batch_along(store: SqliteStore) -> None:
    """Nothing of a batch with an entry that is no JSON is stored, and nothing stays locked."""
    with pytest.raises(Rejected):
        store.append("s", [entry("e"), entry("f", bad=object())])
    with pytest.raises(Rejected):
        store.replace("s", [entry("e"), entry("f", bad=float("nan"))])
    assert store.load("s") == [A, B, C, D]
    store.append("s", [entry("g")])
    assert store.load("s", last=1) == [entry("g")]


@pytest.mark.parametrize(("point", "k"), [("before-commit", 0), ("item", 1), ("inside", 0)])
def test_a_failure_before_the_commit_leaves_nothing(
    medium: SqliteMedium, store: SqliteStore, point: str, k: int
) -> None:
    """The transaction is rolled back, for other handles too, and the next write passes."""
    for write in (store.append, store.replace):
        medium.fail_next(point, k)
        with pytest.raises(Injected):
            write("s", [entry("e"), entry("f")])
        other = medium.open()
        assert other.load("s") == [A, B, C, D]
        other.append("s", [])
        other.close()


def test_every_write_can_fail_and_leaves_nothing(medium: SqliteMedium, store: SqliteStore) -> None:
    """A session isn't half made, deleted or forked."""
    writes: tuple[Callable[[], object], ...] = (
        lambda: store.create("t"),
        lambda: store.delete("s"),
        lambda: store.fork("s", "t"),
        lambda: store.clear("s"),
        lambda: store.pop("s"),
        lambda: store.delete_entry("s", "a"),
    )
    for write in writes:
        medium.fail_next("inside")
        with pytest.raises(Injected):
            write()
        assert store.list_sessions() == ["s"]
        assert store.load("s") == [A, B, C, D]


def test_a_failure_after_the_commit_is_a_lost_reply(
    medium: SqliteMedium, store: SqliteStore
) -> None:
    """The batch is there though the call raised."""
    medium.fail_next("after-commit")
    with pytest.raises(Injected):
        store.append("s", [entry("e")])
    assert store.load("s", last=1) == [entry("e")]


def test_a_transaction_that_is_gone_is_not_rolled_back_again(tmp_path: Path) -> None:
    """Where SQLite itself has rolled back, the first error comes through as it is."""

    def lose(point: str, k: int) -> None:
        if point == "item":
            lossy._db.execute("ROLLBACK")
            raise Injected("the disk is full")

    lossy = SqliteStore(tmp_path / "x.db", reached=lose)
    lossy.create("s")
    with pytest.raises(Injected):
        lossy.append("s", [A])
    assert lossy.load("s") == []
    lossy.close()


def test_taking_entries_out_keeps_the_order_of_the_rest(store: SqliteStore) -> None:
    """Pop takes the newest, delete_entry the one named; appends go behind what is left."""
    assert store.pop("s") == D
    store.delete_entry("s", "b")
    store.append("s", [D])
    assert store.load("s") == [A, C, D]
    store.clear("s")
    assert store.load("s") == []
    assert store.pop("s") is None
    assert store.pop("u") is None


def test_a_deleted_session_is_unknown_and_begins_anew(store: SqliteStore) -> None:
    """Nothing of it comes back; deleting it again is no error."""
    store.delete("s")
    store.delete("s")
    with pytest.raises(SessionNotFound):
        store.load("s")
    store.create("s")
    assert store.load("s") == []


def test_replace_swaps_the_log(store: SqliteStore) -> None:
    """The new entries are all there is."""
    store.replace("s", [D, A])
    assert store.load("s") == [D, A]


def test_a_fork_is_a_copy_up_to_an_entry(store: SqliteStore) -> None:
    """Parent and child are independent, and the child's record names the parent."""
    assert store.fork("s", "t", at="b") == "t"
    store.fork("s", "u")
    store.append("t", [D])
    store.append("s", [entry("e")])
    assert store.load("t") == [A, B, D]
    assert store.load("u") == [A, B, C, D]
    assert store.record("t")["parent_id"] == "s"


def test_a_fork_that_fails_leaves_nothing(store: SqliteStore) -> None:
    """An unknown entry, an unknown session and a taken id make no session."""
    store.create("t")
    for source, new, at, error in (
        ("s", "v", "?", Rejected),
        ("u", "v", None, SessionNotFound),
        ("s", "t", None, SessionExists),
    ):
        with pytest.raises(error):
            store.fork(source, new, at)
    assert sorted(store.list_sessions()) == ["s", "t"]
    assert store.load("t") == []


def test_headers_name_the_entries(store: SqliteStore) -> None:
    """One header for each entry, with its id where it has one."""
    store.append("s", [{"type": "custom", "kind": "note"}])
    assert store.headers("s") == [*({"id": each} for each in "abcd"), {}]


def test_a_known_id_is_a_retry_or_a_conflict(tmp_path: Path) -> None:
    """An equal payload is skipped, in one batch too; another one is refused with its batch."""
    store = IdempotentSqliteMedium(tmp_path).open()
    store.create("s")
    nameless = {"type": "custom", "kind": "note"}
    store.append("s", [A, A, B, nameless, nameless])
    store.append("s", [dict(reversed(B.items())), C])
    with pytest.raises(EntryConflict):
        store.append("s", [D, entry("a", title="other")])
    assert store.load("s") == [A, B, nameless, nameless, C]
    store.close()


def test_a_closed_store_does_nothing(store: SqliteStore) -> None:
    """Every call after close raises; closing again is no error."""
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.load("s")
    with pytest.raises(sqlite3.ProgrammingError):
        store.append("s", [A])
