"""Finding schemas by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import storelaw_schemas
from storelaw_schemas import catalogue


def test_names_are_folders_and_files() -> None:
    """A name is the folder and the stem of a schema file; the names are sorted."""
    root = Path(storelaw_schemas.__file__).parent
    there = {
        file.relative_to(root).as_posix().removesuffix(".schema.json")
        for file in root.rglob("*.schema.json")
    }
    assert storelaw_schemas.names() == tuple(sorted(there))


def test_a_new_folder_needs_no_code(tmp_path: Path) -> None:
    """A schema in any folder is found, however deep; other files are not."""
    (tmp_path / "harness" / "deep").mkdir(parents=True)
    for file in ("harness/report.schema.json", "harness/deep/x.schema.json", "harness/report.json"):
        (tmp_path / file).write_text("{}", encoding="utf-8")
    found = dict(catalogue.found(tmp_path))
    assert sorted(found) == ["harness/deep/x", "harness/report"]


def test_an_unknown_name_is_told_the_known_ones() -> None:
    """The error lists the schemas that exist."""
    with pytest.raises(
        storelaw_schemas.UnknownSchema, match=r"'text'; there are: .*/text,"
    ) as info:
        storelaw_schemas.schema("text")
    assert info.value.name == "text"
    assert info.value.known == storelaw_schemas.names()


def test_every_door_refuses_an_unknown_name() -> None:
    """Validation by an unknown name is the same error."""
    with pytest.raises(storelaw_schemas.UnknownSchema):
        storelaw_schemas.validator("nope")
    with pytest.raises(storelaw_schemas.UnknownSchema):
        storelaw_schemas.problems("nope", {})


def test_a_schema_is_the_callers_own() -> None:
    """Changing a schema that was given out changes nothing for anybody else."""
    mine = storelaw_schemas.schema("transcript/text")
    mine["properties"].clear()
    assert storelaw_schemas.schema("transcript/text")["properties"]
    assert storelaw_schemas.problems("transcript/text", {"type": "text", "text": 1})


def test_the_exports_are_sorted_and_there() -> None:
    """`__all__` is sorted and names what exists."""
    exports = storelaw_schemas.__all__
    assert exports == sorted(exports)
    assert all(hasattr(storelaw_schemas, name) for name in exports)


def test_the_import_is_light() -> None:
    """Importing the package loads no validator."""
    script = (
        "import json, sys, storelaw_schemas; storelaw_schemas.names(); print(json.dumps("
        "sorted({'jsonschema', 'referencing', 'hypothesis', 'pytest'} & set(sys.modules))))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert json.loads(run.stdout) == []
