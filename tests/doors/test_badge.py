"""Badges: what they say, in which colour, and that the picture is whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import badge, events, release
from storelaw.errors import Misconfigured

from .made import head, law, report

Door = Callable[..., Result]
SPACE = "{http://www.w3.org/2000/svg}"
CHECK = ("check", "shop:Good", "--law", "entries_load_in_append_order", "--effort", "quick")
GREEN, RED, GREY, AMBER = "1a7f37", "b42318", "5b6470", "9a5b00"


def grades(**reached: bool) -> dict[str, Any]:
    """Grades of which these are reached."""
    return {name.replace("_", "-"): {"reached": each} for name, each in reached.items()}


def run(*laws: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A report of one run that has these members."""
    found = report(*laws)
    found["runs"][0] |= more
    return found


@pytest.mark.parametrize(
    ("made", "verdict", "counts", "colour"),
    [
        (run(law()), "conforms", "1 held", GREEN),
        (run(law(), grades=grades(core=True, durable=True)), "core, durable", "1 held", GREEN),
        (run(law(), grades=grades(core=False)), "no grade", "1 held", GREEN),
        (run(law(), grades=grades(core=True, crash_safe=False)), "core", "1 held", GREEN),
        (run(law(), law("b", "broken")), "1 broken", "1 held", RED),
        (run(law(), exit_code=1), "fails", "1 held", RED),
        (run(law(), law("b", "waived")), "conforms", "1 held, 1 waived", GREEN),
        (run(law(verdict="not evaluated")), "nothing is known", "0 held", GREY),
        (
            run(law(), law("b", "not evaluated", fault="medium")),
            "not judged to the end",
            "1 held",
            AMBER,
        ),
    ],
)
def test_a_badge_gives_the_grade_and_the_counts(
    made: dict[str, Any], verdict: str, counts: str, colour: str
) -> None:
    """And the version of the contract, between them; the colour goes by the verdict."""
    told = badge.of(made, made["runs"][0]).endpoint()
    assert storelaw_schemas.problems("harness/badge", told) == ()
    assert told["message"] == f"{verdict} | spec {release.SPEC} | {counts}"
    assert told["color"] == colour
    assert "certified" not in told["message"]


def test_the_picture_says_what_the_endpoint_does(tmp_path: Path) -> None:
    """One file in ASCII that names itself for who can't see it, and needs nothing else."""
    badge.write(run(law(), grades=grades(core=True)), tmp_path / "b.svg")
    text = (tmp_path / "b.svg").read_text(encoding="ascii")
    root = ElementTree.fromstring(text)
    words = f"core | spec {release.SPEC} | 1 held"
    assert (root.tag, root.get("role")) == (f"{SPACE}svg", "img")
    assert root.get("aria-label") == root.findtext(f"{SPACE}title") == f"storelaw: {words}"
    assert [each.text for each in root.iter(f"{SPACE}text")] == ["storelaw", words]
    assert "href" not in text
    assert text.count("http") == 1


def test_the_words_fit_into_the_picture() -> None:
    """Each text is as long as its half is wide, but for the room beside it."""
    root = ElementTree.fromstring(badge.Badge('<"&>' * 9, "#123456").svg())
    widths = [int(str(each.get("width"))) for each in root.iter(f"{SPACE}rect")][1:]
    lengths = [int(str(each.get("textLength"))) for each in root.iter(f"{SPACE}text")]
    assert lengths == [each - badge.ROOM for each in widths]
    assert sum(widths) == int(str(root.get("width")))


def test_a_check_writes_its_badge(storelaw: Door, project: Path) -> None:
    """--badge takes the kind of badge from the file's name."""
    assert storelaw(*CHECK, "--badge", "b.json").exit_code == 0
    told = json.loads((project / "b.json").read_text(encoding="ascii"))
    assert told["message"].split(" | ")[1] == f"spec {release.SPEC}"


def test_a_badge_is_made_of_a_saved_report(storelaw: Door, project: Path) -> None:
    """Of the medium that is named, where the report has several."""
    other = head(manifest={"name": "other"})
    made = events.document([{**head(), "law": law()}, {**other, "law": law(verdict="broken")}])
    (project / "r.json").write_text(json.dumps(made), encoding="ascii")
    result = storelaw("badge", "r.json", "b.json", "--medium", "other")
    assert (result.exit_code, result.output) == (0, "wrote b.json\n")
    assert json.loads((project / "b.json").read_text())["message"].startswith("1 broken | ")
    for arguments, words in (
        ((), "2 runs of the report come into question without --medium; it has: acme, other"),
        (("--medium", "x"), "0 runs of the report come into question for --medium x"),
    ):
        result = storelaw("badge", "r.json", "b.json", *arguments)
        assert result.exit_code == 4
        assert words in result.stderr


def test_another_kind_of_badge_is_refused(storelaw: Door, project: Path) -> None:
    """Before a law is judged."""
    result = storelaw("check", "shop:Good", "--badge", "b.png")
    assert result.exit_code == 4
    assert "the badge 'b.png' has to end in .json (an endpoint) or .svg" in result.stderr
    with pytest.raises(Misconfigured, match="has to end in"):
        badge.write(report(law()), project / "b")
