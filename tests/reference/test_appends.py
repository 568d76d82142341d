"""Opening, appending and resuming: what a session puts into its store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from storelaw_reference.transcript import (
    CompactionEntry,
    CustomEntry,
    DecodeError,
    Entry,
    Event,
    MemoryStore,
    Message,
    MessageEntry,
    Rejected,
    Session,
    SessionExists,
    Text,
    ephemeral,
    text,
    text_of,
)

Open = Callable[..., Session]


def chain(entries: list[Entry]) -> list[tuple[str, str]]:
    """Return each entry as its id and its parent."""
    return [(entry.header.id, entry.header.parent_id) for entry in entries]


def stored(store: MemoryStore, session_id: str = "s") -> list[tuple[str, str]]:
    """Return each stored entry as its id and its parent."""
    return [(json["id"], json.get("parent_id", "")) for json in store.load(session_id)]


def words(session: Session) -> list[str]:
    """Return the words of the history."""
    return [text_of(message) for message in session.messages()]


def test_a_first_open_creates_and_tells(opened: Open, store: Any, events: list[Event]) -> None:
    """Only `SessionNotFound` leads to a create, which is told once (PI-L7)."""
    assert opened().leaf == ""
    assert opened().entries() == []
    assert store.calls == ["load", "create", "load"]
    assert events == [Event("session_init", "s")]


def test_another_error_of_the_load_creates_nothing(opened: Open, store: Any) -> None:
    """A damaged log is not a new session (PI-L7)."""
    store.fail["load"] = OSError("disk")
    with pytest.raises(OSError, match="disk"):
        opened()
    assert store.calls == ["load"]


def test_a_lost_race_of_first_opens_loads(opened: Open, store: Any, events: list[Event]) -> None:
    """The loser opens what the winner made (D-PI-8)."""
    MemoryStore.create(store, "s")
    MemoryStore.append(store, "s", [{**HEADER, "id": "w"}])
    store.fail["load"] = session_not_found()
    assert opened().leaf == "w"
    assert store.calls == ["load", "create", "load"]
    assert events == []


HEADER: dict[str, Any] = {
    "type": "message",
    "created_at": "2024-01-01T00:00:00Z",
    "message": {"role": "user", "content": None},
}


def session_not_found() -> Exception:
    """Return the error of an unknown session."""
    with pytest.raises(Exception, match="nope") as caught:
        MemoryStore().load("nope")
    return caught.value


def test_a_parent_given_at_open_is_recorded(store: Any) -> None:
    """The lineage reaches the record (PI-L2)."""
    Session.open(store, "child", parent="source")
    assert store.record("child")["parent_id"] == "source"


def test_the_defaults_draw_hex_ids_and_utc_times(store: Any) -> None:
    """Without arguments a session is ready to use (PI-A4)."""
    (entry,) = Session.open(store, "s").append([text("a")])
    assert len(entry.header.id) == 16
    assert entry.header.created_at.endswith("Z")


def test_a_session_assigns_headers(opened: Open, store: Any) -> None:
    """A batch is one chain with one creation time; a caller's header is dropped (A4, A5)."""
    session = opened()
    (first,) = session.append([text("a")])
    batch = session.append([first, text("b"), CustomEntry("k", {"x": 1})])
    assert chain(batch) == [("e2", "e1"), ("e3", "e2"), ("e4", "e3")]
    assert session.leaf == "e4"
    assert len({entry.header.created_at for entry in batch}) == 1
    assert stored(store) == chain(session.entries())


def test_a_failed_append_has_not_happened(opened: Open, store: Any) -> None:
    """Log and leaf stay, and the next append chains to the old leaf (PI-A6)."""
    session = opened()
    session.append([text("a")])
    store.fail["append"] = OSError("disk")
    with pytest.raises(OSError, match="disk"):
        session.append([text("b")])
    assert (session.leaf, len(session.entries())) == ("e1", 1)
    session.append([text("c")])
    assert stored(store) == [("e1", ""), ("e3", "e1")]


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        (cast(Entry, {"type": "message"}), Rejected),
        (MessageEntry(Message("user", (Text(cast(str, 5)),))), DecodeError),
        (CustomEntry("k", {"parent_id": "x"}), DecodeError),
    ],
)
def test_a_draft_that_would_not_load_is_refused(
    opened: Open, store: Any, draft: Entry, error: type[Exception]
) -> None:
    """Everything that is accepted can be loaded (D-PI-3, D-PI-4)."""
    session = opened()
    with pytest.raises(error):
        session.append([text("a"), draft])
    assert session.entries() == []
    assert store.load("s") == []


def test_ids_stay_unique_when_the_source_repeats(store: Any) -> None:
    """Ids of the loaded log, of ephemeral entries and of a failed batch are taken (PI-I1)."""
    source = iter("aabbcdd")
    session = Session.open(store, "s", new_id=lambda: next(source))
    session.append([text("1"), ephemeral(text("2"))])
    store.fail["append"] = OSError("disk")
    with pytest.raises(OSError, match="disk"):
        session.append([text("3")])
    again = Session.open(store, "s", new_id=iter("ad").__next__)
    again.append([text("4")])
    assert [entry.header.id for entry in session.entries()] == ["a", "b"]
    assert stored(store) == [("a", ""), ("d", "a")]


def test_ephemeral_entries_hang_off_the_leaf_and_touch_nothing(opened: Open, store: Any) -> None:
    """In [f, *s, g] both hang off f, and only f and g are stored (PI-E1, E2, E3, T6)."""
    session = opened()
    batch = session.append([text("f"), ephemeral(text("s")), text("g")])
    assert chain(batch) == [("e1", ""), ("e2", "e1"), ("e3", "e1")]
    assert stored(store) == [("e1", ""), ("e3", "e1")]
    assert session.leaf == "e3"
    assert chain(session.entries()) == chain(batch)
    assert words(session) == ["f", "g"]
    assert [entry.header.id for entry in session.transcript()] == ["e1", "e3"]


def test_an_ephemeral_head_does_not_cut_the_chain(opened: Open, store: Any) -> None:
    """After a reopen the path is complete (PI-E3, PI-E5, PI-R5)."""
    session = opened()
    session.append([ephemeral(text("r")), text("u")])
    session.append([text("a")])
    assert stored(store) == [("e2", ""), ("e3", "e2")]
    assert words(opened()) == ["u", "a"]
    assert len(session.entries()) == 3


@pytest.mark.parametrize("drafts", [[], [ephemeral(text("n"))]])
def test_nothing_durable_is_no_append(opened: Open, store: Any, drafts: list[Entry]) -> None:
    """The store sees no empty batch, and a fresh leaf stays empty (PI-E9)."""
    session = opened()
    assert len(session.append(drafts)) == len(drafts)
    assert "append" not in store.calls
    assert session.leaf == ""


def test_a_reopened_session_is_the_same(opened: Open) -> None:
    """Leaf, path and history survive (PI-S1)."""
    session = opened()
    session.append([text("a"), CustomEntry("k", {"x": [1.0]}), CompactionEntry("s", "e1")])
    again = opened()
    assert again.leaf == session.leaf
    assert again.path() == session.path()
    assert again.messages() == session.messages()


def test_two_instances_grow_siblings(opened: Open, store: Any) -> None:
    """Each chains to its own leaf, and nothing is lost (PI-N2)."""
    opened().append([text("l")])
    one, two = opened(), opened()
    one.append([text("x")])
    two.append([text("y")])
    assert stored(store) == [("e1", ""), ("e2", "e1"), ("e3", "e1")]


def test_an_unreadable_entry_fails_the_open(opened: Open, store: Any) -> None:
    """An unknown type is not skipped (PI-R4)."""
    MemoryStore.create(store, "s")
    MemoryStore.append(store, "s", [{**HEADER, "id": "e1", "type": "bogus"}])
    with pytest.raises(DecodeError, match="bogus"):
        opened()


def test_a_stored_cycle_ends_the_path(opened: Open, store: Any) -> None:
    """A log that others wrote can't hang a session (PI-T4)."""
    MemoryStore.create(store, "s")
    cycle = [{**HEADER, "id": "c1", "parent_id": "c2"}, {**HEADER, "id": "c2", "parent_id": "c1"}]
    MemoryStore.append(store, "s", cycle)
    assert [entry.header.id for entry in opened().path()] == ["c1", "c2"]


def test_a_create_that_fails_otherwise_propagates(opened: Open, store: Any) -> None:
    """Only `SessionExists` means that somebody else was first."""
    store.fail["create"] = OSError("disk")
    with pytest.raises(OSError, match="disk"):
        opened()
    with pytest.raises(SessionExists):
        opened().fork("s")
