"""The formats of the files that the kit writes and reads again, and the version of each.

Each document carries the version of its format under ``storelaw``. An older one is read by
every later kit; a newer one is refused, since nobody knows what it means.
"""

from collections.abc import Mapping
from typing import Any, Final

from storelaw.errors import Misconfigured
from storelaw.values import is_object

#: The newest version of each format that this kit reads, and the one that it writes.
FORMATS: Final[Mapping[str, int]] = {
    "program": 1,
    "history": 1,
    "report": 1,
    "event": 1,
    "score": 1,
    "frozen": 1,
    "manifest": 1,
    "waivers": 1,
    "fixture": 1,
}

#: The formats that people write by hand, in which no version stands for the first one.
BY_HAND: Final = frozenset({"manifest", "waivers"})

UPGRADE: Final = "python -m pip install --upgrade storelaw"


def readable(data: Any, kind: str, where: str = "") -> Mapping[str, Any]:
    """A document of a kind that this kit can read; ``where`` is its file.

    Raises :class:`~storelaw.errors.Misconfigured` for what is no object, has no version, or
    has a newer one; that message names both versions and the command that upgrades.
    """
    name = where or f"the {kind}"
    if not is_object(data):
        raise Misconfigured(f"configuration: {name} is no {kind}: it is no JSON object")
    version = data.get("storelaw", 1 if kind in BY_HAND else None)
    if type(version) is not int or version < 1:
        raise Misconfigured(
            f'configuration: {name} is no {kind}: its version "storelaw" is {version!r}, '
            f"and this kit reads 1 to {FORMATS[kind]}"
        )
    words = newer(data, kind)
    if words:
        raise Misconfigured(f"configuration: {name} {words}")
    return data


def newer(data: object, kind: str) -> str:
    """What is told of a document whose version is newer than this kit knows, or nothing.

    The words name both versions and the command that upgrades.
    """
    version = data.get("storelaw") if is_object(data) else None
    if not is_object(data) or type(version) is not int or version <= FORMATS.get(kind, version):
        return ""
    from storelaw.release import __version__

    writer = data.get("kit")
    by = f", written by storelaw {writer}" if isinstance(writer, str) else ""
    return (
        f"has version {version} of the format {kind}{by}; "
        f"storelaw {__version__} reads it up to version {FORMATS[kind]}; upgrade: {UPGRADE}"
    )
