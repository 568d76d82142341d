"""Damage to files of lines, as a medium's power ``damage`` does it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

#: What becomes of a line, by the name of the damage.
HARMS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "junk": lambda line: b"#" * len(line),
    "cut": lambda line: line[: len(line) // 2],
    "zero": lambda line: bytes(len(line)),
}


def harmed(path: Path, number: int, how: str) -> None:
    """Do harm to a line of a file, counted from 0; its line feed stays."""
    lines = path.read_bytes().split(b"\n")
    lines[number] = HARMS[how](lines[number])
    path.write_bytes(b"\n".join(lines))
