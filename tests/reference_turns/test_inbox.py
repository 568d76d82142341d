"""The inbox: rows OA-I1 to OA-I5 of the scenario tables."""

from __future__ import annotations

from typing import Any

import pytest

from storelaw_reference.turns import (
    Appender,
    IndexConflict,
    Memory,
    Scope,
    Text,
    Turn,
    drain_inbox,
    record_inbox,
    visible_messages,
)

T0 = "2024-01-01T00:00:00Z"
AUTHOR, VIA = "user:YQ", "urn:ap:view:chat"
MESSAGE = Turn(2, "inbox", (Text("hi"),), T0, author=AUTHOR, via=VIA)


def roles(appender: Appender) -> list[tuple[int, str]]:
    """Return what is stored, by index and role."""
    return [(turn.index, turn.role) for turn in appender.read_all().turns]


def test_a_message_is_stored_behind_the_last_turn(appender: Appender) -> None:
    """During a run it is an inbox turn at max + 1 (OA-I1)."""
    assert appender.receive("first").index == 0
    appender.append(Turn(4, "assistant"))
    received = appender.receive("hi", author=AUTHOR, via=VIA)
    assert received == Turn(
        5, "inbox", (Text("hi"),), "2024-01-01T00:00:03Z", author=AUTHOR, via=VIA
    )


def test_record_inbox_writes_at_its_index(memory: Memory, scope: Scope, now: Any) -> None:
    """The index is the caller's, and a taken one conflicts (OA-I1, OA-A12)."""
    turn = record_inbox(memory, scope, 3, "hi", AUTHOR, now=now)
    assert turn == Turn(3, "inbox", (Text("hi"),), "2024-01-01T00:00:01Z", author=AUTHOR)
    with pytest.raises(IndexConflict):
        record_inbox(memory, scope, 3, "other")


def test_a_drain_promotes_and_then_marks(appender: Appender) -> None:
    """User first at the next index, marker without author, inbox turn kept (OA-I2, OA-I5)."""
    appender.append(MESSAGE)
    drained = drain_inbox(appender, 3)
    assert drained.next_index == 4
    assert [turn.role for turn in drained.turns] == ["user"]
    inbox, marker, user = appender.read_all().turns
    assert inbox == MESSAGE
    assert (marker.index, marker.role, marker.author, marker.content) == (2, "inbox_done", "", ())
    assert user == Turn(3, "user", (Text("hi"),), user.created_at, author=AUTHOR, via=VIA)
    assert user.created_at < marker.created_at


def test_the_row_of_the_scenario_table(appender: Appender) -> None:
    """inbox(2), next 2: user(2), inbox_done(2), inbox(2), next 3 (OA-I2)."""
    appender.append(MESSAGE)
    assert drain_inbox(appender, 2).next_index == 3
    assert roles(appender) == [(2, "inbox"), (2, "inbox_done"), (2, "user")]


def test_a_second_drain_places_nothing(appender: Appender) -> None:
    """Several messages are placed in order, once (OA-I2, OA-I3)."""
    appender.append(MESSAGE)
    appender.append(Turn(1, "inbox", (Text("earlier"),)))
    first = drain_inbox(appender, 7)
    assert [(turn.index, turn.texts()) for turn in first.turns] == [(7, ("earlier",)), (8, ("hi",))]
    second = drain_inbox(appender, first.next_index)
    assert (second.turns, second.next_index) == ((), 9)


def test_a_crash_before_the_marker_places_the_message_again(
    backend: Any, memory: Memory, scope: Scope, appender: Appender
) -> None:
    """At least once: a duplicate at worst, never a loss (OA-I4, D-OA-13)."""

    class Crashing(Appender):
        """An appender that dies at the marker."""

        def append(self, turn: Turn) -> Turn:
            """Append, or die."""
            if turn.role == "inbox_done":
                raise OSError("died")
            return super().append(turn)

    appender.append(MESSAGE)
    with pytest.raises(OSError, match="died"):
        drain_inbox(Crashing(memory, scope), 3)
    assert [message.text for message in visible_messages(appender.read_all().turns)] == ["hi", "hi"]
    assert drain_inbox(appender, 4).next_index == 5
    assert roles(appender) == [(2, "inbox"), (2, "inbox_done"), (3, "user"), (4, "user")]
