"""What an installation promises: names, files, exports, and a light plugin."""

import importlib
import json
import pkgutil
import subprocess
import sys
from importlib.metadata import entry_points, version
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

import storelaw
from storelaw import errors, failures, suite, trial, verdict
from storelaw.clauses import Law, law
from storelaw.contract import Contract
from storelaw.hookspecs import hookimpl
from storelaw.manifest import Manifest
from storelaw.medium import Medium, PerSession
from storelaw.program import Program
from storelaw.sections import Section

PACKAGES = ("storelaw", "storelaw_reference", "storelaw_schemas")
EXPORTS = {
    "Contract": Contract,
    "EntryConflict": errors.EntryConflict,
    "Failure": failures.Failure,
    "Law": Law,
    "Manifest": Manifest,
    "Medium": Medium,
    "Misconfigured": errors.Misconfigured,
    "PerSession": PerSession,
    "Program": Program,
    "Rejected": errors.Rejected,
    "Section": Section,
    "SessionExists": errors.SessionExists,
    "SessionNotFound": errors.SessionNotFound,
    "Stale": errors.Stale,
    "Verdict": verdict.Verdict,
    "__version__": version("storelaw"),
    "hold": trial.hold,
    "hookimpl": hookimpl,
    "law": law,
    "laws": suite.laws,
}


def modules() -> list[str]:
    """The names of all sub-modules."""
    return [each.name for each in pkgutil.walk_packages(storelaw.__path__, "storelaw.")]


def test_the_exports_are_those_that_there_are() -> None:
    """The list is sorted, and after every sub-module is imported each name is what it was."""
    for each in modules():
        importlib.import_module(each)
    assert storelaw.__all__ == sorted(EXPORTS)
    assert dir(storelaw) == storelaw.__all__
    for name, value in EXPORTS.items():
        assert getattr(storelaw, name) is value or getattr(storelaw, name) == value, name
        assert not isinstance(getattr(storelaw, name), ModuleType), name


def test_what_is_no_export_is_missing() -> None:
    """The package has no attribute that nobody named."""
    with pytest.raises(AttributeError, match="module 'storelaw' has no attribute 'lwas'"):
        _ = storelaw.lwas


def test_the_entry_points_are_there() -> None:
    """pytest finds the plugin, and the shell the command."""
    (plugin,) = entry_points(group="pytest11", name="storelaw")
    (command,) = entry_points(group="console_scripts", name="storelaw")
    assert (plugin.value, command.value) == ("storelaw.plugin", "storelaw.cli:main")


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_shipped(package: str) -> None:
    """Each package says that it is typed."""
    assert (files(package) / "py.typed").is_file()


def python(*arguments: str, cwd: Path) -> str:
    """What an isolated interpreter prints."""
    command = [sys.executable, *arguments]
    run = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return run.stdout


def test_the_source_roots_are_no_packages(tmp_path: Path) -> None:
    """None of the folders of the repository can be imported by its own name."""
    script = (
        "import importlib.util as u, json; print(json.dumps([n for n in "
        "('conformance', 'reference', 'schemas') if u.find_spec(n)]))"
    )
    assert json.loads(python("-I", "-c", script, cwd=tmp_path)) == []


def test_importing_the_package_is_light(tmp_path: Path) -> None:
    """The package loads nothing but itself until an export is used."""
    script = (
        "import json, sys, storelaw; print(json.dumps([n for n in sys.modules if "
        "n.startswith(('storelaw', 'hypothesis', 'pytest', 'jsonschema', 'pluggy'))]))"
    )
    assert json.loads(python("-c", script, cwd=tmp_path)) == ["storelaw"]


def test_the_plugin_is_light(tmp_path: Path) -> None:
    """In a project that doesn't use the kit, pytest loads the plugin and nothing behind it."""
    (tmp_path / "test_empty.py").write_text(
        "import json, pathlib, sys\n"
        "def test_empty():\n"
        "    pathlib.Path('modules.json').write_text(json.dumps(sorted(sys.modules)))\n",
        encoding="utf-8",
    )
    arguments = ("-m", "pytest", "-q", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    python(*arguments, cwd=tmp_path)
    loaded = json.loads((tmp_path / "modules.json").read_text(encoding="utf-8"))
    ours = [each for each in loaded if each.startswith("storelaw")]
    assert ours == ["storelaw", "storelaw.plugin"]
    assert not {"hypothesis", "jsonschema", "click", "rich"} & set(loaded)
