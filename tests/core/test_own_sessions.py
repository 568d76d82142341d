"""Session objects of an author's own, sync and async, and variants of the reference session."""

import asyncio
from typing import Any

import pytest

from storelaw.errors import Misconfigured, Rejected
from storelaw.liars.honest import HonestExplicit, HonestMedium, claiming
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import (
    Program,
    act,
    add,
    append,
    failing,
    program,
    run,
    session,
)
from storelaw.samples import assistant, custom, user
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw_reference import transcript


def told(messages: list[Entry]) -> list[str]:
    """The text of each message."""
    return [each["content"][0].get("text", "") for each in messages]


class Own:
    """A small session of an author's own, sync."""

    def __init__(self, handle: Any, key: Any) -> None:
        self.handle, self.key = handle, key
        self.log: list[Entry] = handle.load(key)

    def append(self, entries: list[Entry]) -> list[Entry]:
        """Number and store."""
        made = [{"id": f"o{len(self.log) + i}", **each} for i, each in enumerate(entries)]
        self.handle.append(self.key, made)
        self.log += made
        return made

    def messages(self) -> list[Entry]:
        """Everything."""
        return [each["message"] for each in self.log]


class Running(Own):
    """The same, with a run and a leaf that fails."""

    def run(self, entries: list[Entry], model: Any) -> list[Any]:
        """Store, ask, store."""
        self.append(entries)
        for each in model(self.messages()):
            self.append([{"type": "message", "message": each}])
        return []

    def leaf(self) -> str:
        """Not to be had."""
        raise RuntimeError("no leaf")


class AsyncOwn:
    """An async session."""

    def __init__(self, own: Running) -> None:
        self._own = own

    async def append(self, entries: list[Entry]) -> list[Entry]:
        """Append."""
        await asyncio.sleep(0)
        return self._own.append(entries)

    async def entries(self) -> list[Entry]:
        """The log."""
        return self._own.log

    async def messages(self) -> list[Entry]:
        """The history."""
        return self._own.messages()

    async def run(self, entries: list[Entry], model: Any) -> list[Any]:
        """Ask an async model."""
        await self.append(entries)
        for each in await model(self._own.messages()):
            await self.append([{"type": "message", "message": each}])
        return []


def medium(make: Any) -> type[Medium]:
    """A medium whose sessions are made by a function of handle and key."""

    class OwnMedium(HonestMedium):
        manifest = claiming(key_parts=("user", "thread"), doors=frozenset({"store", "session"}))

        def open_session(self, handle: Any, session_id: Any) -> Any:
            """Open."""
            return make(handle, session_id)

    return OwnMedium


TALK = program(
    session("s"),
    add(user("q")),
    run(user("r"), answer=(assistant("a"),)),
    act("messages"),
    act("leaf"),
)


def played(steps: Program, make: Any) -> Trace:
    """The trace of a program over an author's own sessions."""
    return play(steps, medium(make))


def test_an_authors_session_is_asked_for_what_it_has() -> None:
    """Missing methods are skipped; the log is read where there is no ``entries``."""
    trace = played(TALK, Own)
    assert [each.outcome for each in trace.events] == ["ok", "ok", "skipped", "ok", "skipped"]
    assert trace.id_of("q") == "o0"
    assert trace.events[1].leaf is None
    assert list(trace.events[1].logs) == ["s"]
    assert len(trace.events[1].logs["s"] or []) == 1


def test_an_authors_session_may_run_a_model() -> None:
    """The model is the law's; labels come from the stored log. A failing leaf is noted nowhere."""
    trace = played(TALK, Running)
    assert [each.outcome for each in trace.events] == ["ok", "ok", "ok", "ok", "raised"]
    assert [trace.id_of(each) for each in ("q", "r", "a")] == ["o0", "o1", "o2"]
    assert told(trace.events[2].prompts[0]) == ["q", "r"]


def test_an_authors_session_may_be_async() -> None:
    """Its model is async too; ``during`` needs a second call of one loop and is skipped."""

    async def make(handle: Any, key: Any) -> AsyncOwn:
        return AsyncOwn(Running(handle, key))

    trace = played(TALK, make)
    assert [each.outcome for each in trace.events] == ["ok", "ok", "ok", "ok", "skipped"]
    assert told(trace.events[3].value) == ["q", "r", "a"]
    nested = played(program(session("s"), run(user("q"), during=(add(user("n")),))), make)
    event = nested.events[-1]
    assert event.ok
    assert (event.nested[0].outcome, event.nested[0].text) == ("skipped", "absent")


def test_an_authors_session_is_made_to_fail_by_the_mediums_power_only() -> None:
    """Nothing is wrapped around a handle that the author's session uses."""
    events = played(program(session("s"), failing("before-commit"), add(user("q"))), Own).events
    assert [each.outcome for each in events] == ["ok", "skipped", "ok"]


def test_a_session_without_close_skips_closing() -> None:
    """``close`` is optional; the reference has it, and runs nothing after it."""
    steps = program(session("s"), act("close_session"), run(user("q")))
    assert played(steps, Own).events[1].outcome == "skipped"
    assert [each.error for each in play(steps, HonestExplicit).events] == [None, None, "Rejected"]


def test_a_bad_session_id_of_the_author_is_an_event() -> None:
    """What ``open_session`` raises counts against the operation."""

    def make(handle: Any, key: Any) -> Any:
        raise Rejected(key)

    event = played(program(session("s")), make).events[0]
    assert event.error == "Rejected"
    assert event.logs == {"s": []}


@pytest.mark.parametrize("method", ["leaf", "load"])
def test_the_kits_own_errors_pass_through_the_looking(method: str) -> None:
    """A wrong configuration that comes up while looking ends the program."""

    class Wrong(Own):
        def leaf(self) -> str:
            """Misuse, or break the store for the look that follows."""
            if method == "leaf":
                raise Misconfigured("configuration: no")
            self.handle.load = self._wrong
            return ""

        @staticmethod
        def _wrong(session_id: Any) -> Any:
            raise Misconfigured("configuration: no")

    with pytest.raises(Misconfigured):
        played(program(session("s"), append("s", custom("1")), act("messages")), Wrong)


def test_a_variant_of_the_reference_session_can_be_the_subject() -> None:
    """A session liar is a subclass of the reference session that the medium names."""

    class Silent(transcript.Session):
        def _model_view(self, path: Any) -> Any:
            """Show nothing."""
            return ()

    class SilentMedium(HonestExplicit):
        manifest = Manifest(name="silent")
        session_class = Silent

    trace = play(program(session("s"), add(user("q")), act("messages")), SilentMedium)
    assert trace.events[-1].value == []
