"""The page of mutants, read back, and the store of the README in a folder."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .test_readme import blocks

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


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The files of the README, each under the name in its first line; forgotten afterwards."""
    folder = tmp_path_factory.mktemp("forgetful")
    for each in blocks("python"):
        (folder / each.splitlines()[0].removeprefix("# ")).write_text(each)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "path", list(sys.path))
        yield folder
    for file in folder.glob("*.py"):
        sys.modules.pop(file.stem, None)
