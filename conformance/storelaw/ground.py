"""The fresh directory of a medium, inside a fence that shows what a store writes outside it.

A ground that a program left untouched serves the next one, so that stores which live in
memory don't pay for files.
"""

import atexit
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from storelaw.medium import temporary

#: The folders between a ground's root and its medium, so that ``../..`` stays inside.
FENCE: Final = ("outer", "inner", "near", "medium")


@dataclass(frozen=True, slots=True)
class Ground:
    """A directory for one medium, and the root of the fence around it."""

    root: Path
    workdir: Path

    def outside(self) -> tuple[str, ...]:
        """What lies in the fence and isn't the way to the medium: the names, sorted.

        A part of the way that is gone is named too; the medium's own folder may go.
        """
        found: list[str] = []
        folder = str(self.root)
        for each in FENCE:
            names = os.listdir(folder)
            found += [name for name in names if name != each]
            if each not in names:
                found += [] if each == FENCE[-1] else [f"{each} (removed)"]
                break
            folder = f"{folder}/{each}"
        return tuple(sorted(found))

    def untouched(self) -> bool:
        """Whether nothing lies on the ground."""
        return self.workdir.is_dir() and not os.listdir(self.workdir)


_SPARE: list[Ground] = []


def taken() -> Ground:
    """A ground on which nothing lies."""
    return _SPARE.pop() if _SPARE else _made()


def _made() -> Ground:
    root = Path(tempfile.mkdtemp(prefix="storelaw-", dir=temporary()))
    workdir = root.joinpath(*FENCE)
    workdir.mkdir(parents=True)
    return Ground(root, workdir)


def given_back(ground: Ground, *, reusable: bool) -> None:
    """Keep an untouched ground for the next program, remove any other.

    ``reusable`` says that nothing lies around it, and that its store remembers no paths.
    """
    if reusable and ground.untouched():
        _SPARE.append(ground)
    else:
        shutil.rmtree(ground.root, ignore_errors=True)


@atexit.register
def clear() -> None:
    """Remove the spare grounds."""
    while _SPARE:
        shutil.rmtree(_SPARE.pop().root, ignore_errors=True)
