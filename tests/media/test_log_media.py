"""The media of the log profile: logs in memory, in files, and in segments."""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.driver import Injected
from storelaw.errors import Rejected
from storelaw.log_samples import compact, put
from storelaw.matrix import accusations
from storelaw.media.log_json import LogJsonMedium
from storelaw.media.log_jsonl import LogJsonlMedium
from storelaw.media.log_kv import LogKvMedium
from storelaw.media.log_memory import LogMemoryMedium
from storelaw.media.log_stores import LogMedium
from storelaw_reference import log

MEDIA: list[Any] = [LogMemoryMedium, LogJsonlMedium, LogJsonMedium, LogKvMedium]
NAMES = ["log-memory", "log-jsonl", "log-json", "log-kv"]

A, B, C = put("a"), put("b"), put("c")

#: Ids that a careless encoding would lay upon each other.
IDS = [
    "s",
    "S",
    "s ",
    "s:head",
    's"',
    "s/../s",
    "",
    "s\0",
    "é",
    "e\u0301",
    "s:seg:0000001",
    "x" * 400,
]


@contextmanager
def tidied(made: LogMedium) -> Generator[LogMedium]:
    """A medium whose handles are closed at the end, however many were opened."""
    handles: list[Any] = []
    opened = made.open

    def opening() -> Any:
        handles.append(opened())
        return handles[-1]

    setattr(made, "open", opening)  # noqa: B010
    yield made
    for each in handles:
        each.close()


@pytest.fixture(params=MEDIA, ids=NAMES)
def medium(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LogMedium]:
    """Each of the media, on a folder of its own."""
    with tidied(request.param(tmp_path)) as made:
        yield made


@pytest.fixture
def segments(tmp_path: Path) -> Iterator[LogMedium]:
    """The medium over SQLite."""
    with tidied(LogKvMedium(tmp_path)) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_law_is_broken_and_none_is_left_open(name: str) -> None:
    """By battery no law of any door breaks, and nobody is at fault.

    Of the store's laws those on values, order and life cycles; the gate checks all.
    """
    tried = [
        each
        for each in catalogue.all_laws("log")
        if each.door != "store" or each.family in ("fidelity", "order", "lifecycle")
    ]
    found = accusations(
        [catalogue.medium_of(name)], tried[:: 1 if name == NAMES[0] else 2], "battery"
    )
    assert [(each.law, each.failure, each.reason) for _, each in found] == []


def test_ids_never_share_a_log(medium: Any) -> None:
    """Each id has a log of its own, and is listed as it was given."""
    store = medium.open()
    for number, each in enumerate(IDS):
        store.append(each, [put(f"e{number}")])

    assert [store.load(each) for each in IDS] == [[put(f"e{n}")] for n, _ in enumerate(IDS)]
    assert sorted(store.list_sessions()) == sorted(IDS)


def test_a_log_is_shared_by_all_handles(medium: Any) -> None:
    """What one handle appends the others read, one that was opened later too."""
    one, other = medium.open(), medium.open()
    one.append("s", [A])
    other.append("s", [B, C])

    assert one.load("s") == other.load("s") == medium.open().load("s") == [A, B, C]


def test_a_log_is_long_enough_for_several_segments(medium: Any) -> None:
    """Order and number hold across the borders of segments."""
    store = medium.open()
    entries = [put(f"e{number}") for number in range(11)]
    for at in range(0, 11, 3):
        store.append("s", entries[at : at + 3])
    assert store.load("s") == entries


def test_clear_empties_and_delete_forgets(medium: Any) -> None:
    """A cleared log is listed and empty; a deleted one is gone; neither minds an unknown id."""
    store = medium.open()
    store.append("s", [A])
    store.append("t", [B])
    store.clear("s")
    store.delete("t")
    store.clear("nope")
    store.delete("nope")

    assert (store.load("s"), store.load("t"), store.list_sessions()) == ([], [], ["s"])
    store.append("t", [C])
    assert store.load("t") == [C]


def test_an_empty_append_and_a_read_make_no_log(medium: Any) -> None:
    """Nothing is listed that was never written."""
    store = medium.open()
    store.append("s", [])

    assert (store.load("s"), store.load("t"), store.list_sessions()) == ([], [], [])


@pytest.mark.parametrize("point", ["item", "inside", "before-commit"])
def test_a_failure_before_the_commit_leaves_nothing(medium: Any, point: str) -> None:
    """The failed batch is not there, and the next append is not disturbed."""
    store = medium.open()
    store.append("s", [A])
    medium.fail_next(point)
    with pytest.raises(Injected):
        store.append("s", [B, B])

    assert store.load("s") == [A]
    store.append("s", [C])
    assert medium.open().load("s") == [A, C]


def test_a_failure_after_the_commit_leaves_all(medium: Any) -> None:
    """A lost reply: the batch is there as a whole, also for a new handle."""
    store = medium.open()
    medium.fail_next("after-commit")
    with pytest.raises(Injected):
        store.append("s", [A, B])
    assert medium.open().load("s") == [A, B]


def test_what_is_no_json_is_refused(medium: Any) -> None:
    """A value that would not come back is refused with its whole batch."""
    store = medium.open()
    for bad in (float("nan"), object(), {1: 2}, "\ud83d\ude00"[:1] + "\ude00"):
        with pytest.raises((Rejected, log.Rejected)):
            store.append("s", [A, {**B, "data": bad}])
    assert store.list_sessions() == []


def test_any_json_value_is_an_entry_to_a_store(medium: Any) -> None:
    """A store does not validate: scalars, null and lists come back (AP-A9)."""
    store = medium.open()
    store.append("s", [None, 1, "x", [A]])
    assert store.load("s") == [None, 1, "x", [A]]


def test_after_close_every_call_raises(medium: Any) -> None:
    """A closed handle does no more work."""
    store = medium.open()
    store.close()
    for each in (store.list_sessions, lambda: store.load("s"), lambda: store.append("s", [])):
        with pytest.raises(ValueError, match="closed"):
            each()


def test_a_medium_shows_the_projections(medium: Any) -> None:
    """The replay door is the medium itself."""
    entries = [A, B, compact("C", "sum", "a"), C]

    assert medium.to_agent_input(entries) == [each["data"] for each in (A, B, C)]
    assert [each["id"] for each in medium.projected(entries)] == ["C", "b", "c"]


# --------------------------------------------------------------------- damage


def test_a_torn_last_line_costs_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Half a line, or NULs, at the end of a JSONL log are dropped by the next append (D-AP-6)."""
    medium = LogJsonlMedium(tmp_path)
    medium.open().append("s", [A, B])
    (file,) = medium.files()
    for torn in (b'{"id": "c", "ty', b"\0" * 40):
        held = file.read_bytes()
        file.write_bytes(held + torn)
        assert medium.open().load("s")[:2] == [A, B]
        medium.open().append("s", [C])
        assert file.read_bytes().startswith(held)
        assert medium.open().load("s")[-1] == C


def test_a_whole_last_line_without_its_feed_counts(tmp_path: Path) -> None:
    """A log whose last LF is missing is read whole, and appended to behind it (D-AP-7)."""
    medium = LogJsonlMedium(tmp_path)
    medium.open().append("s", [A, B])
    (file,) = medium.files()
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))

    assert medium.open().load("s") == [A, B]
    medium.open().append("s", [C])
    assert medium.open().load("s") == [A, B, C]


@pytest.mark.parametrize("kind", [LogJsonlMedium, LogJsonMedium])
def test_a_damaged_file_is_an_error(kind: Any, tmp_path: Path) -> None:
    """What is no JSON is neither skipped nor taken for an empty log (AP-A6)."""
    medium = kind(tmp_path)
    medium.open().append("s", [A, B])
    (file,) = (each for each in (tmp_path / "logs").glob("*/log.*"))
    file.write_bytes(b"{broken\n" + file.read_bytes())

    with pytest.raises(log.Damaged, match=file.name):
        medium.open().load("s")
    with pytest.raises(log.Damaged):
        medium.open().load("s")


@pytest.mark.parametrize("change", ["DELETE FROM texts", "UPDATE texts SET text = 'x'"])
@pytest.mark.parametrize("key", ["head", "seg:0000001"])
def test_a_damaged_segment_or_head_is_an_error(
    change: str, key: str, segments: Any, tmp_path: Path
) -> None:
    """A damaged key is neither skipped nor overwritten by the next append (D-AP-8)."""
    medium = segments
    medium.open().append("s", [A, B])
    with sqlite3.connect(tmp_path / "logs.db") as db:
        db.execute(f"{change} WHERE key = ?", (f'"s":{key}',))
    db.close()

    with pytest.raises(log.Damaged):
        medium.open().load("s")
    with pytest.raises(log.Damaged):
        medium.open().append("s", [C])


def test_a_read_writes_no_key(segments: Any, tmp_path: Path) -> None:
    """Reading an unknown log leaves the table empty (D-AP-8)."""
    segments.open().load("s")
    with sqlite3.connect(tmp_path / "logs.db") as db:
        assert db.execute("SELECT count(*) FROM texts").fetchone() == (0,)
    db.close()
