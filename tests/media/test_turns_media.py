"""The media of the turns profile, operation by operation."""

from pathlib import Path
from typing import Any

import pytest

from storelaw.driver import Injected
from storelaw.errors import Rejected
from storelaw.media.turns_memory import TurnsMedium, TurnsMemoryMedium
from storelaw.media.turns_sqlite import TurnsSqliteMedium
from storelaw.moments import nanoseconds
from storelaw.player import play
from storelaw.program import ask, door, program
from storelaw.strategies.turns_rows import row

MEDIA = [TurnsMemoryMedium, TurnsSqliteMedium]

A = row("n/one", "turn-000000-user", "a", "2026-01-01T00:00:00Z", tags=["t", "u"])
B = row("n/one", "turn-000001-user", "b", "2026-01-01T00:00:01.000000001Z")
C = row("n/one", "turn-000002-user", "c", "2026-01-01T00:00:01Z")
OTHER = row("n/two", "turn-000000-user", "other")


@pytest.fixture(params=MEDIA, ids=lambda each: each.manifest.name)
def medium(request: pytest.FixtureRequest, tmp_path: Path) -> TurnsMedium:
    """A medium in a folder of its own."""
    made: TurnsMedium = request.param(tmp_path)
    return made


@pytest.fixture
def rows(medium: Any) -> Any:
    """A handle with three rows in a scope and one in another."""
    handle = medium.open()
    for each in (A, B, C, OTHER):
        handle.put(each)
    return handle


def test_rows_outlive_their_handle(medium: Any, rows: Any) -> None:
    """What was put is there after close and open."""
    rows.close()
    again = medium.open()

    assert again.get(A["scope"], "turn", A["id"]) == A
    assert again.get(A["scope"], "turn", "turn-x") is None
    again.close()


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({}, [A, C, B]),
        ({"kinds": ["other"]}, []),
        ({"ids": [A["id"], B["id"]]}, [A, B]),
        ({"tags": ["t"]}, [A]),
        ({"tags": ["t", "x"]}, []),
        ({"since": C["createdAt"]}, [C, B]),
        ({"until": C["createdAt"]}, [A]),
        ({"order": "newest"}, [B, C, A]),
        ({"limit": 2}, [B, C]),
        ({"limit": 1, "order": "oldest"}, [A]),
        ({"order": "oldest", "after": C}, [B]),
        ({"order": "newest", "after": C}, [A]),
    ],
    ids=str,
)
def test_a_query_gives_what_it_asks_for(rows: Any, filters: Any, wanted: Any) -> None:
    """Every filter, both orders, the limit, and going on behind a row."""
    assert rows.query({"scope": A["scope"], **filters}) == wanted
    rows.close()


def test_a_query_of_all_scopes(rows: Any) -> None:
    """Without a scope every row is asked for."""
    assert len(rows.query({})) == 4
    rows.close()


def test_add_writes_once(rows: Any) -> None:
    """A key that is taken keeps its row, and gives it."""
    fresh = {**A, "id": "turn-000009-user"}

    assert rows.add({**A, "content": None}) == A
    assert rows.add(fresh) is None
    assert rows.get(A["scope"], "turn", fresh["id"]) == fresh
    rows.close()


def test_deletions_and_status(rows: Any) -> None:
    """A row goes, a scope goes, and the other scope stays."""
    rows.delete(A["scope"], "turn", A["id"])
    rows.delete(A["scope"], "turn", A["id"])
    assert rows.query({"scope": A["scope"]}) == [C, B]
    rows.delete_scope(A["scope"])

    assert (rows.status(A["scope"]), rows.status(OTHER["scope"])) == ("unknown", "live")
    rows.close()


@pytest.mark.parametrize(
    ("point", "kept"), [("before-commit", False), ("inside", False), ("after-commit", True)]
)
def test_a_put_fails_where_it_is_told(medium: Any, point: str, kept: bool) -> None:
    """A failure comes once, before or after the row is there."""
    handle = medium.open()
    medium.fail_next(point)

    with pytest.raises(Injected, match="the backend fails at"):
        handle.put(A)
    assert (handle.get(A["scope"], "turn", A["id"]) == A) is kept
    handle.put(A)
    handle.close()


def test_a_read_fails_where_it_is_told(medium: Any) -> None:
    """A read fails once."""
    handle = medium.open()
    reads: list[tuple[str, tuple[Any, ...]]] = [
        ("get", (A["scope"], "turn", A["id"])),
        ("query", ({"scope": A["scope"]},)),
        ("add", (A,)),
    ]
    for name, arguments in reads:
        medium.fail_next("load")
        with pytest.raises(Injected):
            getattr(handle, name)(*arguments)
        getattr(handle, name)(*arguments)
    handle.close()


@pytest.mark.parametrize(
    "entry",
    [
        {**A, "createdAt": "0001-01-01T00:00:00Z"},
        {**A, "createdAt": "yesterday"},
        {name: each for name, each in A.items() if name != "createdAt"},
        {**A, "content": float("nan")},
        {**A, "content": object()},
    ],
    ids=["zero", "text", "none", "nan", "object"],
)
def test_sqlite_refuses_what_it_cannot_keep(tmp_path: Path, entry: Any) -> None:
    """A time outside 64-bit nanoseconds, no time, and no JSON are refused."""
    handle = TurnsSqliteMedium(tmp_path).open()

    with pytest.raises(Rejected):
        handle.put(entry)
    assert handle.query({}) == []
    handle.close()


def test_the_timeline_door_is_the_mediums(medium: Any) -> None:
    """A medium of turns brings the projections of turns too."""
    turn = {"index": 0, "role": "user", "createdAt": A["createdAt"]}
    said = {**turn, "content": [{"type": "text", "text": "hi"}]}

    assert [each["text"] for each in medium.visible_messages([said])] == ["hi"]


def test_a_session_without_a_namespace_gets_one() -> None:
    """The key of a door without a slash stands for a session of the kit's own namespace."""
    turn = {"index": 0, "role": "user", "content": None}
    steps = (door("appender", "A", "s"), ask("A", "append", turn))
    event = play(program(*steps), TurnsMemoryMedium).events[-1]

    assert [each["scope"]["id"] for each in event.logs["s"] or []] == ["storelaw/s"]


def test_nanoseconds_are_told_apart() -> None:
    """Times finer than a microsecond, in any zone, are whole numbers."""
    assert nanoseconds("1970-01-01T00:00:00.000000001Z") == 1
    assert nanoseconds("1970-01-01T01:00:00+01:00") == 0
