"""The hooks: the kit's own media and laws come through them, and so do a stranger's."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pluggy
import pytest

from storelaw import bundled, catalogue, clauses, extensions, hookspecs
from storelaw.clauses import Law
from storelaw.errors import Misconfigured
from storelaw.media.reference import ReferenceMedium
from storelaw.program import load, program

OUTSIDE = '''
import storelaw
from storelaw.liars.honest import HonestMedium, claiming
from storelaw.program import append, load, program


class Outside(HonestMedium):
    manifest = claiming(name="outside")


@storelaw.law(
    family="outside",
    source=["ours"],
    battery=[program(append("s", {"type": "custom", "kind": "k", "id": "1"}), load("s"))],
)
def outside_entries_stay(trace):
    """Entries stay where they were put."""


@storelaw.hookimpl
def storelaw_media():
    return {"outside": Outside}


@storelaw.hookimpl
def storelaw_laws():
    return [outside_entries_stay]


@storelaw.hookimpl
def storelaw_report_section(report):
    return f"outside saw {len(report['runs'][0]['laws'])} law"
'''


@pytest.mark.slow
def test_an_installed_package_brings_a_medium_and_a_law(tmp_path: Path) -> None:
    """A distribution with an entry point extends a check by name, and adds to its output."""
    (tmp_path / "outside.py").write_text(OUTSIDE, encoding="utf-8")
    info = tmp_path / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[storelaw]\noutside = outside\n", encoding="ascii")
    command = [sys.executable, "-m", "storelaw", "check", "outside", "--effort", "quick"]
    command += ["--law", "outside/outside_entries_stay", "--json", str(tmp_path / "report.json")]
    run = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "\n\noutside saw 1 law\n\n" in run.stdout
    assert run.stdout.endswith("outside conforms\n")
    report = json.loads((tmp_path / "report.json").read_text(encoding="ascii"))
    assert report["runs"][0]["laws"][0]["family"] == "outside"


def test_the_kit_registers_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bundled plugin there is no medium: nothing of ours takes another way."""
    assert list(catalogue.all_media())[: len(bundled.MEDIA)] == list(bundled.MEDIA)
    empty = pluggy.PluginManager(hookspecs.PROJECT)
    empty.add_hookspecs(hookspecs)
    monkeypatch.setattr(extensions, "installed", lambda: empty)
    assert dict(catalogue.all_media()) == {}


def test_every_bundled_medium_is_a_medium() -> None:
    """Each name of the catalogue leads to a medium class, extras aside."""
    for name in bundled.MEDIA:
        if name not in bundled.EXTRAS:
            assert catalogue.medium_of(name).manifest.name == name


def test_a_law_object_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """storelaw_laws may give laws that no decorator has registered; a class may be a medium."""
    made = Law(
        name="made_elsewhere",
        claim="Made elsewhere.",
        family="elsewhere",
        judge=lambda _: None,
        battery=lambda _: [program(load("s"))],
    )

    class Elsewhere:
        """A plugin."""

        @hookspecs.hookimpl
        def storelaw_laws(self) -> list[Law]:
            """One law."""
            return [made]

        @hookspecs.hookimpl
        def storelaw_media(self) -> dict[str, Any]:
            """One medium."""
            return {"elsewhere": ReferenceMedium}

    manager = extensions.assembled(Elsewhere())
    monkeypatch.setattr(extensions, "installed", lambda: manager)
    monkeypatch.setattr(clauses, "_REGISTRY", dict(clauses._REGISTRY))
    catalogue._loaded.cache_clear()
    assert catalogue.law_of("elsewhere/made_elsewhere") is made
    assert catalogue.medium_of("elsewhere") is ReferenceMedium


def test_an_extension_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that can't be imported is a sentence and no traceback."""

    def failing(*_: object, **__: object) -> int:
        EntryPoint("x", "nowhere_at_all", "storelaw").load()
        return 0

    monkeypatch.setattr(pluggy.PluginManager, "load_setuptools_entrypoints", failing)
    with pytest.raises(Misconfigured, match="an extension can't be loaded: ModuleNotFoundError"):
        extensions.installed.__wrapped__()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroDivisionError("oh"), "an extension failed in storelaw_laws: ZeroDivisionError: oh"),
        (Misconfigured("configuration: two laws"), "^configuration: two laws$"),
    ],
)
def test_a_hook_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """What an extension raises becomes a sentence; what the kit refuses stays as it is."""

    class Failing:
        """A plugin."""

        @hookspecs.hookimpl
        def storelaw_laws(self) -> list[Law]:
            """No law."""
            raise error

    manager = extensions.assembled(Failing())
    monkeypatch.setattr(extensions, "installed", lambda: manager)
    with pytest.raises(Misconfigured, match=words):
        extensions.called("storelaw_laws")
