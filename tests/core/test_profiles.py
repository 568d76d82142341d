"""Profiles: how they are found, and what a manifest may say under each."""

from dataclasses import replace

import pytest

from storelaw import profiles
from storelaw.catalogue import all_laws
from storelaw.clauses import Law
from storelaw.contract import OPTIONS, Contract
from storelaw.errors import Misconfigured
from storelaw.liars.honest import HonestMedium
from storelaw.manifest import Manifest
from storelaw.profiles import OWN, Profile, discover, profile_named, register_profile
from storelaw.trial import hold

from .counters import PROFILE


@pytest.mark.parametrize("name", OWN)
def test_the_kits_own_profiles_are_found_by_name(name: str) -> None:
    """Each has a contract of options that exist, doors, and a way to read what is stored."""
    found = profile_named(name)
    assert found.name == name
    assert found.contract.declared().keys() <= OPTIONS.keys()
    assert len(set(found.door_names)) == len(found.doors)
    assert found.door(found.door_names[0]) is found.doors[0]
    assert found.door("nowhere") is None


def test_extensions_profiles_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that isn't known makes the extensions speak; one they don't know is refused."""
    known: dict[str, Profile] = {}
    monkeypatch.setattr(profiles, "_PROFILES", known)
    with pytest.raises(Misconfigured, match="no profile is called 'turn'; did you mean 'turns'"):
        profile_named("turn")
    assert set(known) == set(OWN) == set(discover())


def test_a_name_stands_for_one_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same profile may come twice, another of its name may not."""
    monkeypatch.setattr(profiles, "_PROFILES", {})
    register_profile(PROFILE)
    register_profile(PROFILE)
    with pytest.raises(Misconfigured, match="two profiles are called 'counters'"):
        register_profile(replace(PROFILE, contract=Contract()))


def test_doors_and_operations_are_the_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest may name what its profile has, and is told what that is."""
    monkeypatch.setitem(profiles._PROFILES, PROFILE.name, PROFILE)
    made = Manifest(
        name="x",
        profile="counters",
        doors=frozenset({"store", "counter"}),
        without=frozenset({"tick", "fork"}),
    )
    assert made.profile == "counters"
    with pytest.raises(Misconfigured, match="'doors' has 'refs'; allowed: store, session, views"):
        Manifest(name="x", doors=frozenset({"refs"}))
    with pytest.raises(Misconfigured, match="'without' has 'tick'; allowed: append"):
        Manifest(name="x", without=frozenset({"tick"}))


def test_laws_belong_to_the_profiles_that_have_their_door() -> None:
    """The store's laws to all that have a store; a door that a profile lacks is none of it."""
    transcript, log = all_laws("transcript"), all_laws("log")
    assert {each.door for each in transcript} == {"store", "session", "views"}
    assert {each for each in transcript if each.door == "store"} <= set(log)
    other = Law("x", "X.", "order", lambda _: None, lambda _: [], door="refs")
    verdict = hold(other, HonestMedium, "battery")
    assert verdict.outcome == "not applicable"
    assert verdict.reason == "the transcript profile has no refs door"
