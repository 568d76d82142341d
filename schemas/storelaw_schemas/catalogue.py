"""Which schemas there are, and where they lie.

Every ``*.schema.json`` below this package is one, so a new shape is a new file and no code.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

SUFFIX = ".schema.json"


class UnknownSchema(LookupError):
    """No schema has the name that was asked for; the message lists those that exist."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no schema is called {name!r}; there are: {', '.join(known)}")
        self.name = name
        self.known = known


def found(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """The schema files at any depth below `folder`, with their names."""
    for child in folder.iterdir():
        if child.is_dir():
            yield from found(child, f"{prefix}{child.name}/")
        elif child.name.endswith(SUFFIX):
            yield prefix + child.name.removesuffix(SUFFIX), child


@cache
def _texts() -> dict[str, str]:
    from importlib.resources import files

    in_order = sorted(found(files("storelaw_schemas")), key=lambda pair: pair[0])
    return {name: file.read_text(encoding="utf-8") for name, file in in_order}


def names() -> tuple[str, ...]:
    """The names of all schemas, sorted."""
    return tuple(_texts())


def schema(name: str) -> dict[str, Any]:
    """The schema called `name`, as a document of the caller's own.

    Raises `UnknownSchema`.
    """
    if name not in _texts():
        raise UnknownSchema(name, names())
    document: dict[str, Any] = json.loads(_texts()[name])
    return document
