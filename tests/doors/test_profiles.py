"""A fourth profile: what an installed package has to bring, and that a check then runs on it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

OUTSIDE = '''
from hypothesis import strategies as st

import storelaw
from storelaw.contract import Contract
from storelaw.extensions import called
from storelaw.failures import broken
from storelaw.profiles import Door, Kind, Profile
from storelaw.program import ask, door, program


class Till:
    """The engine behind the door: sums what the rows of a key hold."""

    def __init__(self, opening):
        self.driver, self.handle, self.key = opening.driver, opening.handle, opening.key

    def pay(self, row):
        self.driver.call(self.handle, "put", self.key, row)

    def total(self):
        return sum(each["count"] for each in self.driver.call(self.handle, "rows", self.key))


def smoke(operations):
    return program(door("till", "T", "smoke"), ask("T", "pay", entries=(ROW,), one=True))


def raw(driver, handle, key):
    return driver.call(handle, "rows", key)


ROW = {"type": "turn.input_drained", "turnId": "t1", "count": 2}
LEDGER = Profile(
    name="ledger",
    summary="rows that are summed",
    contract=Contract(create="implicit"),
    doors=(Door("till", "sums of rows", Till),),
    operations=frozenset({"put", "rows"}),
    smoke=smoke,
    raw=raw,
    offers=("put", "rows"),
)


def rows():
    return st.sampled_from((0, 1, 5)).map(lambda count: {**ROW, "count": count})


def paid(*rows):
    pays = (ask("T", "pay", entries=(each,), one=True) for each in rows)
    return program(door("till", "T", "s"), *pays, ask("T", "total"))


@storelaw.law(
    family="sums",
    door="till",
    operations=(),
    acts={"pay", "total"},
    source=["ours"],
    battery=[paid(ROW, ROW)],
    programs=lambda manifest: st.lists(rows(), min_size=1, max_size=4).map(lambda r: paid(*r)),
)
def a_total_is_the_sum_of_the_rows(trace):
    """A total is the sum of all rows that were paid."""
    expected = 0
    for event in trace.of("ask"):
        if event.ok and event.step.name == "pay":
            expected += event.passed[0].get("count", 0)
        elif event.ok and event.value != expected:
            broken(event, expected=expected, observed=event.value, because="rows are summed.")


@storelaw.hookimpl
def storelaw_profiles():
    return [LEDGER]


@storelaw.hookimpl
def storelaw_kinds():
    return {"ledger": [Kind("row", "log/event", rows)]}


@storelaw.hookimpl
def storelaw_media():
    return {"ledger": "ledger_media:Ledger", "leaky": "ledger_media:Leaky"}


@storelaw.hookimpl
def storelaw_laws():
    return [a_total_is_the_sum_of_the_rows]


@storelaw.hookimpl
def storelaw_report_section(report):
    return f"kinds of {sorted(name for each in called('storelaw_kinds') for name in each)}"
'''

MEDIA = """
import storelaw


class Handle:
    def __init__(self, kept):
        self.kept = kept

    def put(self, key, row):
        self.kept.setdefault(key, []).append(dict(row))

    def rows(self, key):
        return [dict(each) for each in self.kept.get(key, [])]


class Ledger(storelaw.Medium):
    manifest = storelaw.Manifest(name="ledger", profile="ledger", doors=frozenset({"till"}))

    def __init__(self, workdir):
        super().__init__(workdir)
        self.kept = {}

    def open(self):
        return Handle(self.kept)


class Forgetful(Handle):
    def rows(self, key):
        return super().rows(key)[-1:]


class Leaky(Ledger):
    manifest = storelaw.Manifest(name="leaky", profile="ledger", doors=frozenset({"till"}))

    def open(self):
        return Forgetful(self.kept)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which the outside package is installed."""
    (tmp_path / "ledger.py").write_text(OUTSIDE, encoding="utf-8")
    (tmp_path / "ledger_media.py").write_text(MEDIA, encoding="utf-8")
    info = tmp_path / "ledger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ledger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[storelaw]\nledger = ledger\n", encoding="ascii")
    return tmp_path


def storelaw(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line, with the package on its path."""
    return subprocess.run(
        [sys.executable, "-m", "storelaw", *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_fourth_profile_is_checked(installed: Path) -> None:
    """A profile, its door, law, kind and medium come from outside, and the medium conforms."""
    run = storelaw(installed, "check", "ledger", "--effort", "quick", "--json", "report.json")

    assert (run.returncode, run.stderr) == (0, "")
    assert "ledger conforms" in run.stdout
    assert "kinds of ['ledger', 'log', 'transcript', 'turns']" in run.stdout
    laws = json.loads((installed / "report.json").read_text(encoding="ascii"))["runs"][0]["laws"]
    assert [(each["name"], each["verdict"]) for each in laws] == [
        ("a_total_is_the_sum_of_the_rows", "held")
    ]
    assert laws[0]["evidence"]["generated"] > 0


@pytest.mark.slow
def test_a_fourth_profile_can_be_broken(installed: Path) -> None:
    """A medium of the profile that loses rows doesn't conform, and is told by which program."""
    run = storelaw(installed, "check", "leaky", "--effort", "quick")

    assert run.returncode == 1
    assert "a_total_is_the_sum_of_the_rows" in run.stdout
    assert "rows are summed." in run.stdout


def test_the_laws_of_a_fourth_profile_are_listed(installed: Path) -> None:
    """``storelaw laws --profile`` gives the outside law, and no law of another door."""
    run = storelaw(installed, "laws", "--profile", "ledger")

    assert (run.returncode, run.stderr) == (0, "")
    assert "a_total_is_the_sum_of_the_rows" in run.stdout
    assert "entries_load_in_append_order" not in run.stdout
