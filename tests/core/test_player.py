"""Playing programs: what is called, what is recorded, what is closed."""

from datetime import datetime
from typing import Any

import pytest

from storelaw.driver import Absent
from storelaw.errors import Misconfigured
from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.player import meddled, play
from storelaw.program import (
    Program,
    Step,
    append,
    bad,
    call,
    closed,
    list_sessions,
    load,
    meddle,
    opened,
    program,
    reopened,
    view,
)
from storelaw.samples import said
from storelaw.wrecks import damage

from .plain import LIFE, Plain, PlainMedium

ONE, TWO = said("1"), said("2")


@pytest.fixture(autouse=True)
def life() -> list[str]:
    """The calls that the media of a test get, in order."""
    LIFE.clear()
    return LIFE


def outcomes(steps: Program, medium: type[Medium]) -> list[str]:
    """The outcome of each step."""
    return [each.outcome for each in play(steps, medium).events]


# ------------------------------------------------------------------- operations


def test_each_step_becomes_an_event_with_its_answer() -> None:
    """The answer is a snapshot; what was given are the objects that the store got."""
    trace = play(program(append("s", ONE), load("s"), append("s", TWO), load("t")), PlainMedium)
    first, second, _, fourth = trace.events
    assert second.value == [ONE]
    assert first.passed == (ONE,)
    assert first.given == [ONE]
    assert first.given[0] is not ONE
    assert fourth.value is None
    assert [each.index for each in trace.events] == [0, 1, 2, 3]


def test_every_operation_gets_its_arguments_in_their_place() -> None:
    """The further arguments of each operation go where the port says."""
    steps = program(
        call("create", "s", parent="r"),
        append("s", ONE, TWO),
        call("replace", "s", TWO, ONE),
        call("fork", "s", new="f", at="2"),
        call("delete_entry", "f", which="2"),
        load("s"),
        load("f"),
        load("s", last=1),
        call("record", "s"),
        call("pop", "s"),
        call("headers", "s"),
        list_sessions(),
        call("append_one", "s", ONE),
        call("delete", "s"),
        load("s"),
    )
    trace = play(steps, HonestExplicit)
    values = [each.value for each in trace.events]
    assert values[3] == "f"
    assert values[5:8] == [[TWO, ONE], [], [ONE]]
    assert values[8]["parent"] == "r"
    assert values[9:12] == [
        ONE,
        [{"id": "2", "created_at": TWO["created_at"], "type": "message"}],
        ["s", "f"],
    ]
    assert trace.events[12].outcome == "skipped"
    assert trace.events[14].error == "SessionNotFound"


def test_an_answer_comes_back_under_our_names() -> None:
    """Renamed members and keys with parts are translated in both directions."""

    class Keyed(HonestMedium):
        manifest = Manifest(
            name="keyed",
            fields={"parent_id": "up"},
            key_parts=("user", "thread"),
            without=frozenset({"create"}),
        )

    child = said("2", parent="1")
    steps = program(
        append("s", ONE, child),
        append(("u", "t"), TWO),
        load("s"),
        list_sessions(),
        list_sessions(prefix=("u",)),
        call("fork", "s", new="n"),
        call("pop", "s"),
    )
    trace = play(steps, Keyed)
    values = [each.value for each in trace.events]
    assert trace.events[0].given[1]["up"] == "1"
    assert values[2] == [ONE, child]
    assert values[3] == ["s", ("u", "t")]
    assert values[4] == [("u", "t")]
    assert values[5] == ("storelaw", "n")
    assert values[6] == child


def test_a_bad_entry_reaches_the_store_as_no_json() -> None:
    """The marker of a program becomes an object, or a number that JSON lacks."""
    steps = program(
        append("s", bad({"id": "1", "list": [{"n": 1}]})),
        append("s", bad({"id": "2"}, "nan")),
    )
    first, second = play(steps, PlainMedium).events
    assert type(first.given[0]["bad"]).__module__ == "storelaw.calls"
    assert first.given[0]["list"] == [{"n": 1}]
    assert second.given[0]["bad"] != second.given[0]["bad"]
    assert first.passed[0]["bad"] == {"$storelaw": "object"}


def test_what_an_operation_raises_is_an_event() -> None:
    """The identity and the words are kept; the words are ASCII."""

    class Raising(Plain):
        def load(self, session_id: Any, **filters: Any) -> Any:
            """Always."""
            raise ValueError("h\u00e9 \ud800")

    class RaisingMedium(PlainMedium):
        def open(self) -> Any:
            """A handle that fails."""
            return Raising(self.logs)

    event = play(program(load("s")), RaisingMedium).events[0]
    assert (event.outcome, event.error) == ("raised", "unknown")
    assert event.text == "ValueError: h\\xe9 \\ud800"


def test_a_store_that_exits_does_not_end_the_run() -> None:
    """Even what is no ``Exception`` counts against the operation."""

    class Exiting(Plain):
        def load(self, session_id: Any, **filters: Any) -> Any:
            """Try to leave."""
            raise SystemExit(3)

    class ExitingMedium(PlainMedium):
        def open(self) -> Any:
            """A handle that leaves."""
            return Exiting(self.logs)

    assert play(program(load("s")), ExitingMedium).events[0].text == "SystemExit: 3"


def test_the_kits_own_errors_are_not_the_stores() -> None:
    """A wrong configuration that comes up in a call ends the program."""

    class Wrong(Plain):
        def load(self, session_id: Any, **filters: Any) -> Any:
            """Misuse."""
            raise Misconfigured("configuration: no")

    class WrongMedium(PlainMedium):
        def open(self) -> Any:
            """A handle."""
            return Wrong(self.logs)

    with pytest.raises(Misconfigured):
        play(program(load("s")), WrongMedium)


def test_async_handles_and_media_are_awaited() -> None:
    """open, operations, close and destroy may all be async."""

    class Later(Plain):
        async def append(self, session_id: Any, entries: list[Any]) -> None:  # type: ignore[override]
            """Append."""
            super().append(session_id, entries)

        async def load(self, session_id: Any, **filters: Any) -> Any:
            """Load."""
            return super().load(session_id)

    class LaterMedium(PlainMedium):
        async def open(self) -> Any:
            """Open."""
            LIFE.append("open")
            return Later(self.logs)

        async def close(self, handle: Any) -> None:
            """Close."""
            LIFE.append("close")

        async def destroy(self) -> None:  # type: ignore[override]
            """Destroy."""
            LIFE.append("destroy")

    trace = play(program(append("s", ONE), reopened(), load("s")), LaterMedium)
    assert trace.events[-1].value == [ONE]
    assert LIFE == ["open", "close", "open", "close", "destroy"]


# ---------------------------------------------------------------------- handles


def test_a_reopened_handle_sees_what_the_medium_keeps() -> None:
    """Close, open: a restart."""
    trace = play(program(append("s", ONE), reopened(), load("s")), PlainMedium)
    assert trace.events[-1].value == [ONE]
    assert LIFE == ["open", "close", "open", "close", "destroy"]


def test_a_second_handle_is_a_second_client() -> None:
    """Further handles are opened on the same medium and closed at the end."""
    steps = program(opened(1), append("s", ONE, on=1), load("s"), load("s", on=2), closed(1))
    trace = play(steps, PlainMedium)
    assert trace.events[2].value == [ONE]
    assert trace.events[3].outcome == "skipped"
    assert LIFE == ["open", "open", "close", "close", "destroy"]


def test_a_handle_stays_known_after_its_close() -> None:
    """A law may call what was closed; a reopen after a close doesn't close twice."""
    steps = program(closed(), load("s"), reopened(), closed(3), reopened(2))
    assert outcomes(steps, PlainMedium) == ["ok"] * 5
    assert LIFE == ["open", "close", "open", "open", "close", "close", "destroy"]


def test_a_number_that_is_closed_can_be_opened_again() -> None:
    """The new handle is live, so it is closed at the end."""
    assert outcomes(program(opened(1), closed(1), opened(1)), PlainMedium) == ["ok"] * 3
    assert LIFE == ["open", "open", "close", "open", "close", "close", "destroy"]


def test_a_live_handle_is_not_opened_over() -> None:
    """Opening a live number is skipped, so that no handle is lost unclosed."""
    assert outcomes(program(opened(1), opened(1), opened(0)), PlainMedium) == [
        "ok",
        "skipped",
        "skipped",
    ]
    assert LIFE.count("open") == LIFE.count("close") == 2


def test_no_more_handles_are_opened_than_the_manifest_allows() -> None:
    """A store for one client is never given a second one."""

    class Single(PlainMedium):
        manifest = Manifest(name="single", handles=1)

    steps = program(opened(1), load("s", on=1), closed(0), opened(1), load("s", on=1))
    assert outcomes(steps, Single) == ["skipped", "skipped", "ok", "ok", "ok"]


# ------------------------------------------------------------- meddling, powers


def test_meddling_changes_what_the_caller_holds() -> None:
    """A store that keeps or gives the caller's objects shows it in the next load."""
    steps = program(append("s", ONE), meddle("appended"), load("s"), meddle("loaded"), load("s"))
    events = play(steps, PlainMedium).events
    assert events[2].value[0]["meddled"] is True
    assert events[4].value[-1]["id"] == "meddled"


def test_meddling_reaches_every_level_and_nothing_else() -> None:
    """Objects get a member and lists an item; other values stay."""
    value = {"a": [{"b": 1}], "c": 2}
    meddled(value)
    mark = {"id": "meddled", "type": "custom", "kind": "meddled"}
    assert value == {"a": [{"b": 1, "meddled": True}, mark], "c": 2, "meddled": True}
    meddled(None)


class Powerful(PlainMedium):
    """A medium with powers."""

    manifest = Manifest(name="powerful")

    def settle(self) -> str:
        """Wait."""
        return "settled"

    def clock(self, fn: Any) -> datetime:
        """Read the time once."""
        now: datetime = fn()
        return now

    def damage(self, session_id: str, index: int, how: str) -> None:
        """Make a record junk."""
        LIFE.append(f"damage {session_id} {index} {how}")

    def crash(self, handle: Any) -> None:
        """Leave a handle."""
        LIFE.append(f"crash {type(handle).__name__}")


def test_powers_are_called_where_the_medium_has_them() -> None:
    """Each gets its arguments; a clock is a function of no arguments."""
    steps = program(
        Step("settle"),
        Step("clock", args={"fn": "2026-01-01T00:00:00+00:00"}),
        damage("s", 0, "cut"),
    )
    events = play(steps, Powerful).events
    assert events[0].value == "settled"
    assert events[1].value.isoformat() == "2026-01-01T00:00:00+00:00"
    assert "damage s 0 cut" in LIFE
    assert outcomes(steps, PlainMedium) == ["skipped"] * 3


def test_a_crashed_handle_is_never_closed() -> None:
    """A crash abandons the handle; a reopen goes on without closing."""
    steps = program(Step("crash"), reopened(), Step("crash"), Step("crash", on=1))
    assert outcomes(steps, Powerful) == ["ok", "ok", "ok", "skipped"]
    assert LIFE == ["open", "crash Plain", "open", "crash Plain", "destroy"]


def test_views_get_a_copy_of_their_path() -> None:
    """The event keeps the objects that were given, so that a law can see them changed."""

    class Views(PlainMedium):
        def model_view(self, path: list[Any]) -> list[Any]:
            """Change the path on the way."""
            path[0]["seen"] = True
            return path[:1]

    path = [dict(ONE)]
    assert outcomes(program(view("transcript_view", path)), Views) == ["skipped"]
    event = play(program(view("model_view", path)), Views).events[0]
    assert event.value[0]["seen"] is True
    assert event.given[0]["seen"] is True
    assert path == [ONE]


def test_an_absent_operation_is_skipped() -> None:
    """The event says so, and is no fault."""
    event = play(program(call("pop", "s")), PlainMedium).events[0]
    assert (event.outcome, event.text) == ("skipped", "absent")
    assert str(Absent("pop")) == "pop"


def test_the_honest_store_is_what_the_liars_vary() -> None:
    """The medium gives handles of its store class."""
    assert HonestMedium.store is HonestStore
