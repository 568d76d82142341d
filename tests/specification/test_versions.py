"""The versions of the specification: what is frozen stays, and what comes later says so."""

import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

import storelaw_schemas
from storelaw import catalogue, release
from storelaw.errors import Misconfigured
from storelaw.profiles import OWN
from storelaw.specification import freezing, versions
from storelaw.specification.__main__ import freeze
from storelaw.specification.versions import GRADES

NEWEST = versions.known()[-1]
THEN = versions.frozen(NEWEST)
NOW = freezing.current(NEWEST)
LAW = "entries_load_in_append_order"
CLAUSE = "a_taken_session_id_is_not_given_out_again"


def test_nothing_has_changed_since_the_newest_version() -> None:
    """Each difference is told with what to do about it."""
    found = freezing.disagreements(NOW, THEN)
    assert found == [], "\n".join(found)


def test_the_newest_version_is_that_of_the_kit() -> None:
    """What a check asks for without --spec is frozen."""
    assert NEWEST == release.SPEC


def test_a_law_that_is_gone_is_found_out() -> None:
    """The words name the law and the version, and say what to do."""
    laws = {name: each for name, each in NOW.laws.items() if name != LAW}
    (words,) = freezing.disagreements(replace(NOW, laws=laws), THEN)
    assert words.startswith(f"law {LAW} is gone, but 0.1 has it: bring it back")


def test_a_law_without_a_later_since_is_found_out() -> None:
    """What is new belongs to a later version."""
    laws = {**NOW.laws, "stores_are_kind": "MUST"}
    (words,) = freezing.disagreements(replace(NOW, laws=laws), THEN)
    assert words == "law stores_are_kind is not in 0.1: give it the since of a later version"


def test_a_clause_with_another_requirement_is_found_out() -> None:
    """A MUST stays one."""
    clauses = {**NOW.clauses, CLAUSE: "MAY"}
    (words,) = freezing.disagreements(replace(NOW, clauses=clauses), THEN)
    assert words.startswith(f"clause {CLAUSE} is a MAY and was a MUST in 0.1: undo that")


def test_a_law_that_changes_its_grade_is_found_out() -> None:
    """A grade asks the same of everybody for as long as its version lives."""
    grades = {**NOW.grades, "log": {**NOW.grades["log"], "durable": ()}}
    found = freezing.disagreements(replace(NOW, grades=grades), THEN)
    assert len(found) == len(THEN.grades["log"]["durable"])
    assert "has moved in or out of the grade durable of log" in found[0]


def test_each_profile_has_laws_of_each_grade() -> None:
    """All are MUST laws of its doors, and nearly every MUST law is of some grade."""
    for profile in OWN:
        laws = {each.name: each for each in catalogue.all_laws(profile)}
        musts = {name for name, each in laws.items() if each.requirement == "MUST"}
        found = THEN.grades[profile]
        assert tuple(found) == GRADES
        assert all(found.values()), profile
        assert set().union(*found.values()) == musts


def test_the_frozen_files_are_valid() -> None:
    """Each is as its schema says, under its version's name."""
    for spec in versions.known():
        assert versions.frozen(spec).spec == spec
        assert storelaw_schemas.problems("harness/frozen", versions.frozen(spec).data()) == ()


def test_freezing_again_gives_the_same_file(tmp_path: Path) -> None:
    """The command writes what is there, byte for byte."""
    command = [sys.executable, "-m", "storelaw.specification", NEWEST, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    file = tmp_path / f"{NEWEST}.json"
    assert run.stdout == f"{file}\n"
    kept = files("storelaw.specification") / "frozen" / file.name
    assert file.read_bytes() == kept.read_bytes()


def test_only_a_version_is_frozen(tmp_path: Path) -> None:
    """What is no version is refused before anything is written."""
    found = CliRunner().invoke(freeze, ["next", str(tmp_path)])
    assert found.exit_code == 2
    assert "'next' is no version; write one such as 0.2" in found.output
    assert list(tmp_path.iterdir()) == []


def test_versions_are_compared_as_numbers() -> None:
    """0.10 comes after 0.9, and a version counts for itself and for later ones."""
    assert versions.scored("0.9", "0.10")
    assert versions.scored("0.1", "0.1")
    assert not versions.scored("0.10", "0.9")


def test_an_unknown_version_is_told_the_known_ones() -> None:
    """The error lists what is frozen."""
    with pytest.raises(Misconfigured, match=r"'9\.9'.*known: 0\.1"):
        versions.frozen("9.9")
