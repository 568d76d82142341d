"""The pytest plugin: options, the header line, the summary section, the report file.

pytest loads this module in every project that has storelaw installed, so it imports
pytest and the standard library, and the rest of this kit only once a law has been judged.
"""

import argparse
import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pytest

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


class Ledger:
    """The records of the laws that were judged in a run, by item."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._records: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the record that an item carries; a repeated item's last one counts."""
        if report.when == "call":
            for name, value in report.user_properties:
                if name == PROPERTY:
                    self._records[report.nodeid] = json.loads(str(value))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a whole run in which a medium had no MUST evaluated; write the report."""
        file = self._config.getoption("storelaw_report")
        if file:
            from storelaw import report

            report.write(report.document(self._records.values()), Path(file))
        if self._empty() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The counts of all five verdicts, medium by medium."""
        if self._records:
            from storelaw import report, summary

            terminalreporter.section("storelaw")
            for run in report.document(self._records.values())["runs"]:
                terminalreporter.write_line(summary.counted(run))
            for name in self._empty():
                terminalreporter.write_line(f"{name}: no MUST was evaluated, so the run fails")

    def _empty(self) -> list[str]:
        """The media of a whole run of which no MUST was evaluated."""
        if narrowed(self._config) or not self._records:
            return []
        from storelaw.verdict import evaluated

        found: dict[str, bool] = {}
        for each in self._records.values():
            law, name = each["law"], each["manifest"]["name"]
            counts = law["scored"] and evaluated(law["requirement"], law["verdict"])
            found[name] = found.get(name, False) or counts
        return [name for name, counts in found.items() if not counts]


def narrowed(config: pytest.Config) -> bool:
    """Whether the user asked for a part of the items only."""
    options = ("keyword", "markexpr", "lf", "deselect", "stepwise")
    asked = any(config.getoption(each, None) for each in options)
    return asked or any("::" in each for each in config.args)
