"""The reference session over a handle: creation, answers of nothing, clock and ids."""

from typing import Any

import pytest

from storelaw.driver import Driver, Injected
from storelaw.engine import EPOCH, Engine, EngineStore, numbered_ids, stepped_clock
from storelaw.engine_views import ReferenceViews
from storelaw.errors import Rejected, SessionExists, SessionNotFound
from storelaw.manifest import Manifest
from storelaw.samples import custom, said, user
from storelaw.values import Entry
from storelaw.worker import current
from storelaw_reference import transcript


class Missing(Exception):
    """A store's own not-found error."""


class Bag:
    """A store without ``create``; ``absent`` is what it says of an unknown session."""

    def __init__(self, absent: Any = None) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.absent = absent

    def load(self, session_id: str) -> Any:
        """The log, or what stands for an unknown one."""
        if session_id not in self.logs and isinstance(self.absent, Exception):
            raise self.absent
        return self.logs.get(session_id, self.absent)

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Append."""
        self.logs.setdefault(session_id, []).extend(entries)


class Explicit(Bag):
    """The same with creation."""

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Create, or refuse."""
        if session_id in self.logs:
            raise SessionExists(session_id)
        self.logs[session_id] = []


class Stubbed(Bag):
    """A store that inherits a ``create`` it doesn't have."""

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Not there."""
        raise NotImplementedError


class Broken(Explicit):
    """A store whose creation fails."""

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Fail."""
        raise OSError("full")


MANIFEST = Manifest(name="x", errors={"SessionNotFound": Missing}, fields={"parent_id": "up"})


def store(handle: object) -> EngineStore:
    """A handle as the engine wants it."""
    return EngineStore(Driver(MANIFEST, current()), handle)


@pytest.mark.parametrize("absent", [None, [], Missing("s")])
def test_a_store_without_create_creates_by_appending(absent: Any) -> None:
    """An id is taken once it holds entries, whatever an unknown session answers."""
    engine = store(Bag(absent))
    engine.create("s")
    engine.append("s", [said("1")])
    with pytest.raises(transcript.SessionExists):
        engine.create("s")
    assert engine.load("s") == [said("1")]


def test_a_create_that_is_not_implemented_is_none() -> None:
    """An inherited stub is as good as a missing method."""
    engine = store(Stubbed([]))
    engine.create("s")
    engine.append("s", [said("1")])
    with pytest.raises(transcript.SessionExists):
        engine.create("s")


def test_errors_come_under_the_references_names() -> None:
    """Not found, in any spelling, and a taken id are told to the session; others pass."""
    engine = store(Explicit(None))
    with pytest.raises(transcript.SessionNotFound):
        engine.load("s")
    engine.create("s")
    with pytest.raises(transcript.SessionExists):
        engine.create("s")
    with pytest.raises(transcript.SessionNotFound):
        store(Explicit(Missing("s"))).load("s")
    with pytest.raises(OSError, match="full"):
        store(Broken()).create("s")


def test_an_unknown_session_without_create_is_empty() -> None:
    """A store that says ``None`` and has no ``create`` gives an empty log."""
    assert store(Bag(None)).load("s") == []


def test_entries_go_through_the_manifests_names() -> None:
    """What the engine writes reaches the store renamed, and comes back under our names."""
    bag = Bag()
    engine = store(bag)
    entry = said("2", parent="1")
    engine.append("s", [entry])
    assert bag.logs["s"][0]["up"] == "1"
    assert engine.load("s") == [entry]
    assert entry["parent_id"] == "1"


def test_failures_are_made_where_they_are_asked_for() -> None:
    """Before the commit, after it, at an item, on a load: each once, in its own line."""
    bag = Bag([])
    engine = store(bag)
    engine.failures += [("item", 0), ("load", 0), ("after-commit", 0), ("before-commit", 0)]
    for _ in range(3):
        with pytest.raises(Injected):
            engine.append("s", [said("1")])
    with pytest.raises(Injected):
        engine.load("s")
    assert engine.load("s") == [said("1")]
    engine.append("s", [])
    assert engine.failures == []


def test_ids_and_times_are_the_same_in_every_run() -> None:
    """Ids are unique and not in the order of their age; the clock often stands still."""
    draw, again = numbered_ids(), numbered_ids()
    drawn = [draw() for _ in range(20)]
    assert drawn == [again() for _ in range(20)]
    assert len(set(drawn)) == 20
    assert drawn != sorted(drawn)
    now = stepped_clock()
    times = [now() for _ in range(6)]
    assert times[0] == EPOCH
    assert [time - EPOCH for time in times].count(times[0] - EPOCH) == 3
    assert len(set(times)) == 2


def test_the_engines_session_speaks_json() -> None:
    """Every call takes and gives JSON values, and closes."""
    session = Engine().open_session(store(Explicit()), "s")
    (assigned,) = session.append([user("q").entry])
    assert session.entries() == [assigned]
    assert session.transcript() == [assigned]
    assert session.messages() == [assigned["message"]]
    assert session.leaf() == assigned["id"]
    with pytest.raises(Rejected):
        session.branch("nowhere")
    with pytest.raises(SessionExists):
        session.fork("s")
    assert session.compact(lambda messages: str(len(messages)), 1) is None
    receipts = session.run([user("r").entry], lambda messages: [])
    assert [each["leaf"] for each in receipts] == [session.leaf()]
    session.close()
    with pytest.raises(Rejected):
        session.run([], lambda messages: [])


def test_opening_fails_under_the_names_of_the_port() -> None:
    """A store that loses what it has just created is told as not found."""

    class Losing(Bag):
        def create(self, session_id: str, parent: str | None = None) -> None:
            """Say that it is taken."""
            raise SessionExists(session_id)

    with pytest.raises(SessionNotFound):
        Engine().open_session(store(Losing()), "s")


def test_the_references_views_speak_json() -> None:
    """The two projections of a path, for media that bring the views door."""
    path = [said("1", "hello"), custom("2")]
    views = ReferenceViews()
    assert views.model_view(path) == [path[0]["message"]]
    assert [each["id"] for each in views.transcript_view(path)] == ["1", "2"]
