"""The memory and its backend: the rows OA-L and OA-A10, R4, R5, N1, Q1 of the scenario tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from storelaw_reference.turns import (
    TURN,
    AppendOnlyConflict,
    AppendOnlyKind,
    BadProvenance,
    IndexConflict,
    InvalidEntry,
    InvalidQuery,
    Json,
    Kind,
    Kinds,
    Memory,
    MemoryBackend,
    MemoryRows,
    ProvenanceRequired,
    Query,
    Refusal,
    Scope,
    ScopeHooks,
    Status,
    WriteDenied,
)

T0 = "2024-01-01T00:00:00Z"
OTHER = Scope("session", "ns/two")
NOTE = Kind("note", "note-", indexed_fields=("colour", "at.x"))


class Plain:
    """A backend with no `add` of its own, which waits after each look."""

    def __init__(self, barrier: Barrier | None = None) -> None:
        self._inner = MemoryBackend()
        self._barrier = barrier

    def put(self, entry: Json) -> None:
        """Put."""
        self._inner.put(entry)

    def get(self, scope: Scope, kind: str, entry_id: str) -> Json | None:
        """Get."""
        return self._inner.get(scope, kind, entry_id)

    def query(self, query: Query) -> list[Json]:
        """Query."""
        return self._inner.query(query)

    def delete(self, scope: Scope, kind: str, entry_id: str) -> None:
        """Delete."""
        self._inner.delete(scope, kind, entry_id)

    def delete_scope(self, scope: Scope) -> None:
        """Delete a scope."""
        self._inner.delete_scope(scope)

    def status(self, scope: Scope) -> Status:
        """Tell the status."""
        return self._inner.status(scope)


class Capped(MemoryBackend):
    """A backend that never gives more than 100 rows."""

    def query(self, query: Query) -> list[Json]:
        """Query, cut in silence."""
        return super().query(query)[:100]


class Stubborn(MemoryBackend):
    """A backend that doesn't know how to go on behind a row."""

    def query(self, query: Query) -> list[Json]:
        """Query from the start, always."""
        return super().query(Query(query.scope, limit=query.limit))


def entry(name: str, scope: Scope | None = None, kind: str = "turn", **more: Any) -> Json:
    """Return an entry with a time and content."""
    where = scope or Scope("session", "ns/one")
    base = {"scope": where.json(), "kind": kind, "id": name, "createdAt": T0}
    return {**base, "content": {"content": None}, **more}


def notes(backend: MemoryBackend) -> Memory:
    """Return a memory that knows notes too."""
    return Memory(backend, kinds=Kinds([TURN, NOTE]))


def test_a_scope_lives_as_soon_as_it_holds_an_entry(memory: Memory, scope: Scope) -> None:
    """Unknown, then live; reading an unknown scope is no error (OA-L1)."""
    assert memory.status(scope) == "unknown"
    assert memory.query(Query(scope)).entries == ()
    memory.put(entry("turn-000000-user"))
    assert memory.status(scope) == "live"
    assert memory.status(OTHER) == "unknown"


def test_a_miss_is_no_error_and_scopes_are_apart(backend: MemoryBackend, scope: Scope) -> None:
    """Get gives None, delete is idempotent, another scope is untouched (OA-L2)."""
    assert backend.get(scope, "note", "note-1") is None
    backend.put(entry("note-1", kind="note"))
    backend.put(entry("note-1", OTHER, kind="note"))
    backend.delete(scope, "note", "note-1")
    backend.delete(scope, "note", "note-1")
    backend.delete_scope(scope)
    assert backend.get(OTHER, "note", "note-1") == entry("note-1", OTHER, kind="note")
    backend.delete_scope(OTHER)
    assert backend.status(OTHER) == "unknown"


def test_the_last_write_wins_in_a_backend(scope: Scope) -> None:
    """Write-once is the memory's rule and not the backend's; handles share rows (OA-L3)."""
    rows = MemoryRows()
    first, second = MemoryBackend(rows), MemoryBackend(rows)
    first.put(entry("turn-000000-user", content=1))
    first.put(entry("turn-000000-user", content=2))
    first.close()
    assert second.get(scope, "turn", "turn-000000-user") == entry("turn-000000-user", content=2)


def test_mutable_kinds_are_overwritten_and_deleted(backend: MemoryBackend, scope: Scope) -> None:
    """A registered mutable kind has no write-once rule (OA-L3, OA-L4)."""
    memory = notes(backend)
    memory.put(entry("note-1", kind="note", content=1))
    memory.put(entry("note-1", kind="note", content=2))
    got = memory.get(scope, "note", "note-1")
    assert got is not None
    assert got["content"] == 2
    memory.delete(scope, "note", "note-1")
    memory.delete(scope, "note", "note-1")
    assert memory.get(scope, "note", "note-1") is None


def test_append_only_entries_outlive_their_scope(backend: MemoryBackend, scope: Scope) -> None:
    """Delete is refused before any permission check; scope deletion keeps turns (OA-L4)."""
    memory = notes(backend)
    memory.put(entry("turn-000000-user"))
    memory.put(entry("note-1", kind="note"))
    backend.put(entry("stray", kind="unheard-of"))
    with pytest.raises(AppendOnlyKind):
        Memory(backend, caller="session:ns/two").delete(scope, "turn", "turn-000000-user")
    memory.delete_scope(scope)
    assert [row["id"] for row in memory.query(Query(scope)).entries] == ["turn-000000-user"]


@pytest.mark.parametrize(
    "given",
    [
        entry("x-1"),
        entry("turn-1", kind="unheard-of"),
        entry(
            "turn-1", links=[{"relation": "r", "scope": OTHER.json(), "kind": "turn", "id": "x"}]
        ),
        entry("turn-1", links=[{"relation": "r", "scope": OTHER.json(), "kind": "no", "id": "no"}]),
        entry("turn-1", links=[{"relation": "r", "scope": OTHER.json(), "kind": "turn"}]),
        entry("turn-1", links=[{"relation": "r", "scope": {}, "kind": "turn", "id": "turn-1"}]),
        entry("turn-1", links=[1]),
        entry("turn-1", links={}),
        entry("turn-1", tags=[1]),
        entry("turn-1", tags="ab"),
        entry("turn-1", more=1),
        entry("turn-1") | {"scope": {"kind": "session"}},
        entry("turn-1", createdAt=""),
        entry("turn-1", createdAt=1),
        entry("turn-1", createdAt=None),
        entry("turn-1", createdAt="yesterday"),
        entry("turn-1", createdAt="0001-01-01T00:00:00Z"),
        entry("turn-1", createdAt="2300-01-01T00:00:00Z"),
        entry("turn-1", content={"a": "\x00"}),
        entry("turn-1", content={"\x00": 1}),
        entry("turn-1", content="\ud800"),
        entry("turn-1", content={1: 1}),
        entry("turn-1", content=float("nan")),
        entry("turn-1", content=10**5000),
        entry("turn-1", content={1, 2}),
        entry("turn-1", provenance=[]),
        entry("turn-1", provenance={"publisher": "p", "keyId": "k"}),
        [],
    ],
)
def test_what_is_no_entry_is_refused(memory: Memory, scope: Scope, given: Any) -> None:
    """A bad kind, prefix, link, member, time or text is an invalid entry (OA-L5, D-OA-8, 11)."""
    with pytest.raises(InvalidEntry):
        memory.put(given)
    assert memory.status(scope) == "unknown"


def test_what_is_nested_too_deep_is_refused(memory: Memory) -> None:
    """Content beyond the recursion limit is refused like any other bad content."""
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InvalidEntry):
        memory.put(entry("turn-1", content=deep))


def test_the_rest_of_the_shape_is_not_judged(memory: Memory, scope: Scope) -> None:
    """`turn-x` without content is taken; empty members are left out (OA-L5, OA-A9)."""
    stored = memory.put(entry("turn-x", content=None, tags=[], links=[], provenance=None))
    assert set(stored) == {"scope", "kind", "id", "createdAt"}
    assert memory.get(scope, "turn", "turn-x") == stored


LINKS = [
    {"relation": "a", "scope": OTHER.json(), "kind": "turn", "id": "turn-1"},
    {"relation": "b", "scope": OTHER.json(), "kind": "turn", "id": "turn-1"},
]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({"content": {"a": 1, "b": [2]}}, {"content": {"b": [2.0], "a": 1.0}}),
        ({"content": 10**22}, {"content": 1e22}),
        ({"content": 0}, {"content": -0.0}),
        (
            {"createdAt": "2024-01-01T00:00:00.0000019Z"},
            {"createdAt": "2024-01-01T00:00:00.000001Z"},
        ),
        ({"createdAt": "2024-01-01T01:00:00+01:00"}, {"createdAt": T0}),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a", "a"]}),
        ({"tags": []}, {"links": []}),
    ],
)
def test_an_equivalent_entry_gives_the_stored_one(memory: Memory, first: Json, again: Json) -> None:
    """Canonical content, µs time and tag set count, spelling does not (OA-A10, OA-A6)."""
    stored = memory.put(entry("turn-1", **first))
    assert memory.put(entry("turn-1", **again)) == stored


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({"content": 1}, {"content": 2}),
        ({"content": 1}, {"content": True}),
        ({"content": 1}, {"content": "1"}),
        ({"content": 0.5}, {"content": 0.25}),
        ({"content": 2**53}, {"content": 2**53 + 1}),
        ({"content": {}}, {"content": []}),
        ({"createdAt": T0}, {"createdAt": "2024-01-01T00:00:00.000001Z"}),
        ({"tags": ["a"]}, {"tags": []}),
        ({"links": LINKS}, {"links": LINKS[::-1]}),
    ],
)
def test_another_entry_is_a_conflict(
    memory: Memory, scope: Scope, first: Json, again: Json
) -> None:
    """Exact numbers, type, time, tags and link order count (OA-A10, D-OA-9)."""
    stored = memory.put(entry("turn-1", **first))
    with pytest.raises(AppendOnlyConflict) as caught:
        memory.put(entry("turn-1", **again))
    assert caught.value.stored == stored == memory.get(scope, "turn", "turn-1")


def test_nothing_is_shared_with_the_caller(memory: Memory, scope: Scope) -> None:
    """Changing what was put or what was got changes no entry (D-OA-6)."""
    given = entry("turn-1", tags=["a"], content={"content": []})
    stored = memory.put(given)
    given["content"]["content"].append(1)
    stored["tags"].append("b")
    got = memory.get(scope, "turn", "turn-1")
    for row in (got, *memory.query(Query(scope)).entries):
        assert row is not None
        assert row == entry("turn-1", tags=["a"], content={"content": []})
        row["tags"].append("c")


@pytest.mark.parametrize(("limit", "ids", "truncated"), [(3, 3, False), (2, 2, True), (0, 0, True)])
def test_truncation_is_reported(memory: Memory, limit: int, ids: int, truncated: bool) -> None:
    """Three match: a limit of three is whole, one of two is not (OA-R4)."""
    for index in range(3):
        memory.put(entry(f"turn-{index}", createdAt=f"2024-01-0{index + 1}T00:00:00Z"))
    page = memory.query(Query(limit=limit))
    assert page.truncated is truncated
    assert [row["id"] for row in page.entries] == ["turn-2", "turn-1", "turn-0"][:ids]


def test_orders_and_ties() -> None:
    """Newest first under a limit, ties by id; oldest first otherwise; scopes by id (OA-R4)."""
    backend = MemoryBackend()
    for name in ("turn-b", "turn-a"):
        for scope in (OTHER, Scope("session", "ns/one")):
            backend.put(entry(name, scope))
    backend.put(entry("turn-c", createdAt="2024-01-02T00:00:00Z"))
    newest, oldest = backend.query(Query(limit=9)), backend.query(Query(order="oldest"))
    order = [("ns/one", "turn-a"), ("ns/one", "turn-b"), ("ns/two", "turn-a"), ("ns/two", "turn-b")]
    assert [(row["scope"]["id"], row["id"]) for row in newest[1:]] == order
    assert [(row["scope"]["id"], row["id"]) for row in oldest[:-1]] == order
    assert newest[0] == oldest[-1]
    assert backend.query(Query(order="newest")) == newest
    assert backend.query(Query(order="oldest", limit=1)) == oldest[:1]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        (Query(kinds=("note",), ids=("note-1", "note-3")), ["note-1"]),
        (Query(kinds=("turn",)), []),
        (Query(tags=("a", "b")), ["note-2"]),
        (Query(kinds=("note",), where=(("colour", "red"),)), ["note-1"]),
        (Query(kinds=("note",), where=(("at.x", 1),)), ["note-2"]),
        (Query(since="2024-01-02T00:00:00Z"), ["note-2"]),
        (Query(until="2024-01-02T00:00:00Z"), ["note-1"]),
        (Query(OTHER), []),
    ],
)
def test_filters_select(backend: MemoryBackend, query: Query, ids: list[str]) -> None:
    """Every filter that is set must hold; since is inclusive, until is not."""
    memory = notes(backend)
    memory.put(entry("note-1", kind="note", content={"colour": "red"}, tags=["a"]))
    late = "2024-01-02T00:00:00Z"
    at = {"colour": {}, "at": {"x": 1.0}}
    memory.put(entry("note-2", kind="note", content=at, tags=["b", "a"], createdAt=late))
    assert [row["id"] for row in memory.query(query).entries] == ids


@pytest.mark.parametrize(
    "query",
    [
        Query(limit=-1),
        Query(since="x"),
        Query(until="x"),
        Query(where=(("colour", 1),)),
        Query(kinds=("note",), where=(("other", 1),)),
        Query(kinds=("no",), where=(("colour", 1),)),
    ],
)
def test_a_bad_query_is_refused(backend: MemoryBackend, query: Query) -> None:
    """A negative limit, a bad time and a field without index are the caller's fault (OA-Q1)."""
    with pytest.raises(InvalidQuery):
        notes(backend).query(query)


@pytest.mark.parametrize("backend_type", [Capped, Stubborn])
def test_a_backend_with_a_cap_is_read_to_the_end(backend_type: type[MemoryBackend]) -> None:
    """150 entries are 150, whatever one answer is cut to (OA-R5)."""
    memory = Memory(backend_type())
    for index in range(150):
        memory.put(entry(f"turn-{index:06d}-user"))
    assert len(memory.query(Query(Scope("session", "ns/one"))).entries) == 150
    page = memory.query(Query(Scope("session", "ns/one"), limit=120))
    assert (len(page.entries), page.truncated) == (120, True)


@pytest.mark.parametrize("backend_type", [MemoryBackend, Plain])
def test_one_of_many_writers_wins(backend_type: type[Any], scope: Scope) -> None:
    """Eight payloads under one id: one success, seven conflicts, the winner stored (OA-N1)."""
    barrier = Barrier(8)
    memory = Memory(backend_type())

    def write(number: int) -> int | None:
        barrier.wait()
        try:
            content: int = memory.put(entry("turn-1", content=number))["content"]
        except AppendOnlyConflict:
            return None
        return content

    with ThreadPoolExecutor(8) as pool:
        won = [number for number in pool.map(write, range(8)) if number is not None]
    stored = memory.get(scope, "turn", "turn-1")
    assert stored is not None
    assert won == [stored["content"]]


def test_two_memories_on_one_backend_write_once(backend: MemoryBackend) -> None:
    """Write-once is the backend's one step, not a lock of one process (D-OA-14)."""
    Memory(backend).put(entry("turn-1", content=1))
    with pytest.raises(AppendOnlyConflict):
        Memory(backend).put(entry("turn-1", content=2))


@pytest.mark.parametrize(
    ("caller", "allowed"),
    [("", True), ("system:operator", True), ("session:ns/one", True), ("session:ns/two", False)],
)
def test_a_session_authors_its_own_turns_only(
    backend: MemoryBackend, scope: Scope, caller: str, allowed: bool
) -> None:
    """Another session's turns are denied, its notes are not (OA-Q1)."""
    memory = Memory(backend, kinds=Kinds([TURN, NOTE]), caller=caller)
    memory.put(entry("note-1", kind="note"))
    if allowed:
        memory.put(entry("turn-1"))
    else:
        with pytest.raises(WriteDenied):
            memory.put(entry("turn-1"))


def test_hooks_hear_of_what_changed(backend: MemoryBackend, scope: Scope) -> None:
    """A scope's hooks hear of stored and deleted entries, not of repeated ones."""
    heard: list[str] = []

    class Hearing(ScopeHooks):
        """Hooks that write down what they hear."""

        def stored(self, entry: Mapping[str, Any]) -> None:
            """Hear of a write."""
            heard.append(f"+{entry['id']}")

        def deleted(self, entry_id: str) -> None:
            """Hear of a removal."""
            heard.append(f"-{entry_id}")

    def hooks(scope: Scope) -> ScopeHooks:
        return Hearing()

    once = Kind("once", "o-", append_only=True, new_scope_hooks=hooks)
    memory = Memory(backend, kinds=Kinds([once, Kind("many", "m-", new_scope_hooks=hooks)]))
    memory.put(entry("o-1", kind="once"))
    memory.put(entry("o-1", kind="once"))
    memory.put(entry("m-1", kind="many"))
    memory.delete_scope(scope)
    assert heard == ["+o-1", "+m-1", "-m-1"]


def test_a_kind_has_a_name_of_its_own() -> None:
    """Registering an empty or taken name, or an empty prefix, is a programming error."""
    kinds = Kinds()
    assert list(kinds) == [TURN]
    for bad in (TURN, Kind("", "x-"), Kind("x", "")):
        with pytest.raises(ValueError, match="a kind has a prefix"):
            kinds.register(bad)


def test_refusals_are_permanent_and_say_which(memory: Memory) -> None:
    """400 for what is malformed, 403 for policy and provenance, 409 for conflict (OA-Q1)."""
    assert {kind.__name__: kind.http for kind in Refusal.__subclasses__()} == {
        "InvalidEntry": 400,
        "InvalidQuery": 400,
        "AppendOnlyKind": 403,
        "WriteDenied": 403,
        "ProvenanceRequired": 403,
        "BadProvenance": 403,
        "AppendOnlyConflict": 409,
        "IndexConflict": 409,
    }
    assert {ProvenanceRequired.http, BadProvenance.http, IndexConflict.http} == {403, 409}
    assert str(InvalidEntry("x")) == "not an entry that can be kept: 'x'"
    assert str(InvalidEntry("x", "y")) == "not an entry that can be kept: 'x' (y)"


def test_the_content_schema_describes_turns() -> None:
    """The turn kind says what its content looks like, in JSON Schema."""
    assert set(TURN.content_schema["properties"]) >= {"content", "usage", *TURN.indexed_fields}
    assert json.dumps(TURN.content_schema["properties"]["content"]["type"]) == '["array", "null"]'
