"""The grades: how many laws each has in each profile, and which."""

from storelaw.release import SPEC
from storelaw.specification.versions import GRADES, frozen
from storelaw_pages.markdown import bulleted, code, folded
from storelaw_pages.names import law_linked


def written(spec: str) -> str:
    """The grades of a version of the specification, of this one for an empty name."""
    version = frozen(spec or SPEC)
    rows = [f"| profile | {' | '.join(GRADES)} |", "| --- |" + " ---: |" * len(GRADES)]
    for profile, grades in version.grades.items():
        counts = " | ".join(str(len(grades[each])) for each in GRADES)
        rows.append(f"| {code(profile)} | {counts} |")
    lists = [
        folded(f"{grade} of {profile}", bulleted(map(law_linked, grades[grade])))
        for profile, grades in version.grades.items()
        for grade in GRADES
        if grades[grade]
    ]
    return f"## The laws of each grade, version {version.spec}\n\n" + "\n".join([*rows, "", *lists])
