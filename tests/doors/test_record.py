"""Recordings: what is written, who can be recorded, and what a later version is held to."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import catalogue, recordings, specimens, suite
from storelaw.errors import Misconfigured
from storelaw.manifest import Manifest
from storelaw.trial import hold

Door = Callable[..., Result]

#: A store on files in two versions, the second of which reads only its own, and others.
VERSIONS = """
import json
import storelaw
from storelaw.liars.upgrade_honest import Earlier, FiledRows, Later
from storelaw.liars.upgrades import BeginsOldSessionsAnew, ReadsItsNewFormatOnly
from storelaw.liars.crash_honest import FileHonest
from storelaw.media.reference import ReferenceMedium


class Forgetful(storelaw.Medium):
    manifest = storelaw.Manifest(name="forgetful")

    def open(self):
        raise OSError


class Shadows(BeginsOldSessionsAnew):
    former = None


class ReadsNewLines(ReadsItsNewFormatOnly):
    former = None


class WontOpen(FileHonest):
    def open(self):
        if list(self.workdir.iterdir()):
            raise OSError("a database of an older version")
        return super().open()
"""


@pytest.fixture
def versions(project: Path) -> Path:
    """The project with a module ``versions``."""
    (project / "versions.py").write_text(VERSIONS, encoding="utf-8")
    catalogue.importable(project)
    return project


CHECK = ("--law", "upgrade", "--effort", "quick", "--fixtures")


@pytest.mark.parametrize(
    ("first", "second", "broken"),
    [
        ("Earlier", "Later", None),
        ("Earlier", "Shadows", "recorded_sessions_take_further_appends"),
        ("FileHonest", "ReadsNewLines", "recorded_sessions_are_still_read"),
        ("FileHonest", "WontOpen", "recorded_sessions_are_still_read"),
        ("FiledRows", "FiledRows", None),
    ],
)
def test_a_later_version_is_held_to_what_an_earlier_one_wrote(
    storelaw: Door, versions: Path, first: str, second: str, broken: str | None
) -> None:
    """One that reads it and goes on with it conforms; any other breaks the law that says so."""
    made = storelaw("record", f"versions:{first}", "fixtures/1.0")
    assert made.exit_code == 0
    assert "--fixtures fixtures/1.0" in made.output
    result = storelaw("check", f"versions:{second}", *CHECK, "fixtures")
    assert result.exit_code == (1 if broken else 0)
    assert "vectors 1.0" in result.output
    if broken:
        assert f" broke a law: {broken}\n" in result.output
        assert "medium = a medium on what is recorded in " in result.output
        assert f"--seed 0 --fixtures {versions}/fixtures/1.0\n" in result.output


def test_a_recording_says_what_it_is(storelaw: Door, versions: Path) -> None:
    """It fits its schema, and holds shapes, values, names, a batch, a long log and a fork."""
    storelaw("record", "versions:Earlier", "fixtures")
    file = versions / "fixtures" / "fixture.json"
    data = json.loads(file.read_text(encoding="ascii"))
    assert storelaw("schema", "--check", file).output == f"{file}: valid\n"
    assert (data["storelaw"], data["target"]) == (1, "versions:Earlier")
    found = {each["session"]: each["entries"] for each in data["recorded"]}
    assert {"shapes", "parts", "values", "batch", "long", "forked"} < set(found)
    assert set(specimens.NAMES) < set(found)
    assert len(found["long"]) == specimens.LONG
    assert {each["type"] for each in found["shapes"]} == {"message", "compaction", "custom"}
    values = [each["value"] for each in found["values"]]
    assert "\ud800" in values
    assert 2**53 + 1 in values


@pytest.mark.parametrize("profile", ["transcript", "log", "turns"])
def test_what_is_recorded_are_entries_of_the_profile(profile: str) -> None:
    """Each fits the schema of its profile, and the manifest's limits are kept to."""
    schema = {"transcript": "transcript/stored-entry", "log": "log/envelope"}.get(profile)
    manifest = Manifest(
        name="x", profile=profile, batch="one", refuses=frozenset({"nul", "surrogates"})
    )
    found = specimens.specimens(manifest)
    entries = [each for one in found for batch in one.batches for each in batch]
    assert all(len(batch) == 1 for one in found for batch in one.batches)
    assert not any("\ud800" in str(each) for each in entries)
    for each in entries if schema else ():
        assert storelaw_schemas.problems(str(schema), each) == ()


def test_an_unknown_profile_is_recorded_by_plain_messages() -> None:
    """An extension's store gets entries that any flat log takes."""
    found = list(specimens.examples("theirs", specimens.SHAPES))
    assert [each["type"] for each in found] == ["message"]
    assert not list(specimens.examples("theirs", specimens.PARTS))


@pytest.mark.parametrize(
    ("target", "folder", "words"),
    [
        ("versions:Forgetful", "new", "forgetful does not promise to be durable"),
        ("versions:ReferenceMedium", "new", "does not come back from a copy of its workdir"),
        ("versions:Earlier", ".", ". holds something; give each version a new folder"),
        ("versions:Earlier", "versions.py", "versions.py holds something"),
        ("versions:Earlier", "versions.py/new", "can't write to versions.py/new"),
    ],
)
def test_what_cant_be_recorded_is_told(
    storelaw: Door, versions: Path, target: str, folder: str, words: str
) -> None:
    """The message says why, and what a store elsewhere can do instead; nothing is written."""
    result = storelaw("record", target, folder)
    assert result.exit_code == 4
    assert words in result.stderr
    assert not (versions / "new").exists()


def test_what_is_refused_is_told(storelaw: Door, project: Path) -> None:
    """A store that keeps to its limits is recorded all the same."""
    (project / "picky.py").write_text(
        "from storelaw.errors import Rejected\n"
        "from storelaw.liars.crash_honest import FileHonest, FileStore\n"
        "class Picky(FileHonest):\n"
        "    class store(FileStore):\n"
        "        def create(self, session, parent=None):\n"
        "            if session == 'plan':\n"
        "                raise Rejected('no plans')\n"
        "            super().create(session, parent)\n",
        encoding="utf-8",
    )
    result = storelaw("record", "picky:Picky", "fixtures")
    assert result.exit_code == 0
    assert result.output.startswith("refused in plan: Rejected: no plans\n")
    data = json.loads((project / "fixtures" / "fixture.json").read_text(encoding="ascii"))
    assert "plan" not in {each["session"] for each in data["recorded"]}


def recorded(project: Path, **changes: object) -> Path:
    """A recording with something else in its fixture."""
    folder = project / "fixtures"
    (folder / "files").mkdir(parents=True)
    data = {
        "storelaw": 1,
        "kit": "0.1.0",
        "target": "acme",
        "manifest": {"name": "acme"},
        "medium": "sl0",
        "recorded": [{"session": ["a", "s"], "entries": []}],
        **changes,
    }
    (folder / "fixture.json").write_text(json.dumps(data), encoding="ascii")
    return folder


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"storelaw": 2, "kit": "9.0"}, "version 2 of the format fixture, written by storelaw 9.0"),
        ({"recorded": 7}, "is no recording: $.recorded: is of type integer"),
        ({"manifest": {"name": "x", "profile": "log"}}, "from a store of the profile log, and"),
    ],
)
def test_a_recording_that_cant_be_read_is_refused(
    storelaw: Door, project: Path, changes: dict[str, object], words: str
) -> None:
    """Exit 4, with the file and what is wrong."""
    folder = recorded(project, **changes)
    result = storelaw("check", "shop:Good", *CHECK, folder)
    assert result.exit_code == 4
    assert words in result.stderr


def test_what_is_no_recording_is_refused(storelaw: Door, project: Path) -> None:
    """An empty folder, no JSON, and a fixture without its files."""
    empty = storelaw("check", "shop:Good", *CHECK, "nowhere")
    assert "there is no recording in nowhere; make one by: storelaw record" in empty.stderr
    folder = recorded(project)
    assert recordings.read(folder).kept.sessions == {("a", "s"): []}
    shutil.rmtree(folder / "files")
    with pytest.raises(Misconfigured, match="has lost its folder files"):
        recordings.read(folder)
    (folder / "fixture.json").write_text("{", encoding="ascii")
    with pytest.raises(Misconfigured, match="can't read a recording from"):
        recordings.read(folder)


def test_a_test_holds_recordings_too(storelaw: Door, versions: Path) -> None:
    """laws(fixtures=...) reads them when the test is made."""
    storelaw("record", "versions:Earlier", "fixtures")
    later = catalogue.medium_of("versions:Later")
    assert callable(suite.laws(later, select="upgrade", fixtures="fixtures"))
    with pytest.raises(Misconfigured, match="there is no recording in nowhere"):
        suite.laws(later, fixtures="nowhere")


def test_without_a_recording_the_laws_do_not_apply(versions: Path) -> None:
    """A first version has nothing to read, and nothing is held against it."""
    law = catalogue.law_of("recorded_sessions_are_still_read")
    verdict = hold(law, catalogue.medium_of("versions:FileHonest"), "battery")
    assert verdict.outcome == "not applicable"
    assert verdict.reason.startswith("no earlier version is at hand (storelaw record TARGET DIR")
