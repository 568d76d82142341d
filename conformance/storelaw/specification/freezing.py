"""Freezing a version of the specification, and finding out what has changed since."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from storelaw import catalogue
from storelaw.clauses import Law
from storelaw.profiles import OWN
from storelaw.specification.carriers import clauses
from storelaw.specification.evidence import ends_writes, meets, steps
from storelaw.specification.versions import GRADES, Frozen, scored

#: Where the kit's own laws are; those of extensions are in no version.
FAMILIES: Final = "storelaw.families."


def current(spec: str) -> Frozen:
    """What a version would have if it were frozen now."""
    kept = [each for each in _own() if scored(each.since, spec)]
    return Frozen(
        spec,
        {each.name: each.requirement for each in clauses() if scored(each.since, spec)},
        {each.name: each.requirement for each in kept},
        {profile: _graded(profile, kept) for profile in OWN},
    )


def _own(profile: str | None = None) -> Iterator[Law]:
    laws = catalogue.all_laws(profile)
    return (each for each in laws if each.judge.__module__.startswith(FAMILIES))


def _graded(profile: str, kept: list[Law]) -> dict[str, tuple[str, ...]]:
    musts = [each for each in _own(profile) if each in kept and each.requirement == "MUST"]
    found = {each.name: grades_of(each) for each in musts}
    return {
        grade: tuple(sorted(name for name, grades in found.items() if grade in grades))
        for grade in GRADES
    }


def grades_of(law: Law) -> tuple[str, ...]:
    """The grades that a law counts for.

    A law that opens the store again counts for what is durable as well, and for the core
    unless it can be judged on a durable store only.
    """
    if ends_writes(law):
        return ("crash-safe",)
    if meets(law):
        return ("concurrent",)
    if "durable" in law.promises:
        return ("durable",)
    return ("core", "durable") if "reopen" in steps(law) else ("core",)


def write(spec: str, folder: Path) -> Path:
    """Freeze a version in a file of its name, and give that file."""
    file = folder / f"{spec}.json"
    text = json.dumps(current(spec).data(), ensure_ascii=True, indent=1)
    file.write_text(f"{text}\n", encoding="ascii")
    return file


def disagreements(now: Frozen, then: Frozen) -> list[str]:
    """Where what there is now is not what was frozen, and what to do about each."""
    found = [*_changed("law", now.laws, then.laws, then.spec)]
    found += _changed("clause", now.clauses, then.clauses, then.spec)
    for profile, grades in then.grades.items():
        for grade, names in grades.items():
            moved = set(names) ^ set(now.grades[profile][grade])
            found += [
                f"law {each} has moved in or out of the grade {grade} of {profile}: a frozen "
                "grade stays as it is; undo what moved it, or freeze a later version"
                for each in sorted(moved & now.laws.keys() & then.laws.keys())
            ]
    return found


def _changed(
    what: str, now: Mapping[str, str], then: Mapping[str, str], spec: str
) -> Iterator[str]:
    for name in sorted({*now} | {*then}):
        if name not in now:
            yield f"{what} {name} is gone, but {spec} has it: bring it back, or freeze a later version"
        elif name not in then:
            yield f"{what} {name} is not in {spec}: give it the since of a later version"
        elif now[name] != then[name]:
            yield (
                f"{what} {name} is a {now[name]} and was a {then[name]} in {spec}: undo that, or "
                "make it another one, of a later version"
            )
