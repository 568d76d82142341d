"""Where what the kit writes goes: a file, made with its parents, or standard output for ``-``."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from storelaw.errors import Misconfigured

#: The name that stands for standard output.
STDOUT: Final = "-"


@contextmanager
def opened(file: str | Path) -> Generator[TextIO]:
    """A stream that takes ASCII text, closed afterwards unless it is standard output.

    Raises :class:`~storelaw.errors.Misconfigured` where the file can't be written.
    """
    if str(file) == STDOUT:
        yield sys.stdout
        return
    with _made(Path(file)) as stream:
        yield stream


def _made(file: Path) -> TextIO:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise Misconfigured(f"configuration: can't write {file}: {error}") from error


def written(text: str, file: str | Path) -> None:
    """Write a text of ASCII; raises as :func:`opened` does."""
    with opened(file) as stream:
        stream.write(text)
