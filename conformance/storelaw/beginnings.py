"""What a store's repository begins with: a medium to fill in, its test, its settings, its CI.

Nothing that is there already is touched.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Final

from storelaw.contract import unknown
from storelaw.errors import Misconfigured

#: The skeleton of a medium, by profile.
MEDIA: Final[Mapping[str, str]] = {
    "transcript": "log.py.txt",
    "log": "log.py.txt",
    "turns": "turns.py.txt",
}

#: Where the workflow of a CI goes.
WORKFLOWS: Final[Mapping[str, Path]] = {"github": Path(".github/workflows/storelaw.yml")}


@dataclass(frozen=True, slots=True)
class Beginning:
    """The files to write, by their paths below the project, and what to do by hand."""

    files: Mapping[Path, str]
    medium: Path
    table: str = ""


def planned(project: Path, package: str | None, profile: str, ci: str | None) -> Beginning:
    """What a project needs; its pyproject.toml is written only where there is none.

    Raises :class:`~storelaw.errors.Misconfigured` for a name that Python can't import, an
    unknown profile, and a pyproject.toml that can't be read.
    """
    if profile not in MEDIA:
        raise Misconfigured(unknown("profile", profile, MEDIA))
    settings = _settings(project)
    module = _module(project, package or _named(project, settings))
    words = _words(project, module, profile, settings)
    medium = Path(words["file"])
    table = _filled("table.toml.txt", words)
    made = {
        medium: _filled(MEDIA[profile], words),
        Path("tests", f"test_{words['name']}.py"): _filled("test.py.txt", words),
    }
    if settings is None:
        words["table"], table = table, ""
        made[Path("pyproject.toml")] = _filled("pyproject.toml.txt", words)
    elif "storelaw" in settings.get("tool", {}):
        table = ""
    if ci is not None:
        made[WORKFLOWS[ci]] = _filled(f"{ci}.yml.txt", words)
    return Beginning(made, medium, table)


def _settings(project: Path) -> dict[str, Any] | None:
    file = project / "pyproject.toml"
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    except (OSError, ValueError) as error:
        raise Misconfigured(f"configuration: can't read {file}: {error}") from error


def _named(project: Path, settings: Mapping[str, Any] | None) -> str:
    """The project's own name, else that of its folder, as Python would import it."""
    name = (settings or {}).get("project", {}).get("name", project.absolute().name)
    return str(name).replace("-", "_").replace(".", "_").lower()


def _module(project: Path, package: str) -> str:
    if not all(each.isidentifier() for each in package.split(".")):
        raise Misconfigured(
            f"configuration: {package!r} is no name that Python can import; "
            "give one by --package NAME"
        )
    return f"{package}.testing"


def _words(
    project: Path, module: str, profile: str, settings: Mapping[str, Any] | None
) -> dict[str, str]:
    package = module.rpartition(".")[0]
    name = package.rpartition(".")[2]
    root = "src" if (project / "src").is_dir() else ""
    installable = {"project", "build-system"} & (settings or {}).keys()
    return {
        "package": package,
        "name": name,
        "profile": profile,
        "module": module,
        "medium": f"{''.join(part.capitalize() for part in name.split('_'))}Medium",
        "file": Path(root, *module.split(".")).with_suffix(".py").as_posix(),
        "install": "storelaw ." if installable else "storelaw",
    }


def _filled(name: str, words: Mapping[str, str]) -> str:
    template = files("storelaw").joinpath("skeletons", name).read_text(encoding="utf-8")
    return Template(template).substitute(words)


def begun(project: Path, beginning: Beginning) -> tuple[list[Path], list[Path]]:
    """Write the files that aren't there; give those that were written, and those that were.

    Raises :class:`~storelaw.errors.Misconfigured` where a file can't be written.
    """
    new: list[Path] = []
    there: list[Path] = []
    for path, text in beginning.files.items():
        try:
            if (project / path).exists():
                there.append(path)
                continue
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            with (project / path).open("x", encoding="utf-8") as file:
                file.write(text)
            new.append(path)
        except OSError as error:
            raise Misconfigured(f"configuration: can't write {path}: {error}") from error
    return new, there
