"""Branches and forks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from storelaw_reference.transcript import (
    CompactionEntry,
    CustomEntry,
    Event,
    MemoryStore,
    Rejected,
    Session,
    SessionExists,
    ephemeral,
    text,
    text_of,
)

Open = Callable[..., Session]


@pytest.fixture
def session(opened: Open) -> Session:
    """Return a session with four entries, e1 to e4, in one chain."""
    grown = opened()
    grown.append([text(word) for word in ("q1", "a1", "q2", "a2")])
    return grown


def words(session: Session) -> list[str]:
    """Return the words of the history."""
    return [text_of(message) for message in session.messages()]


def test_a_branch_grows_a_sibling(session: Session, store: Any, events: list[Event]) -> None:
    """Nothing is written or deleted, and the next entry hangs off the target (PI-B1)."""
    before = store.load("s")
    session.branch("e2")
    assert store.load("s") == before
    assert events[-1] == Event("session_branched", "s", from_leaf_id="e4", leaf_id="e2")
    session.append([text("q3")])
    assert words(session) == ["q1", "a1", "q3"]
    assert store.load("s")[-1]["parent_id"] == "e2"
    assert len(store.load("s")) == 5


@pytest.mark.parametrize("target", ["nope", "", "e5"])
def test_a_bad_target_moves_nothing(session: Session, events: list[Event], target: str) -> None:
    """Unknown, empty and ephemeral targets are refused (PI-B2, PI-B4, PI-E6)."""
    session.append([ephemeral(text("e5"))])
    told = list(events)
    with pytest.raises(Rejected, match=repr(target)):
        session.branch(target)
    assert session.leaf == "e4"
    assert events == told


def test_a_branch_is_not_stored(session: Session, opened: Open) -> None:
    """A reopened session is at the last entry of the log (PI-B3)."""
    session.branch("e2")
    assert opened().leaf == "e4"


def test_a_branch_above_a_compaction_restores_the_view(session: Session) -> None:
    """Custom and compaction entries are targets too (PI-B5)."""
    session.append([CompactionEntry("S", "e3"), CustomEntry("k")])
    assert words(session) == ["S", "q2", "a2"]
    session.branch("e4")
    assert words(session) == ["q1", "a1", "q2", "a2"]
    for target in ("e5", "e6"):
        session.branch(target)
        assert session.leaf == target


def test_a_fork_copies_the_path_alone(
    session: Session, opened: Open, store: Any, events: list[Event]
) -> None:
    """Fresh ids, one chain, the same times and order, and a record that names the source."""
    session.branch("e2")
    session.append([ephemeral(text("r"))])
    source = store.load("s")
    child = session.fork("f")
    copies = store.load("f")
    assert [json["message"] for json in copies] == [json["message"] for json in source[:2]]
    assert [json["created_at"] for json in copies] == [json["created_at"] for json in source[:2]]
    assert [json.get("parent_id") for json in copies] == [None, copies[0]["id"]]
    assert not {json["id"] for json in copies} & {json["id"] for json in source}
    assert store.record("f")["parent_id"] == "s"
    assert child.leaf == opened("f").leaf == copies[-1]["id"]
    assert events[-2:] == [
        Event("session_forked", "f", "s", from_leaf_id="e2"),
        Event("session_init", "f", "s", leaf_id=child.leaf),
    ]


def test_a_fork_and_its_source_are_independent(session: Session, store: Any) -> None:
    """What either takes in stays with it (PI-F3)."""
    child = session.fork("f")
    child.append([text("c")])
    session.append([text("d"), text("e")])
    assert (len(store.load("s")), len(store.load("f"))) == (6, 5)


def test_a_fork_of_nothing_is_an_empty_session(opened: Open, store: Any) -> None:
    """No empty batch reaches the store (PI-E9)."""
    assert opened().fork("f").leaf == ""
    assert store.load("f") == []
    assert "append" not in store.calls


def test_a_fork_keeps_the_sight_of_a_compaction(session: Session, opened: Open) -> None:
    """The anchor names the copy (PI-F5, D-PI-2)."""
    session.append([CompactionEntry("S", "e3")])
    assert words(session.fork("f")) == words(opened("f")) == ["S", "q2", "a2"]


@pytest.mark.parametrize("anchor", ["", "elsewhere"])
def test_an_anchor_without_a_copy_stays(session: Session, store: Any, anchor: str) -> None:
    """What can't be mapped is carried as it is."""
    session.append([CompactionEntry("S", anchor)])
    assert words(session.fork("f")) == ["S"]
    assert store.load("f")[-1]["first_kept_id"] == anchor


@pytest.mark.parametrize("taken", ["s", "other"])
def test_a_taken_id_is_left_alone(
    session: Session, opened: Open, store: Any, events: list[Event], taken: str
) -> None:
    """The fork fails and tells nothing; source and target are what they were (F2, F6)."""
    opened("other").append([text("x")])
    before, told = (store.load("s"), store.load("other")), list(events)
    with pytest.raises(SessionExists, match=taken):
        session.fork(taken)
    assert (store.load("s"), store.load("other")) == before
    assert events == told


def failed_fork(session: Session, store: Any) -> None:
    """Fork, with a store whose copy fails."""
    store.fail["append"] = OSError("disk")
    with pytest.raises(OSError, match="disk"):
        session.fork("f")


def test_a_failed_fork_may_be_tried_again(
    session: Session, store: Any, events: list[Event]
) -> None:
    """The child that is ours is filled on the retry, with the path of then (F7, D-PI-7)."""
    told = list(events)
    failed_fork(session, store)
    assert events == told
    session.append([text("q3")])
    assert words(session.fork("f")) == ["q1", "a1", "q2", "a2", "q3"]
    assert len(store.load("f")) == 5
    with pytest.raises(SessionExists):
        session.fork("f")


@pytest.mark.parametrize("kept", [1, 4])
def test_a_retry_goes_on_behind_what_a_failed_copy_left(
    session: Session, store: Any, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """A prefix, or a whole copy whose reply was lost, is not copied twice."""

    def torn(session_id: str, entries: list[dict[str, Any]]) -> None:
        MemoryStore.append(store, session_id, entries[:kept])
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", torn)
        with pytest.raises(OSError, match="disk"):
            session.fork("f")
    child = session.fork("f")
    assert words(child) == ["q1", "a1", "q2", "a2"]
    assert [entry.header.id for entry in child.entries()] == [j["id"] for j in store.load("f")]
    assert len(store.load("f")) == 4


def test_a_child_that_others_filled_is_theirs(session: Session, store: Any) -> None:
    """A retry doesn't write behind entries that it never copied."""
    failed_fork(session, store)
    Session.open(store, "f").append([text("x")])
    with pytest.raises(SessionExists, match="'f'"):
        session.fork("f")
    assert len(store.load("f")) == 1


def test_a_child_whose_creation_lost_its_reply_is_ours(
    session: Session, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether it took place, so a retry fills what is there (F7, D-PI-7)."""

    def made(session_id: str, parent: str | None = None) -> None:
        MemoryStore.create(store, session_id, parent)
        raise OSError("no reply")

    with monkeypatch.context() as patch:
        patch.setattr(store, "create", made)
        with pytest.raises(OSError, match="no reply"):
            session.fork("f")
    assert words(session.fork("f")) == ["q1", "a1", "q2", "a2"]


def test_a_half_copied_path_that_moved_is_refused(
    session: Session, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that holds the start of another path can't become this one."""

    def torn(session_id: str, entries: list[dict[str, Any]]) -> None:
        MemoryStore.append(store, session_id, entries[:1])
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", torn)
        with pytest.raises(OSError, match="disk"):
            session.fork("f")
    session.append([text("q3")])
    with pytest.raises(SessionExists):
        session.fork("f")


@pytest.mark.parametrize("works", [True, False])
def test_a_store_that_can_delete_undoes_a_failed_fork(
    session: Session, store: Any, works: bool
) -> None:
    """With `delete` nothing is left; where that fails too, a retry still succeeds (D-PI-7)."""
    deleted: list[str] = []

    def delete(session_id: str) -> None:
        deleted.append(session_id)
        if not works:
            raise OSError("disk")
        del store._data.logs[session_id]

    store.delete = delete
    failed_fork(session, store)
    assert deleted == ["f"]
    assert ("f" in store._data.logs) is not works
    assert words(session.fork("f")) == ["q1", "a1", "q2", "a2"]


def test_a_child_that_vanished_is_created_anew(session: Session, store: Any) -> None:
    """A leftover that somebody deleted is no obstacle."""
    failed_fork(session, store)
    del store._data.logs["f"]
    assert words(session.fork("f")) == ["q1", "a1", "q2", "a2"]
