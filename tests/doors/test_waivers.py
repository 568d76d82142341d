"""Waivers: reading them, what they do to a verdict, and when they fail a run."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from click.testing import Result

from storelaw import suite, waivers
from storelaw.errors import Misconfigured
from storelaw.failures import Failure
from storelaw.media.reference import ReferenceMedium
from storelaw.program import load, program
from storelaw.verdict import OFFENCES, Outcome, Verdict
from storelaw.waivers import Kind, Waiver

Door = Callable[..., Result]
LAW = "entries_load_in_append_order"
LINK = "https://example.org/1"
DAY = date(2030, 1, 31)
AS_JSON = {"law": LAW, "reason": "known", "link": LINK, "until": "2030-01-31"}


def toml(law: str = LAW, **changes: str) -> str:
    """One waiver as TOML; values are written as they are given."""
    table = {"law": f'"{law}"', "reason": '"known"', "link": f'"{LINK}"', "until": "2030-01-31"}
    lines = [f"{key} = {value}" for key, value in {**table, **changes}.items() if value]
    return "\n".join(["[[waivers]]", *lines, ""])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("waivers.toml", toml()),
        ("waivers.toml", toml(until='"2030-01-31"')),
        ("waivers.toml", toml(law=f"order/{LAW}")),
        (
            "waivers.json",
            json.dumps({"waivers": [AS_JSON]}),
        ),
    ],
)
def test_waivers_are_read(tmp_path: Path, name: str, text: str) -> None:
    """TOML and JSON say the same, with a date or its text, by the law's name or title."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert waivers.read(file) == {LAW: Waiver(LAW, "known", LINK, DAY)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("waivers = 7", "waivers.toml needs a list, waivers: one table [[waivers]] for each"),
        ("other = 7", "needs a list, waivers"),
        ("waivers = []\nother = 7", "Additional properties are not allowed ('other' was"),
        ("waivers = [7]", "$.waivers[0]: is of type integer, not object"),
        ("waivers = [{}]", "waiver 1 lacks law; fill in the name of the law"),
        (toml(link=""), f"waiver 1 ({LAW}) lacks link; fill in where the repair is followed"),
        (toml(owner='"me"'), f"waiver 1 ({LAW}) has the unknown key 'owner'; there are: law,"),
        (toml(reason='""'), f"({LAW}): reason is empty; fill in why the law may be broken"),
        (toml(reason='" "'), ': reason is " "; fill in why the law may be broken'),
        (toml(reason="7"), ": reason is 7; fill in why"),
        (toml(kind='"rare"'), ': kind is "rare"; fill in broken (what is meant where nothing'),
        (toml(until='"soon"'), ': until is "soon"; fill in the last day'),
        (toml(until="7"), ": until is 7; fill in the last day of the waiver, such as 2030-01-31"),
        (toml(until="2030-01-31T00:00:00Z"), ': until is "2030-01-31 00:00:00+00:00"; fill in'),
        ("storelaw = 2\n" + toml(), "has version 2 of the format waivers; storelaw "),
        (toml(law="entries_load_in_apend_order"), "no law is called"),
        (toml() + toml(), f"waives {LAW} twice"),
        ("waivers = [", "can't read waivers from"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """The message names the file or the waiver, and what is wrong with it."""
    file = tmp_path / "waivers.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured) as caught:
        waivers.read(file)
    assert words in str(caught.value)


def failure(failed: int) -> Failure:
    """A failure that so many of three replays showed again."""
    return Failure(
        law=LAW,
        claim="Entries come back.",
        medium="acme",
        program=program(load("s")),
        expected=[],
        observed=None,
        because="they are lost",
        index=0,
        replays=(failed, 3),
    )


ON, AFTER = DAY, date(2030, 2, 1)


@pytest.mark.parametrize(
    ("kind", "outcome", "failed", "today", "state"),
    [
        ("broken", "broken", 3, ON, "used"),
        ("broken", "broken", 1, ON, "used"),
        ("broken", "broken", 3, AFTER, "expired"),
        ("broken", "held", 0, ON, "stale"),
        ("broken", "held", 0, AFTER, "expired"),
        ("broken", "not evaluated", 0, ON, "unused"),
        ("broken", "not applicable", 0, ON, "unused"),
        ("broken", "not applicable", 0, AFTER, "expired"),
        ("flaky", "broken", 3, ON, "exceeded"),
        ("flaky", "broken", 2, ON, "used"),
        ("flaky", "broken", 0, ON, "used"),
        ("flaky", "held", 0, ON, "idle"),
        ("flaky", "held", 0, AFTER, "expired"),
        ("flaky", "not applicable", 0, ON, "unused"),
    ],
)
def test_what_a_waiver_comes_to(
    kind: Kind, outcome: Outcome, failed: int, today: date, state: str
) -> None:
    """A waiver is in force through its last day, for a law that breaks as its kind says."""
    waiver = Waiver(LAW, "known", LINK, DAY, kind)
    broke = failure(failed) if outcome == "broken" else None
    verdict = Verdict(LAW, "order", "MUST", outcome, failure=broke)
    found = waiver.state(verdict, today)
    assert found == state
    waived = waivers.waived(verdict, found, waiver)
    assert waived.outcome == ("waived" if state == "used" else outcome)
    assert bool(waivers.complaint(LAW, waiver.data(found))) == (state in OFFENCES)


def test_a_law_that_a_fault_stopped_says_nothing_of_its_waiver() -> None:
    """The run ends by the fault, and the waiver stays."""
    verdict = Verdict(LAW, "order", "MUST", "not evaluated", fault="medium")
    assert Waiver(LAW, "known", LINK, DAY).state(verdict, DAY) == "idle"


@pytest.mark.parametrize(
    ("target", "today", "code", "words"),
    [
        (
            "shop:Backwards",
            "2030-01-31",
            0,
            f"waived          until 2030-01-31: {LAW}: known ({LINK})",
        ),
        ("shop:Backwards", "2030-02-01", 1, f"expired waiver: the waiver of {LAW} ended on"),
        ("shop:Good", "2030-01-31", 1, f"stale waiver: {LAW} holds; take its waiver out"),
        ("shop:Good", "2030-02-01", 1, "expired waiver"),
        ("shop:Down", "2030-01-31", 3, "medium: down raised in open()"),
    ],
)
def test_a_check_under_a_waiver(
    storelaw: Door, project: Path, target: str, today: str, code: int, words: str
) -> None:
    """A waiver in force keeps a broken law from failing; a stale or expired one fails the run."""
    (project / "waivers.toml").write_text(toml(), encoding="utf-8")
    arguments = ["check", target, "--law", LAW, "--effort", "quick", "--today", today]
    result = storelaw(*arguments, "--waivers", "waivers.toml")
    assert result.exit_code == code
    assert words in result.output


OTHER = "a_batch_loads_in_its_own_order"
VIEW = "calls_and_results_stay_together_in_the_model_view"


def test_a_waiver_of_a_law_that_is_never_held_fails_a_whole_run(
    storelaw: Door, project: Path
) -> None:
    """A project that holds some laws is told of a waiver for another; a narrowed run is not."""
    (project / "waivers.toml").write_text(toml(), encoding="utf-8")
    (project / "pyproject.toml").write_text(
        f'[tool.storelaw]\nlaw = ["{OTHER}"]\nwaivers = "waivers.toml"\n', encoding="utf-8"
    )
    arguments = ("check", "shop:Good", "--effort", "quick")
    result = storelaw(*arguments, "--json", "report.json")
    assert result.exit_code == 1
    assert f"unused waiver: {LAW} is none of the laws that this store is" in result.output
    run = json.loads((project / "report.json").read_text(encoding="ascii"))["runs"][0]
    assert (run["unheld"], run["exit_code"]) == ([LAW], 1)
    assert storelaw(*arguments, "--law", OTHER).exit_code == 0


def test_a_waiver_of_a_law_that_was_not_judged_fails_the_run(storelaw: Door, project: Path) -> None:
    """There is nothing to waive where a law isn't applicable."""
    (project / "waivers.toml").write_text(toml(VIEW), encoding="utf-8")
    arguments = ("check", "shop:Good", "--law", VIEW, "--law", OTHER, "--effort", "quick")
    result = storelaw(*arguments, "--waivers", "waivers.toml", "--today", "2030-01-31")
    assert result.exit_code == 1
    assert f"unused waiver: {VIEW} was not judged on this store; take" in result.output


def test_a_test_refuses_a_waiver_of_a_law_that_it_never_holds(project: Path) -> None:
    """laws() names the file and the law at once; with select it holds a part and says nothing."""
    file = project / "waivers.toml"
    file.write_text(toml("a_missing_entry_is_no_error"), encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"toml waives .*none of the laws that this"):
        suite.laws(ReferenceMedium, waivers=file)
    assert callable(suite.laws(ReferenceMedium, select="order", waivers=file))


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (["--reason", 'a \\ and "\u00e9"\x7f', "--link", LINK], 0),
        (["--reason", "known", "--link", LINK, "--flaky"], 0),
        ([], 4),
    ],
)
def test_a_waiver_is_written_for_its_author(
    storelaw: Door, project: Path, given: list[str], written: int
) -> None:
    """What waive writes is read as it was meant; a stub is refused with what to fill in."""
    result = storelaw("waive", f"order/{LAW}", "--until", "2999-01-31", *given)
    assert (result.exit_code, result.output.splitlines()[0]) == (
        0,
        f"waivers.toml waives {LAW} until 2999-01-31",
    )
    arguments = ("check", "shop:Backwards", "--law", LAW, "--effort", "quick")
    checked = storelaw(*arguments, "--waivers", "waivers.toml")
    if written:
        assert checked.exit_code == written
        assert f"waiver 1 ({LAW}): reason is empty; fill in why the law" in checked.stderr
        assert "fill in its reason and link; a check refuses" in result.output
    else:
        found = waivers.read(project / "waivers.toml")[LAW]
        assert (found.reason, found.link, found.until) == (given[1], LINK, date(2999, 1, 31))
        assert (found.kind == "flaky") == ("--flaky" in given) == (checked.exit_code == 1)


def test_what_was_in_the_file_stays(storelaw: Door, project: Path) -> None:
    """Comments, other waivers and line ends are kept, a second waiver of a law is refused."""
    before = f"# ours\r\n{toml()}# the end".encode()
    (project / "known.toml").write_bytes(before)
    (project / "pyproject.toml").write_text(
        '[tool.storelaw]\nwaivers = "known.toml"\n', encoding="utf-8"
    )
    assert storelaw("waive", OTHER, "--reason", "r", "--link", LINK).exit_code == 0
    after = (project / "known.toml").read_bytes()
    assert after.startswith(before)
    assert list(waivers.read(project / "known.toml")) == [LAW, OTHER]
    again = storelaw("waive", LAW)
    assert again.exit_code == 4
    assert f"known.toml waives {LAW} already" in again.stderr
    assert (project / "known.toml").read_bytes() == after


@pytest.mark.parametrize(
    ("name", "before", "given", "words"),
    [
        ("x.json", '{"waivers": []}', [], "x.json is no .toml file; waivers are added to TOML"),
        ("x.toml", "waivers = []", [], "can't take another table [[waivers]]; write it by hand"),
        ("x.toml", "waivers = [", [], "can't read waivers from x.toml"),
        ("x.toml", "", ["--until", "soon"], "--until 'soon' is no date"),
        ("x.toml", "", ["--until", "2000-01-01"], "--until 2000-01-01 is past; today is "),
        ("x.toml", "", ["--reason", "\udc80"], "can't take another table"),
    ],
)
def test_a_file_that_can_take_no_waiver_is_left_alone(
    storelaw: Door, project: Path, name: str, before: str, given: list[str], words: str
) -> None:
    """The message says what to do instead, and not a byte of the file changes."""
    (project / name).write_text(before, encoding="utf-8")
    result = storelaw("waive", LAW, "--file", name, *given)
    assert result.exit_code == 4
    assert words in result.stderr
    assert (project / name).read_text(encoding="utf-8") == before


def test_a_file_that_cant_be_written_is_told(storelaw: Door, project: Path) -> None:
    """A folder that isn't there is no traceback."""
    result = storelaw("waive", LAW, "--file", "nowhere/waivers.toml")
    assert result.exit_code == 4
    assert "can't write nowhere" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (toml(), "valid"),
        (toml(reason='""'), '$.waivers[0].reason: is "", which says nothing'),
        ("waivers = [", "is not TOML: "),
    ],
)
def test_a_file_of_waivers_is_checked_by_its_schema(
    storelaw: Door, project: Path, text: str, said: str
) -> None:
    """schema --check knows the file, as TOML too."""
    (project / "waivers.toml").write_text(text, encoding="utf-8")
    result = storelaw("schema", "--check", "waivers.toml")
    assert result.exit_code == (0 if said == "valid" else 1)
    assert result.output.startswith(f"waivers.toml: {said}")
