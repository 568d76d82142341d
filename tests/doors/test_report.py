"""The report: valid, in ASCII, and never at a loss for a value."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import storelaw_schemas
from storelaw import catalogue, events, release, report, suite
from storelaw.contract import OPTIONS
from storelaw.failures import Failure
from storelaw.manifest import Manifest
from storelaw.media.reference import ReferenceMedium
from storelaw.plugin import EFFORTS, PROPERTY
from storelaw.program import append, load, program
from storelaw.trial import EFFORTS as TRIED
from storelaw.verdict import Evidence, Outcome, Verdict

LAW = "entries_load_in_append_order"


DRAWING = {"kind": "aftermath", "how": "cut", "place": "nowhere", "came": []}


def failure(expected: object, observed: object, picture: str = "") -> Failure:
    """A failure with these sides, and a picture where there is one."""
    entry = {"type": "custom", "kind": "k", "id": "1"}
    return Failure(
        law=LAW,
        claim="Entries come back in the order they were appended.",
        medium="acme",
        program=program(append("s", entry), load("s")),
        expected=expected,
        observed=observed,
        because="an entry is lost",
        index=1,
        picture=picture,
    )


def record(outcome: Outcome, broken: Failure | None = None, **more: Any) -> dict[str, Any]:
    """The record of one law on the reference."""
    law = catalogue.law_of(LAW)
    verdict = Verdict(LAW, "order", "MUST", outcome, evidence=Evidence(2, 3, 1), failure=broken)
    data = report.law_data(law, verdict, more.pop("waiver", None))
    return {**suite.record(data, ReferenceMedium, suite.Terms(target="reference")), **more}


def test_a_report_is_what_its_schema_describes() -> None:
    """Every kind of verdict, with and without a failure or waiver, gives a valid report."""
    waiver = {"reason": "r", "link": "l", "until": "2030-01-31", "state": "used"}
    records = [
        record("held"),
        record("broken", replace(failure([{"id": "1"}], [], "1  + load"), drawing=DRAWING)),
        record("waived", failure([], None), waiver=waiver),
        record("not evaluated"),
    ]
    made = events.document(records)
    assert storelaw_schemas.problems("harness/report", made) == ()
    run = made["runs"][0]
    assert list(run["totals"].values()) == [1, 1, 1, 0, 1]
    assert run["laws"][1]["failure"]["replays"] == {"failed": 3, "of": 3}
    assert run["laws"][1]["failure"]["picture"] == "1  + load"
    assert run["laws"][1]["failure"]["drawing"] == DRAWING
    assert made["hypothesis"] == release.versions()["hypothesis"]


def test_each_medium_and_seed_is_a_run() -> None:
    """Records are grouped by what they were judged on, in order of appearance."""
    made = events.document([record("held"), record("held", seed=7), record("held")])
    assert [(each["seed"], len(each["laws"])) for each in made["runs"]] == [(0, 2), (7, 1)]


def deep(levels: int) -> object:
    """A list nested so deep."""
    value: object = []
    for _ in range(levels):
        value = [value]
    return value


class Strange:
    """No JSON."""

    def __repr__(self) -> str:
        return "a strange \ud800 thing"


@pytest.mark.parametrize(
    "value",
    [
        *(b"bytes", {1: "one"}, (1, 2), {1, 2}, Strange(), math.nan, math.inf, 10**5000),
        *(deep(5_000), {"deep": deep(5_000)}, float, object(), [Strange()]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_no_json_is_described(value: object) -> None:
    """Whatever a store answers, the report can be written, and says what it was."""
    text = report.ascii_json(report.plain(value))
    assert text.isascii()
    assert "$storelaw" in text


def test_json_stays_as_it_is() -> None:
    """JSON values are kept, lone surrogates and NUL included, and survive the file."""
    value = {"s": "\ud800\x00", "n": [1, 1.0, True, None, -0.0], "o": {"": {}}, "b": 2**70}
    kept = report.plain(value)
    assert json.loads(report.ascii_json(kept)) == value
    assert [type(each) for each in kept["n"]] == [int, float, bool, type(None), float]


def test_a_report_is_written_in_ascii(tmp_path: Path) -> None:
    """A failure with a lone surrogate is written, and read back equal."""
    made = events.document([record("broken", failure("\ud800", "?\x00"))])
    report.write(made, tmp_path / "deep" / "report.json")
    text = (tmp_path / "deep" / "report.json").read_bytes().decode("ascii")
    assert json.loads(text) == made


def test_the_words_of_the_plugin_are_the_kits() -> None:
    """The plugin, which imports nothing of ours, names the same efforts and property."""
    assert tuple(TRIED) == EFFORTS
    assert PROPERTY == suite.PROPERTY


def test_the_manifest_schema_is_the_manifest() -> None:
    """The schema lists the fields and options that there are, with their values."""
    properties = storelaw_schemas.schema("harness/manifest")["properties"]
    assert list(properties) == ["storelaw", *Manifest.__dataclass_fields__]
    options = properties["options"]["properties"]
    assert {name: tuple(each["enum"]) for name, each in options.items()} == {
        name: values for name, (values, _) in OPTIONS.items()
    }


def test_the_bundled_manifests_are_valid() -> None:
    """What a manifest says of itself is what the schema describes."""
    whole = Manifest(
        name="acme",
        errors={"Stale": (KeyError, ValueError), "Rejected": "acme:TooLong"},
        equality=frozenset({"times"}),
        key_parts=("project", "session"),
    )
    for each in (ReferenceMedium.manifest, whole):
        assert storelaw_schemas.problems("harness/manifest", each.data()) == ()
