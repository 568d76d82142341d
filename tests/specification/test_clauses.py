"""The clauses: every rule of the three systems has its place, a name, a reason and a carrier."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from storelaw import catalogue, specification
from storelaw.errors import Misconfigured
from storelaw.selftest import all_liars
from storelaw.specification import Clause
from storelaw_schemas import names

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

CITED = re.compile(r"\b(?:D-(?:PI|AP|OA)-[0-9]+|(?:PI|AP|OA)-[A-Z][0-9]+)\b")
SLUG = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")

CLAUSES = specification.clauses()
BY_RULE = {each.rule: each for each in CLAUSES}
LAWS = {each.name: each for each in catalogue.all_laws()}


def requirement_of(rule: str) -> str:
    """What the systems ask for in a rule; the kit's own are all MUST."""
    if rule.startswith("D-"):
        return "defect"
    held = {"SHOULD": SHOULD, "MAY": MAY, "fact": FACT}
    return next((word for word, ids in held.items() if rule in ids), "MUST")


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


def unheld(clause: Clause) -> bool:
    """Whether a clause has no law and doesn't say why."""
    return not (specification.carriers_of(clause) or clause.reason)


def uncarried(clause: Clause) -> bool:
    """Whether a MUST is held by no law, shown by no code and described by no schema."""
    carried = specification.carriers_of(clause) or clause.reference or clause.schemas
    return clause.requirement == "MUST" and not carried


def test_the_systems_have_all_their_rules() -> None:
    """The literals above name 241 rules and 55 defects, and each exception is one of the rules."""
    seeded = frozenset[str]().union(*SEEDED.values())
    assert len(seeded) == 241
    assert sum(map(len, DEFECTS.values())) == 55
    assert seeded >= SHOULD | MAY | FACT


@pytest.mark.parametrize("profile", SEEDED)
def test_a_chapter_has_the_rules_and_defects_of_its_system(profile: str) -> None:
    """All of them are there, and no other."""
    found = [each.rule for each in specification.clauses(profile)]
    assert len(set(found)) == len(found)
    assert set(found) == SEEDED[profile] | DEFECTS[profile]


def test_the_chapter_of_every_store_has_the_rules_of_the_kit() -> None:
    """They have ids of their own, and exist for the laws that cite them."""
    cited = {source for each in LAWS.values() for source in each.source}
    rules = {each.rule for each in specification.clauses("kit")}
    assert rules == {each for each in cited if each.startswith("kit-")}


def test_every_clause_asks_for_what_its_system_asks_for() -> None:
    """Its requirement is the one of the system, and its text one sentence."""
    for each in CLAUSES:
        assert each.requirement == requirement_of(each.rule), each.rule
        assert each.text.endswith("."), each.rule
        assert each.since == "0.1", each.rule


def test_a_name_is_a_sentence_of_its_own() -> None:
    """No two clauses have one name, and no clause the name of a law, so that each can be meant."""
    found = [each.name for each in CLAUSES]
    assert [name for name, count in Counter(found).items() if count > 1] == []
    assert [name for name in found if not SLUG.fullmatch(name) or len(name) > 72] == []
    assert set(found) & set(LAWS) == set()


def test_every_clause_says_why() -> None:
    """By the incidents of its laws, or by a sentence of its own."""
    assert [each.rule for each in CLAUSES if not (each.incidents or each.why.endswith("."))] == []


def test_every_clause_has_a_door() -> None:
    """The doors of a clause are those of its laws; one without laws names its own."""
    for each in CLAUSES:
        laws = specification.carriers_of(each)
        assert each.doors, each.rule
        assert set(each.doors) == {law.door for law in laws} or not laws, each.rule
        assert each.door == ", ".join(each.doors)


def test_every_cited_source_is_a_clause() -> None:
    """A law cites nothing that can't be looked up."""
    cited = {source for each in LAWS.values() for source in each.source}
    assert cited <= set(BY_RULE)
    assert all(specification.cited_by(each) for each in LAWS.values())


def test_the_reference_cites_what_can_be_looked_up() -> None:
    """Each rule that the code of the reference names is a clause."""
    code = [each.read_text("utf-8") for each in (ROOT / "reference").rglob("*.py")]
    cited = {rule for each in code for rule in CITED.findall(each)}
    assert cited
    assert cited <= set(BY_RULE)


def test_the_laws_of_a_clause_are_those_that_cite_it() -> None:
    """Who looks up a clause finds the laws that name it as their source."""
    found = {law.name for law in specification.laws_of(BY_RULE["PI-L1"])}
    assert found == {each.name for each in LAWS.values() if "PI-L1" in each.source}
    assert "creating_a_taken_id_is_refused" in found


@pytest.mark.parametrize("profile", SEEDED)
def test_the_further_laws_of_a_clause_apply_to_it(profile: str) -> None:
    """A law that holds to a clause without citing it is one of the profile's laws."""
    laws = {each.name: each for each in catalogue.all_laws(profile)}
    for clause in specification.clauses(profile):
        for each in clause.also:
            assert each in laws, (clause.rule, each)
            assert clause.rule not in laws[each].source, (clause.rule, each)


def test_the_carriers_exist() -> None:
    """Every schema and every name of the reference that a clause gives is there, and once."""
    schemas = set(names())
    for each in CLAUSES:
        assert set(each.schemas) <= schemas, each.rule
        assert all(resolved(name) is not None for name in each.reference), each.rule
        for listed in (each.also, each.schemas, each.reference):
            assert len(set(listed)) == len(listed), each.rule


def test_a_name_that_stands_for_nothing_is_found_out() -> None:
    """The look-up of names fails for a module and for a member that don't exist."""
    with pytest.raises(AttributeError):
        resolved("storelaw_reference.transcript.Session.nothing")
    with pytest.raises(LookupError):
        resolved("nowhere.at.all")


def test_every_must_has_a_carrier() -> None:
    """What must be so is held by a law, shown by the reference or described by a schema."""
    assert [each.rule for each in CLAUSES if uncarried(each)] == []


def test_every_clause_has_a_law_or_a_reason() -> None:
    """What no law holds anybody to says why."""
    assert [each.rule for each in CLAUSES if unheld(each)] == []


def test_a_clause_without_law_and_reason_is_found_out() -> None:
    """The two tests above can fail."""
    bare = Clause(
        rule="X-1",
        name="a_store_is_kind",
        requirement="MUST",
        profile="log",
        section="manners",
        since="0.1",
        text="A store is kind.",
    )
    assert unheld(bare)
    assert uncarried(bare)


def test_every_law_of_a_clause_has_a_liar() -> None:
    """No clause rests on a law that nobody was seen to break."""
    for each in CLAUSES:
        broken = {liar.breaks for liar in specification.liars_of(each)}
        assert broken == {law.name for law in specification.carriers_of(each)}, each.rule


def test_every_law_has_a_liar() -> None:
    """A law that nobody breaks on purpose is not known to be able to fail."""
    assert set(LAWS) - {each.breaks for each in all_liars()} == set()


def test_a_chapter_says_whose_rules_it_has() -> None:
    """Each has a title, a paragraph and sections, and its rules begin with its system."""
    for chapter in specification.chapters():
        assert chapter.title
        assert chapter.about.endswith(".")
        for section in chapter.sections:
            assert section.clauses, section.title
            assert section.about.endswith(".") or not section.about
            assert {each.section for each in section.clauses} == {section.title}
            stems = {each.rule.removeprefix("D-").split("-")[0] for each in section.clauses}
            assert stems == {chapter.system}


@pytest.mark.parametrize("name", ["PI-L1", "pi-l1", "a_taken_session_id_is_not_given_out_again"])
def test_a_clause_is_found_by_its_id_and_by_its_name(name: str) -> None:
    """The id may be written in any case."""
    assert specification.clause_of(name) is BY_RULE["PI-L1"]
    assert specification.named(name) is BY_RULE["PI-L1"]


@pytest.mark.parametrize("name", ["creating_a_taken_id_is_refused", "lifecycle/list_is_empty"])
def test_what_is_no_clause_is_refused_with_near_names(name: str) -> None:
    """The error gives names that are near, if any, and says where all of them are."""
    with pytest.raises(Misconfigured, match=r"no clause is called .*`storelaw clauses` lists"):
        specification.clause_of(name)


def test_a_law_can_be_meant_by_its_title() -> None:
    """A name that is a law's stands for the law."""
    law = LAWS["creating_a_taken_id_is_refused"]
    assert specification.named(law.name) is law
    assert specification.named(law.title) is law


def test_a_chapter_that_does_not_exist_is_refused() -> None:
    """The error lists the chapters."""
    with pytest.raises(Misconfigured, match="no chapter 'turn'; there are: transcript, log, turns"):
        specification.clauses("turn")
