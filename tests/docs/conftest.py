"""The page of mutants, read back."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"

#: The first cells of a table that are no mutants.
HEADS = frozenset(["mutant", "---"])


@pytest.fixture(scope="session")
def mutants() -> dict[str, tuple[str, ...]]:
    """The liars that the page of mutants gives for each."""
    text = (DOCS / "mutants.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| (.+) \|$", text, re.MULTILINE)
    found = [(name, tuple(re.findall(r"`([^`]+)`", rest))) for name, rest in rows]
    found = [each for each in found if each[0] not in HEADS]
    assert len(dict(found)) == len(found), "a mutant stands twice"
    return dict(found)
