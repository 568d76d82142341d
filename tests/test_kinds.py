"""The entry kinds: each instance is what its schema says, and survives every medium."""

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw import catalogue
from storelaw.abilities import abilities
from storelaw.bundled import EXTRAS, MEDIA, SERVERS, storelaw_kinds
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.medium import Medium
from storelaw.player import Notes, play
from storelaw.profiles import Kind, profile_named
from storelaw.program import Program, append, ask, door, load, program, with_creation
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw_schemas import problems

KINDS = [(profile, each) for profile, found in storelaw_kinds().items() for each in found]
CALM = settings(derandomize=True, max_examples=12, deadline=None, database=None)
SCOPE = "team/s1"


def media() -> Iterator[tuple[str, type[Medium]]]:
    """The bundled media that can be used here, and the honest one of the turns profile.

    One that needs a server can be where the environment names the server.
    """
    yield "turns-honest", TurnsHonest
    for name in MEDIA:
        server = SERVERS.get(name)
        if server is not None and not os.environ.get(server):
            continue
        if find_spec(EXTRAS.get(name, ("storelaw", ""))[0]) is not None:
            yield name, catalogue.medium_of(name)


CASES = [
    pytest.param(medium, profile, kind, id=f"{name}-{kind.name}")
    for name, medium in media()
    for profile, kind in KINDS
    if medium.manifest.profile == profile
]


def _numbered(entries: list[Entry]) -> list[Entry]:
    """The entries with ids of their own; a turn's id tells index and role."""
    return [{**each, "id": _id(str(each["id"]), place)} for place, each in enumerate(entries)]


def _id(id: str, place: int) -> str:
    return f"turn-{place:06d}-{id[12:]}" if id.startswith("turn-") else f"e-{place}"


def _logged(entries: list[Entry]) -> Program:
    return program(*(append("s", each) for each in entries), load("s"))


def _put(entries: list[Entry]) -> Program:
    puts = (ask("B", "put", entries=(each,), one=True) for each in entries)
    gets = (ask("B", "get", e["scope"], e["kind"], e["id"]) for e in entries)
    return program(door("backend", "B", SCOPE), *puts, *gets)


def _found(trace: Trace) -> list[Entry]:
    """What was read, after nothing was raised."""
    raised = [(each.step.name, each.text) for each in trace.events if not each.ok]
    assert raised == []
    last = trace.events[-1]
    if last.step.do == "load":
        return list(last.value)
    return [each.value for each in trace.of("ask") if each.step.name == "get"]


#: How entries go through a store of a profile and come back.
THROUGH: dict[str, Callable[[list[Entry]], Program]] = {
    "transcript": _logged,
    "log": _logged,
    "turns": _put,
}


@pytest.mark.parametrize(("profile", "kind"), KINDS, ids=[f"{p}-{k.name}" for p, k in KINDS])
def test_every_instance_is_what_its_schema_describes(profile: str, kind: Kind) -> None:
    """What a kind's strategy makes is valid by the kind's schema."""

    @CALM
    @given(kind.strategy())
    def check(entry: Entry) -> None:
        assert [str(each) for each in problems(kind.schema, entry)] == []

    check()
    assert kind.schema.startswith(f"{profile}/")


@pytest.mark.parametrize(("medium", "profile", "kind"), CASES)
def test_every_instance_comes_back_from_every_medium(
    medium: type[Medium], profile: str, kind: Kind
) -> None:
    """Entries of each kind go through each medium of the profile, and come back equal and valid."""
    operations = abilities(medium).operations

    @CALM
    @given(st.lists(kind.strategy(), min_size=1, max_size=3))
    def check(drawn: list[Entry]) -> None:
        entries = _numbered(drawn)
        trace = play(with_creation(THROUGH[profile](entries), operations), medium, Notes())
        found = _found(trace)
        assert trace.same(entries, found)
        assert [str(one) for each in found for one in problems(kind.schema, each)] == []

    check()


def test_every_shape_has_a_kind() -> None:
    """The kinds name each input item, each control entry, each role and each block."""
    names = {
        profile: {kind.name for each, kind in KINDS if each == profile} for profile, _ in KINDS
    }
    control = {"state", "event", "session/ref", "session/checkout", "compact", "custom"}
    blocks = {f"{each} block" for each in ("text", "tool_use", "tool_result", "attachment")}
    notes = {"plan note", "delivered note"}
    assert set(names) == set(THROUGH)
    assert control | {"item reference", "provider compaction", "reasoning"} <= names["log"]
    assert blocks | notes | {"inbox_done turn", "assistant turn"} <= names["turns"]
    assert {"compaction", "custom", "tool result", "user message"} <= names["transcript"]


def test_every_profile_has_a_medium() -> None:
    """No profile of the kit is without a store on which its kinds were tried."""
    assert {case.values[1] for case in CASES} == set(THROUGH)
    assert all(profile_named(each).operations for each in THROUGH)
