"""The pages of rules: a stranger finds every rule of the three systems, and what carries it."""

import re
from collections.abc import Mapping
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from storelaw import catalogue
from storelaw_schemas import names

Page = dict[str, dict[str, tuple[str, ...]]]

ROOT = Path(__file__).parents[2]

#: How many rules each system has under each letter.
PI = dict(zip("LARITEBFCVSXKNG", (10, 11, 5, 2, 6, 10, 5, 7, 10, 7, 7, 3, 6, 4, 4), strict=True))
AP = dict(zip("LASTHFCRBEKMVGNQ", (11, 12, 6, 9, 7, 3, 4, 8, 2, 2, 3, 8, 4, 1, 1, 1), strict=True))
OA = dict(zip("LARIFVSPNQG", (6, 12, 5, 5, 4, 15, 8, 3, 2, 1, 1), strict=True))


def numbered(stem: str, last: int) -> frozenset[str]:
    """The ids of a stem that end in 1, 2, 3, … up to a last one."""
    return frozenset(f"{stem}{n}" for n in range(1, last + 1))


def lettered(system: str, letters: Mapping[str, int]) -> frozenset[str]:
    """The ids of all rules of a system."""
    each = (numbered(f"{system}-{letter}", last) for letter, last in letters.items())
    return frozenset[str]().union(*each)


#: The rules and the defects of the system behind each profile.
SEEDED = {"transcript": lettered("PI", PI), "log": lettered("AP", AP), "turns": lettered("OA", OA)}
DEFECTS = {
    "transcript": numbered("D-PI-", 19),
    "log": numbered("D-AP-", 21),
    "turns": numbered("D-OA-", 15),
}

#: What is no MUST in the systems.
SHOULD = frozenset(["PI-A7", "PI-F7", "AP-A12", "OA-R5", "OA-F4", "OA-N2"])
MAY = frozenset(["PI-L10", "PI-A11", "PI-B5"])
FACT = frozenset(
    [
        *(f"PI-{each}" for each in ("I2", "B4", "C9", "S6", "K6", "N4", "G2", "G3")),
        *(f"AP-{each}" for each in ("A8", "A9", "S6", "H7", "F2", "C3", "R7", "B2", "K3", "G1")),
        "OA-A12",
    ]
)

CARRIERS = frozenset(["laws", "also", "reference", "schemas"])
CITED = re.compile(r"\b(?:D-(?:PI|AP|OA)-[0-9]+|(?:PI|AP|OA)-[A-Z][0-9]+)\b")


def requirement_of(rule: str) -> str:
    """What the systems ask for in a rule; the kit's own are all MUST."""
    if rule.startswith("D-"):
        return "defect."
    held = {"SHOULD.": SHOULD, "MAY.": MAY, "fact.": FACT}
    return next((word for word, ids in held.items() if rule in ids), "MUST.")


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


def test_the_systems_have_all_their_rules() -> None:
    """The literals above name 241 rules and 55 defects, and each exception is one of the rules."""
    seeded = frozenset[str]().union(*SEEDED.values())
    assert len(seeded) == 241
    assert sum(map(len, DEFECTS.values())) == 55
    assert seeded >= SHOULD | MAY | FACT


@pytest.mark.parametrize("profile", SEEDED)
def test_every_rule_and_defect_has_a_place(rule_pages: dict[str, Page], profile: str) -> None:
    """A page holds the rules and defects of its system; the kit's own are on the first one."""
    seeded = SEEDED[profile] | DEFECTS[profile]
    found = set(rule_pages[profile])
    assert found >= seeded
    others = {each for each in found - seeded if not each.startswith("kit-")}
    assert not others
    assert (found == seeded) == (profile != "transcript")


def test_every_rule_has_a_requirement_and_a_sentence(rules: Page) -> None:
    """Under each id stand its requirement and one line that ends in a full stop."""
    for name, rule in rules.items():
        requirement, sentence = rule["text"]
        assert requirement == requirement_of(name), name
        assert sentence.endswith("."), name
        assert set(rule) <= CARRIERS | {"text", "reason"}, name


def test_every_cited_source_is_on_a_page(rules: Page) -> None:
    """A law cites nothing that can't be looked up."""
    cited = {source for each in catalogue.all_laws() for source in each.source}
    assert cited <= set(rules)


def test_the_reference_cites_what_can_be_looked_up(rules: Page) -> None:
    """Each rule that the code of the reference names is on a page."""
    code = [each.read_text("utf-8") for each in (ROOT / "reference").rglob("*.py")]
    cited = {rule for each in code for rule in CITED.findall(each)}
    assert cited
    assert cited <= set(rules)


def test_the_laws_under_a_rule_are_those_that_cite_it(rules: Page) -> None:
    """Who looks up a rule finds all laws that name it as their source, and no other as such."""
    for name, rule in rules.items():
        citing = [each.name for each in catalogue.all_laws() if name in each.source]
        assert sorted(rule.get("laws", ())) == sorted(citing), name


@pytest.mark.parametrize("profile", SEEDED)
def test_the_further_laws_of_a_rule_apply_to_it(rule_pages: dict[str, Page], profile: str) -> None:
    """A law that holds to a rule without citing it is one of the profile's laws."""
    laws = {each.name: each for each in catalogue.all_laws(profile)}
    for name, rule in rule_pages[profile].items():
        for each in rule.get("also", ()):
            assert each in laws, (name, each)
            assert name not in laws[each].source, (name, each)


def test_the_carriers_exist(rules: Page) -> None:
    """Every schema and every name of the reference that the pages give is there, and once."""
    schemas = set(names())
    for name, rule in rules.items():
        assert set(rule.get("schemas", ())) <= schemas, name
        assert all(resolved(each) is not None for each in rule.get("reference", ())), name
        assert all(len(set(each)) == len(each) for each in rule.values()), name


def test_a_name_that_stands_for_nothing_is_found_out() -> None:
    """The look-up of names fails for a module and for a member that don't exist."""
    with pytest.raises(AttributeError):
        resolved("storelaw_reference.transcript.Session.nothing")
    with pytest.raises(LookupError):
        resolved("nowhere.at.all")


def test_every_must_has_a_carrier(rules: Page) -> None:
    """What must be so is held by a law, shown by the reference or described by a schema."""
    musts = {name: rule for name, rule in rules.items() if rule["text"][0] == "MUST."}
    assert not [name for name, rule in musts.items() if not CARRIERS & set(rule)]


def test_every_rule_and_defect_has_a_law_or_a_reason(rules: Page) -> None:
    """What no law holds anybody to says why."""
    carried = {"laws", "also", "reason"}
    assert not [name for name, rule in rules.items() if not carried & set(rule)]


def test_the_rules_of_the_kit_are_all_cited(rules: Page) -> None:
    """A rule of the kit's own exists for the laws that cite it."""
    cited = {source for each in catalogue.all_laws() for source in each.source}
    assert {each for each in rules if each.startswith("kit-")} <= cited


@pytest.mark.parametrize("name", ["rules.md", "rules-log.md", "rules-turns.md"])
def test_the_pages_lead_to_each_other(name: str) -> None:
    """Every link of a page of rules leads to a file that is there."""
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "docs" / name).read_text("utf-8"))
    assert links
    assert [each for each in links if not (ROOT / "docs" / each).exists()] == []
