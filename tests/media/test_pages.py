"""The pages about media say what the code says, and their code runs."""

import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from storelaw import catalogue, manifest
from storelaw.contract import OPTIONS
from storelaw.errors import IDENTITIES
from storelaw.manifest import Manifest
from storelaw.matrix import accusations
from storelaw.medium import OPERATIONS, POWERS, Medium

DOCS = Path(__file__).parents[2] / "docs"


def rows(page: str, heading: str) -> Iterator[list[str]]:
    """The cells of the table under a heading, its two head lines left out."""
    section = (DOCS / page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [each for each in section.splitlines() if each.startswith("|")]
    for each in lines[2:]:
        yield [cell.strip() for cell in each.strip("|").split("|")]


def written(kind: object) -> str:
    """A type as the page writes it."""
    text = kind.__name__ if isinstance(kind, type) and "[" not in str(kind) else str(kind)
    plain = text.replace("collections.abc.", "").replace("typing.", "")
    return plain.replace(" | ", " or ")


def default(each: "Field[Any]") -> str:
    """A default as the page writes it."""
    if each.default is MISSING and each.default_factory is MISSING:
        return "required"
    value = each.default_factory() if each.default_factory is not MISSING else each.default
    if isinstance(value, frozenset):
        return "`{" + ", ".join(sorted(map(quoted, value))) + "}`"
    return f"`{quoted(value)}`"


def quoted(value: object) -> str:
    """A value, texts in double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def test_every_manifest_field_is_listed_with_type_and_default() -> None:
    """The table has the fields in their order, with the types and defaults of the dataclass."""
    listed = [row[:3] for row in rows("manifest.md", "Fields")]
    expected = [
        [f"`{each.name}`", f"`{written(each.type)}`", default(each)] for each in fields(Manifest)
    ]
    assert listed == expected


def test_every_manifest_field_has_a_meaning_and_says_what_it_opens() -> None:
    """No cell is empty, and none is missing."""
    for row in rows("manifest.md", "Fields"):
        assert len(row) == 5
        assert all(row), row


def test_every_option_is_listed_with_its_values() -> None:
    """The table has the options in their order, with all allowed values and the meaning."""
    listed = [(row[0], row[1], row[2].replace("`", "")) for row in rows("manifest.md", "Options")]
    expected = [
        (f"`{name}`", ", ".join(f"`{each}`" for each in allowed), meaning)
        for name, (allowed, meaning) in OPTIONS.items()
    ]
    assert listed == expected


def test_every_value_of_a_field_with_choices_is_named() -> None:
    """Where a field takes certain words, its row has all of them.

    The operations, which ``without`` takes, have a table of their own.
    """
    meanings = {row[0].strip("`"): row[3] for row in rows("manifest.md", "Fields")}
    choices = {**manifest._CHOICES, **manifest._SETS, "errors": tuple(IDENTITIES)}
    missing = [
        (name, value)
        for name, allowed in choices.items()
        for value in allowed
        if name != "without" and f"`{value}`" not in meanings[name]
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("heading", "names"),
    [("What the handle must offer", OPERATIONS), ("Powers", POWERS)],
)
def test_every_operation_and_power_is_listed(heading: str, names: tuple[str, ...]) -> None:
    """The tables of the page name what the port knows, and nothing else."""
    listed = {row[0].strip("`").split("(")[0] for row in rows("media.md", heading)}
    assert listed == set(names)


def module_of(code: str, folder: Path) -> ModuleType:
    """A module of this source, imported."""
    path = folder / "page.py"
    path.write_text(code)
    spec = spec_from_file_location("page", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_block_of_the_page_runs_and_its_stores_are_right(tmp_path: Path) -> None:
    """The blocks run one after the other, and no medium in them breaks a law by battery."""
    page = (DOCS / "media.md").read_text()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} == {"python"}
    module = module_of("\n".join(code for _, code in blocks), tmp_path)
    media = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Medium) and each.__module__ == "page"
    ]
    assert len(media) == 5
    found = accusations(media, catalogue.chosen(["fidelity", "lifecycle", "resume"]), "battery")
    assert [(each.law, each.failure, each.reason) for _, each in found] == []
