"""The Redis store and its media, on a server of the tests' own."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from storelaw import catalogue
from storelaw.driver import Injected
from storelaw.errors import (
    EntryConflict,
    MediumFault,
    Misconfigured,
    Rejected,
    SessionExists,
    SessionNotFound,
)
from storelaw.media import redis_lists
from storelaw.media.redis_lists import (
    AsyncRedisMedium,
    IdempotentRedisMedium,
    RedisMedium,
    client_of,
)
from storelaw.proxy import Point, Proxy
from storelaw.trial import hold
from storelaw.values import Entry

from .unheld import unheld

#: A port on which nothing listens: it needs root, and is no service's.
NOWHERE = "redis://127.0.0.1:1/0"


def entry(id: str, **more: Any) -> Entry:
    """A small entry."""
    return {"type": "custom", "id": id, "kind": "note", **more}


A, B, C, D = (entry(each) for each in "abcd")


@pytest.fixture
def medium(redis_url: str, tmp_path: Path) -> Iterator[RedisMedium]:
    """A medium on the server."""
    medium = RedisMedium(tmp_path)
    yield medium
    medium.destroy()


@pytest.fixture
def store(medium: RedisMedium) -> Iterator[Any]:
    """A store with a session ``s`` that holds four entries."""
    with closing(medium.open()) as store:
        store.create("s")
        store.append("s", [A, B])
        store.append("s", [C, D])
        yield store


@pytest.mark.usefixtures("redis_url")
def test_the_store_holds_every_law_that_applies() -> None:
    """By battery each law is held or not applicable: none is left unevaluated."""
    assert list(unheld("redis")) == []


@pytest.mark.usefixtures("redis_url")
@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("idempotent", ["idempotency", "atomicity"]),
        ("async", ["atomicity", "isolation", "lifecycle"]),
    ],
)
def test_a_variant_holds_the_laws_of_what_it_does_otherwise(name: str, families: list[str]) -> None:
    """Retries, batches, handles and life cycles; the gate checks the variants whole."""
    assert list(unheld(f"redis:{name}", *families)) == []


@pytest.mark.usefixtures("redis_url")
def test_a_client_that_sends_again_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The retries that ``redis.Redis(host, port)`` comes with store an entry twice."""
    redis = pytest.importorskip("redis")

    def retrying(module: str, url: str) -> Any:
        parts = urlsplit(url)
        return redis.Redis(parts.hostname, parts.port, decode_responses=True)

    monkeypatch.setattr(redis_lists, "client_of", retrying)
    law = next(e for e in catalogue.all_laws() if e.name == "a_lost_reply_stores_no_entry_twice")
    failure = hold(law, RedisMedium, "battery").failure
    assert failure is not None
    assert len(failure.observed) > len(failure.expected)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"last": 2}, [C, D]),
        ({"last": 9}, [A, B, C, D]),
        ({"last": 2**70}, [A, B, C, D]),
        ({"last": 0}, []),
        ({"last": -1}, []),
        ({"first": 2}, [A, B]),
        ({"first": 0}, []),
        ({"first": -1}, []),
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
    store.append("s", [B])
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
    with pytest.raises(Rejected, match=r'^the session has no entry "\?"$'):
        store.fork("s", "v", at="?")
    with pytest.raises(SessionExists):
        store.fork("s", "t")
    assert sorted(store.list_sessions()) == ["s", "t", "u"]


def test_a_known_id_is_a_retry_or_a_conflict(redis_url: str, tmp_path: Path) -> None:
    """An equal payload is skipped, in one batch too; another one is refused with its batch."""
    medium = IdempotentRedisMedium(tmp_path)
    with closing(medium.open()) as store:
        store.create("s")
        nameless = {"type": "custom", "kind": "note"}
        store.append("s", [A, A, B, nameless, nameless])
        store.append("s", [dict(reversed(B.items())), C])
        for bad in ([D, entry("a", title="other")], [D, entry("d", title="other")]):
            with pytest.raises(EntryConflict):
                store.append("s", bad)
            assert store.load("s") == [A, B, nameless, nameless, C]
        with pytest.raises(EntryConflict):
            store.replace("s", [D, entry("d", title="other")])
        assert store.load("s") == [A, B, nameless, nameless, C]
    medium.destroy()


@pytest.mark.usefixtures("redis_url")
def test_an_id_that_is_gone_is_free(tmp_path: Path) -> None:
    """After pop, delete, clear and replace, and in a fork, an id is known where its entry is."""
    medium = IdempotentRedisMedium(tmp_path)
    other = entry("b", title="other")
    with closing(medium.open()) as store:
        store.create("s")
        takings: tuple[Callable[[], object], ...] = (
            lambda: store.pop("s"),
            lambda: store.delete_entry("s", "b"),
            lambda: store.clear("s"),
            lambda: store.replace("s", [A]),
            lambda: (store.delete("s"), store.create("s")),
        )
        for take in takings:
            store.replace("s", [A, B])
            take()
            store.append("s", [other])
            assert store.load("s")[-1] == other
        store.replace("s", [A, B])
        store.fork("s", "t", at="a")
        store.append("t", [A, other])
        assert store.load("t") == [A, other]
    medium.destroy()


@pytest.mark.parametrize(("point", "k"), [("before-commit", 0), ("item", 1), ("inside", 0)])
def test_a_failure_before_the_script_leaves_nothing(
    medium: RedisMedium, store: Any, point: str, k: int
) -> None:
    """The batch is not sent; the next write passes."""
    medium.fail_next(point, k)
    with pytest.raises(Injected):
        store.append("s", [A, B])
    store.append("s", [D])
    assert store.load("s") == [A, B, C, D, D]


def test_a_failure_after_the_script_is_a_lost_reply(medium: RedisMedium, store: Any) -> None:
    """The batch is there though the call raised."""
    medium.fail_next("after-commit")
    with pytest.raises(Injected):
        store.append("s", [A])
    assert store.load("s") == [A, B, C, D, A]


def test_writers_of_one_session_come_one_after_the_other(medium: RedisMedium) -> None:
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
    assert all(one[:-1] == two[:-1] and (one[-1], two[-1]) == ("x", "y") for one, two in batches)
    for writer in "0123":
        assert [int(one[1:-1]) for one, _ in batches if one[0] == writer] == list(range(10))


def _appending(medium: RedisMedium, begin: threading.Barrier, writer: int) -> None:
    with closing(medium.open()) as store:
        begin.wait()
        for k in range(10):
            store.append("s", [entry(f"{writer}{k}x"), entry(f"{writer}{k}y")])


def test_tasks_may_share_an_async_handle(redis_url: str, tmp_path: Path) -> None:
    """Their batches are whole."""
    medium = AsyncRedisMedium(tmp_path)

    async def use() -> list[Entry]:
        store: Any = await medium.open()
        await store.create("s")
        await asyncio.gather(*(store.append("s", [A, B]) for _ in range(5)))
        held: list[Entry] = await store.load("s")
        await store.close()
        return held

    assert asyncio.run(use()) == [A, B] * 5
    medium.destroy()


# ----------------------------------------------------------------- media


def test_keys_under_the_prefix_are_deleted_and_no_others(
    medium: RedisMedium, store: Any, redis_url: str
) -> None:
    """What is destroyed leaves nothing; another medium's keys stay."""
    other = RedisMedium(medium.workdir)
    with closing(other.open()) as theirs:
        theirs.create("s")
        theirs.append("s", [A])
    with closing(client_of("redis", redis_url)) as client:
        assert len(client.keys(f"{other.name}:*")) == 2
        other.destroy()
        assert client.keys(f"{other.name}:*") == []
    assert store.load("s") == [A, B, C, D]


def test_a_command_is_sent_once(redis_url: str) -> None:
    """The client's own retries, which would repeat an append whose reply was lost, are off."""
    for module in ("redis", "redis.asyncio"):
        retry = client_of(module, redis_url).connection_pool.connection_kwargs["retry"]
        assert retry.get_retries() == 0


def test_a_lost_reply_is_retried_with_one_result(redis_url: str, tmp_path: Path) -> None:
    """A script whose reply is cut has run, once; the retry adds nothing."""
    with Proxy.before(redis_url) as proxy:
        medium = IdempotentRedisMedium(tmp_path)
        setattr(medium, "url", proxy.url(redis_url))  # noqa: B010
        with closing(medium.open()) as store:
            store.create("s")
            store.append("s", [])
            cuts: list[tuple[Point, list[Entry]]] = [
                ("before-request", [A]),
                ("before-reply", [A, B]),
                ("in-reply", [A, B, C]),
            ]
            for point, held in cuts:
                proxy.cut(point)
                with pytest.raises(Exception, match=r"closed|reset") as told:
                    store.append("s", [held[-1]])
                assert type(told.value).__module__ == "redis.exceptions"
                assert store.load("s") == held[: -1 if point == "before-request" else None]
                store.append("s", [held[-1]])
                assert store.load("s") == held
        medium.destroy()
        assert proxy.struck == 3


def test_a_closed_store_does_nothing(medium: RedisMedium, store: Any) -> None:
    """Every call after close raises: the client would open a connection again."""
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


def test_without_a_url_the_variable_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And how a server is started; what was not opened has nothing to delete."""
    monkeypatch.delenv("STORELAW_REDIS", raising=False)
    medium = RedisMedium(tmp_path)
    with pytest.raises(Misconfigured) as told:
        medium.open()
    assert str(told.value) == (
        "configuration: this medium needs a server, and STORELAW_REDIS is not set; "
        "set it to a URL such as redis://127.0.0.1:6379/0, or give a subclass of the medium "
        "an attribute url; a server for tests starts with: "
        "redis-server --port 6379 --bind 127.0.0.1 --save ''"
    )
    medium.destroy()


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message holds the command that installs it."""
    monkeypatch.setenv("STORELAW_REDIS", NOWHERE)
    for each in [name for name in sys.modules if name.split(".")[0] == "redis"]:
        monkeypatch.delitem(sys.modules, each)
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(Misconfigured, match=r"pip install 'storelaw\[redis\]'"):
        RedisMedium(tmp_path).open()


@pytest.mark.usefixtures("redis_url")
def test_a_server_that_does_not_answer_is_the_mediums_fault(tmp_path: Path) -> None:
    """The message says where it was looked for, and what to do."""

    class Nowhere(RedisMedium):
        """A medium with a URL of its own."""

        url = NOWHERE

    with pytest.raises(MediumFault) as told:
        Nowhere(tmp_path).open()
    assert str(told.value) == (
        "medium: no Redis server answers: Error 111 connecting to 127.0.0.1:1. "
        "Connection refused.; correct STORELAW_REDIS, or start a server with: "
        "redis-server --port 6379 --bind 127.0.0.1 --save ''"
    )
