"""What the files of the specification say: chapters, their sections, and the clauses in these."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from storelaw.values import is_array

#: A fact is something that an original does and nobody need do, a defect something that it
#: does and nobody should.
Requirement: TypeAlias = Literal["MUST", "SHOULD", "MAY", "fact", "defect"]

#: Where the files of the specification lie.
FOLDER: Final = files("storelaw.specification")

#: The chapters, each in a file of its name: the profiles, and what every store owes.
NAMES: Final = ("transcript", "log", "turns", "kit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause: a sentence of the specification, and what carries it.

    ``rule`` is its short id (``PI-L1``), ``name`` its sentence as a name, ``profile`` its
    chapter, ``section`` the title above it. ``why`` says what goes wrong without it; where it
    is empty, public ``incidents`` (``F01``) show that. ``doors`` and ``incidents`` come from
    the laws. ``also`` names laws that hold to it without citing it, ``reference`` the code
    that shows it, ``schemas`` the shapes that it is about, and ``reason`` says why no law
    checks it, or why laws see a part of it only.
    """

    rule: str
    name: str
    requirement: Requirement
    profile: str
    section: str
    since: str
    text: str
    why: str = ""
    doors: tuple[str, ...] = ()
    incidents: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()
    reason: str = ""

    @property
    def door(self) -> str:
        """The doors at which it is judged, as words."""
        return ", ".join(self.doors)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter; ``about`` is what its clauses have in common, if anything."""

    title: str
    about: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The clauses of a profile, or of every store.

    ``system`` is what the rules of the chapter begin with, and ``about`` says whose they are.
    """

    profile: str
    system: str
    title: str
    about: str
    sections: tuple[Section, ...]


def table(name: str) -> dict[str, Any]:
    """One of the files of the specification, by its stem."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def chapters() -> tuple[Chapter, ...]:
    """The chapters as they are written: no clause knows of its laws yet."""
    return tuple(_chapter(table(each)) for each in NAMES)


def _chapter(data: Mapping[str, Any]) -> Chapter:
    profile = data["profile"]
    sections = tuple(_section(each, profile) for each in data["sections"])
    return Chapter(profile, data["system"], data["title"], data["about"], sections)


def _section(data: Mapping[str, Any], profile: str) -> Section:
    title: str = data["title"]
    made = tuple(_clause(each, profile, title) for each in data["clauses"])
    return Section(title, data.get("about", ""), made)


def _clause(data: Mapping[str, Any], profile: str, section: str) -> Clause:
    return Clause(profile=profile, section=section, **with_tuples(data))


def with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """A table of a file with its lists frozen."""
    return {key: tuple(each) if is_array(each) else each for key, each in data.items()}
