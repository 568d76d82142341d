"""``storelaw init``: what it writes, what it leaves alone, and that the skeleton runs."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from storelaw.beginnings import MEDIA

Door = Callable[..., Result]
LAWS = {"transcript": "order", "log": "order", "turns": "turn_memory"}


def filled_in(skeleton: str) -> str:
    """The skeleton with its example taken out of the comments, as the comment says to do."""
    lines, taken = [], False
    for line in skeleton.splitlines():
        told = line.startswith(("# the ", "# these lines"))
        taken = (taken or told) and not line.startswith("class ")
        inside = (taken and not told) or line == "# import json"
        example = line.strip() in ("# return self.store",) or "# vars(self)" in line
        lines.append(line.replace("# ", "", 1).removeprefix("#") if inside or example else line)
    return "\n".join([*lines, ""])


@pytest.mark.parametrize(
    "profile", [pytest.param(each, marks=[pytest.mark.slow] * (each != "log")) for each in MEDIA]
)
def test_the_skeleton_says_what_to_fill_in_and_conforms_then(
    storelaw: Door, project: Path, profile: str
) -> None:
    """Untouched it ends with 3 and names the method and the file; with its own example with 0."""
    assert storelaw("init", "--package", "tiny_kv", "--profile", profile).exit_code == 0
    check = ("check", "--effort", "quick", "--law", LAWS[profile])
    untouched = storelaw(*check)
    assert untouched.exit_code == 3
    assert "fill in TinyKvMedium.open() in tiny_kv/testing.py: return your" in untouched.output
    medium = project / "tiny_kv" / "testing.py"
    (project / "other.py").write_text(filled_in(medium.read_text()), encoding="utf-8")
    found = storelaw("check", "other:TinyKvMedium", *check[1:])
    assert (found.exit_code, found.output.splitlines()[-1]) == (0, "tiny_kv conforms"), found.output


def test_an_empty_project_gets_all_files(storelaw: Door, project: Path) -> None:
    """The medium, its one-line test, the settings that need no arguments, and the workflow."""
    result = storelaw("init", "--package", "acme", "--ci", "github")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "wrote acme/testing.py",
        "wrote tests/test_acme.py",
        "wrote pyproject.toml",
        "wrote .github/workflows/storelaw.yml",
        "next: fill in open() in acme/testing.py, then run: storelaw check",
    ]
    settings = tomllib.loads((project / "pyproject.toml").read_text())["tool"]
    assert settings["storelaw"] == {"target": "acme.testing:AcmeMedium"}
    assert settings["pytest"]["ini_options"]["pythonpath"] == ["."]
    test = (project / "tests" / "test_acme.py").read_text()
    assert test.endswith("test_acme = storelaw.laws(AcmeMedium)\n")
    workflow = (project / ".github/workflows/storelaw.yml").read_text()
    assert "run: python -m pip install storelaw\n" in workflow


PYPROJECT = '[project]\nname = "Acme.Store-kit"\nversion = "1"\n'


def test_nothing_that_is_there_is_touched(storelaw: Door, project: Path) -> None:
    """Files stay byte for byte, the table is shown to be put in by hand, and src is used."""
    (project / "src").mkdir()
    (project / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (project / "tests").mkdir()
    (project / "tests" / "test_acme_store_kit.py").write_text("mine\n", encoding="utf-8")
    result = storelaw("init", "--ci", "github")
    assert result.exit_code == 0
    assert "wrote src/acme_store_kit/testing.py\n" in result.output
    assert "left tests/test_acme_store_kit.py as it is\n" in result.output
    assert (
        "put this table into pyproject.toml:\n\n[tool.storelaw]\n"
        'target = "acme_store_kit.testing:AcmeStoreKitMedium"\n'
    ) in result.output
    assert (project / "pyproject.toml").read_text() == PYPROJECT
    assert (project / "tests" / "test_acme_store_kit.py").read_text() == "mine\n"
    workflow = (project / ".github/workflows/storelaw.yml").read_text()
    assert "run: python -m pip install storelaw .\n" in workflow
    again = storelaw("init", "--ci", "github").output
    assert again.count("left ") == 3
    assert "wrote" not in again


def test_a_table_that_is_there_is_not_asked_for(storelaw: Door, project: Path) -> None:
    """A project with settings is told the next step only."""
    (project / "pyproject.toml").write_text("[tool.storelaw]\nseed = 1\n", encoding="utf-8")
    result = storelaw("init", "--package", "acme.stores")
    assert "put this table" not in result.output
    assert "wrote acme/stores/testing.py\n" in result.output
    assert (project / "tests" / "test_stores.py").exists()


@pytest.mark.parametrize(
    ("pyproject", "arguments", "words"),
    [
        ("", ["--package", "a b"], "'a b' is no name that Python can import; give one by"),
        ("", ["--profile", "turn"], "profile"),
        ("[", [], "can't read"),
        ("", ["--ci", "jenkins"], "'jenkins' is not"),
    ],
)
def test_misuse_writes_nothing(
    storelaw: Door, project: Path, pyproject: str, arguments: list[str], words: str
) -> None:
    """Exit 4 with a sentence, before anything is written."""
    (project / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    before = sorted(project.rglob("*"))
    result = storelaw("init", *arguments)
    assert result.exit_code == 4
    assert words in result.stderr
    assert sorted(project.rglob("*")) == before


def test_a_folder_that_cant_be_made_is_told(storelaw: Door, project: Path) -> None:
    """A file where a folder should be is no traceback."""
    (project / "acme").write_text("", encoding="utf-8")
    result = storelaw("init", "--package", "acme")
    assert result.exit_code == 4
    assert "can't write acme/testing.py" in result.stderr
