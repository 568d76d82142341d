"""Turn ids and subjects, as literal rows."""

from __future__ import annotations

import pytest

from storelaw_reference.turns import InvalidEntry, Subject, Surface, entry_id, parsed_id


@pytest.mark.parametrize(
    ("index", "role", "name"),
    [
        (0, "user", "turn-000000-user"),
        (7, "assistant", "turn-000007-assistant"),
        (999_999, "a-b", "turn-999999-a-b"),
        (1_000_000, "user", "turn-1000000-user"),
        (2**63 - 1, "é", "turn-9223372036854775807-é"),
    ],
)
def test_an_id_is_written_and_read_to_its_end(index: int, role: str, name: str) -> None:
    """Id to turn to id is the identity, at any width (OA-A1, OA-A2, D-OA-1)."""
    assert entry_id(index, role) == name
    assert parsed_id(name) == (index, role)


def test_the_order_of_ids_is_the_order_of_turns() -> None:
    """Byte order is (index, role) order up to six digits (OA-A2)."""
    turns = [(2, "inbox"), (2, "user"), (10, "assistant"), (999_999, "user")]
    assert sorted(entry_id(*turn) for turn in turns) == [entry_id(*turn) for turn in turns]


@pytest.mark.parametrize(
    ("index", "role"),
    [
        *[(-1, "user"), (2**63, "user"), (True, "user"), (0, ""), (0, "system note")],
        *[(0, "a\nb"), (0, "a\u00a0b"), (0, "a\x00"), (0, "\ud800")],
    ],
)
def test_an_index_or_role_that_would_not_read_back_is_refused(index: int, role: str) -> None:
    """Nothing is written that a reader would lose (D-OA-1, D-OA-2, D-OA-11)."""
    with pytest.raises(InvalidEntry):
        entry_id(index, role)


@pytest.mark.parametrize("name", ["turn-0-user", "turn-12-inbox", "turn-99999-user"])
def test_the_unpadded_legacy_spelling_is_read(name: str) -> None:
    """An older log's ids decode although no writer makes them (OA-G1)."""
    index, role = parsed_id(name)
    assert name == f"turn-{index}-{role}"


@pytest.mark.parametrize(
    "name",
    [
        *["turn-x", "turn-00-user", "turn-+5-user", "turn- 5-user", "turn-000005-user extra"],
        *["turn--1-user", "turn-000005-", "turn-0000005-user", "turn-00000000000000000005-user"],
        *["turn-9223372036854775808-user", "turn-\u0663-user", "note-1", "", "turn-000000-user\n"],
    ],
)
def test_other_spellings_name_no_turn(name: str) -> None:
    """One turn has one id, so no two entries claim it (D-OA-3)."""
    with pytest.raises(InvalidEntry):
        parsed_id(name)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (Subject("user", "ann@example.org"), "user:YW5uQGV4YW1wbGUub3Jn"),
        (Subject("user", "é"), "user:w6k"),
        (Subject("session", "ns/one"), "session:ns/one"),
        (Subject("system", "a:b"), "system:a:b"),
    ],
)
def test_a_subject_is_its_text(subject: Subject, text: str) -> None:
    """The id of a user is unpadded base64url, other ids are plain (A.3.2)."""
    assert str(subject) == text
    assert Subject.parse(text) == subject


@pytest.mark.parametrize(
    "text", ["", "user", "user:", ":x", "system:", "user:YQ==", "user:*", "user:_w", "user:Y"]
)
def test_other_text_is_no_subject(text: str) -> None:
    """A subject that would not write back the same is refused."""
    with pytest.raises(InvalidEntry):
        Subject.parse(text)


@pytest.mark.parametrize(
    ("urn", "surface"),
    [
        ("urn:ap:view:chat", Surface("chat")),
        ("urn:ap:view:tui", Surface("tui")),
        ("urn:ap:view:artifact:a-1", Surface("artifact", "a-1")),
        ("urn:ap:view:artifact:a/widget", Surface("artifact", "a", "widget")),
        ("urn:ap:view:session:ns/s", Surface("session", "ns/s")),
        ("urn:ap:view:session:ns/s/annotations", Surface("session", "ns/s", "annotations")),
        ("", None),
        ("urn:ap:view:chat:x", None),
        ("urn:ap:view:artifact:", None),
        ("urn:ap:view:artifact:-a", None),
        ("urn:ap:view:artifact:" + "a" * 65, None),
        ("urn:ap:view:session:ns", None),
        ("urn:ap:view:chat\n", None),
    ],
)
def test_a_surface_is_read_from_its_urn(urn: str, surface: Surface | None) -> None:
    """What is no view URN is no surface (A.3.2)."""
    assert Surface.parse(urn) == surface
