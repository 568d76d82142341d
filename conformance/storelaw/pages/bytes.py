"""The bytes of a file around the place where a write was cut."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from markupsafe import Markup

from .figure import Figure, Panel
from .svg import element, label, line, picture

COLUMNS: Final = 16
CELL: Final = 20
ROW: Final = 24
HEAD: Final = 20
#: How many bytes of each part are drawn.
MOST: Final = 32

TAILS: Final[Mapping[str, str]] = {
    "": "",
    "nul": ", then NUL bytes",
    "blank": ", then blanks",
}

#: What each part of a file is called.
PARTS: Final[Mapping[str, str]] = {
    "near": "before the write",
    "left": "written",
    "lost": "cut off",
}


def bytes_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of ``bytes``: what had been there, what the cut left, what it took."""
    told = tuple(_told(drawing))
    marks: list[Markup] = []
    y = 0
    for part, name in PARTS.items():
        content = bytes.fromhex(drawing[part])
        if content:
            shown = content[:MOST] if part == "lost" else content[-MOST:]
            marks += _part(part, f"{name}{_share(drawing, part, len(shown))}", shown, y)
            y += HEAD + -(-len(shown) // COLUMNS) * ROW + 6
    panel = Panel("", picture(COLUMNS * CELL + 8, max(y, HEAD), " ".join(told), marks))
    return Figure("The bytes that were cut", (panel,), told, tuple(drawing["came"]))


def _share(drawing: Mapping[str, Any], part: str, shown: int) -> str:
    """Which of the bytes of a part are drawn."""
    if part == "near":
        return f", the last {shown} of {drawing['at']} bytes"
    if part == "left":
        filled = len(bytes.fromhex(drawing["left"])) and TAILS[drawing["tail"]]
        return f", {drawing['kept']} of {drawing['of']} bytes{filled}"
    return f", {drawing['of'] - drawing['kept']} bytes"


def _told(drawing: Mapping[str, Any]) -> Iterator[str]:
    cut = f"{drawing['kept']} of {drawing['of']} bytes"
    yield (
        f"The write to {drawing['file']} began at byte {drawing['at']}; "
        f"{cut} of it are there{TAILS[drawing['tail']]}."
    )
    if drawing["others"] == "old":
        yield "The other files are as before the write."
    if drawing["left"]:
        yield f"Left at the end: {_text(bytes.fromhex(drawing['left']))}"
    if drawing["lost"]:
        yield f"Cut off: {_text(bytes.fromhex(drawing['lost']))}"


def _text(content: bytes) -> str:
    return ascii(content)[2:-1]


def _part(part: str, title: str, content: bytes, y: int) -> Iterator[Markup]:
    yield label(2, y + 12, title, "head")
    for index, byte in enumerate(content):
        yield from _cell(2 + index % COLUMNS * CELL, y + HEAD + index // COLUMNS * ROW, part, byte)
    if part == "lost":
        yield line(1, y + HEAD - 3, 1, y + HEAD + ROW - 1, "cut")


def _cell(x: int, y: int, part: str, byte: int) -> Iterator[Markup]:
    yield element("rect", x=x + 2, y=y, width=CELL - 2, height=ROW - 4, rx=2, class_=f"byte {part}")
    printable = 0x20 < byte < 0x7F
    shown = chr(byte) if printable else f"{byte:02x}"
    style = "strong" if printable else "hex"
    yield label(x + CELL / 2 + 1, y + 14, shown, f"{style} {part}", "middle")
