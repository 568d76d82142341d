"""Entries, inputs, values and ref names."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest

from storelaw_reference.log import (
    Rejected,
    SessionError,
    assistant,
    checked,
    checked_control,
    checked_log,
    checked_name,
    developer,
    entry,
    is_semantic,
    normal,
    open_turns,
    parsed,
    system,
    text,
    to_agent_input,
    turn_event,
    user,
)


def made(type: str, data: object = None) -> dict[str, Any]:
    """Return an entry under a fixed id."""
    return entry(type, data, new_id=lambda: "a", now=lambda: 1)


def test_an_entry_has_four_members() -> None:
    """Wire A.2.1: id, type, data and timestamp always, a parent if there is one."""
    assert made("input", 1) == {"id": "a", "type": "input", "data": 1, "timestamp": 1}
    assert entry("x", 1, new_id=lambda: "a", now=lambda: 1, parent_id="p")["parentId"] == "p"


def test_an_entry_has_a_random_id_and_the_present_time_by_default() -> None:
    """Wire A.2.1: a UUID of version 4, milliseconds since 1970."""
    first, second = entry("x", 1), entry("x", 1)
    assert UUID(first["id"]).version == 4
    assert first["id"] != second["id"]
    assert first["timestamp"] > 1_600_000_000_000


def test_an_entry_owns_its_data() -> None:
    """D-AP-10: what the caller does to the data later is no concern of the entry."""
    data = {"a": [1]}
    one = made("x", data)
    data["a"].append(2)
    assert one["data"] == {"a": [1]}


def test_v1_only_input_reaches_the_model() -> None:
    """AP-V1: [input, state, event, compact, input] gives two items."""
    types = ["input", "state", "event", "compact", "input"]
    entries = [made(type, number) for number, type in enumerate(types)]
    read: list[object] = [*to_agent_input(entries)]
    assert read == [0, 4]


def test_the_helpers_build_messages() -> None:
    """Wire A.2.3: three roles have text as content, the assistant has one part."""
    for role, build in {"user": user, "system": system, "developer": developer}.items():
        assert build("hi") == {"type": "message", "role": role, "content": "hi"}
    part = {"type": "output_text", "text": "hi"}
    assert assistant("hi") == {"type": "message", "role": "assistant", "content": [part]}


def test_semantic_are_all_but_events_and_controls() -> None:
    """AP-T1, AP-T8: a type that nobody registered is a node of the conversation."""
    types = ["input", "state", "compact", "mine/x", "event", "session/ref", "session/checkout"]
    assert [is_semantic(made(type)) for type in types] == [True] * 4 + [False] * 3


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": 1},
        {"type": None},
        {"timestamp": True},
        {"timestamp": 1.5},
        {"parentId": 1},
    ],
)
def test_what_is_no_entry_is_refused(change: dict[str, Any]) -> None:
    """AP-T9: each of the four members is there, and of its type."""
    with pytest.raises(Rejected):
        checked({**made("x"), **change})


@pytest.mark.parametrize("value", [None, 1, [], {}, {"type": "message", "role": "user"}])
def test_g1_bare_values_are_no_entries(value: object) -> None:
    """AP-G1: a log of bare inputs is told from a log of entries."""
    with pytest.raises(Rejected):
        checked(value)


def test_g1_a_stored_log_is_entries_throughout() -> None:
    """AP-G1: a log is copied; one with anything else in it, or that is no list, is refused."""
    log = (made("x"), made("y"))
    copy = checked_log(log)
    assert copy == list(log)
    assert copy[0] is not log[0]
    for wrong in (None, [made("x"), 1], [{**made("x"), "data": object()}]):
        with pytest.raises(Rejected):
            checked_log(wrong)


@pytest.mark.parametrize(
    ("type", "data"),
    [
        ("session/ref", None),
        ("session/ref", {"targetId": "a"}),
        ("session/ref", {"name": "f", "targetId": 1}),
        ("session/checkout", {"target": "main"}),
        ("session/checkout", {"target": {"type": "ref", "id": "a"}}),
        ("session/checkout", {"target": {"type": "id", "name": "a"}}),
        ("session/checkout", {"target": {"type": "other", "id": "a"}}),
    ],
)
def test_a_malformed_control_entry_is_refused(type: str, data: object) -> None:
    """D-AP-12: a control entry says what it moves, or isn't one."""
    with pytest.raises(Rejected, match="malformed"):
        checked_control(made(type, data))


def test_values_become_plain_json() -> None:
    """D-AP-9: mappings and tuples come back as dicts and lists, from every storage."""
    given = MappingProxyType({"a": (1, None), "b": {"c": "\ud800", "d": -0.0}})
    assert normal(given) == {"a": [1, None], "b": {"c": "\ud800", "d": -0.0}}
    assert text(given).isascii()


@pytest.mark.parametrize(
    "value",
    [object(), ValueError("x"), {1: 2}, float("nan"), [float("inf")], [10**5000]],
    ids=["object", "error", "key", "nan", "infinite", "digits"],
)
def test_what_json_cannot_say_is_refused(value: object) -> None:
    """D-AP-9, D-AP-20: an error object or a missing value is refused, not half kept."""
    with pytest.raises(Rejected):
        normal(value)


def test_depth_has_an_end() -> None:
    """A value that nests without end is refused, going in and coming out."""
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(Rejected):
        text(deep)
    with pytest.raises(ValueError, match="deep"):
        parsed("[" * 100_000)
    with pytest.raises(ValueError, match="NaN"):
        parsed("NaN")


@pytest.mark.parametrize(
    "name",
    ["", "@", "HEAD", ".a", "a.", "a/", "a.lock", "a..b", "a//b", "a/.b", "a@{b", "a\x1fb", "a\n"]
    + [f"a{char}b" for char in " ~^:?*[\\"],
)
def test_h6_bad_ref_names_are_refused(name: str) -> None:
    """AP-H6: each listed kind of bad name is `invalid_ref`."""
    with pytest.raises(SessionError, match="invalid_ref") as caught:
        checked_name(name)
    assert caught.value.code == "invalid_ref"


@pytest.mark.parametrize("name", ["main", "/a", "-a", "a.lock/b", "a\x7f", "__proto__", "a@b", "é"])
def test_h6_other_ref_names_are_taken(name: str) -> None:
    """AP-H6: what the rule doesn't name is a name."""
    assert checked_name(name) == name


def test_b1_a_turn_is_open_until_its_own_end() -> None:
    """AP-B1: start t1 is open; done t2 doesn't end it; done t1 does; bad data is skipped."""
    start = made("event", {"type": "turn.start", "turnId": "t1"})
    others = [
        made("event", {"type": "turn.done", "turnId": "t2"}),
        made("event", {"type": "turn.start", "turnId": 5}),
        made("event", "turn.start"),
        made("input", {"type": "turn.start", "turnId": "t3"}),
    ]
    assert open_turns([start, *others]) == ["t1"]
    assert open_turns([made("event", {"type": "turn.done", "turnId": "t1"}), start]) == []
    assert turn_event(start) == ("turn.start", "t1")
