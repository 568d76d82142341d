"""The ``[tool.storelaw]`` table of an adopter's pyproject.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from storelaw.contract import unknown
from storelaw.errors import Misconfigured
from storelaw.trial import EFFORTS

#: The keys of the table, and the type of each.
KEYS: Final[Mapping[str, type]] = {
    "target": str,
    "effort": str,
    "law": list,
    "seed": int,
    "vectors": str,
    "fixtures": str,
    "waivers": str,
    "save": str,
    "json": str,
    "events": str,
    "junit": str,
    "html": str,
    "badge": str,
    "spec": str,
    "require": str,
}
_FILES: Final = (
    "vectors",
    "fixtures",
    "waivers",
    "save",
    "json",
    "events",
    "junit",
    "html",
    "badge",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a project says of its checks; paths are absolute."""

    target: str | None = None
    effort: str | None = None
    law: tuple[str, ...] = ()
    seed: int | None = None
    vectors: str | None = None
    fixtures: str | None = None
    waivers: str | None = None
    save: str | None = None
    json: str | None = None
    events: str | None = None
    junit: str | None = None
    html: str | None = None
    badge: str | None = None
    spec: str | None = None
    require: str | None = None
    folder: Path | None = None


def found(start: Path) -> Config:
    """The table of the nearest pyproject.toml at or above a folder, or an empty one."""
    for folder in (start, *start.parents):
        if (folder / "pyproject.toml").is_file():
            return read(folder / "pyproject.toml")
    return Config()


def read(file: Path) -> Config:
    """The table of one pyproject.toml; paths in it are relative to its folder.

    Raises :class:`~storelaw.errors.Misconfigured` for an unknown key or a wrong type.
    """
    try:
        tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except ValueError as error:
        raise Misconfigured(f"configuration: can't read {file}: {error}") from error
    table: dict[str, Any] = tool.get("storelaw", {})
    for key, value in table.items():
        _check(key, value)
    for key in _FILES:
        if key in table:
            table[key] = str(file.parent / table[key])
    table["law"] = tuple(table.get("law", ()))
    return Config(**table, folder=file.parent)


def _check(key: str, value: Any) -> None:
    if key not in KEYS:
        raise Misconfigured(unknown("[tool.storelaw] key", key, KEYS))
    kind = type(value).__name__
    if kind != KEYS[key].__name__:
        raise Misconfigured(
            f"configuration: [tool.storelaw] {key} is {value!r}, a {kind}; "
            f"it takes {KEYS[key].__name__}"
        )
    if key == "law" and not all(isinstance(each, str) for each in value):
        raise Misconfigured(f"configuration: [tool.storelaw] law is {value!r}; it takes names")
    if key == "effort" and value not in EFFORTS:
        raise Misconfigured(unknown("effort", value, EFFORTS))
