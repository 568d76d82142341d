"""The [tool.storelaw] table."""

from pathlib import Path

import pytest

from storelaw import config
from storelaw.errors import Misconfigured


def table(folder: Path, text: str) -> Path:
    """A pyproject.toml with a table."""
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    """The table is looked for upwards, and its paths are relative to its folder."""
    table(tmp_path, '[tool.storelaw]\ntarget = "acme:Acme"\nlaw = ["order"]\nsave = "out"\n')
    inner = tmp_path / "deep" / "er"
    inner.mkdir(parents=True)
    found = config.found(inner)
    assert (found.target, found.law, found.folder) == ("acme:Acme", ("order",), tmp_path)
    assert found.save == str(tmp_path / "out")


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1\n", "[project]\nname = 'x'\n"])
def test_a_file_without_the_table_says_nothing(tmp_path: Path, text: str) -> None:
    """Other tables are none of ours."""
    assert config.read(table(tmp_path, text)) == config.Config(folder=tmp_path)


def test_without_a_file_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pyproject.toml anywhere above is no table."""
    monkeypatch.setattr(Path, "is_file", lambda _: False)
    assert config.found(Path.cwd()) == config.Config()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('traget = "x"', "no [tool.storelaw] key is called 'traget'; did you mean 'target'?"),
        ('seed = "7"', "[tool.storelaw] seed is '7', a str; it takes int"),
        ("seed = true", "[tool.storelaw] seed is True, a bool; it takes int"),
        ("law = [7]", "[tool.storelaw] law is [7]; it takes names"),
        ('effort = "huge"', "no effort is called 'huge'"),
        ("effort = ", "can't read"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """An unknown key or a wrong type is refused with what there is."""
    with pytest.raises(Misconfigured) as caught:
        config.read(table(tmp_path, f"[tool.storelaw]\n{text}\n"))
    assert words in str(caught.value)
