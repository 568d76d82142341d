"""Recording a store: its medium writes, its directory is copied, and the copy is read again."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from storelaw import release, specimens
from storelaw.abilities import abilities
from storelaw.errors import Misconfigured
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import Program, program, with_creation
from storelaw.recordings import FILES, FIXTURE, Recording, kept, read_back, restored, written
from storelaw.trace import Trace
from storelaw.values import same

#: What is told of a store that keeps its data elsewhere.
ELSEWHERE: Final = (
    "what it wrote does not come back from a copy of its workdir, so its files can't be "
    "recorded; a store that keeps its data elsewhere, such as on a server, can give its medium "
    "the power former() instead, which returns the medium class of the earlier version"
)


def recorded(medium_class: type[Medium], target: str, folder: Path) -> tuple[Recording, list[str]]:
    """Record a store in a new folder; give the recording, and what was refused meanwhile.

    Raises :class:`~storelaw.errors.Misconfigured` for a store that can't be recorded and for
    a folder that holds something, and :class:`~storelaw.errors.MediumFault`.
    """
    manifest = medium_class.manifest
    _check(medium_class, folder)
    with tempfile.TemporaryDirectory(prefix="storelaw-record-") as place:
        draft = Path(place) / "draft"
        draft.mkdir()
        trace = play(_program(medium_class, draft), medium_class)
        found = trace.events[-1].value
        recording = Recording(draft, manifest.profile, found)
        written(recording, {**release.versions(), "target": target, "manifest": manifest.data()})
        _prove(medium_class, recording)
        _move(draft, folder)
    return Recording(folder, manifest.profile, found), _refused(trace)


def _check(medium_class: type[Medium], folder: Path) -> None:
    if not medium_class.manifest.durable:
        raise Misconfigured(
            f"configuration: {medium_class.manifest.name} does not promise to be durable, so no "
            "later version has to read what it wrote; a durable store says so in its manifest"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Misconfigured(
            f"configuration: {folder} holds something; give each version a new folder"
        )


def _program(medium_class: type[Medium], folder: Path) -> Program:
    operations = abilities(medium_class).operations
    steps, sessions = specimens.writes(medium_class.manifest, operations)
    return with_creation(program(*steps, kept(folder, sessions)), operations)


def _prove(medium_class: type[Medium], recording: Recording) -> None:
    """What was recorded is read from the copy by the same version."""
    name = "backend" if recording.profile == "turns" else "store"
    sessions = recording.kept.sessions
    steps = read_back(list(sessions), name)
    trace = play(program(restored(folder=str(recording.folder)), *steps), medium_class)
    found = [each.value for each in trace.events[-len(sessions) :] if each.ok]
    if not sessions or not same(list(sessions.values()), found, medium_class.manifest.losses):
        raise Misconfigured(f"configuration: {medium_class.manifest.name}: {ELSEWHERE}")


def _move(draft: Path, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(draft / FILES, folder / FILES)
        shutil.copyfile(draft / FIXTURE, folder / FIXTURE)
    except OSError as error:
        raise Misconfigured(f"configuration: can't write to {folder}: {error}") from error


def _refused(trace: Trace) -> list[str]:
    """The sessions of which something was refused, and by what words."""
    events: Iterable[Any] = (each for each in trace.events if each.raised)
    return [f"refused in {each.step.session or 'a scope'}: {each.text}" for each in events]
