"""The versions of the specification: which clauses, laws and grades each of them has.

A version is frozen in a file of its own under ``frozen/``. What came later never counts
against a store that is held to an earlier version.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from storelaw.contract import unknown
from storelaw.errors import Misconfigured
from storelaw.formats import FORMATS
from storelaw.specification.text import FOLDER

#: The grades of conformance; each of the others presupposes the first.
GRADES: Final = ("core", "durable", "concurrent", "crash-safe")

FROZEN: Final = FOLDER / "frozen"


@dataclass(frozen=True, slots=True)
class Frozen:
    """What one version has: the requirement of each clause and law, by name.

    ``grades`` are the names of the laws of each grade, by profile and grade.
    """

    spec: str
    clauses: Mapping[str, str]
    laws: Mapping[str, str]
    grades: Mapping[str, Mapping[str, tuple[str, ...]]]

    def data(self) -> dict[str, Any]:
        """As JSON (``schemas/harness/frozen.schema.json``)."""
        return {
            "storelaw": FORMATS["frozen"],
            "spec": self.spec,
            "clauses": dict(self.clauses),
            "laws": dict(self.laws),
            "grades": {
                profile: {grade: list(names) for grade, names in each.items()}
                for profile, each in self.grades.items()
            },
        }

    def grades_with(self, law: str) -> tuple[str, ...]:
        """The grades that a law counts for, in whatever profile."""
        found = {grade for each in self.grades.values() for grade in each if law in each[grade]}
        return tuple(each for each in GRADES if each in found)


def numbers(version: str) -> tuple[int, ...]:
    """A version in numbers, so that 0.10 comes after 0.9."""
    return tuple(int(each) for each in version.split("."))


def known() -> tuple[str, ...]:
    """The versions that are frozen, oldest first."""
    stems = (each.name.removesuffix(".json") for each in FROZEN.iterdir())
    return tuple(sorted(stems, key=numbers))


def checked(spec: str) -> str:
    """A version that is frozen; :class:`~storelaw.errors.Misconfigured` lists those that are."""
    if spec not in known():
        raise Misconfigured(unknown("version of the specification", spec, dict.fromkeys(known())))
    return spec


def scored(since: str, spec: str) -> bool:
    """Whether what there is since one version counts for a store that is held to another."""
    return numbers(since) <= numbers(spec)


@cache
def frozen(spec: str) -> Frozen:
    """A version as it is frozen; raises :class:`~storelaw.errors.Misconfigured`."""
    data = json.loads((FROZEN / f"{checked(spec)}.json").read_text(encoding="ascii"))
    grades = {
        profile: {grade: tuple(names) for grade, names in each.items()}
        for profile, each in data["grades"].items()
    }
    return Frozen(data["spec"], data["clauses"], data["laws"], grades)
