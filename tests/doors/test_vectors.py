"""Vectors: saved programs, read back with all that is wrong told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from storelaw import vectors
from storelaw.errors import Misconfigured
from storelaw.failures import Failure
from storelaw.program import append, load, program

LAW = "entries_load_in_append_order"
FAILURE = Failure(
    law=LAW,
    claim="Entries come back.",
    medium="acme:odd/name",
    program=program(append("s", {"id": "\ud800"}), load("s", last=1)),
    expected=[],
    observed=[],
    because="an entry is lost",
    index=1,
)


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    """A saved program is read back equal, with its law, from a name that is safe."""
    file = vectors.save(FAILURE, tmp_path / "new")
    assert file.name == f"acme-odd-name.{LAW}.json"
    (found,) = vectors.read_all(tmp_path / "new")
    assert (found.law, found.program, found.file) == (LAW, FAILURE.program, file.name)


def test_each_law_has_its_own(tmp_path: Path) -> None:
    """The vectors of a law are those that name it."""
    vectors.save(FAILURE, tmp_path)
    vectors.save(replace(FAILURE, law="another"), tmp_path)
    found = vectors.read_all(tmp_path)
    assert [each.law for each in vectors.naming(found, "another")] == ["another"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "can't read a program from"),
        ("[" * 100_000, "can't read a program from"),
        ('{"storelaw": 2, "phases": []}', "odd.json has version 2 of the format program; storelaw"),
        (json.dumps({"storelaw": 1, "entries": []}), 'is no program: $: lacks "steps"'),
        (
            json.dumps({"storelaw": 1, "entries": [], "steps": [{"do": "append", "entries": [0]}]}),
            "a step names an entry that isn't listed",
        ),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """The message names the file and what is wrong with it."""
    (tmp_path / "odd.json").write_text(text, encoding="ascii")
    with pytest.raises(Misconfigured) as caught:
        vectors.read_all(tmp_path)
    assert words in str(caught.value)
    assert "odd.json" in str(caught.value)
