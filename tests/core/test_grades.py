"""Grades: what a run has to show for each, and what keeps it from one."""

from collections.abc import Mapping
from typing import Any

import pytest

from storelaw import grades
from storelaw.errors import Misconfigured
from storelaw.grades import GRADES, graded, lacking
from storelaw.specification.versions import frozen

SETS = frozen("0.1").grades["turns"]
ALL = sorted({name for names in SETS.values() for name in names})
PROMISING = {"durable": True, "crash": "acknowledged"}


def run(
    verdicts: Mapping[str, str] | None = None,
    manifest: Mapping[str, Any] | None = None,
    without: str = "",
) -> Any:
    """A run of every law of the turns profile but one; they held where nothing else is said."""
    found = {**dict.fromkeys(ALL, "held"), **(verdicts or {})}
    laws = [
        {"name": name, "verdict": each, "reason": f"why {each}"}
        for name, each in found.items()
        if name != without
    ]
    said = {"name": "acme", "profile": "turns", **(PROMISING if manifest is None else manifest)}
    made = {"manifest": said, "laws": laws, "spec": "0.1"}
    return {**made, "grades": graded(made)}


def only(grade: str) -> str:
    """A law that counts for this grade alone."""
    others = {name for each, names in SETS.items() if each != grade for name in names}
    return next(name for name in SETS[grade] if name not in others)


def reached(made: Any) -> list[str]:
    """The grades of a run."""
    return [grade for grade, each in made["grades"].items() if each["reached"]]


def test_all_grades_are_reached_where_all_laws_hold() -> None:
    """Then every law of a grade is counted, and none is missing."""
    made = run()
    assert reached(made) == list(GRADES)
    for grade, each in made["grades"].items():
        assert (each["held"], each["of"]) == (len(SETS[grade]), len(SETS[grade]))
        assert (each["missing"], each["reason"]) == ([], "")
        assert lacking(made, grade) == ""


@pytest.mark.parametrize("verdict", ["broken", "waived", "not evaluated"])
def test_a_law_that_did_not_hold_keeps_its_grade_away(verdict: str) -> None:
    """And no other grade, unless it is one of the core."""
    law = only("concurrent")
    made = run({law: verdict})
    assert reached(made) == ["core", "durable", "crash-safe"]
    found = made["grades"]["concurrent"]
    assert (found["missing"], found["reason"]) == ([law], f"1 {verdict}")
    assert found["held"] == found["of"] - 1
    assert lacking(made, "concurrent") == f"lacks the grade concurrent: 1 {verdict} ({law})"


def test_a_law_that_is_not_applicable_does_no_harm() -> None:
    """It is neither counted nor missing."""
    made = run({only("core"): "not applicable"})
    assert reached(made) == list(GRADES)
    assert made["grades"]["core"]["of"] == len(SETS["core"]) - 1


def test_no_grade_is_reached_without_the_core() -> None:
    """Each says so, and whoever asks for one hears which laws of the core are missing."""
    law = only("core")
    made = run({law: "broken"})
    assert reached(made) == []
    assert made["grades"]["concurrent"]["reason"] == "core is not reached"
    words = lacking(made, "concurrent")
    assert words == f"lacks the grade concurrent: core is not reached ({law})"


def test_a_grade_of_which_nothing_applies_is_not_claimed() -> None:
    """The reason is the one that most of its laws give."""
    made = run(dict.fromkeys(SETS["concurrent"], "not applicable"))
    assert reached(made) == ["core", "durable", "crash-safe"]
    reason = made["grades"]["concurrent"]["reason"]
    assert reason == "none of its laws applies: why not applicable"
    assert lacking(made, "concurrent") == f"lacks the grade concurrent: {reason}"


def test_a_grade_that_the_manifest_does_not_promise_is_not_claimed() -> None:
    """However well the laws went; the reason names the field."""
    made = run(manifest={})
    assert reached(made) == ["core", "concurrent"]
    assert made["grades"]["durable"]["reason"] == "the manifest's durable is False"
    assert made["grades"]["crash-safe"]["reason"] == "the manifest's crash is 'none'"


def test_a_narrowed_run_reaches_nothing() -> None:
    """A law that was left out is missing."""
    law = only("core")
    made = run(without=law)
    assert reached(made) == []
    assert made["grades"]["core"]["reason"] == "not all of its laws were tried"
    assert made["grades"]["core"]["missing"] == [law]


def test_few_laws_are_named() -> None:
    """A sentence stays one: behind three laws it counts."""
    made = run(dict.fromkeys(SETS["durable"][:5], "broken"))
    words = lacking(made, "durable")
    named = ", ".join(SETS["durable"][:3])
    assert words == f"lacks the grade durable: 5 broken ({named} and 2 more)"


def test_a_profile_of_others_has_no_grades() -> None:
    """Nothing is frozen for it, so nothing can be reached."""
    made = run(manifest={"profile": "ours"})
    assert reached(made) == []
    reason = made["grades"]["core"]["reason"]
    assert reason == "the profile ours has no laws of this grade"


def test_an_unknown_grade_is_refused() -> None:
    """The error lists the four."""
    assert [grades.checked(each) for each in GRADES] == list(GRADES)
    with pytest.raises(Misconfigured, match="no grade is called 'gold'; known: concurrent, core"):
        grades.checked("gold")
