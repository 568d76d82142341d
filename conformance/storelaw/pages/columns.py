"""Two lists side by side, with a line from each item to what stands for it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from .figure import Figure, Panel, listed
from .svg import element, fitting, label, line, picture

WIDTH: Final = 340
BOX: Final = 145
ROW: Final = 34
TOP: Final = 26
LETTERS: Final = 18

#: What each mark is called, and the sign that stands before it.
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "lost": ("Lost", "\u2212"),
    "changed": ("Changed", "\u2260"),
    "moved": ("Moved", "\u2195"),
    "extra": ("Never appended, or not to be here", "+"),
    "repeated": ("Repeated", "\u00d72"),
}


def lists_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of two ``lists``."""
    title = f"Expected: {_spoken(drawing['expected'])}. Observed: {_spoken(drawing['observed'])}."
    rows = max(len(drawing["expected"]), len(drawing["observed"]), 1)
    above, below = drawing["before"], drawing["after"]
    marks = [label(0, 12, "expected", "head"), label(WIDTH - BOX, 12, "observed", "head")]
    top = TOP + (20 if above else 0)
    if above:
        marks.append(label(0, TOP + 10, f"\u2026 {above} alike before", "soft"))
    marks += _links(drawing["expected"], top)
    for side, x in (("expected", 0), ("observed", WIDTH - BOX)):
        marks += _boxes(drawing[side], x, top)
        if below[side]:
            y = top + len(drawing[side]) * ROW + 10
            marks.append(label(x, y, f"\u2026 {below[side]} more", "soft"))
    height = top + rows * ROW + (16 if any(below.values()) else 0)
    return Figure(
        "Expected and observed, item by item",
        (Panel("", picture(WIDTH, height, title, marks)),),
        tuple(_told(drawing)),
    )


def _spoken(items: Sequence[Mapping[str, Any]]) -> str:
    return listed(_named(each) for each in items)


def _named(item: Mapping[str, Any]) -> str:
    name: str = item["name"] or item["says"]
    return name


def _told(drawing: Mapping[str, Any]) -> Iterator[str]:
    items = [*drawing["expected"], *(e for e in drawing["observed"] if "to" not in e)]
    for mark, (words, sign) in WORDS.items():
        names = [_named(each) for each in items if each["mark"] == mark]
        if names:
            yield f"{sign} {words}: {listed(names)}."


def _middle(top: int, index: int) -> float:
    return top + index * ROW + (ROW - 6) / 2


def _links(items: Sequence[Mapping[str, Any]], top: int) -> Iterator[Markup]:
    for index, each in enumerate(items):
        if "to" in each:
            begin, end = _middle(top, index), _middle(top, each["to"])
            yield line(BOX, begin, WIDTH - BOX, end, f"link {each['mark']}")


def _boxes(items: Sequence[Mapping[str, Any]], x: int, top: int) -> Iterator[Markup]:
    for index, each in enumerate(items):
        y = top + index * ROW
        yield element(
            "rect", x=x + 1, y=y, width=BOX - 2, height=ROW - 6, rx=4, class_=f"box {each['mark']}"
        )
        yield _inside(each, x, y)
    if not items:
        yield label(x, top + 18, "nothing", "soft")


def _inside(item: Mapping[str, Any], x: int, y: float) -> Markup:
    _, sign = WORDS.get(item["mark"], ("", ""))
    name = fitting(item["name"], 9 if item["says"] else LETTERS)
    said = fitting(item["says"], max(3, LETTERS - len(name) - len(sign) - 1))
    return element(
        "text",
        element("tspan", Markup.escape(f"{sign} " if sign else ""), class_="wrong"),
        element("tspan", Markup.escape(f"{name} " if name else ""), class_="strong"),
        element("tspan", Markup.escape(said), class_="soft"),
        x=x + 8,
        y=y + 18,
    )
