"""Vectors: programs that broke a law once, saved as JSON and tried again on each run."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import storelaw_schemas
from storelaw.errors import Misconfigured
from storelaw.failures import Failure
from storelaw.formats import readable
from storelaw.narrative import saved
from storelaw.program import Program


@dataclass(frozen=True, slots=True)
class Vector:
    """A saved program, the law it broke, and the file it lies in."""

    law: str
    program: Program
    file: str


def read(file: Path) -> Vector:
    """The vector in a file; raises :class:`Misconfigured` with the file and what is wrong."""
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Misconfigured(f"configuration: can't read a program from {file}: {error}") from error
    readable(data, "program", str(file))
    for problem in storelaw_schemas.problems("harness/program", data):
        raise Misconfigured(f"configuration: {file} is no program: {problem}")
    return Vector(data.get("law", ""), _program(data, file), file.name)


def _program(data: Any, file: Path) -> Program:
    try:
        return Program.of(data)
    except IndexError:
        raise Misconfigured(
            f"configuration: {file} is no program: a step names an entry that isn't listed"
        ) from None


def read_all(folder: Path) -> tuple[Vector, ...]:
    """The vectors of a folder, in the order of their names."""
    if not folder.is_dir():
        raise Misconfigured(f"configuration: there is no folder {folder} with vectors")
    return tuple(read(each) for each in sorted(folder.glob("*.json")))


def naming(vectors: Iterable[Vector], law: str) -> tuple[Vector, ...]:
    """The vectors of one law."""
    return tuple(each for each in vectors if each.law == law)


def save(failure: Failure, folder: Path) -> Path:
    """Write the program of a failure into a folder, as ``medium.law.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    medium = "".join(each if each.isalnum() or each in "-_" else "-" for each in failure.medium)
    file = folder / f"{medium}.{failure.law}.json"
    file.write_text(saved(failure), encoding="ascii")
    return file
