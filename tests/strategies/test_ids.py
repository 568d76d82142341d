"""The families of related ids, and the programs made of them, windows and shared sessions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.clauses import Law, registered
from storelaw.families import aliasing, handles, isolation, keys, slices, window
from storelaw.ground import FENCE
from storelaw.liars.honest import MANIFEST, claiming
from storelaw.liars.keys import keyed
from storelaw.program import entries_of
from storelaw.strategies.ids import (
    ENTRY_FAMILIES,
    ESCAPES,
    FAMILIES,
    LEGAL,
    fitting,
    joined_apart,
    key,
    longest,
    one_part_apart,
    related_entry_ids,
    related_ids,
    related_keys,
    required,
)
from storelaw_schemas import problems

KEYED = keyed("keyed")
_FAMILY = {each.__name__ for each in (isolation, keys, aliasing, handles, window, slices)}
GENERATED = [e for e in registered() if e.programs and e.judge.__module__ in _FAMILY]

quietly = settings(derandomize=True, max_examples=50, deadline=None, database=None)


@pytest.mark.parametrize("family", [f for each in FAMILIES.values() for f in each])
def test_the_members_of_a_family_are_different_ids(family: tuple[str, ...]) -> None:
    """No two members of a family are equal, and each is 1 to 128 characters long."""
    assert len(set(family)) == len(family) > 1
    assert all(1 <= len(each) <= 128 for each in family)


@pytest.mark.parametrize("family", ENTRY_FAMILIES)
def test_the_members_of_an_entry_family_are_different_ids(family: tuple[str, ...]) -> None:
    """No two entry ids of a family are equal."""
    assert len(set(family)) == len(family) > 1


def test_tails_and_middles_agree_where_they_say() -> None:
    """Long ids share 64 characters, short forms share eight at each end."""
    assert all(len({each[:64] for each in family}) == 1 for family in FAMILIES["tails"])
    for family in FAMILIES["middles"]:
        assert len({(each[:8], each[-8:]) for each in family}) == 1


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_ids_climb_one_level_or_two_and_stay_in_the_fence(separator: str) -> None:
    """An escape leaves a medium's directory, and a folder in it, but not the fence around it."""
    climbs = {_climb(each.split(separator)) for each in ESCAPES}
    assert climbs == {0, 1, 2}
    assert max(climbs) < len(FENCE)
    assert all(_climb(each.split(separator)) <= 1 for f in FAMILIES["paths"] for each in f)


def _climb(segments: list[str]) -> int:
    depth = lowest = 0
    for segment in segments:
        depth += -1 if segment == ".." else segment not in ("", ".")
        lowest = min(lowest, depth)
    return -lowest


def test_legal_ids_are_plain() -> None:
    """A legal id has neither controls nor separators, blanks or wildcards."""
    assert all(1 <= len(each) <= 128 for each in LEGAL)
    for each in LEGAL:
        assert all(c.isalnum() or not c.isascii() for c in each)


def test_a_limit_leaves_long_families_out() -> None:
    """Only families whose ids all fit are drawn."""
    short = claiming(name="short", max_id=10)
    assert (longest(short), longest(MANIFEST)) == (10, 128)
    assert fitting(short, FAMILIES["tails"]) == []
    assert fitting(short, FAMILIES["case"]) == list(FAMILIES["case"])


def test_keys_name_their_parts() -> None:
    """A key has the parts that are asked for, the others called as the manifest calls them."""
    assert required(KEYED) == 2
    assert key(KEYED, {}) == ("project", "session")
    assert key(KEYED, {0: "p"}, 3) == ("p", "session", "subpath")
    assert one_part_apart(KEYED, ("a", "b")) == [
        (("a", "session"), ("b", "session")),
        (("project", "a"), ("project", "b")),
        (("project", "session", "a"), ("project", "session", "b")),
    ]


def test_joined_keys_are_one_text() -> None:
    """Each pair of keys is different by parts and equal once joined by its separator."""
    for one, other in joined_apart(KEYED):
        assert one != other
        assert any(sep.join(one) == sep.join(other) for sep in "/:|-_.\x1f\x00")


@quietly
@given(st.data())
def test_draws_are_families(data: st.DataObject) -> None:
    """Session ids, entry ids and keys are drawn in families of at least two members."""
    assert data.draw(related_ids(MANIFEST)) in [f for each in FAMILIES.values() for f in each]
    assert data.draw(related_entry_ids()) in ENTRY_FAMILIES
    drawn = data.draw(related_keys(KEYED))
    assert len(set(drawn)) == len(drawn) > 1
    assert all(isinstance(each, tuple) for each in drawn)


@pytest.mark.parametrize("law", GENERATED, ids=lambda each: each.name)
def test_generated_entries_are_valid(law: Law) -> None:
    """Every entry of a generated program validates against the schema of stored entries."""

    @settings(quietly, max_examples=12)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        assert law.programs is not None
        for each in entries_of(data.draw(law.programs(KEYED)).steps):
            assert problems("transcript/stored-entry", each) == ()

    check()


@pytest.mark.parametrize("law", GENERATED, ids=lambda each: each.name)
def test_batteries_are_valid(law: Law) -> None:
    """Every entry of a battery validates too."""
    for program in law.battery(KEYED):
        for step in program.steps:
            for item in step.entries:
                entry = item if isinstance(item, dict) else item.entry
                assert problems("transcript/stored-entry", entry) == ()
