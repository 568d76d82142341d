"""``storelaw diff``: what it calls better, worse, new and gone, and what fails."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import comparison, events, saved
from storelaw.comparison import Change, compared

from .made import failure, head, law, report

Door = Callable[..., Result]
Snapshot = Callable[[str, str], None]

#: What becomes of a law with one verdict that has another one later: the kind, and whether it fails.
BECOMES = [
    ("held", "held", None, False),
    ("held", "broken", "worse", True),
    ("held", "waived", "newly waived", False),
    ("held", "not applicable", "no longer applicable", False),
    ("held", "not evaluated", "no longer evaluated", True),
    ("held", "", "gone law", False),
    ("broken", "held", "better", False),
    ("broken", "broken", None, False),
    ("broken", "waived", "newly waived", False),
    ("broken", "not evaluated", "no longer evaluated", True),
    ("waived", "held", "better", False),
    ("waived", "broken", "no longer waived", True),
    ("waived", "not evaluated", "no longer evaluated", True),
    ("not evaluated", "held", "newly evaluated", False),
    ("not evaluated", "broken", "newly evaluated", True),
    ("not applicable", "waived", "newly waived", False),
    ("not applicable", "not evaluated", None, False),
    ("not evaluated", "", "gone law", False),
    ("", "held", "new law", False),
    ("", "broken", "new law", False),
]


def one(verdict: str, **more: Any) -> dict[str, Any]:
    """A report whose medium has a law with this verdict, beside another one that holds."""
    laws = [law("other"), *([law("it", verdict)] if verdict else [])]
    return report(*laws, **more)


@pytest.mark.parametrize(("before", "after", "kind", "failing"), BECOMES)
def test_each_change_of_verdict_has_a_kind(
    before: str, after: str, kind: str | None, failing: bool
) -> None:
    """And fails where a law broke, or where what was known of it no longer is."""
    found = compared(one(before), one(after))
    assert [(each.kind, each.name) for each in found.changes] == (
        [(kind, "order/it")] if kind else []
    )
    assert found.worse is failing


def cut(made: dict[str, Any]) -> dict[str, Any]:
    """The same report of a run that was cut short."""
    return {**made, "runs": [{**each, "ended": False} for each in made["runs"]]}


def test_what_a_cut_run_did_not_reach_is_no_longer_evaluated() -> None:
    """A law that is missing there is not gone, and one that was never judged is no change."""
    (change,) = compared(one("held"), cut(one(""))).changes
    assert (change.kind, change.failing) == ("no longer evaluated", True)
    assert compared(one("not applicable"), cut(one(""))).changes == ()


def test_what_is_not_scored_is_left_out() -> None:
    """A law of a later version than the one asked for is neither worse nor new."""
    later = report(law("other"), law("it", "broken", scored=False))
    assert compared(one(""), later).changes == ()


def graded(**reached: bool) -> dict[str, Any]:
    """A report with these grades."""
    made = one("held")
    made["runs"][0]["grades"] = {
        name: {"reached": each, "held": 1, "of": 2, "missing": ["it"], "reason": ""}
        for name, each in reached.items()
    }
    return made


def test_grades_are_gained_and_lost() -> None:
    """A lost grade fails, with what is missing; one that only one report knows is no change."""
    before = graded(core=True, durable=False, same=True)
    after = graded(core=False, durable=True, same=True, other=True)
    assert compared(before, after).changes == (
        Change("grade lost", "acme", "core", why="missing: it"),
        Change("grade gained", "acme", "durable"),
    )
    assert compared(one("held"), after).changes == ()


def many(*heads: dict[str, Any]) -> dict[str, Any]:
    """A report of several media."""
    return events.document({**each, "law": law()} for each in heads)


def named(name: str, target: str) -> dict[str, Any]:
    """A medium."""
    return head(manifest={"name": name}, target=target)


def test_media_are_matched_by_name_and_target() -> None:
    """By the name alone where the target is another one; what is left is new or gone."""
    before = many(named("a", "x:A"), named("a", "y:A"), named("b", "x:B"))
    after = many(named("a", "y:A"), named("a", "z:A"), named("c", "x:C"))
    found = compared(before, after)
    assert [(each.kind, each.name) for each in found.changes] == [
        ("medium gone", "b"),
        ("new medium", "c"),
    ]
    assert [(each.name, each.before, each.after) for each in found.terms] == [
        ("target", "x:A", "z:A")
    ]
    assert found.worse


def test_a_law_that_was_judged_twice_counts_as_broken() -> None:
    """Where one item of a session broke and another held, the law is broken."""
    twice = report(law("it"), law("it", "broken"), law("it"))
    assert [each.kind for each in compared(report(law("it")), twice).changes] == ["worse"]


def old_and_new() -> tuple[dict[str, Any], dict[str, Any]]:
    """Two reports between which everything happened."""
    old = [law(f"it_{number}", each[0]) for number, each in enumerate(BECOMES) if each[0]]
    new = [law(f"it_{number}", each[1]) for number, each in enumerate(BECOMES) if each[1]]
    before = events.document(
        [*({**head(), "law": each} for each in old), {**named("b", "x:B"), "law": law()}]
    )
    changed = {**new[1], "failure": failure("what was last is lost \ud800")}
    after = events.document(
        [
            *({**head(effort="deep"), "law": each} for each in [new[0], changed, *new[2:]]),
            {**named("c", "x:C"), "law": law()},
        ]
    )
    before["runs"][0] |= {"grades": graded(core=True, durable=False)["runs"][0]["grades"]}
    after["runs"][0] |= {"grades": graded(core=False, durable=True)["runs"][0]["grades"]}
    return before, {**after, "kit": "9.9.9"}


def test_a_comparison_reads_well(matches: Snapshot) -> None:
    """The terms, each kind of change with its laws, and what it comes to, in ASCII."""
    before, after = old_and_new()
    text = "\n".join(comparison.told(compared({**before, "kit": "0.1.0"}, after))) + "\n"
    assert text.isascii()
    matches("diff", text)


def written(project: Path, **reports: dict[str, Any]) -> None:
    """Write reports, each under its name."""
    for name, made in reports.items():
        (project / f"{name}.json").write_text(json.dumps(made), encoding="ascii")


def test_a_comparison_as_json(storelaw: Door, project: Path) -> None:
    """--json gives the same changes, as the schema has them."""
    before, after = old_and_new()
    written(project, old=before, new=after)
    result = storelaw("diff", "old.json", "new.json", "--json")
    told = json.loads(result.output)
    assert result.exit_code == 1
    assert storelaw_schemas.problems("harness/diff", told) == ()
    found = compared(saved.read(project / "old.json"), saved.read(project / "new.json"))
    assert told == found.data()
    kinds = [each["kind"] for each in told["changes"]]
    assert list(dict.fromkeys(kinds)) == list(comparison.KINDS)


def test_nothing_worse_ends_with_0(storelaw: Door, project: Path) -> None:
    """Two equal reports have no change, and a better one is no failure."""
    written(project, old=one("broken"), new=one("held"))
    assert storelaw("diff", "old.json", "new.json").output == (
        "better (1)\n    acme: order/it: broken -> held\n\n1 better: nothing got worse\n"
    )
    same = storelaw("diff", "old.json", "old.json")
    assert (same.exit_code, same.output) == (0, "no change: nothing got worse\n")


def test_a_report_is_compared_with_events(storelaw: Door, project: Path) -> None:
    """OLD and NEW may each be either."""
    run = ("check", "shop:Backwards", "--law", "order", "--effort", "quick")
    storelaw(*run, "--json", "new.json", "--events", "new.ndjson")
    assert storelaw("diff", "new.json", "new.ndjson").exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "is no JSON"), ('{"storelaw": 2}', "has version 2 of the format report")],
)
def test_what_cant_be_compared_ends_with_4(
    storelaw: Door, project: Path, text: str, words: str
) -> None:
    """A file that is no report, or one of a newer kit, is told by name."""
    written(project, old=one("held"))
    (project / "new.json").write_text(text, encoding="ascii")
    result = storelaw("diff", "old.json", "new.json")
    assert result.exit_code == 4
    assert result.stderr.startswith("configuration: new.json ")
    assert words in result.stderr
