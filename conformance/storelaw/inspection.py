"""One check as a pytest run of its own: nothing of the project's configuration reaches it."""

import os
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from json import loads
from pathlib import Path
from typing import Any, Final

import pytest

from storelaw import items, report, suite
from storelaw.clauses import Law
from storelaw.errors import HarnessFault, Misconfigured
from storelaw.plan import Plan
from storelaw.values import brief
from storelaw.verdict import Verdict

#: Called after each law with its data, as the report has it.
Progress = Callable[[dict[str, Any]], None]

INI: Final = "[pytest]\nfilterwarnings = ignore\n"
_VARIABLES: Final = {
    "PYTEST_ADDOPTS": None,
    "PYTEST_PLUGINS": None,
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
_UNWANTED: Final = (
    "cacheprovider",
    "terminal",
    "faulthandler",
    "unraisableexception",
    "threadexception",
    "junitxml",
    "pastebin",
    "logging",
)


def inspected(plan: Plan, progress: Progress, workers: int = 0) -> dict[str, Any]:
    """Carry out a plan and give its report, laws in the plan's order.

    ``workers`` above 0 hands over to pytest-xdist, dear laws first. Raises
    :class:`~storelaw.errors.Misconfigured` when that isn't installed, KeyboardInterrupt
    when the run was interrupted, and :class:`~storelaw.errors.HarnessFault`.
    """
    if workers and find_spec("xdist") is None:
        raise Misconfigured("configuration: -n needs the extra: pip install 'storelaw[xdist]'")
    collector = _Collector(progress)
    with tempfile.TemporaryDirectory(prefix="storelaw-check-") as folder, _environment():
        arguments = _arguments(Path(folder), plan, workers)
        code = pytest.main(arguments, plugins=[collector])
    if code == pytest.ExitCode.INTERRUPTED and not collector.words:
        raise KeyboardInterrupt
    if code == pytest.ExitCode.INTERNAL_ERROR:
        raise HarnessFault(f"harness: pytest stopped with {code!r}; please report it")
    return report.document(_complete(plan, collector))


def _arguments(folder: Path, plan: Plan, workers: int) -> list[str]:
    laws = sorted(plan.chosen(), key=lambda each: -each.weight) if workers else plan.chosen()
    replace(plan, laws=tuple(each.name for each in laws)).write(folder / "plan.json")
    (folder / "pytest.ini").write_text(INI, encoding="ascii")
    arguments = [str(items.__file__), f"-c{folder / 'pytest.ini'}", f"--rootdir={folder}"]
    arguments += ["--noconftest", "--import-mode=importlib", "--assert=plain", "--capture=sys"]
    arguments += ["--disable-plugin-autoload", "-pstorelaw"]
    arguments += [f"-pno:{each}" for each in _UNWANTED]
    if workers:
        arguments += ["-pxdist", f"-n{workers}", "--dist=worksteal"]
    return [*arguments, f"--storelaw-plan={folder / 'plan.json'}"]


@contextmanager
def _environment() -> Generator[None]:
    before = {name: os.environ.get(name) for name in _VARIABLES}
    _set(_VARIABLES)
    try:
        yield
    finally:
        _set(before)


def _set(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class _Collector:
    """Takes the record of each item, and the words of those that have none."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.records: dict[str, dict[str, Any]] = {}
        self.words: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what an item carries."""
        carried = [loads(str(v)) for name, v in report.user_properties if name == suite.PROPERTY]
        if report.when == "call" and carried:
            self.records[carried[0]["law"]["name"]] = carried[0]
            self._progress(carried[0]["law"])
        elif report.failed:
            self.words.append(report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep why the items could not be made."""
        if report.failed:
            self.words.append(report.longreprtext)


def _complete(plan: Plan, collector: _Collector) -> Iterator[dict[str, Any]]:
    """A record for each law of the plan, also for those of which none came back."""
    words = brief(collector.words[-1][-200:], 240) if collector.words else "no verdict came back"
    for each in plan.chosen():
        yield collector.records.get(each.name) or _lost(plan, each, words)


def _lost(plan: Plan, law: Law, words: str) -> dict[str, Any]:
    reason = f"harness: {words}"
    verdict = Verdict(
        law.name, law.family, law.requirement, "not evaluated", reason, fault="harness"
    )
    return suite.record(report.law_data(law, verdict, spec=plan.spec), plan.medium(), plan.terms())
