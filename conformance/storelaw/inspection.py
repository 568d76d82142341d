"""One check as a pytest run of its own: nothing of the project's configuration reaches it."""

import os
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from json import loads
from pathlib import Path
from typing import Any, Final

import pytest

from storelaw import events, items, report, suite
from storelaw.errors import HarnessFault, Misconfigured, in_ascii
from storelaw.plan import Plan
from storelaw.values import brief
from storelaw.verdict import Verdict

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
    "pastebin",
    "logging",
)


def inspected(
    plan: Plan, *listeners: events.Listener, workers: int = 0, junit: str | None = None
) -> dict[str, Any]:
    """Carry out a plan, tell the events of it, and give its report, laws in the plan's order.

    ``workers`` above 0 hands over to pytest-xdist, dear laws first; ``junit`` is a file
    for pytest's own XML. Raises
    :class:`~storelaw.errors.Misconfigured` when that isn't installed, KeyboardInterrupt
    when the run was interrupted, and :class:`~storelaw.errors.HarnessFault`.
    """
    if workers and find_spec("xdist") is None:
        raise Misconfigured("configuration: -n needs the extra: pip install 'storelaw[xdist]'")
    stream = events.Stream(*listeners)
    head = suite.head(plan.medium(), plan.terms())
    stream.began(head, _planned(plan))
    collector = _Collector(stream, plan.laws)
    with tempfile.TemporaryDirectory(prefix="storelaw-check-") as folder, _environment():
        arguments = [*_arguments(Path(folder), plan, workers), *_junit(plan, junit)]
        code = pytest.main(arguments, plugins=[collector])
    if code == pytest.ExitCode.INTERRUPTED and not collector.words:
        raise KeyboardInterrupt
    if code == pytest.ExitCode.INTERNAL_ERROR:
        raise HarnessFault(f"harness: pytest stopped with {code!r}; please report it")
    for index, law in _lost(plan, collector):
        stream.judged({**head, "law": law}, index)
    stream.ended()
    return stream.report()


def _planned(plan: Plan) -> dict[str, int]:
    """How many laws each family has in the plan."""
    return dict(Counter(each.family for each in plan.chosen()))


def _arguments(folder: Path, plan: Plan, workers: int) -> list[str]:
    laws = sorted(plan.chosen(), key=lambda each: -each.weight) if workers else plan.chosen()
    replace(plan, laws=tuple(each.name for each in laws)).write(folder / "plan.json")
    (folder / "pytest.ini").write_text(INI, encoding="ascii")
    root = Path(str(items.__file__)).parent
    arguments = [str(items.__file__), f"-c{folder / 'pytest.ini'}", f"--rootdir={root}"]
    arguments += ["--noconftest", "--import-mode=importlib", "--assert=plain", "--capture=sys"]
    arguments += ["--disable-plugin-autoload", "-pstorelaw"]
    arguments += [f"-pno:{each}" for each in _UNWANTED]
    if workers:
        arguments += ["-pxdist", f"-n{workers}", "--dist=worksteal"]
    return [*arguments, f"--storelaw-plan={folder / 'plan.json'}"]


def _junit(plan: Plan, file: str | None) -> list[str]:
    if not file:
        return ["-pno:junitxml"]
    name = in_ascii(plan.medium().manifest.name)
    return [f"--junitxml={file}", f"--junitprefix={name}", "-ojunit_suite_name=storelaw"]


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

    def __init__(self, stream: events.Stream, laws: tuple[str, ...]) -> None:
        self._stream, self._places = stream, {name: place for place, name in enumerate(laws)}
        self.seen: set[str] = set()
        self.words: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what an item carries."""
        carried: str | None = getattr(report, suite.PROPERTY, None)
        if carried is not None:
            record = loads(carried)
            self.seen.add(record["law"]["name"])
            self._stream.judged(record, self._places[record["law"]["name"]])
        elif report.failed:
            self.words.append(report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep why the items could not be made."""
        if report.failed:
            self.words.append(report.longreprtext)


def _lost(plan: Plan, collector: _Collector) -> Iterator[tuple[int, dict[str, Any]]]:
    """A law's data, with its place, for each law of the plan of which none came back."""
    words = brief(collector.words[-1][-200:], 240) if collector.words else "no verdict came back"
    reason = f"harness: {words}"
    for place, law in enumerate(plan.chosen()):
        if law.name not in collector.seen:
            verdict = Verdict(
                law.name, law.family, law.requirement, "not evaluated", reason, fault="harness"
            )
            yield place, report.law_data(law, verdict, spec=plan.spec)
