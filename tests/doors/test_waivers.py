"""Waivers: reading them, what they do to a verdict, and when they fail a run."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from click.testing import Result

from storelaw import waivers
from storelaw.errors import Misconfigured
from storelaw.verdict import Outcome, Verdict
from storelaw.waivers import Waiver

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
        ("waivers = 7", "needs one list, waivers, and nothing else"),
        ("other = 7", "needs one list, waivers, and nothing else"),
        ("waivers = [7]", "waiver 1 needs exactly these keys: law, reason, link, until"),
        (toml(link=""), "waiver 1 needs exactly these keys"),
        (toml(owner='"me"'), "waiver 1 needs exactly these keys"),
        (toml(reason='" "'), "waiver 1: reason has to be a text that says something"),
        (toml(reason="7"), "waiver 1: reason has to be a text"),
        (toml(until='"soon"'), "waiver 1: until has to be a date"),
        (toml(until="7"), "waiver 1: until has to be a date"),
        (toml(until="2030-01-31T00:00:00Z"), "waiver 1: until has to be a date"),
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


@pytest.mark.parametrize(
    ("outcome", "today", "state"),
    [
        ("broken", date(2030, 1, 31), "used"),
        ("broken", date(2030, 2, 1), "expired"),
        ("held", date(2030, 1, 31), "stale"),
        ("held", date(2030, 2, 1), "expired"),
        ("not evaluated", date(2030, 1, 31), "idle"),
        ("not applicable", date(2030, 2, 1), "expired"),
    ],
)
def test_what_a_waiver_comes_to(outcome: Outcome, today: date, state: str) -> None:
    """A waiver is in force through its last day; only a broken law is waived by it."""
    waiver = Waiver(LAW, "known", LINK, DAY)
    verdict = Verdict(LAW, "order", "MUST", outcome)
    found = waiver.state(verdict, today)
    assert found == state
    waived = waivers.waived(verdict, found, waiver)
    assert waived.outcome == ("waived" if state == "used" else outcome)
    assert bool(waivers.complaint(LAW, waiver.data(found))) == (state in ("stale", "expired"))


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
