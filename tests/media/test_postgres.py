"""The PostgreSQL store and its media, on a server of the tests' own."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storelaw.driver import Injected
from storelaw.errors import (
    EntryConflict,
    MediumFault,
    Misconfigured,
    Rejected,
    SessionExists,
    SessionNotFound,
)
from storelaw.media.postgres import (
    SPARES,
    AsyncPostgresMedium,
    IdempotentPostgresMedium,
    JsonbPostgresMedium,
    OneConnection,
    PooledPostgresMedium,
    PostgresMedium,
    connected,
)
from storelaw.proxy import Point, Proxy
from storelaw.values import Entry, same

from .unheld import unheld

#: A port on which nothing listens: it needs root, and is no service's.
NOWHERE = "postgresql://postgres@127.0.0.1:1/postgres"


def entry(id: str, **more: Any) -> Entry:
    """A small entry."""
    return {"type": "custom", "id": id, "kind": "note", **more}


A, B, C, D = (entry(each) for each in "abcd")


@pytest.fixture
def medium(postgres_url: str, tmp_path: Path) -> Iterator[PostgresMedium]:
    """A medium on the server."""
    medium = PostgresMedium(tmp_path)
    yield medium
    medium.destroy()


@pytest.fixture
def store(medium: PostgresMedium) -> Iterator[Any]:
    """A store with a session ``s`` that holds four entries."""
    with closing(medium.open()) as store:
        store.create("s")
        store.append("s", [A, B])
        store.append("s", [C, D])
        yield store


def asked(url: str, query: str, *values: object) -> Any:
    """The rows that a statement gives."""
    with closing(OneConnection(url)) as one, one.lent() as connection:
        return connection.execute(query, values).fetchall()


# ------------------------------------------------------------------ laws


@pytest.mark.usefixtures("postgres_url")
def test_the_store_holds_every_law_that_applies() -> None:
    """By battery each law is held or not applicable: none is left unevaluated."""
    assert list(unheld("postgres")) == []


@pytest.mark.usefixtures("postgres_url")
@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("jsonb", ["fidelity", "idempotency"]),
        ("idempotent", ["idempotency", "atomicity"]),
        ("pooled", ["atomicity", "isolation"]),
        ("async", ["atomicity", "isolation", "lifecycle"]),
    ],
)
def test_a_variant_holds_the_laws_of_what_it_does_otherwise(name: str, families: list[str]) -> None:
    """Values, retries, batches, handles; the gate checks the variants whole."""
    assert list(unheld(f"postgres:{name}", *families)) == []


# ------------------------------------------------------------ operations


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"last": 2}, [C, D]),
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
        ({"after": "?"}, [A, B, C, D]),
        ({"before": "?"}, [A, B, C, D]),
        ({"after": "c", "before": "b"}, []),
    ],
)
def test_a_filtered_read_is_the_slice(
    store: Any, filters: dict[str, Any], expected: list[Entry]
) -> None:
    """Bounds come first, then the first so many, then the last so many of those."""
    assert store.load("s", **filters) == expected


def test_an_unknown_session_is_told(store: Any) -> None:
    """Whatever needs a session raises where there is none; what takes away does nothing."""
    for call in (store.load, store.record, store.headers):
        with pytest.raises(SessionNotFound):
            call("u")
    for write in (store.append, store.replace, store.fork):
        with pytest.raises(SessionNotFound):
            write("u", [])
    store.delete("u")
    store.clear("u")
    store.delete_entry("u", "a")
    assert store.pop("u") is None
    assert store.list_sessions() == ["s"]


def test_entries_go_one_by_one_and_all_at_once(store: Any) -> None:
    """By id, from the end, all of them, and others in their place."""
    store.delete_entry("s", "b")
    assert store.pop("s") == D
    assert store.headers("s") == [{"id": "a"}, {"id": "c"}]
    store.replace("s", [D, {"type": "custom"}])
    assert store.headers("s") == [{"id": "d"}, {}]
    store.clear("s")
    assert (store.load("s"), store.headers("s"), store.pop("s")) == ([], [], None)


def test_a_fork_is_a_copy_up_to_an_entry(store: Any) -> None:
    """Parent and child are independent; a fork that fails leaves nothing."""
    assert store.fork("s", "t", at="b") == "t"
    store.fork("s", "u")
    store.append("t", [D])
    store.append("s", [A])
    assert store.load("t") == [A, B, D]
    assert store.load("u") == [A, B, C, D]
    assert store.record("t")["parent_id"] == "s"
    with pytest.raises(Rejected):
        store.fork("s", "v", at="?")
    with pytest.raises(SessionExists):
        store.fork("s", "t")
    assert sorted(store.list_sessions()) == ["s", "t", "u"]


def test_long_ids_are_found(store: Any) -> None:
    """An id that no index could hold is an id like any other."""
    long = "\U0001f600" * 2000
    store.create(long, parent=long)
    store.append(long, [entry(long), A])
    assert store.load(long, after=long) == [A]
    assert store.record(long)["parent_id"] == long


def test_a_known_id_is_a_retry_or_a_conflict(postgres_url: str, tmp_path: Path) -> None:
    """An equal payload is skipped, in one batch too; another one is refused with its batch."""
    medium = IdempotentPostgresMedium(tmp_path)
    with closing(medium.open()) as store:
        store.create("s")
        nameless = {"type": "custom", "kind": "note"}
        store.append("s", [A, A, B, nameless, nameless])
        store.append("s", [dict(reversed(B.items())), C])
        with pytest.raises(EntryConflict):
            store.append("s", [D, entry("a", title="other")])
        assert store.load("s") == [A, B, nameless, nameless, C]
    unique = "SELECT indexdef FROM pg_indexes WHERE indexname = %s AND schemaname = %s"
    ((index,),) = asked(postgres_url, unique, "entries_by_id", medium.name)
    assert index.startswith("CREATE UNIQUE INDEX")
    medium.destroy()


@pytest.mark.parametrize(("point", "k"), [("before-commit", 0), ("item", 1), ("inside", 0)])
def test_a_failure_before_the_commit_leaves_nothing(
    medium: PostgresMedium, store: Any, point: str, k: int
) -> None:
    """No row, no lock and no aborted transaction stay: the same handle and another can write."""
    medium.fail_next(point, k)
    with pytest.raises(Injected):
        store.append("s", [A, B])
    with closing(medium.open()) as other:
        other.append("s", [C])
    store.append("s", [D])
    assert store.load("s") == [A, B, C, D, C, D]


def test_writers_of_one_session_come_one_after_the_other(medium: PostgresMedium) -> None:
    """Batches of threads that begin at once are whole, all there, and in each writer's order."""
    with closing(medium.open()) as store:
        store.create("s")
        begin = threading.Barrier(4)
        threads = [
            threading.Thread(target=_appending, args=(medium, begin, each)) for each in range(4)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        ids = [each["id"] for each in store.load("s")]
    batches = [ids[k : k + 2] for k in range(0, len(ids), 2)]
    assert all(one[0] == two[0] and (one[-1], two[-1]) == ("x", "y") for one, two in batches)
    for writer in "0123":
        assert [int(one[1:-1]) for one, _ in batches if one[0] == writer] == list(range(10))


def _appending(medium: PostgresMedium, begin: threading.Barrier, writer: int) -> None:
    with closing(medium.open()) as store:
        begin.wait()
        for k in range(10):
            store.append("s", [entry(f"{writer}{k}x"), entry(f"{writer}{k}y")])


# ----------------------------------------------------------------- jsonb


@pytest.mark.usefixtures("postgres_url")
def test_jsonb_loses_the_sign_of_zero_alone(tmp_path: Path) -> None:
    """All other numbers come back as they were; NUL and half pairs are refused."""
    medium = JsonbPostgresMedium(tmp_path)
    numbers = [1, 1.0, 1e16, 1e23, 1.7976931348623157e308, 5e-324, 2**64, -0.0]
    with closing(medium.open()) as store:
        store.create("s")
        store.append("s", [entry("a", data=numbers)])
        (held,) = store.load("s")
        assert same(held["data"], [*numbers[:-1], 0.0])
        for bad in ("\0", "\ud800"):
            with pytest.raises(Rejected):
                store.append("s", [A, entry("b", text=bad)])
        assert len(store.load("s")) == 1
    medium.destroy()


# ----------------------------------------------------------------- media


def test_a_settled_store_has_no_write_under_way(
    medium: PostgresMedium, store: Any, postgres_url: str
) -> None:
    """What a transaction has written is committed, or gone, when settle returns."""
    with closing(OneConnection(postgres_url)) as writer, writer.lent() as connection:
        connection.execute("BEGIN")
        connection.execute(f'UPDATE "{medium.name}".sessions SET places = 100')
        waiting = threading.Thread(target=medium.settle)
        waiting.start()
        wanted = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while asked(postgres_url, wanted) == [(0,)]:
            assert waiting.is_alive()
        connection.execute("COMMIT")
        waiting.join()
    store.append("s", [A])
    assert store.load("s") == [A, B, C, D, A]


def test_a_schema_is_dropped_and_no_other(
    medium: PostgresMedium, store: Any, postgres_url: str
) -> None:
    """Each medium has its own, and what is destroyed leaves nothing; the rest stays."""
    other = PostgresMedium(medium.workdir)
    other.open().close()
    named = "SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s)"
    assert len(asked(postgres_url, named, [medium.name, other.name])) == 2
    other.destroy()
    assert asked(postgres_url, named, [medium.name, other.name]) == [(medium.name,)]
    assert store.load("s") == [A, B, C, D]


def test_a_schema_that_is_there_is_kept(medium: PostgresMedium, store: Any) -> None:
    """A medium of the same name, as in a child process, sees the same sessions."""
    same_one = PostgresMedium(medium.workdir)
    same_one.name = medium.name
    with closing(same_one.open()) as again:
        again.append("s", [A])
    assert store.load("s") == [A, B, C, D, A]


def test_a_medium_that_was_not_opened_has_nothing_to_drop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not even look for a server."""
    monkeypatch.delenv("STORELAW_POSTGRES", raising=False)
    PostgresMedium(tmp_path).destroy()


def test_without_a_url_the_variable_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And how a server is started."""
    monkeypatch.delenv("STORELAW_POSTGRES", raising=False)
    with pytest.raises(Misconfigured) as told:
        PostgresMedium(tmp_path).open()
    assert str(told.value) == (
        "configuration: this medium needs a server, and STORELAW_POSTGRES is not set; "
        "set it to a URL such as postgresql://postgres@127.0.0.1:5432/postgres, or give a "
        "subclass of the medium an attribute url; a server for tests starts with: "
        "initdb -D pg -U postgres -A trust && "
        "pg_ctl -D pg -o '-p 5432 -k /tmp' -l pg/log -w start"
    )


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message holds the command that installs it."""
    monkeypatch.setenv("STORELAW_POSTGRES", NOWHERE)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Misconfigured, match=r"pip install 'storelaw\[postgres\]'"):
        PostgresMedium(tmp_path).open()


@pytest.mark.usefixtures("postgres_url")
def test_a_server_that_does_not_answer_is_the_mediums_fault(tmp_path: Path) -> None:
    """The message says where it was looked for, and what to do."""

    class Nowhere(PostgresMedium):
        """A medium with a URL of its own."""

        url = NOWHERE

    with pytest.raises(MediumFault) as told:
        Nowhere(tmp_path).open()
    first, last = str(told.value).split("; correct ")
    assert first.startswith("medium: no PostgreSQL server answers: connection failed: ")
    assert "127.0.0.1" in first
    assert "\n" not in first
    assert last.startswith("STORELAW_POSTGRES, or start a server with: initdb ")


@pytest.mark.parametrize("kind", [PostgresMedium, PooledPostgresMedium])
@pytest.mark.usefixtures("postgres_url")
def test_a_closed_store_does_nothing(kind: type[PostgresMedium], tmp_path: Path) -> None:
    """Every call after close raises, and a second close is none."""
    medium = kind(tmp_path)
    store = medium.open()
    store.create("s")
    store.close()
    store.close()
    calls: tuple[Callable[[], object], ...] = (
        lambda: store.load("s"),
        lambda: store.append("s", [A]),
        store.list_sessions,
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"^the store is closed$"):
            call()
    medium.destroy()


def test_a_broken_connection_is_told_once(
    medium: PostgresMedium, store: Any, postgres_url: str
) -> None:
    """The operation that meets it raises, and is not tried again; the next one works."""
    _break(postgres_url, store._connections._connection)
    with pytest.raises(Exception, match=r"terminat|closed") as told:
        store.append("s", [A])
    assert type(told.value).__module__.startswith("psycopg")
    store.append("s", [B])
    assert store.load("s") == [A, B, C, D, B]


def _break(url: str, connection: Any) -> None:
    """Let the server end a connection, and wait until it has."""
    query = "SELECT pg_terminate_backend(%s, 10000)"
    assert asked(url, query, connection.info.backend_pid) == [(True,)]


def test_a_lost_reply_is_retried_with_one_result(postgres_url: str, tmp_path: Path) -> None:
    """The commit of an append whose reply is cut has happened; the retry adds nothing."""
    with Proxy.before(postgres_url) as proxy:
        medium = IdempotentPostgresMedium(tmp_path)
        setattr(medium, "url", proxy.url(postgres_url))  # noqa: B010
        with closing(medium.open()) as store:
            store.create("s")
            cuts: list[tuple[Point, list[Entry]]] = [
                ("before-request", [A]),
                ("before-reply", [A, B]),
                ("in-reply", [A, B, C]),
            ]
            for point, held in cuts:
                proxy.cut(point, after=4)
                with pytest.raises(Exception, match=r"closed|terminated") as told:
                    store.append("s", [held[-1]])
                assert type(told.value).__module__.startswith("psycopg")
                assert store.load("s") == held[: -1 if point == "before-request" else None]
                store.append("s", [held[-1]])
                assert store.load("s") == held
        medium.destroy()
        PostgresMedium.stop()
        assert proxy.struck == 3


def test_only_idle_connections_are_kept(postgres_url: str) -> None:
    """One in a transaction is closed; one that was ended at either side is not given out."""
    SPARES.clear()
    idle, busy = connected(postgres_url), connected(postgres_url)
    busy.execute("BEGIN")
    SPARES.keep(busy, postgres_url)
    assert busy.closed
    SPARES.keep(idle, postgres_url)
    assert connected(postgres_url) is idle
    over = connected(postgres_url)
    _break(postgres_url, over)
    SPARES.keep(over, postgres_url)
    SPARES.keep(idle, postgres_url)
    idle.close()
    fresh = connected(postgres_url)
    assert (over.closed, fresh.closed) == (True, False)
    SPARES.keep(fresh, postgres_url)
    PostgresMedium.stop()
    assert fresh.closed


def test_a_handle_serves_tasks_one_after_the_other(postgres_url: str, tmp_path: Path) -> None:
    """Appends of tasks that share an async handle are whole; a broken connection is replaced."""
    medium = AsyncPostgresMedium(tmp_path)

    async def use() -> list[Entry]:
        store: Any = await medium.open()
        await store.create("s")
        await asyncio.gather(*(store.append("s", [A, B]) for _ in range(5)))
        _break(postgres_url, store._connection)
        with pytest.raises(Exception, match=r"terminat|closed"):
            await store.load("s")
        held: list[Entry] = await store.load("s")
        await store.close()
        await store.close()
        return held

    assert asyncio.run(use()) == [A, B] * 5
    medium.destroy()
    PostgresMedium.stop()


@pytest.mark.usefixtures("postgres_url")
def test_the_async_store_refuses_what_jsonb_does(tmp_path: Path) -> None:
    """The refusal of the column is the store's, and leaves nothing."""

    class Both(AsyncPostgresMedium):
        """Async, with a jsonb column."""

        column = "jsonb"

    medium = Both(tmp_path)

    async def use() -> list[Entry]:
        store: Any = await medium.open()
        await store.create("s")
        with pytest.raises(Rejected):
            await store.append("s", [A, entry("b", text="\0")])
        held: list[Entry] = await store.load("s")
        await store.close()
        return held

    assert asyncio.run(use()) == []
    medium.destroy()
    PostgresMedium.stop()
