"""Holding a law against a medium: every verdict, and on what it rests."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, settings

from storelaw import clauses
from storelaw.abilities import abilities
from storelaw.clauses import Law
from storelaw.errors import MediumFault, Misconfigured
from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore, claiming
from storelaw.manifest import Manifest
from storelaw.program import (
    act,
    add,
    append,
    call,
    load,
    program,
    session,
    view,
)
from storelaw.samples import said, user
from storelaw.trace import Trace
from storelaw.trial import EFFORTS, breaks, hold
from storelaw.values import Entry
from storelaw.verdict import Evidence

from .tried import BECAUSE, GENERATED, LAW, PLAIN, Doubling, Losing, numbered


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Law]:
    """A registry in which the toy law stands alone, so that it gets the whole effort."""
    fresh = {"exact": GENERATED}
    monkeypatch.setattr(clauses, "_REGISTRY", fresh)
    return fresh


# --------------------------------------------------------------------- verdicts


def test_a_law_holds_on_the_honest_store() -> None:
    """The verdict says on how many programs it rests, and names the law."""
    verdict = hold(GENERATED, HonestMedium, "quick")
    assert (verdict.outcome, verdict.reason, verdict.fault) == ("held", "", "")
    assert verdict.evidence == Evidence(battery=1, generated=150)
    assert (verdict.law, verdict.family, verdict.requirement) == ("exact", "fidelity", "MUST")
    assert verdict.seconds > 0
    assert verdict.failure is None


def test_a_broken_law_comes_with_the_shortest_program() -> None:
    """Battery first: nothing is generated once it breaks."""
    verdict = hold(GENERATED, Losing, "quick", seed=7, target="acme:Medium")
    assert verdict.outcome == "broken"
    assert verdict.evidence == Evidence(battery=1)
    failure = verdict.failure
    assert failure is not None
    assert [each.do for each in failure.program.steps] == ["append", "load"]
    assert [each["id"] for each in failure.program.steps[0].expanded()] == ["1", "2"]
    assert (failure.index, failure.because, failure.medium) == (1, BECAUSE, "honest")
    assert (failure.seed, failure.target, failure.replays) == (7, "acme:Medium", (3, 3))
    assert [each["id"] for each in failure.observed] == ["1"]


def test_a_generated_counterexample_is_reduced() -> None:
    """What the battery doesn't find is searched, and comes out as one entry."""
    verdict = hold(GENERATED, Doubling, "quick")
    assert verdict.outcome == "broken"
    assert verdict.evidence.battery == 1
    assert verdict.evidence.generated > 0
    assert verdict.failure is not None
    assert len(verdict.failure.program.steps[0].entries) == 1


def test_the_same_store_gets_the_same_verdict(request: pytest.FixtureRequest) -> None:
    """Counterexample and count are functions of the seed, whatever the user's profile."""
    before = settings.get_current_profile_name()
    first = hold(GENERATED, Doubling, "quick", seed=3)
    settings.register_profile("tiny", max_examples=1, phases=[Phase.explicit], derandomize=True)
    settings.load_profile("tiny")
    request.addfinalizer(lambda: settings.load_profile(before))
    second = hold(GENERATED, Doubling, "quick", seed=3)
    assert first.failure is not None
    assert replace(first, seconds=0.0) == replace(second, seconds=0.0)
    assert hold(GENERATED, Doubling, "quick", seed=4).evidence != first.evidence


def test_battery_effort_generates_nothing() -> None:
    """The selftest runs each liar under all other laws by battery alone."""
    verdict = hold(GENERATED, Doubling, "battery")
    assert (verdict.outcome, verdict.evidence) == ("held", Evidence(battery=1))


def test_saved_programs_are_tried_last() -> None:
    """A vector breaks what battery and generation didn't."""
    vectors = (PLAIN, numbered([150]), PLAIN)
    verdict = hold(LAW, Doubling, "quick", vectors=vectors)
    assert (verdict.outcome, verdict.evidence) == ("broken", Evidence(battery=1, vectors=2))
    assert hold(LAW, HonestMedium, vectors=vectors).evidence == Evidence(battery=1, vectors=3)
    assert hold(LAW, Losing, vectors=vectors).evidence == Evidence(battery=1)


@pytest.mark.parametrize(
    ("law", "reason"),
    [
        (replace(LAW, operations=frozenset({"load", "record"})), "the store has no record"),
        (replace(LAW, door="views"), "the medium brings no views door"),
        (replace(LAW, promises=frozenset({"cost", "durable"})), "cost is not promised"),
        (replace(LAW, applies=lambda manifest: "not for you"), "not for you"),
    ],
)
def test_a_law_may_not_apply(law: Law, reason: str) -> None:
    """The reason says what is missing; nothing is run."""
    verdict = hold(law, HonestMedium)
    assert (verdict.outcome, verdict.reason) == ("not applicable", reason)
    assert verdict.evidence == Evidence()


def test_a_law_may_apply_by_its_condition() -> None:
    """No reason against, no obstacle; a power that is there opens the law."""
    law = replace(
        LAW,
        applies=lambda manifest: None,
        promises=frozenset({"durable"}),
        powers=frozenset({"clock"}),
    )
    assert hold(law, HonestMedium).outcome == "held"


def test_a_missing_power_leaves_a_law_unevaluated() -> None:
    """It isn't the store that lacks something, so the law isn't inapplicable."""
    verdict = hold(replace(LAW, powers=frozenset({"damage", "clock"})), HonestMedium)
    assert verdict.outcome == "not evaluated"
    assert verdict.reason == "the medium has no power damage"


def test_a_power_that_a_medium_can_have_nothing_for_closes_a_law() -> None:
    """What says None of itself is out of the law, what says nothing leaves it open."""

    class Fileless(HonestMedium):
        damage = None

    verdict = hold(replace(LAW, powers=frozenset({"damage", "files"})), Fileless)
    assert verdict.outcome == "not applicable"
    assert verdict.reason == "the medium has nothing for damage"


def test_vacuous_programs_are_no_evidence() -> None:
    """A law whose operations never succeeded has not held."""
    empty = replace(LAW, battery=lambda manifest: [program(append("s", said("1")))])
    verdict = hold(empty, HonestMedium)
    assert verdict.outcome == "not evaluated"
    assert verdict.reason == "no program got as far as a successful load"


def test_an_operation_that_is_not_implemented_makes_a_law_inapplicable() -> None:
    """A stub is found out when it is called."""

    class Stubbed(HonestMedium):
        """Has a stub."""

        class store(HonestStore):
            """The store."""

            def pop(self, session: Any) -> Entry | None:
                """Not there."""
                raise NotImplementedError

    popping = replace(
        LAW,
        operations=frozenset({"append", "load", "pop"}),
        battery=lambda manifest: [program(append("s", said("1")), load("s"), call("pop", "s"))],
    )
    verdict = hold(popping, Stubbed)
    assert (verdict.outcome, verdict.reason) == ("not applicable", "the store has no pop")


def test_a_missing_view_makes_a_law_inapplicable() -> None:
    """A medium that claims the door and lacks a view isn't accused."""

    class Viewless(HonestMedium):
        """Claims the door."""

        manifest = claiming(doors=frozenset({"store", "views"}))

    law = replace(
        LAW,
        door="views",
        operations=frozenset(),
        acts=frozenset({"model_view"}),
        battery=lambda manifest: [program(view("model_view", []))],
    )
    verdict = hold(law, Viewless)
    assert (verdict.outcome, verdict.reason) == ("not applicable", "the medium has no model_view")


def test_at_the_session_door_the_acts_count() -> None:
    """The session's calls must have succeeded; the store's operations are the engine's affair."""
    law = replace(
        LAW,
        door="session",
        acts=frozenset({"add", "messages"}),
        battery=lambda manifest: [program(session("s"), add(user("q")), act("messages"))],
    )
    assert hold(law, HonestExplicit).outcome == "held"
    nothing = replace(law, battery=lambda manifest: [program(session("s"), act("messages"))])
    verdict = hold(nothing, HonestExplicit)
    assert verdict.reason == "no program got as far as a successful add"


def test_sessions_are_created_where_the_store_wants_that() -> None:
    """A law needn't speak of creation; one that does is left alone."""
    assert hold(LAW, HonestExplicit).outcome == "held"
    verdict = hold(replace(LAW, creates=True), HonestExplicit)
    assert verdict.reason == "no program got as far as a successful append, load"

    class LosingExplicit(HonestExplicit):
        """Loses, with explicit creation."""

        store = Losing.store

    failure = hold(LAW, LosingExplicit).failure
    assert failure is not None
    assert [each.do for each in failure.program.steps] == ["create", "append", "load"]


# ----------------------------------------------------------------------- faults


def test_law_code_that_raises_is_the_harness_fault() -> None:
    """The store isn't accused; the message is ASCII."""

    def wrong(trace: Trace) -> str | None:
        raise LookupError("h\u00e9")

    verdict = hold(replace(LAW, judge=wrong), HonestMedium)
    assert (verdict.outcome, verdict.fault) == ("not evaluated", "harness")
    assert verdict.reason == "harness: law code raised LookupError: h\\xe9; please report it"


def test_a_medium_that_raises_is_the_mediums_fault() -> None:
    """Whether in its first program or in a generated one."""

    class Failing(HonestMedium):
        """Fails in its fiftieth program."""

        made = 0

        def __init__(self, workdir: Any) -> None:
            super().__init__(workdir)
            type(self).made += 1
            if type(self).made == 50:
                raise OSError("full")

    verdict = hold(GENERATED, Failing, "quick")
    assert (verdict.outcome, verdict.fault) == ("not evaluated", "medium")
    assert verdict.reason == "medium: honest raised in making the medium: OSError: full"
    assert hold(GENERATED, Failing, "battery").outcome == "held"


def test_a_medium_that_fails_while_a_program_is_reduced_ends_the_reduction() -> None:
    """What was found is told as far as it was reduced, and no smaller program is tried."""
    made: list[bool] = []

    class Failing(Losing):
        """Fails in the second smaller program."""

        def __init__(self, workdir: Any) -> None:
            super().__init__(workdir)
            made.append(True)
            if len(made) == 6:
                raise OSError("full")

    long = program(load("t"), append("s", said("1"), said("2")), load("s"), load("u"))
    law = replace(LAW, battery=lambda manifest: [long])
    abilities(Failing)
    made[:] = [True, True]
    verdict = hold(law, Failing)
    failure = verdict.failure
    assert (verdict.outcome, verdict.fault) == ("broken", "")
    assert failure is not None
    assert (failure.program, failure.replays) == (long, (3, 3))
    assert len(made) == 6 + 3


def test_a_battery_breaks_holds_or_cannot_be_driven() -> None:
    """The matrix asks only whether a battery breaks; what is out of reach doesn't."""
    assert breaks(LAW, Losing)
    assert not breaks(LAW, HonestMedium)
    assert not breaks(replace(LAW, operations=frozenset({"load", "record"})), Losing)
    with pytest.raises(MediumFault, match="full"):
        breaks(LAW, type("Faulty", (Losing,), {"open": _raising}))


def _raising(*_: object) -> None:
    raise OSError("full")


@pytest.mark.parametrize(
    ("method", "replacement", "reason"),
    [
        ("start", classmethod(_raising), "medium: honest raised in start(): OSError: full"),
        ("__init__", _raising, "medium: honest raised in making the medium: OSError: full"),
        ("open", _raising, "medium: honest raised in open(): OSError: full"),
        ("close", _raising, "medium: honest raised in close(): OSError: full"),
        ("destroy", _raising, "medium: honest raised in destroy(): OSError: full"),
        (
            "open",
            lambda self: None,
            "medium: honest's open() returned None; return the store object",
        ),
    ],
)
def test_a_medium_that_cannot_be_driven_breaks_no_law(
    method: str, replacement: Any, reason: str
) -> None:
    """Each law is not evaluated, and the reason says what the medium did."""
    verdict = hold(LAW, type("Faulty", (HonestMedium,), {method: replacement}))
    assert (verdict.outcome, verdict.fault, verdict.reason) == ("not evaluated", "medium", reason)


def test_a_wrong_manifest_is_the_mediums_fault() -> None:
    """An error that can't be imported is told as configuration."""

    class Wrong(HonestMedium):
        """Names an error that isn't there."""

        manifest = claiming(errors={"Stale": "nowhere:Stale"})

    verdict = hold(LAW, Wrong)
    assert (verdict.outcome, verdict.fault) == ("not evaluated", "medium")
    assert verdict.reason.startswith("configuration: manifest field 'errors' maps Stale")
    with pytest.raises(Misconfigured):
        abilities(Wrong)


def test_a_medium_that_hung_gets_no_further_law_and_the_next_medium_does() -> None:
    """The hang is named in each further verdict, without another wait."""
    gate = threading.Event()
    loads: list[str] = []

    class Hanging(HonestMedium):
        """Hangs on a session of its own choice."""

        manifest = claiming(name="hanging", operation_timeout=0.05)

        class store(HonestStore):
            """The store."""

            def load(self, session: Any, **filters: Any) -> list[Entry]:
                """Hang, but for the smoke check."""
                loads.append(session)
                if session == "s":
                    gate.wait()
                return super().load(session, **filters)

    first = hold(LAW, Hanging)
    second = hold(GENERATED, Hanging, "quick")
    assert (first.outcome, first.fault) == ("not evaluated", "medium")
    assert first.reason.startswith("medium: load() took longer than 0.05 s")
    assert second.reason == first.reason
    assert loads.count("s") == 1
    assert hold(LAW, HonestMedium).outcome == "held"
    gate.set()


# ------------------------------------------------------------- effort and kinds


def test_an_effort_is_shared_by_weight_and_scaled_by_cost(registry: dict[str, Law]) -> None:
    """A quarter of the weight is a quarter of the programs; a slow medium gets fewer."""
    registry["other"] = replace(GENERATED, name="other", weight=3)
    quick = EFFORTS["quick"]
    assert quick.share(GENERATED, Manifest(name="x")) == 38
    assert quick.share(GENERATED, Manifest(name="x", cost=15.0)) == 4
    assert quick.share(GENERATED, Manifest(name="x", cost=1e9)) == 38
    assert quick.share(GENERATED, Manifest(name="x", cost=0.001)) == 1
    assert quick.share(LAW, Manifest(name="x")) == 0
    registry.clear()
    assert quick.share(GENERATED, Manifest(name="x")) == 150
