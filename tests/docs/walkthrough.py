"""A page, done as a reader would do it: its files written, its commands run, its output compared.

A block that begins with ``# name`` is a file of that name; ``--- name`` begins a change of one,
with lines to take out and lines to put in. A ``console`` block holds commands behind ``$`` and
what they print, where three dots stand for any lines, or within a line for anything on it.
"""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from storelaw.cli import main

BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE: Final = re.compile(r"^(?:#|//) (\S+\.\w+)$")
CHANGE: Final = re.compile(r"^--- (\S+)$")

#: Any lines, as few as will do.
DOTS: Final = r"(?:.*\n)*?"

#: What a reader does once, and what is true of the environment that these tests run in.
SET_UP: Final = ("python3 -m venv", ". .venv", "pip install", "python -m pip install")


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of each block."""
    return [(each[1], each[2]) for each in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def fits(printed: str, shown: str) -> bool:
    """Whether a command printed what a page shows, dots standing for any lines."""
    lines = (DOTS if each == "..." else _line(each) for each in shown.splitlines())
    return re.fullmatch("".join(lines), printed) is not None


def _line(shown: str) -> str:
    return ".*".join(map(re.escape, shown.split("..."))) + r"\n"


@dataclass(slots=True)
class Walk:
    """A walk through a page in a folder of its own."""

    folder: Path
    patch: pytest.MonkeyPatch
    code: int = 0
    installed: bool = False

    def through(self, page: Path) -> None:
        """Do all that a page asks for, in its order."""
        self.patch.chdir(self.folder)
        self.patch.setattr(sys, "path", [str(self.folder), *sys.path])
        try:
            for language, text in blocks(page):
                self.done(language, text)
        finally:
            self.forget()

    def done(self, language: str, text: str) -> None:
        """Do what one block asks for."""
        first, _, rest = text.partition("\n")
        if found := FILE.match(first):
            self.written(found[1], text)
        elif found := CHANGE.match(first):
            self.changed(found[1], rest)
        else:
            assert language == "console", f"nobody knows what to do with this:\n{text}"
            self.commanded(text)

    def written(self, name: str, text: str) -> None:
        """Write a file."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def changed(self, name: str, change: str) -> None:
        """Change a file, in the one place that fits."""
        lines = change.splitlines(keepends=True)
        before = "".join(each[1:] for each in lines if each[0] in " -")
        after = "".join(each[1:] for each in lines if each[0] in " +")
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{name} has not one place like this:\n{before}"
        self.written(name, text.replace(before, after))

    def commanded(self, text: str) -> None:
        """Run the commands of a block, and compare what is shown of their output."""
        starts = [each.start() for each in re.finditer(r"^\$ ", text, re.MULTILINE)]
        for start, end in pairwise([*starts, len(text)]):
            command, _, shown = text[start + 2 : end].partition("\n")
            printed = self.ran(command)
            assert not shown or fits(printed, shown), f"$ {command}\n{printed}"

    def ran(self, command: str) -> str:
        """What a command prints; the kit's own needs no process."""
        if command == "pip install -e .":
            self.install()
        if command.startswith(SET_UP):
            return ""
        if command == "echo $?":
            return f"{self.code}\n"
        name, *arguments = shlex.split(command)
        if name == "storelaw" and not self.installed:
            self.forget()
            here = CliRunner().invoke(main, arguments)
            self.code = here.exit_code
            return here.output
        found = subprocess.run(
            command, shell=True, capture_output=True, text=True, check=False, env=self.environment()
        )
        self.code = found.returncode
        return found.stdout + found.stderr

    def install(self) -> None:
        """Give the folder what an editable installation gives: an entry in the registry."""
        project = tomllib.loads((self.folder / "pyproject.toml").read_text("utf-8"))["project"]
        info = self.folder / f"{project['name']}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        points = [
            "[storelaw]",
            *(f"{n} = {m}" for n, m in project["entry-points"]["storelaw"].items()),
        ]
        (info / "entry_points.txt").write_text("\n".join(points))
        self.installed = True

    def environment(self) -> dict[str, str]:
        """A reader's environment: the commands of this Python come first."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return {
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def forget(self) -> None:
        """Forget the modules of the folder, which the page may have changed."""
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(self.folder)):
                del sys.modules[name]
