"""Which laws can see what a liar changes."""

from typing import Any

import pytest

from storelaw.clauses import Law
from storelaw.exposure import may_see, reached, touched, varied
from storelaw.liars.honest import (
    EXPLICIT,
    MANIFEST,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    claiming,
)
from storelaw.manifest import Manifest
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.program import Program, act, append, call, load, program, run, session
from storelaw.samples import said, user
from storelaw.trace import Trace
from storelaw.values import Entry
from storelaw_reference import transcript


def law(*programs: Program, door: Any = "store", name: str = "a_law") -> Law:
    """A law with a battery, which nothing breaks."""

    def judge(trace: Trace) -> None: ...

    return Law(name, "A law.", "order", judge, lambda _: programs, door=door)


class _PopsTheOldest(HonestStore):
    def pop(self, session: Any) -> Entry | None:
        """Take the wrong end."""
        log = self.found(session)
        return log.entries.pop(0) if log is not None and log.entries else None


class PopsTheOldest(HonestMedium):
    """Varies one operation."""

    store = _PopsTheOldest


class _Sorts(HonestStore):
    def ordered(self, entries: list[Entry]) -> list[Entry]:
        """Another order."""
        return entries[::-1]


class Sorts(HonestMedium):
    """Varies what a load calls."""

    store = _Sorts


class _Slow(HonestStore):
    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(name)


class Slow(HonestMedium):
    """Varies every access."""

    store = _Slow


class OwnSession(HonestMedium):
    """Varies the session alone."""

    session_class = transcript.Session


class OtherClaims(HonestMedium):
    """Claims something else."""

    manifest = claiming(MANIFEST, batch="prefix")


def test_an_operation_comes_to_what_it_calls() -> None:
    """Directly or not, and nothing that is no method."""
    assert {"load", "ordered", "given", "unknown", "found"} <= reached("load")
    assert "pop" not in reached("load")
    assert reached("nothing") == frozenset()


def test_an_operation_comes_to_what_its_nested_code_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator within a method is code of its own, whose calls count for the method."""

    def popping(self: HonestStore) -> Any:
        return (self.pop(each) for each in self.data.logs)

    monkeypatch.setattr(HonestStore, "popping", popping, raising=False)
    assert {"popping", "pop", "usable"} <= reached("popping")


def test_what_a_medium_varies() -> None:
    """The replaced methods of its store, or everything where more than those differ."""
    assert varied(HonestMedium) == frozenset()
    assert varied(HonestExplicit) == frozenset()
    assert varied(PopsTheOldest) == frozenset({"pop"})
    assert varied(OwnSession) == frozenset()
    everything: list[type[Medium]] = [Slow, OtherClaims, ReferenceMedium]
    assert [varied(each) for each in everything] == [None, None, None]


def test_a_law_touches_what_its_battery_calls() -> None:
    """Steps inside steps included; a session asks for its store's three operations."""
    store = law(program(append("s", said("a")), load("s")), name="of_the_store")
    inner = run(user("u"), during=(call("pop", "s"),))
    talk = law(program(session("s"), inner, act("messages")), door="session", name="of_a_session")
    assert "ordered" in touched(store, MANIFEST)
    assert "pop" not in touched(store, MANIFEST)
    assert {"pop", "append", "ordered"} <= touched(talk, EXPLICIT)
    assert touched(talk, EXPLICIT) is touched(talk, EXPLICIT)


def test_a_law_sees_what_it_touches() -> None:
    """And nothing else, unless the medium brings a session, a view or other claims."""
    reads = law(program(append("s", said("a")), load("s")), name="reads")
    pops = law(program(append("s", said("a")), call("pop", "s")), name="pops")
    talks = law(program(session("s"), run(user("u"))), door="session", name="talks")
    views = law(program(), door="views", name="views")
    assert [may_see(each, PopsTheOldest) for each in (reads, pops, talks, views)] == [
        False,
        True,
        False,
        True,
    ]
    assert [may_see(each, Sorts) for each in (reads, talks)] == [True, True]
    assert [may_see(each, OwnSession) for each in (reads, talks)] == [False, True]
    assert may_see(reads, OtherClaims)
    assert not may_see(reads, HonestExplicit)


def test_manifests_of_the_honest_stores_differ() -> None:
    """What is touched depends on the manifest, so it is kept for each."""
    by_claim = Law(
        "by_claim",
        "A law.",
        "order",
        lambda _: None,
        lambda m: [program(load("s") if m == MANIFEST else call("pop", "s"))],
    )
    explicit: Manifest = EXPLICIT
    assert "pop" in touched(by_claim, explicit)
    assert "pop" not in touched(by_claim, MANIFEST)
