"""A project folder of an adopter, the command line in this process, and snapshots."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storelaw.cli import main

SNAPSHOTS = Path(__file__).parent / "snapshots"

#: A store of about ten lines, and two that break a law.
SHOP = """
import storelaw
from storelaw.liars.honest import HonestMedium, HonestStore, claiming


class Good(HonestMedium):
    manifest = claiming(name="good")


class Backwards(HonestMedium):
    manifest = claiming(name="backwards")

    class store(HonestStore):
        def ordered(self, entries):
            return entries[::-1]


class Down(storelaw.Medium):
    manifest = storelaw.Manifest(name="down")

    def open(self):
        raise OSError("no server")


class Nameless(storelaw.Medium):
    pass


class NoMedium:
    pass
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory of an adopter, with a module ``shop``; forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    yield tmp_path
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(tmp_path):
            del sys.modules[name]


@pytest.fixture
def storelaw() -> Callable[..., Result]:
    """The command line, in this process."""

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, [str(each) for each in arguments], terminal_width=80)

    return run


@pytest.fixture
def matches() -> Callable[[str, str], None]:
    """Compare a text with a snapshot; ``STORELAW_SNAPSHOTS=write`` writes it anew."""

    def compare(name: str, text: str) -> None:
        file = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("STORELAW_SNAPSHOTS") == "write":
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")

    return compare
