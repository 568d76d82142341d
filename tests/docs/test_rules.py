"""The page of rules: a stranger finds every rule that a law cites, and what carries it."""

from functools import reduce
from importlib import import_module

import pytest

from storelaw import catalogue
from storelaw_schemas import names

Page = dict[str, dict[str, tuple[str, ...]]]

#: How many rules of the durable sessions there are under each letter.
LETTERS = dict(
    zip("LARITEBFCVSXKNG", (10, 11, 5, 2, 6, 10, 5, 7, 10, 7, 7, 3, 6, 4, 4), strict=True)
)
SEEDED = {f"PI-{letter}{n}" for letter, last in LETTERS.items() for n in range(1, last + 1)}
DEFECTS = {f"D-PI-{n}" for n in range(1, 20)}
REQUIREMENTS = frozenset(["MUST.", "SHOULD.", "MAY.", "fact.", "defect."])
CARRIERS = frozenset(["laws", "reference", "schemas"])


def resolved(name: str) -> object:
    """What a dotted name stands for: the longest module, and the attributes after it."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            module: object = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        return reduce(getattr, parts[cut:], module)
    raise LookupError(name)


def test_every_rule_and_defect_has_a_place(rules: Page) -> None:
    """The page holds the rules of the durable sessions, their defects, and the kit's own."""
    assert set(rules) >= SEEDED | DEFECTS
    assert all(each.startswith("kit-") for each in set(rules) - SEEDED - DEFECTS)


def test_every_rule_has_a_requirement_and_a_sentence(rules: Page) -> None:
    """Under each id stand a requirement and one line that ends in a full stop."""
    for name, rule in rules.items():
        requirement, sentence = rule["text"]
        assert requirement in REQUIREMENTS, name
        assert (requirement == "defect.") == (name in DEFECTS), name
        assert sentence.endswith("."), name
        assert set(rule) <= CARRIERS | {"text", "reason"}, name


def test_every_cited_source_is_on_the_page(rules: Page) -> None:
    """A law cites nothing that can't be looked up."""
    cited = {source for each in catalogue.all_laws() for source in each.source}
    assert cited <= set(rules)


def test_a_law_stands_under_each_rule_that_it_cites(rules: Page) -> None:
    """Who looks up a rule finds all laws that hold a store to it."""
    cited = [(source, law.name) for law in catalogue.all_laws() for source in law.source]
    assert not [each for each in cited if each[1] not in rules[each[0]].get("laws", ())]


def test_the_carriers_exist(rules: Page) -> None:
    """Every law, every schema and every name of the reference that the page names is there."""
    laws = {each.name for each in catalogue.all_laws()}
    schemas = set(names())
    for name, rule in rules.items():
        assert set(rule.get("laws", ())) <= laws, name
        assert set(rule.get("schemas", ())) <= schemas, name
        assert all(resolved(each) is not None for each in rule.get("reference", ())), name
        assert all(len(set(each)) == len(each) for each in rule.values()), name


def test_a_name_that_stands_for_nothing_is_found_out() -> None:
    """The look-up of names fails for a module and for a member that don't exist."""
    with pytest.raises(AttributeError):
        resolved("storelaw_reference.transcript.Session.nothing")
    with pytest.raises(LookupError):
        resolved("nowhere.at.all")


def test_every_rule_has_a_law_or_a_reason(rules: Page) -> None:
    """What no law holds a store to says why."""
    silent = [name for name, rule in rules.items() if not rule.get("laws") and "reason" not in rule]
    assert not [name for name in silent if rules[name]["text"][0] == "MUST."]
    assert not silent


def test_the_rules_of_the_kit_are_all_cited(rules: Page) -> None:
    """A rule of the kit's own exists for the laws that cite it."""
    cited = {source for each in catalogue.all_laws() for source in each.source}
    assert {each for each in rules if each.startswith("kit-")} <= cited
