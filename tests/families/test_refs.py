"""The laws of the refs door: none accuses a medium that is right."""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.liars.honest import EXPLICIT, HonestStore, claiming
from storelaw.liars.log_honest import LogHonest, varying
from storelaw.medium import Medium
from storelaw.model.refs_entries import (
    attached,
    detached,
    happened,
    over,
    put,
    ref,
    said,
    state,
)
from storelaw.player import play
from storelaw.program import Program, append, ask
from storelaw.strategies import refs as strategies
from storelaw.trace import Trace
from storelaw.trial import hold
from storelaw_reference import log as reference
from storelaw_schemas import problems

MODULES = ("chains", "safety", "heads", "paths", "branches", "rebases", "clones", "turns")
FAMILIES: dict[str, ModuleType] = {
    name: import_module(f"storelaw.families.refs_{name}") for name in MODULES
}

OURS = {each.__name__ for each in FAMILIES.values()}
LAWS = {each.name: each for each in registered() if each.judge.__module__ in OURS}
A, B = said("a"), said("b")

quietly = settings(derandomize=True, max_examples=25, deadline=None, database=None)


class LogExplicit(LogHonest):
    """The honest log medium whose sessions are created first."""

    manifest = claiming(EXPLICIT, name="log-explicit", profile="log")


@pytest.mark.parametrize("medium", [LogHonest, LogExplicit])
def test_right_media_break_no_law(medium: type[Medium]) -> None:
    """Every law holds on media that are right."""
    verdicts = [hold(each, medium, "battery") for each in LAWS.values()]

    assert [each for each in verdicts if each.outcome != "held" or each.fault] == []


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda each: each.name)
def test_a_law_holds_for_programs_with_a_step_left_out(law: Law) -> None:
    """A judge copes with the programs that a reduction tries, on a store that is right."""
    for made in law.battery(LogHonest.manifest):
        for index in range(len(made)):
            rest = (*made.steps[:index], *made.steps[index + 1 :])
            law.judge(play(made.with_steps(rest), LogHonest))


# The strategies of the laws that have generated programs.
STRATEGIES = [each.programs for each in LAWS.values() if each.programs]


@given(st.one_of([each(LogHonest.manifest) for each in STRATEGIES]))
@quietly
def test_generated_entries_are_valid(made: Program) -> None:
    """Whatever is drawn, its entries fit the schema, and a right store breaks no law."""
    trace = play(made, LogHonest)

    for each in made.steps:
        assert [f for one in each.expanded() for f in problems("log/entry", one)] == []
    for law in LAWS.values():
        law.judge(trace)


def test_every_strategy_is_in_use() -> None:
    """No strategy of programs is made for nothing."""
    made = {each.__name__ for each in STRATEGIES}

    assert made == {"appends", "sessions", "viewed", "resumed", "rebased", "cloned"}


@pytest.mark.parametrize("place", [0, 1, 5])
def test_every_move_makes_steps_with_valid_entries(place: int) -> None:
    """A move fits wherever it is drawn."""
    for move in (*strategies.APPENDS, *strategies.MOVES):
        steps = move(place)
        assert steps
        for each in steps:
            assert [f for one in each.expanded() for f in problems("log/entry", one)] == []


# ------------------------------------------------------------------ the engine


def outcome(medium: type[Medium], *steps: Any) -> list[tuple[str | None, str]]:
    """The identity and the words of what each step raised."""
    return [
        (each.error, each.text) for each in play(attached(*steps), medium).events if each.raised
    ]


def test_what_the_reference_refuses_has_an_identity() -> None:
    """Each code of a session error is one identity of the port, and stays in the message."""
    start = happened("t-s", type="turn.start")
    found = outcome(
        LogHonest,
        put(A),
        put(A),
        ask("A", "checkout", "nowhere"),
        ask("A", "fork", "a..b"),
        ask("A", "rebase", "main", "r"),
        put({"id": "x"}),
        put(start),
        ask("A", "checkout"),
    )

    assert [identity for identity, _ in found] == [
        "EntryConflict",
        "SessionNotFound",
        "Rejected",
        "SessionNotFound",
        "Rejected",
        "Stale",
    ]
    assert "conflict: " in found[0][1]
    assert "busy: " in found[-1][1]


def test_a_failing_storage_is_a_storage_error_with_the_cause() -> None:
    """What the store raises has no identity, and its words are in the message (AP-Q1)."""
    found = outcome(LogHonest, put(A), ask("A", "fail_next"), put(B), put(B))

    assert [identity for identity, _ in found] == ["unknown"]
    assert "storage: Injected: harness: the storage fails" in found[0][1]


class Unreadable(LogHonest):
    """A medium whose store can't be read."""

    class store(HonestStore):
        """Fails to load."""

        def load(self, session: Any, **filters: Any) -> list[Any]:
            """Never an answer."""
            raise OSError("the disk is gone")


class Full(LogHonest):
    """A medium whose store takes nothing."""

    class store(HonestStore):
        """Fails to append."""

        def append(self, session: Any, entries: list[Any]) -> None:
            """Never done."""
            raise OSError("the disk is full")


@pytest.mark.parametrize(("medium", "words"), [(Unreadable, "gone"), (Full, "full")])
def test_a_store_that_fails_is_no_empty_one(medium: type[Medium], words: str) -> None:
    """An error other than an unknown session reaches the caller, and creates nothing."""
    ((identity, told),) = outcome(medium, put(A))

    assert identity == "unknown"
    assert f"storage: OSError: the disk is {words}" in told


class _Emptying(reference.Session):
    """Empties the storage itself."""

    def clear(self) -> None:
        """Past the session's own clear."""
        self._stored(self._storage.clear)


class Clearing(LogHonest):
    """Opens sessions that delete."""

    variants = varying(refs=_Emptying)


class Unclearable(Clearing):
    """The same, over a handle without ``clear``."""

    manifest = claiming(LogHonest.manifest, without=frozenset({"create", "record", "clear"}))


def test_a_storage_can_be_emptied() -> None:
    """The adapter clears by the store's own operation."""
    last = play(attached(put(A), ask("A", "clear")), Clearing).events[-1]

    assert (last.outcome, last.logs) == ("ok", {"s": []})


def test_an_operation_that_the_handle_does_not_have_is_absent_at_the_door() -> None:
    """It is told from one that fails, so that a law doesn't apply."""
    last = play(attached(put(A), ask("A", "clear")), Unclearable).events[-1]

    assert (last.outcome, last.text) == ("skipped", "absent")


def test_the_door_gives_the_raw_log() -> None:
    """``entries`` has everything, control entries too."""
    last = play(attached(put(A), ask("A", "entries")), LogHonest).events[-1]

    assert last.value == last.logs["s"]
    assert [each["type"] for each in last.value] == [
        *("session/ref", "session/checkout"),
        *("input", "session/ref"),
    ]


def test_ids_are_the_same_in_every_run() -> None:
    """What the engine makes is determined by the program alone."""
    made = attached(put(A), ask("A", "fork", "f"), ask("A", "entries"))

    assert play(made, LogHonest).events[-1].value == play(made, LogHonest).events[-1].value


# ------------------------------------------------------------------ the judges


def judged(name: str, trace: Trace) -> Broken | None:
    """What a law finds wrong in a trace."""
    try:
        LAWS[name].judge(trace)
    except Broken as found:
        return found
    return None


def test_a_law_says_how_it_saw_a_known_entry_and_a_plain_log() -> None:
    """Where both ways are right, the verdict tells which one was taken."""
    again = play(attached(put(A), put(A)), LogHonest)
    plain = play(FAMILIES["safety"]._raw(A), LogHonest)

    assert LAWS["a_known_entry_does_no_damage"].judge(again) == "a known entry is refused"
    assert LAWS["a_foreign_log_is_refused_or_seen"].judge(plain) == "a plain log is refused"


def test_a_plain_log_may_be_adopted() -> None:
    """A session that shows what a plain log holds is right too."""

    class Adopting(reference.Session):
        """Takes a plain log in."""

        def _unowned(self, log: Sequence[reference.Entry]) -> list[reference.Entry]:
            return []

        def read(self) -> list[reference.Entry]:
            """The raw log."""
            return self.entries()

    class Kind(LogHonest):
        """Opens sessions that adopt plain logs."""

        variants = varying(refs=Adopting)

    plain = play(FAMILIES["safety"]._raw(A), Kind)

    assert LAWS["a_foreign_log_is_refused_or_seen"].judge(plain) == "a plain log is adopted"


class Losing(LogHonest):
    """A medium that says yes and loses an entry."""

    class store(HonestStore):
        """Drops the entry ``b``."""

        def stored(self, log: Any, entries: list[Any]) -> None:
            """Keep the others."""
            super().stored(log, [each for each in entries if each["id"] != "b"])


RIGHT_ELSEWHERE = {
    "an_append_follows_the_head": play(attached(put(A, B, said("c"))), Losing),
    "a_checkout_moves_the_head": play(
        over(*FAMILIES["branches"].NAMED, steps=(ask("A", "checkout", "feature"),)), LogHonest
    ),
    "a_clone_and_its_source_are_apart": play(
        Program(
            (
                *attached(put(A), ask("A", "clone", "t", becomes="B", at="t")).steps,
                append("t", said("raw")),
                put(B),
            )
        ),
        LogHonest,
    ),
    "a_branch_goes_its_own_way": play(attached(put(A), put(ref("r", "f", "a"))), LogHonest),
    "a_rebase_onto_nothing_copies_the_whole_chain": play(
        attached(*FAMILIES["rebases"].APART, *FAMILIES["rebases"].ONTO), LogHonest
    ),
}


@pytest.mark.parametrize("name", RIGHT_ELSEWHERE)
def test_a_law_keeps_to_its_own_aspect(name: str) -> None:
    """What another law is about, or no law, breaks none that stands beside it."""
    assert judged(name, RIGHT_ELSEWHERE[name]) is None


def test_detached_appends_of_events_move_nothing() -> None:
    """Without a default ref an event leaves the head at nothing, which is right."""
    trace = play(detached(put(happened("e")), put(state("s"))), LogHonest)

    assert judged("without_a_default_ref_the_head_is_detached", trace) is None
