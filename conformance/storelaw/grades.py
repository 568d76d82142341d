"""Grades of conformance: what a run has shown of a store, in four words.

Each grade is a frozen set of laws for each profile and version of the specification
(``docs/grades.md``). It is reached where none of its laws is broken, waived or not
evaluated, and at least one of them held.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from storelaw import release
from storelaw.contract import unknown
from storelaw.errors import Misconfigured
from storelaw.specification.versions import GRADES, frozen

__all__ = ["GRADES", "checked", "graded", "lacking"]

#: Why no other grade is reached without the first.
NO_CORE: Final = "core is not reached"

#: The verdicts that stand in the way of a grade.
BAD: Final = ("broken", "waived", "not evaluated")

#: How many laws a sentence names before it counts the others.
FEW: Final = 3

#: The manifest's field without which a grade is not claimed, whatever its laws came to, and
#: the value with which nothing is promised.
PROMISES: Final[Mapping[str, tuple[str, object]]] = {
    "durable": ("durable", False),
    "crash-safe": ("crash", "none"),
}


def checked(grade: str) -> str:
    """A grade that there is; :class:`~storelaw.errors.Misconfigured` lists them."""
    if grade not in GRADES:
        raise Misconfigured(unknown("grade", grade, dict.fromkeys(GRADES)))
    return grade


def graded(run: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a run of a report has reached, by grade.

    ``of`` counts the laws of the grade that apply to the store and ``held`` those that held;
    ``missing`` names those that stand in the way, and ``reason`` says why it isn't reached.
    """
    profile = run["manifest"].get("profile", "transcript")
    sets = frozen(run.get("spec", release.SPEC)).grades.get(profile, {})
    laws = {each["name"]: each for each in run["laws"]}
    found = {each: _grade(each, sets.get(each, ()), laws, run["manifest"]) for each in GRADES}
    if not found["core"]["reached"]:
        for each in found.values():
            each.update(reached=False, reason=each["reason"] or NO_CORE)
    return found


def _grade(
    grade: str,
    names: Sequence[str],
    laws: Mapping[str, Mapping[str, Any]],
    manifest: Mapping[str, Any],
) -> dict[str, Any]:
    verdicts = {name: laws[name]["verdict"] if name in laws else "not asked" for name in names}
    reason = _reason(grade, verdicts, manifest) or _idle(verdicts, laws)
    return {
        "reached": not reason,
        "held": sum(each == "held" for each in verdicts.values()),
        "of": sum(each != "not applicable" for each in verdicts.values()),
        "missing": _missing(verdicts),
        "reason": reason,
    }


def _reason(grade: str, verdicts: Mapping[str, str], manifest: Mapping[str, Any]) -> str:
    """Why a grade is not reached, as far as its promises and verdicts tell."""
    counted = Counter(verdicts.values())
    if not verdicts:
        return f"the profile {manifest.get('profile', 'transcript')} has no laws of this grade"
    unpromised = _unpromised(grade, manifest)
    if unpromised or counted["not asked"]:
        return unpromised or "not all of its laws were tried"
    bad = ((counted[each], each) for each in BAD)
    return ", ".join(f"{count} {each}" for count, each in bad if count)


def _missing(verdicts: Mapping[str, str]) -> list[str]:
    """The laws that stand in the way; where some were not tried, just these."""
    untried = [name for name, each in verdicts.items() if each == "not asked"]
    return untried or [name for name, each in verdicts.items() if each in BAD]


def _unpromised(grade: str, manifest: Mapping[str, Any]) -> str:
    if grade not in PROMISES:
        return ""
    name, nothing = PROMISES[grade]
    value = manifest.get(name, nothing)
    return f"the manifest's {name} is {value!r}" if value == nothing else ""


def _idle(verdicts: Mapping[str, str], laws: Mapping[str, Mapping[str, Any]]) -> str:
    """Why none of the laws applies, in the words that most of them have for it."""
    if "held" in verdicts.values():
        return ""
    words = Counter(laws[name]["reason"] for name in verdicts)
    return f"none of its laws applies: {words.most_common(1)[0][0]}"


def lacking(run: Mapping[str, Any], grade: str) -> str:
    """What keeps a run from a grade, as the end of a sentence; nothing where it is reached."""
    found = run["grades"][grade]
    if found["reached"]:
        return ""
    names = (run["grades"]["core"] if found["reason"] == NO_CORE else found)["missing"]
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    which = f" ({', '.join(names[:FEW])}{more})" if names else ""
    return f"lacks the grade {grade}: {found['reason']}{which}"
