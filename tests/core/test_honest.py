"""The honest store that liars vary, and the register of liars."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storelaw.errors import EntryConflict, Misconfigured, Rejected, SessionExists, SessionNotFound
from storelaw.liars import registry
from storelaw.liars.honest import (
    EXPLICIT,
    MANIFEST,
    Data,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    claiming,
)
from storelaw.manifest import Manifest
from storelaw.samples import custom, said

A, B, C = (said(each, created=f"2026-01-0{day}T00:00:00Z") for day, each in enumerate("abc", 1))


@pytest.fixture
def store() -> HonestStore:
    """The store with implicit creation, holding three entries in one session."""
    made = HonestStore(Data(), MANIFEST)
    made.append("s", [A, B, C])
    return made


@pytest.fixture
def explicit() -> HonestStore:
    """The store with explicit creation."""
    return HonestStore(Data(now=lambda: datetime(2026, 1, 1, tzinfo=UTC)), EXPLICIT)


def test_claims_can_be_changed_and_taken_back() -> None:
    """Options are merged, and an option of None is undeclared."""
    changed = claiming(name="x", options={"reappend": None, "ids": "caller"}, durable=False)
    assert (changed.name, changed.durable) == ("x", False)
    assert "reappend" not in changed.options
    assert changed.options["ids"] == "caller"
    assert changed.options["create"] == "implicit"
    assert claiming() == MANIFEST


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [A, B, C]),
        ({"last": 2}, [B, C]),
        ({"last": 0}, []),
        ({"last": -1}, []),
        ({"first": 2}, [A, B]),
        ({"first": -1}, []),
        ({"after": "a"}, [B, C]),
        ({"before": "c"}, [A, B]),
        ({"after": "a", "before": "c"}, [B]),
        ({"after": "x", "before": "y"}, [A, B, C]),
        ({"since": "2026-01-02T00:00:00Z"}, [B, C]),
        ({"after": "a", "last": 1}, [C]),
    ],
)
def test_a_filtered_read_is_the_exact_slice(
    store: HonestStore, filters: dict[str, Any], expected: list[Any]
) -> None:
    """Bounds come first, then counts; a count below one gives nothing."""
    assert store.load("s", **filters) == expected


def test_nothing_is_shared_with_a_caller(store: HonestStore) -> None:
    """What is given and what is taken are copies."""
    store.load("s")[0]["message"]["content"].clear()
    mine = custom("d", deep=[1])
    store.append("s", [mine])
    mine["deep"].append(2)
    assert store.load("s")[0] == A
    assert store.load("s")[3]["deep"] == [1]


def test_an_append_is_all_or_nothing_and_idempotent(store: HonestStore) -> None:
    """A known id with an equal payload is skipped, also within a batch; another conflicts."""
    store.append("s", [A, said("d"), said("d"), {"type": "custom"}])
    assert [each.get("id") for each in store.load("s")] == ["a", "b", "c", "d", None]
    with pytest.raises(EntryConflict):
        store.append("s", [said("e"), said("a", "other")])
    with pytest.raises(Rejected):
        store.append("s", [said("e"), {"id": "f", "bad": object()}])
    assert len(store.load("s")) == 5


@pytest.mark.parametrize(
    "bad",
    [
        {"x": object()},
        {"x": [float("nan")]},
        {"x": float("inf")},
        {1: 2},
        {"x": {2: 3}},
        [],
        "text",
    ],
)
def test_what_is_no_json_object_is_rejected(store: HonestStore, bad: Any) -> None:
    """Keys are text, numbers finite, and an entry is an object."""
    with pytest.raises(Rejected):
        store.append("s", [bad])


def test_plain_json_is_accepted(store: HonestStore) -> None:
    """Every kind of JSON value."""
    entry = custom("d", all=[None, True, 1, 1.5, "x", {"y": []}])
    store.append("s", [entry])
    assert store.load("s")[-1] == entry


def test_the_log_can_be_shortened_and_replaced(store: HonestStore) -> None:
    """pop, delete_entry, replace and clear; on an unknown session they do nothing."""
    assert store.pop("s") == C
    store.delete_entry("s", "a")
    assert store.load("s") == [B]
    store.replace("s", [C, A])
    assert store.load("s") == [C, A]
    store.clear("s")
    assert store.load("s") == []
    assert store.pop("s") is None
    assert store.pop("t") is None
    store.clear("t")
    store.delete_entry("t", "a")
    assert store.list_sessions() == ["s"]


def test_an_append_of_nothing_creates_nothing(store: HonestStore) -> None:
    """An implicit session begins with its first entry."""
    store.append("t", [])
    assert store.list_sessions() == ["s"]
    assert store.load("t") == []
    store.delete("t")


def test_a_fork_is_independent(store: HonestStore) -> None:
    """Up to an entry or whole; a taken id and an unknown entry leave nothing behind."""
    assert store.fork("s", "f", at="b") == "f"
    assert store.fork("s", "g") == "g"
    store.append("f", [said("d")])
    assert [each["id"] for each in store.load("f")] == ["a", "b", "d"]
    assert store.load("s") == store.load("g") == [A, B, C]
    with pytest.raises(SessionExists):
        store.fork("s", "f")
    with pytest.raises(Rejected):
        store.fork("s", "h", at="x")
    with pytest.raises(SessionNotFound):
        store.fork("x", "h")
    assert store.list_sessions() == ["s", "f", "g"]


def test_headers_agree_with_the_entries(store: HonestStore) -> None:
    """Only members that the entry has."""
    store.append("s", [said("d", parent="c")])
    assert store.headers("s")[3] == {
        "id": "d",
        "parent_id": "c",
        "created_at": "2026-01-01T00:00:00Z",
        "type": "message",
    }
    assert "parent_id" not in store.headers("s")[0]
    assert store.headers("t") == []


def test_keys_with_parts_have_prefixes(store: HonestStore) -> None:
    """Listing and deleting follow the parts, not the text."""
    for key in (("p",), ("p", "s"), ("pp", "s")):
        store.append(key, [A])
    assert store.list_sessions("p") == [("p",), ("p", "s")]
    store.delete(("p",))
    assert store.list_sessions() == ["s", ("pp", "s")]


def test_explicit_sessions_are_created_first(explicit: HonestStore) -> None:
    """Append never creates; create never overwrites; the record is written once."""
    with pytest.raises(SessionNotFound):
        explicit.append("s", [A])
    for call in (explicit.load, explicit.headers, explicit.delete, explicit.record):
        with pytest.raises(SessionNotFound):
            call("s")
    explicit.create("s")
    explicit.create("t", "s")
    with pytest.raises(SessionExists):
        explicit.create("s")
    assert explicit.load("s") == []
    assert explicit.record("s") == {"id": "s", "created_at": "2026-01-01T00:00:00+00:00"}
    assert explicit.record("t")["parent"] == "s"
    explicit.append("s", [A])
    explicit.delete("s")
    assert explicit.list_sessions() == ["t"]


def test_a_closed_handle_refuses_work(store: HonestStore) -> None:
    """Reads as well as writes; the data stays with the other handles."""
    other = HonestStore(store.data, MANIFEST)
    store.close()
    for call in (store.load, store.pop, store.record):
        with pytest.raises(RuntimeError, match="the handle is closed"):
            call("s")
    assert other.load("s") == [A, B, C]


def test_all_handles_of_a_medium_share_its_data_and_clock(tmp_path: Path) -> None:
    """The medium keeps the data; its clock can be set."""
    medium = HonestExplicit(tmp_path)
    medium.clock(lambda: datetime(2030, 1, 1, tzinfo=UTC))
    medium.open().create("s")
    assert medium.open().record("s")["created_at"] == "2030-01-01T00:00:00+00:00"
    assert HonestMedium(tmp_path).open().list_sessions() == []
    assert Data().now().tzinfo is UTC


def test_two_liars_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A liar is told by its name; the same module read twice is no second liar."""
    monkeypatch.setattr(registry, "_LIARS", {})
    first = type("Fibs", (HonestMedium,), {"__module__": "acme.one"})
    again = type("Fibs", (HonestMedium,), {"__module__": "acme.one"})
    other = type("Fibs", (HonestMedium,), {"__module__": "acme.two"})
    assert registry.liar("a_law")(first) is first
    assert registry.liar("a_law")(again) is again
    with pytest.raises(Misconfigured, match="two liars are called 'Fibs'"):
        registry.liar("b_law")(other)
    assert [each.medium for each in registry.liars()] == [again]


def test_liars_register_under_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A liar is known by its class name, with what it stands for."""
    monkeypatch.setattr(registry, "_LIARS", {})

    @registry.liar("a_law", also=["b_law"], kinds=["F01"], mutants=["m"], most=2)
    class Fibs(HonestMedium):
        """Lies."""

        manifest = Manifest(name="fibs")

    assert registry.liars() == (
        registry.Liar("Fibs", Fibs, "a_law", ("b_law",), (), ("F01",), ("m",), 2),
    )
