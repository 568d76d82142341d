"""Laws and their registry."""

import pytest
from hypothesis.strategies import just

from storelaw import clauses
from storelaw.clauses import (
    FAMILIES,
    Law,
    all_of,
    law,
    register,
    registered,
    requires_field,
    requires_filter,
    requires_option,
)
from storelaw.errors import Misconfigured
from storelaw.manifest import Manifest
from storelaw.program import load, program
from storelaw.trace import Trace

BATTERY = [program(load("s"))]
MANIFEST = Manifest(name="x")


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Law]:
    """An empty registry for each test."""
    fresh: dict[str, Law] = {}
    monkeypatch.setattr(clauses, "_REGISTRY", fresh)
    return fresh


def a_law(trace: Trace) -> str | None:
    """The claim goes on
    for two lines.

    Then comes how a store breaks it.
    """
    return "seen"


def test_a_law_is_its_function(registry: dict[str, Law]) -> None:
    """The name is the sentence, the first paragraph of the docstring the claim."""
    made = law(family="order", battery=BATTERY, source=["PI-A1"], incidents=["F02"])(a_law)
    assert made.name == "a_law"
    assert made.title == "order/a_law"
    assert made.claim == "The claim goes on for two lines."
    assert made.doc.endswith("Then comes how a store breaks it.")
    assert made.source == ("PI-A1",)
    assert (made.requirement, made.door, made.weight) == ("MUST", "store", 0)
    assert list(made.battery(MANIFEST)) == BATTERY
    assert made(Trace(MANIFEST, ())) == "seen"
    assert registry == {"a_law": made}


def test_a_battery_may_follow_the_manifest() -> None:
    """A function of the manifest is taken as it is."""
    made = law(family="order", battery=lambda manifest: BATTERY * 2, source=[])(a_law)
    assert list(made.battery(MANIFEST)) == BATTERY * 2


def test_only_a_law_with_generated_programs_has_a_weight() -> None:
    """The shares of an effort go to the laws that use them."""
    made = law(
        family="order",
        battery=BATTERY,
        source=[],
        programs=lambda manifest: just(BATTERY[0]),
        weight=3,
    )(a_law)
    assert made.weight == 3


def test_a_law_without_a_docstring_is_refused() -> None:
    """It would have no claim."""

    def silent(trace: Trace) -> str | None:
        return None

    with pytest.raises(Misconfigured, match="law 'silent' has no docstring, so no claim"):
        law(family="order", battery=BATTERY, source=[])(silent)


@pytest.mark.parametrize("since", ["", "next", "0.1b", "0.", "v1"])
def test_a_since_that_is_no_version_is_refused(since: str) -> None:
    """Versions are compared by their numbers."""
    with pytest.raises(Misconfigured, match=r"law 'a_law' has since=.*, which is no version"):
        law(family="order", battery=BATTERY, source=[], since=since)(a_law)


def test_a_name_stands_for_one_law() -> None:
    """A second module can't take a name; the same module may be imported anew."""
    first = law(family="order", battery=BATTERY, source=[])(a_law)

    def stranger(trace: Trace) -> str | None:
        """Another claim."""
        return None

    stranger.__module__ = "elsewhere"
    stranger.__name__ = "a_law"
    with pytest.raises(Misconfigured, match="two laws are called 'a_law'"):
        law(family="order", battery=BATTERY, source=[])(stranger)
    assert register(first) is first


def test_laws_are_listed_by_family() -> None:
    """The families have an order; one that isn't known comes last."""

    def other(trace: Trace) -> str | None:
        """A claim."""
        return None

    def third(trace: Trace) -> str | None:
        """A claim."""
        return None

    law(family="mine", battery=BATTERY, source=[])(other)
    law(family=FAMILIES[-1], battery=BATTERY, source=[])(third)
    law(family=FAMILIES[0], battery=BATTERY, source=[])(a_law)
    assert [each.name for each in registered()] == ["a_law", "third", "other"]


def test_a_law_may_require_an_option() -> None:
    """The reason names the option and what it is."""
    applies = requires_option("reappend", "reject", "first-wins")
    assert applies(Manifest(name="x", options={"reappend": "reject"})) is None
    assert applies(MANIFEST) == "option reappend is undeclared, not reject or first-wins"
    declared = Manifest(name="x", options={"reappend": "duplicate"})
    assert applies(declared) == "option reappend is duplicate, not reject or first-wins"


def test_a_law_may_require_a_field() -> None:
    """The reason names the field and its value."""
    applies = requires_field("batch", "atomic")
    assert applies(Manifest(name="x", batch="atomic")) is None
    assert applies(MANIFEST) == "manifest field batch is 'prefix'"


def test_a_law_may_require_filters() -> None:
    """The reason names those that are missing."""
    applies = requires_filter("last", "after", "first")
    some = Manifest(name="x", filters=frozenset({"last"}))
    assert applies(some) == "no filter after, first"
    assert applies(Manifest(name="x", filters=frozenset({"last", "after", "first"}))) is None


def test_conditions_add_up() -> None:
    """The first reason counts; a manifest that meets all is inside."""
    applies = all_of(requires_field("batch", "atomic"), requires_filter("last"))
    assert applies(MANIFEST) == "manifest field batch is 'prefix'"
    assert applies(Manifest(name="x", batch="atomic")) == "no filter last"
    full = Manifest(name="x", batch="atomic", filters=frozenset({"last"}))
    assert applies(full) is None
