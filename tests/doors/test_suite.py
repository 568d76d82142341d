"""``storelaw.laws()``: an ordinary parametrised pytest test."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import storelaw
from storelaw import catalogue, events, plugin, saved, suite
from storelaw.failures import LawBroken
from storelaw.media.reference import ReferenceMedium
from storelaw.verdict import Verdict

LAW = "entries_load_in_append_order"
ITEM = f"order/{LAW}"
Run = Callable[..., "Ran"]


class Ran:
    """A pytest run of an adopter's tests: its code, its reports, its output."""

    def __init__(self) -> None:
        self.code = -1
        self.reports: list[pytest.TestReport] = []
        self.output = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of each item's call."""
        if report.when == "call":
            self.reports.append(report)

    @property
    def record(self) -> dict[str, Any]:
        """The record of the last item."""
        value: dict[str, Any] = json.loads(self.reports[-1].storelaw)
        return value


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a test module of an adopter, in this process, with no plugin but ours."""

    def running(text: str, *options: str, plugin: bool = True) -> Ran:
        catalogue.importable(project)
        file = project / "test_shop.py"
        file.write_text(f"import pytest\nimport storelaw\nimport shop\n{text}\n", encoding="utf-8")
        sys.modules.pop("test_shop", None)
        (project / "empty.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="ascii")
        fixed = [f"-c{project / 'empty.ini'}", f"--rootdir={project}", "--import-mode=importlib"]
        fixed += ["--disable-plugin-autoload", "-pno:cacheprovider", "-pno:faulthandler"]
        fixed += ["-pno:unraisableexception", "-pno:threadexception", "--assert=plain"]
        ran = Ran()
        chosen = ["-pstorelaw"] if plugin else []
        named = [each for each in options if each.startswith("test_shop.py")]
        others = [each for each in options if each not in named]
        ran.code = pytest.main([*fixed, *chosen, *others, *(named or [str(file)])], plugins=[ran])
        ran.output = capsys.readouterr().out
        return ran

    return running


def test_a_law_that_holds_passes(run: Run) -> None:
    """One item for each law with its family and name as id; the summary counts five verdicts."""
    ran = run("test_good = storelaw.laws(shop.Good, select='order')")
    ids = [each.nodeid for each in ran.reports]
    assert ran.code == 0
    assert f"test_shop.py::test_good[{ITEM}]" in ids
    assert len(ids) == sum(each.family == "order" for each in catalogue.all_laws())
    assert "good: " in ran.output
    assert ", 0 waived, " in ran.output


def test_a_broken_law_fails_with_its_text_alone(run: Run) -> None:
    """The item fails; what is shown is the failure's text, without a line of this kit."""
    ran = run(f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}')")
    shown = ran.reports[0].longreprtext
    assert ran.code == 1
    assert shown.splitlines()[0].endswith(f"backwards broke a law: {LAW}")
    assert "suite.py" not in shown
    assert "rerun     storelaw check shop:Backwards" in shown


def test_a_broken_law_is_an_assertion_with_fields(project: Path) -> None:
    """What an item raises is an AssertionError that carries the failure."""
    catalogue.importable(project)
    medium = catalogue.medium_of("shop:Backwards")
    node: Any = type("Node", (), {"user_properties": []})()
    with pytest.raises(AssertionError) as caught:
        suite.judged(node, catalogue.law_of(LAW), medium, suite.Terms())
    assert isinstance(caught.value, LawBroken)
    error: Any = caught.value
    assert error.failure.law == LAW
    assert error.msg == str(error)


def test_a_law_out_of_reach_is_skipped_with_the_reason(run: Run) -> None:
    """Not applicable and not evaluated skip, and say why."""
    views = next(each.name for each in catalogue.all_laws() if each.door == "views")
    ran = run(f"test_good = storelaw.laws(shop.Good, select=['{views}', '{LAW}'])", "-rs")
    assert ran.code == 0
    assert "not applicable: the medium brings no views door" in ran.output


def test_a_medium_at_fault_fails(run: Run) -> None:
    """A medium that can't be driven is no skip: its items fail with what it did."""
    ran = run(f"test_down = storelaw.laws(shop.Down, select='{LAW}')")
    assert ran.code == 1
    words = "medium: down raised in open(): OSError: no server"
    assert words in ran.reports[0].longreprtext


def test_a_fixture_gives_the_medium(run: Run) -> None:
    """With the name of a fixture the medium class comes from that fixture."""
    ran = run(
        "@pytest.fixture\ndef medium():\n    return shop.Good\n"
        f"test_good = storelaw.laws('medium', select='{LAW}')"
    )
    assert ran.code == 0
    assert ran.record["target"] == "shop:Good"


def test_a_fixture_that_gives_no_medium_is_told(run: Run) -> None:
    """What a fixture gives is checked when it is known."""
    ran = run(
        "@pytest.fixture\ndef medium():\n    return 7\n"
        f"test_good = storelaw.laws('medium', select='{LAW}')"
    )
    assert ran.code == 1
    assert "configuration: medium is 7, no medium" in ran.output


def test_each_call_gives_a_fresh_function() -> None:
    """Two suites in one module are two functions."""
    first, second = (storelaw.laws(ReferenceMedium, select=LAW) for _ in range(2))
    assert first is not second


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"medium": 7}, "7 is 7, no medium"),
        ({"medium": ReferenceMedium, "effort": "huge"}, "no effort is called 'huge'"),
        (
            {"medium": ReferenceMedium, "profile": "turns"},
            "is a medium of the profile 'transcript'",
        ),
        ({"medium": ReferenceMedium, "select": "nothing"}, "no law or family is called 'nothing'"),
        ({"medium": ReferenceMedium, "vectors": "none"}, "there is no folder none"),
        ({"medium": ReferenceMedium, "waivers": "none"}, "can't read waivers from none"),
    ],
)
def test_what_cant_mean_anything_is_refused(arguments: dict[str, Any], words: str) -> None:
    """laws() refuses at once, with what was wrong."""
    with pytest.raises(storelaw.Misconfigured, match=words):
        storelaw.laws(**arguments)


def test_the_options_go_before_the_arguments(run: Run) -> None:
    """The command line's effort and seed are those that are used, and stand in the header."""
    text = f"test_good = storelaw.laws(shop.Good, select='{LAW}', effort='battery')"
    record = run(text, "--storelaw-effort=quick", "--storelaw-seed=9").record
    assert (record["effort"], record["seed"]) == ("quick", 9)
    ran = run(text)
    assert (ran.record["effort"], ran.record["seed"]) == ("battery", 0)
    assert f"storelaw: {storelaw.__version__}, effort quick, seed 0" in ran.output


def test_a_deep_run_has_a_seed_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep draws a seed, the same one for the header and for the items."""
    monkeypatch.setattr("os.urandom", lambda count: b"\x00" * (count - 1) + b"\x2a")
    fixed = next(each.name for each in catalogue.all_laws() if each.programs is None)
    ran = run(f"test_good = storelaw.laws(shop.Good, select='{fixed}')", "--storelaw-effort=deep")
    assert ran.record["seed"] == 42
    assert "effort deep, seed 42" in ran.output


def test_without_the_plugin_the_items_are_the_same(run: Run) -> None:
    """laws() needs none of the plugin's options."""
    ran = run(f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}')", plugin=False)
    assert ran.code == 1
    assert dict(ran.reports[-1].user_properties)["verdict"] == "broken"


def cases(file: Path) -> dict[str, ElementTree.Element]:
    """The cases of a JUnit file, by name."""
    return {str(each.get("name")): each for each in ElementTree.parse(file).iter("testcase")}


def properties(case: ElementTree.Element) -> dict[str, str]:
    """What a case tells of itself."""
    found = case.iter("property")
    return {str(each.get("name")): str(each.get("value")) for each in found}


def test_junit_has_the_text_and_the_clause(run: Run, project: Path) -> None:
    """The XML names item, clause, requirement and verdict, and holds the failure's text.

    The whole record, with its program, does not land there.
    """
    run(f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}')", "--junitxml=junit.xml")
    case = cases(project / "junit.xml")[f"test_bad[{ITEM}]"]
    failure = case.find("failure")
    assert failure is not None
    assert f"backwards broke a law: {LAW}" in str(failure.get("message"))
    assert properties(case) == {
        "medium": "backwards",
        "effort": "quick",
        "seed": "0",
        "family": "order",
        "law": LAW,
        "clause": ", ".join(catalogue.law_of(LAW).source),
        "requirement": "MUST",
        "verdict": "broken",
    }


def test_junit_has_the_reason_of_a_skip(run: Run, project: Path) -> None:
    """Of a law that was not judged, the reason is a property too, beside the user's own."""
    views = next(each.name for each in catalogue.all_laws() if each.door == "views")
    text = f"test_good = storelaw.laws(shop.Good, select='{views}')\n"
    text += "def test_other(request):\n    request.node.user_properties.append(('colour', 'red'))"
    run(text, "--junitxml=junit.xml")
    found = cases(project / "junit.xml")
    skipped = properties(found[f"test_good[views/{views}]"])
    assert skipped["verdict"] == "not applicable"
    assert skipped["reason"] == "the medium brings no views door"
    assert properties(found["test_other"]) == {"colour": "red"}


def test_the_words_of_properties_are_ascii() -> None:
    """A reason with a lone surrogate can be written to a file."""
    law = {"name": "x", "family": "order", "source": [], "requirement": "MUST", "reason": "\ud800"}
    head = {"manifest": {"name": "acme"}, "effort": "quick", "seed": 0}
    told = suite.properties({**head, "law": {**law, "verdict": "not evaluated"}})
    assert ("reason", "\\ud800") in told


def waiver(project: Path, until: str = "9999-12-31") -> None:
    """A file that waives the law until a day."""
    (project / "waivers.toml").write_text(
        f'[[waivers]]\nlaw = "{LAW}"\nreason = "known"\nlink = "https://example.org/1"\n'
        f'until = "{until}"\n',
        encoding="utf-8",
    )


def test_a_waived_law_is_an_expected_failure(run: Run, project: Path) -> None:
    """A waiver in force makes the broken law an xfail, which is counted as waived."""
    waiver(project)
    ran = run(f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}', waivers='waivers.toml')")
    assert ran.code == 0
    assert ran.reports[0].wasxfail.endswith("waived: known (https://example.org/1)")
    assert "0 held, 0 broken, 1 waived" in ran.output


def test_a_stale_waiver_fails(run: Run, project: Path) -> None:
    """A waived law that holds fails the run, and says what to take out."""
    waiver(project)
    ran = run(f"test_good = storelaw.laws(shop.Good, select='{LAW}', waivers='waivers.toml')")
    assert ran.code == 1
    assert f"stale waiver: {LAW} holds" in ran.reports[0].longreprtext


def test_an_expired_waiver_fails(run: Run, project: Path) -> None:
    """After its day a waiver waives nothing, and the text says that it ended."""
    waiver(project, "2001-01-01")
    ran = run(f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}', waivers='waivers.toml')")
    assert ran.code == 1
    shown = ran.reports[0].longreprtext
    assert "backwards broke a law" in shown
    assert f"expired waiver: the waiver of {LAW} ended on 2001-01-01" in shown


def test_a_run_without_any_must_fails(run: Run) -> None:
    """Only skips are no success, unless the user asked for a part of the items."""
    views = next(each.name for each in catalogue.all_laws() if each.door == "views")
    text = f"test_good = storelaw.laws(shop.Good, select='{views}')"
    ran = run(text)
    assert ran.code == 1
    assert "good: no MUST was evaluated, so the run fails" in ran.output
    assert run(text, "-k", "good").code == 0
    assert run(text, f"test_shop.py::test_good[views/{views}]").code == 0


def test_the_report_file_is_written(run: Run, project: Path) -> None:
    """--storelaw-report holds a run for each medium."""
    text = f"test_good = storelaw.laws(shop.Good, select='{LAW}')\n"
    text += f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}')"
    ran = run(text, "--storelaw-report=out/report.json")
    written = json.loads((project / "out/report.json").read_text(encoding="ascii"))
    assert ran.code == 1
    assert [each["manifest"]["name"] for each in written["runs"]] == ["good", "backwards"]
    assert [each["exit_code"] for each in written["runs"]] == [0, 1]


def test_the_events_are_written_as_they_come(run: Run, project: Path) -> None:
    """--storelaw-events is the stream whose fold is the report, with a run for each medium."""
    text = f"test_good = storelaw.laws(shop.Good, select='{LAW}')\n"
    text += f"test_bad = storelaw.laws(shop.Backwards, select='{LAW}')"
    run(text, "--storelaw-report=r.json", "--storelaw-events=out/e.ndjson")
    lines = (project / "out/e.ndjson").read_text(encoding="ascii").splitlines()
    kinds = [json.loads(each)["event"] for each in lines]
    assert kinds == ["begin", "law", "begin", "law", "end", "end"]
    written = json.loads((project / "r.json").read_text(encoding="ascii"))
    assert saved.read(project / "out/e.ndjson") == written


def test_a_run_that_stops_early_says_so(run: Run, project: Path) -> None:
    """With -x nobody knows of the laws behind the first broken one, and the report says so."""
    text = "test_bad = storelaw.laws(shop.Backwards, select='order')"
    run(text, "-x", "--storelaw-events=e.ndjson")
    (made,) = saved.read(project / "e.ndjson")["runs"]
    assert (made["ended"], made["exit_code"], len(made["laws"])) == (False, 1, 1)


def test_a_run_without_laws_has_no_events(run: Run, project: Path) -> None:
    """The file is there, and has no line."""
    run("def test_other():\n    pass", "--storelaw-events=e.ndjson")
    assert (project / "e.ndjson").read_text(encoding="ascii") == ""


def test_a_run_without_laws_says_nothing(run: Run, project: Path) -> None:
    """No section is printed where no law was judged; a report is empty."""
    text = "def test_other(record_property):\n    record_property('colour', 'red')"
    ran = run(text, "--storelaw-report=report.json")
    assert ran.code == 0
    assert "good:" not in ran.output
    written = json.loads((project / "report.json").read_text(encoding="ascii"))
    assert written == events.document([])


def test_the_shipped_items_are_nobodys_tests(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Collected outside a check, the module of the items is skipped and says what it is."""
    file = Path(suite.__file__).with_name("items.py")
    code = pytest.main(
        [
            *(str(file), "-c/dev/null", f"--rootdir={project}", "--disable-plugin-autoload"),
            *("-pno:cacheprovider", "-pno:faulthandler", "-pno:unraisableexception"),
            *("-pno:threadexception", "-rs", "--import-mode=importlib", "--assert=plain"),
        ]
    )
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "these are the items of `storelaw check`" in capsys.readouterr().out


def test_a_worker_takes_what_the_controller_drew() -> None:
    """A worker keeps the seed that came with its options, and no ledger of its own."""
    option = SimpleNamespace(storelaw_draw=7)
    config: Any = SimpleNamespace(option=option, workerinput={})
    plugin.pytest_configure(config)
    assert config.option.storelaw_draw == 7


def test_what_a_medium_leaves_behind_is_noted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first law that is judged on it, beside that law's own notes; not after a fault."""

    class Leaving(ReferenceMedium):
        """Said to leave a loop behind."""

    monkeypatch.setattr(suite, "left_behind", lambda medium: ("event loops",))
    held = Verdict("x", "order", "MUST", "held", notes=("saw something",))
    fault = Verdict("x", "order", "MUST", "not evaluated", fault="medium")
    assert suite._with_leftovers(fault, Leaving) is fault
    first = suite._with_leftovers(held, Leaving)
    assert first.notes == ("saw something", "medium: left event loops behind")
    assert suite._with_leftovers(held, Leaving) is held
