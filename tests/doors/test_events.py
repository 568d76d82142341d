"""The stream of events: what a check tells as it goes, and the report that it comes to."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import events, saved
from storelaw.errors import Misconfigured

from .made import LAW, head, law

Door = Callable[..., Result]


def streamed(*records: dict[str, Any], ended: bool = True) -> list[str]:
    """The lines of a stream with these laws of one medium."""
    text = io.StringIO()
    stream = events.Stream(events.lines_to(text))
    stream.began(head(), {"order": 2})
    for each in records:
        stream.judged({**head(), "law": each})
    if ended:
        stream.ended()
    return text.getvalue().splitlines(keepends=True)


def test_a_check_writes_its_events_as_it_goes(storelaw: Door, project: Path) -> None:
    """--events has a valid line for the plan, for each law and for the end, in ASCII."""
    result = storelaw(
        *("check", "shop:Backwards", "--law", "order", "--effort", "quick"),
        *("--events", "out/e.ndjson", "--json", "report.json"),
    )
    lines = (project / "out/e.ndjson").read_text(encoding="ascii").splitlines()
    told = [json.loads(each) for each in lines]
    kinds = [each["event"] for each in told]
    assert result.exit_code == 1
    assert [storelaw_schemas.problems("harness/event", each) for each in told] == [()] * len(told)
    assert kinds == ["begin", *["law"] * (len(told) - 2), "end"]
    assert told[0]["planned"] == {"order": len(told) - 2}
    written = json.loads((project / "report.json").read_text(encoding="ascii"))
    assert storelaw_schemas.problems("harness/report", written) == ()
    assert saved.read(project / "out/e.ndjson") == written


def test_a_line_is_there_as_soon_as_its_law_is_judged() -> None:
    """Nothing waits for the end: what is written so far can be read at any time."""
    text = io.StringIO()
    stream = events.Stream(events.lines_to(text))
    stream.began(head(), {"order": 1})
    stream.judged({**head(), "law": law()})
    assert [json.loads(each)["event"] for each in text.getvalue().splitlines()] == ["begin", "law"]
    assert stream.report()["runs"][0]["laws"] == [law()]


def test_the_document_is_the_fold_of_the_events() -> None:
    """What the lines come to is what the stream itself came to."""
    records = [law(), law("other", "broken")]
    lines = streamed(*records)
    made = events.document({**head(), "law": each} for each in records)
    (run,) = saved.folded(lines)["runs"]
    assert run.pop("planned") == {"order": 2}
    assert [run] == made["runs"]


@pytest.mark.parametrize(("verdict", "code"), [("held", 3), ("broken", 1)])
def test_a_stream_without_an_end_says_so(verdict: str, code: int) -> None:
    """A cut run is broken where a law is, and else was not judged to the end."""
    report = saved.folded(streamed(law(verdict=verdict), ended=False))
    assert storelaw_schemas.problems("harness/report", report) == ()
    (run,) = report["runs"]
    assert (run["ended"], run["exit_code"], run["totals"][verdict]) == (False, code, 1)


def test_a_last_line_that_was_cut_does_not_count() -> None:
    """Whatever letter the writer was stopped at, what came before is read."""
    lines = streamed(law(), law("other"), ended=False)
    whole = saved.folded(lines[:2])
    for length in range(1, len(lines[2]) - 1, 20):
        assert saved.folded([*lines[:2], lines[2][:length]]) == whole
    assert len(saved.folded([*lines[:2], lines[2][:-1]])["runs"][0]["laws"]) == 2


def test_a_law_that_is_told_twice_counts_once() -> None:
    """The later verdict stands, at the place of the first."""
    stream = events.Stream()
    for each in (law(verdict="broken"), law("other"), law()):
        stream.judged({**head(), "law": each}, index=int(each["name"] != LAW))
    stream.ended()
    (run,) = stream.report()["runs"]
    assert [(each["name"], each["verdict"]) for each in run["laws"]] == [
        (LAW, "held"),
        ("other", "held"),
    ]


def test_several_media_share_a_stream() -> None:
    """Each has a run of its own, however their laws take turns."""
    records = [{**head(seed=seed), "law": law(name)} for name in "ab" for seed in (1, 2)]
    runs = events.document(records)["runs"]
    assert [(run["seed"], [each["name"] for each in run["laws"]]) for run in runs] == [
        (1, ["a", "b"]),
        (2, ["a", "b"]),
    ]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["{\n"], "line 1 is no JSON"),
        (["[" * 100_000 + "\n"], "line 1 is no JSON"),
        (["7\n"], "line 1 is no event: \\$: is of type integer"),
        (['{"event": "stop", "run": 1}\n'], "line 1 is no event"),
        (['{"event": "begin", "run": 1, "storelaw": 2}\n'], "has version 2 of the format event"),
        (["\n", streamed(law())[1]], "line 2: its run has not begun"),
    ],
    ids=["cut", "deep", "number", "unknown", "newer", "early"],
)
def test_what_is_no_stream_is_refused(lines: list[str], words: str) -> None:
    """With the line, and what is wrong with it."""
    with pytest.raises(Misconfigured, match=words):
        saved.folded(lines)


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    """A file that can't be read, that is no JSON, or that is something else, is told by name."""
    file = tmp_path / "x.json"
    for content, words in (
        (None, "can't read"),
        (b"\xff", "can't read"),
        (b"{", "is no JSON"),
        (b"", "is no JSON"),
        (b"[]", "is no report: \\$: is of type array"),
        (b'{"runs": []}', 'is no report: \\$: lacks "storelaw"'),
        (b'{"storelaw": 9, "runs": []}', "has version 9 of the format report"),
    ):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(Misconfigured, match=words):
            saved.read(file)


def test_events_and_reports_go_to_standard_output(storelaw: Door, project: Path) -> None:
    """With - the stream or the report is all that stands there; the summary goes elsewhere."""
    arguments = ("check", "shop:Good", "--law", LAW, "--effort", "quick")
    as_json = storelaw(*arguments, "--json", "-")
    (run,) = json.loads(as_json.stdout)["runs"]
    assert run["laws"][0]["name"] == LAW
    assert as_json.stderr.endswith("good conforms\n")
    told = storelaw(*arguments, "--events", "-")
    assert saved.folded(told.stdout.splitlines(keepends=True))["runs"][0]["exit_code"] == 0


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (("--events", "-", "--json", "-"), "--json and --events can't go to standard output (-)"),
        (("--junit", "-"), "--junit can't go to standard output (-)"),
    ],
)
def test_only_one_thing_goes_to_standard_output(
    storelaw: Door, project: Path, files: tuple[str, ...], words: str
) -> None:
    """What would be mixed, or written into a file of that name, is refused."""
    result = storelaw("check", "shop:Good", *files)
    assert result.exit_code == 4
    assert words in result.stderr


def test_a_file_that_cant_be_written_is_told(storelaw: Door, project: Path) -> None:
    """Before a law is judged, with the name of the file."""
    result = storelaw("check", "shop:Good", "--law", LAW, "--events", "shop.py/e.ndjson")
    assert result.exit_code == 4
    assert "configuration: can't write shop.py/e.ndjson" in result.stderr


def test_an_interrupted_check_leaves_its_events(
    storelaw: Door, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged can be read, as a run that was cut short."""
    monkeypatch.setattr(pytest, "main", lambda *_, **__: pytest.ExitCode.INTERRUPTED)
    result = storelaw("check", "shop:Good", "--law", "order", "--events", "e.ndjson")
    assert result.exit_code == 130
    (run,) = saved.read(project / "e.ndjson")["runs"]
    assert (run["ended"], run["exit_code"], run["laws"]) == (False, 3, [])


def test_the_standard_output_stays_open(capsys: pytest.CaptureFixture[str]) -> None:
    """The name - stands for it, and it isn't closed."""
    from storelaw import sinks

    sinks.written("text", sinks.STDOUT)
    assert capsys.readouterr().out == "text"
    assert not sys.stdout.closed
