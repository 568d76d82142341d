"""The bytes of a file around the place where a write was cut."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from markupsafe import Markup

from .figure import Figure, Panel
from .svg import element, label, line, picture

COLUMNS: Final = 16
CELL: Final = 20
ROW: Final = 26
TOP: Final = 6
#: How many bytes of each part are drawn.
MOST: Final = 32

TAILS: Final = {"": "", "nul": ", then NUL bytes", "blank": ", then blanks"}


def bytes_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of ``bytes``: what had been there, what the cut left, what it took."""
    cells = list(_cells(drawing))
    rows = -(-len(cells) // COLUMNS)
    told = tuple(_told(drawing))
    marks = [mark for index, cell in enumerate(cells) for mark in _cell(index, *cell)]
    cut = sum(part != "lost" for part, _ in cells)
    marks.append(_cut(cut))
    size = COLUMNS * CELL + 4, TOP + rows * ROW + 6
    panel = Panel("", picture(*size, " ".join(told), marks))
    return Figure("The bytes that were cut", (panel,), told, tuple(drawing["came"]))


def _told(drawing: Mapping[str, Any]) -> Iterator[str]:
    cut = f"{drawing['kept']} of {drawing['of']} bytes"
    yield (
        f"The write to {drawing['file']} began at byte {drawing['at']}; "
        f"{cut} of it are there{TAILS[drawing['tail']]}."
    )
    if drawing["others"] == "old":
        yield "The other files are as before the write."
    for part, words in (("near", "Before it"), ("left", "Left"), ("lost", "Cut off")):
        if drawing[part]:
            yield f"{words}: {_text(bytes.fromhex(drawing[part]))}"


def _text(content: bytes) -> str:
    return ascii(content)[2:-1]


def _cells(drawing: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for part in ("near", "left", "lost"):
        content = bytes.fromhex(drawing[part])
        shown = content[:MOST] if part == "lost" else content[-MOST:]
        yield from ((part, each) for each in shown)


def _cell(index: int, part: str, byte: int) -> Iterator[Markup]:
    x, y = 2 + index % COLUMNS * CELL, TOP + index // COLUMNS * ROW
    yield element("rect", x=x + 1, y=y, width=CELL - 2, height=ROW - 4, rx=2, class_=f"byte {part}")
    printable = 0x20 < byte < 0x7F
    shown = chr(byte) if printable else f"{byte:02x}"
    style = "strong" if printable else "hex"
    yield label(x + CELL / 2, y + 15, shown, f"{style} {part}", "middle")


def _cut(index: int) -> Markup:
    x, y = 2 + index % COLUMNS * CELL, TOP + index // COLUMNS * ROW
    return line(x, y - 4, x, y + ROW, "cut")
