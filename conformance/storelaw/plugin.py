"""The pytest plugin: options, the header line, the summary section, the report files.

pytest loads this module in every project that has storelaw installed, so it imports
pytest and the standard library, and the rest of this kit only once a law has been judged.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Generator
from contextlib import ExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from storelaw.events import Stream

EFFORTS: Final = ("battery", "quick", "standard", "deep")
LEDGER: Final = "storelaw-ledger"
PROPERTY: Final = "storelaw"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of a run."""
    group = parser.getgroup("storelaw", "the laws of agent session stores")
    group.addoption(
        "--storelaw-effort",
        choices=EFFORTS,
        help="how hard each law is tried (what laws() says, or quick)",
    )
    group.addoption(
        "--storelaw-seed",
        type=int,
        metavar="N",
        help="the seed of generated programs (0; deep draws one and prints it)",
    )
    group.addoption("--storelaw-report", metavar="FILE", help="write the verdicts as JSON")
    group.addoption("--storelaw-events", metavar="FILE", help="write them as events, as they come")
    group.addoption("--storelaw-plan", help=argparse.SUPPRESS)


def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed of a deep run once for all workers, and keep the verdicts of a run."""
    if not hasattr(config.option, "storelaw_draw"):
        config.option.storelaw_draw = int.from_bytes(os.urandom(4), "big")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Ledger(config), LEDGER)


def pytest_report_header(config: pytest.Config) -> str:
    """The kit's version, the effort and the seed."""
    effort = config.option.storelaw_effort or "quick"
    seed = config.option.storelaw_seed
    if seed is None:
        seed = config.option.storelaw_draw if effort == "deep" else 0
    return f"storelaw: {version('storelaw')}, effort {effort}, seed {seed}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Take an item's record out of its properties, which are for people and for JUnit."""
    report = yield
    carried = [str(value) for name, value in item.user_properties if name == PROPERTY]
    if carried:
        kept = [each for each in item.user_properties if each[0] != PROPERTY]
        item.user_properties[:] = report.user_properties[:] = kept
        setattr(report, PROPERTY, carried[-1])
    return report


class Ledger:
    """The records of the laws that were judged in a run, as a stream of events."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._stream: Stream | None = None
        self._places: dict[str, int] = {}
        self._files = ExitStack()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the record that an item carries; a repeated item's last one counts."""
        record = getattr(report, PROPERTY, None)
        if record is not None:
            place = self._places.setdefault(report.nodeid, len(self._places))
            self._opened().judged(json.loads(record), place)

    def _opened(self) -> Stream:
        """The stream, which is opened when it is first needed."""
        if self._stream is None:
            from storelaw import events, sinks

            file = self._config.getoption("storelaw_events")
            streams = [self._files.enter_context(sinks.opened(file))] if file else []
            self._stream = events.Stream(*map(events.lines_to, streams))
        return self._stream

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a whole run in which a medium had no MUST evaluated; write the report."""
        option = self._config.option
        if self._stream is not None or option.storelaw_report or option.storelaw_events:
            stream = self._opened()
            if not _cut(session):
                stream.ended()
            self._files.close()
        if option.storelaw_report:
            from storelaw import report

            report.write(self._opened().report(), option.storelaw_report)
        if self._empty() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The counts of all five verdicts, medium by medium."""
        runs = self._runs()
        if runs:
            from storelaw import summary

            terminalreporter.section("storelaw")
            for run in runs:
                terminalreporter.write_line(summary.counted(run))
            for name in self._empty():
                terminalreporter.write_line(f"{name}: no MUST was evaluated, so the run fails")

    def _runs(self) -> list[dict[str, Any]]:
        runs: list[dict[str, Any]] = self._stream.report()["runs"] if self._stream else []
        return runs

    def _empty(self) -> list[str]:
        """The media of a whole run of which no MUST was evaluated."""
        if narrowed(self._config) or self._stream is None:
            return []
        from storelaw.verdict import evaluated

        found: dict[str, bool] = {}
        for run in self._runs():
            name = run["manifest"]["name"]
            laws = [each for each in run["laws"] if each["scored"]]
            counts = any(evaluated(each["requirement"], each["verdict"]) for each in laws)
            found[name] = found.get(name, False) or counts
        return [name for name, counts in found.items() if not counts]


def _cut(session: pytest.Session) -> bool:
    """Whether a run was stopped before its end, so that nobody knows of the other laws."""
    stopped = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
    return bool(session.shouldfail or session.shouldstop or session.exitstatus in stopped)


def narrowed(config: pytest.Config) -> bool:
    """Whether the user asked for a part of the items only."""
    options = ("keyword", "markexpr", "lf", "deselect", "stepwise")
    asked = any(config.getoption(each, None) for each in options)
    return asked or any("::" in each for each in config.args)
