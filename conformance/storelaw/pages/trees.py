"""The transcript tree, twice: with the path as it should be, and as it was."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from .figure import Figure, Panel, listed
from .svg import element, fitting, label, line, picture

WIDTH: Final = 330
ROW: Final = 30
LANE: Final = 18
LEFT: Final = 14
TOP: Final = 18
#: Further branches are drawn over the last lane.
MOST_LANES: Final = 7
#: How wide a character of the labels is, in units.
CHARACTER: Final = 7.3

#: What each mark is called beside its entry.
WORDS: Final[Mapping[str, str]] = {
    "seen": "observed",
    "missing": "missing",
    "extra": "should not be here",
    "moved": "hangs elsewhere",
}


#: The marks of what is on the path as it was.
ON: Final = frozenset({"path", "extra", "moved"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A node at its place: the row, and the lane that is its branch."""

    node: Mapping[str, Any]
    row: int
    lane: int

    @property
    def x(self) -> int:
        """How far right."""
        return LEFT + self.lane * LANE

    @property
    def y(self) -> int:
        """How far down."""
        return TOP + self.row * ROW


def tree_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of a ``tree``."""
    moved = set(_marked(drawing["observed"], "moved", part="id"))
    panels = [
        Panel(f"As it {how}", _drawn(drawing[side], f"as it {how}", moved))
        for side, how in (("expected", "should be"), ("observed", "was"))
        if side in drawing
    ]
    return Figure("The transcript tree", tuple(panels), tuple(_told(drawing, moved)))


def _told(drawing: Mapping[str, Any], moved: set[str]) -> Iterator[str]:
    should, was = drawing.get("expected", ()), drawing["observed"]
    yield from _hung(should, was, moved)
    if not moved and should:
        yield f"It should be: {listed(_marked(should, 'path'))}."
        yield f"It was: {listed(_marked(was, 'path', 'extra'))}."
    for mark, words in WORDS.items():
        names = list(_marked(was, mark))
        if names and mark != "moved":
            yield f"{words.capitalize()}: {listed(names)}."


def _hung(
    should: Sequence[Mapping[str, Any]], was: Sequence[Mapping[str, Any]], moved: set[str]
) -> Iterator[str]:
    """Where the entries should hang that hang elsewhere, and where they do."""
    names = {each["id"]: each["name"] for each in (*should, *was)}
    hung = {each["id"]: _off(each["parent"], names) for each in should}
    for each in was:
        if each["id"] in moved:
            off = _off(each["parent"], names)
            yield f"{each['name']} should hang {hung[each['id']]}; it hangs {off}."


def _off(parent: str, names: Mapping[str, str]) -> str:
    return f"off {names.get(parent, parent)}" if parent else "at the root"


def _marked(nodes: Sequence[Mapping[str, Any]], *marks: str, part: str = "name") -> Iterator[str]:
    return (each[part] for each in nodes if each["mark"] in marks)


def placed(nodes: Sequence[Mapping[str, Any]]) -> list[Spot]:
    """Each node on a row of its own: the first child on its parent's lane, others on a free one.

    A lane is free again below the last child of what is on it, and must be free since the
    parent, from where the line comes down on it.
    """
    until = {each["parent"]: row for row, each in enumerate(nodes)}
    spots: dict[str, Spot] = {}
    rows: dict[str, int] = {}
    busy: dict[int, int] = {}
    continued: set[str] = set()
    gaps = 0
    for row, node in enumerate(nodes):
        gaps += 1 if node.get("before") else 0
        parent = spots.get(node["parent"])
        if parent is not None and node["parent"] not in continued and not node.get("ephemeral"):
            lane = parent.lane
            continued.add(node["parent"])
        else:
            since = rows.get(node["parent"], row - 1)
            lane = next(each for each in range(len(nodes)) if busy.get(each, -1) <= since)
        busy[lane] = max(busy.get(lane, row), until.get(node["id"], row))
        rows[node["id"]] = row
        spots[node["id"]] = Spot(node, row + gaps, min(lane, MOST_LANES))
    return list(spots.values())


def _drawn(nodes: Sequence[Mapping[str, Any]], how: str, moved: set[str]) -> Markup:
    spots = placed(nodes)
    by_id = {each.node["id"]: each for each in spots}
    right = LEFT + max((each.lane for each in spots), default=0) * LANE + 16
    edges = [mark for each in spots for mark in _edge(each, by_id, moved)]
    marks = sorted(edges, key=lambda each: " on" in each or " wrong" in each)
    marks += [mark for each in spots for mark in _spot(each, right)]
    rows = max((each.row for each in spots), default=0) + 1
    title = f"The tree {how}: " + "; ".join(_spoken(each) for each in spots)
    if not spots:
        marks = [label(LEFT, TOP + 4, "no entry", "soft")]
        title = f"The tree {how}: no entry"
    return picture(WIDTH, rows * ROW + 8, title, marks)


def _spoken(spot: Spot) -> str:
    node = spot.node
    under = f" under {node['parent']}" if node["parent"] else " at the root"
    mark = {"path": "on the path", "off": "not on the path"}.get(node["mark"], node["mark"])
    return f"{node['name']}{under}, {mark}"


def _edge(spot: Spot, spots: Mapping[str, Spot], moved: set[str]) -> Iterator[Markup]:
    """The line from a node up to its parent, or a stub for a parent that isn't there."""
    node, parent = spot.node, spots.get(spot.node["parent"])
    lit = parent is not None and {parent.node["mark"], node["mark"]} <= ON
    lit = lit or (node["mark"] == "path" and node["id"] in moved)
    style = "wrong" if node["mark"] == "moved" else "on" if lit else ""
    style = f"edge {style}{' aside' if node.get('ephemeral') else ''}"
    if parent is not None:
        yield _way(parent, spot, style)
    elif node["parent"]:
        yield line(spot.x, spot.y - 16, spot.x, spot.y, f"{style} stub")


def _way(parent: Spot, spot: Spot, style: str) -> Markup:
    if parent.lane == spot.lane:
        return line(parent.x, parent.y, spot.x, spot.y, style)
    bend = 14 if parent.row < spot.row else -14
    turn = f"Q{spot.x:g} {parent.y:g} {spot.x:g} {parent.y + bend:g}"
    return element("path", d=f"M{parent.x:g} {parent.y:g}{turn}V{spot.y:g}", class_=style)


def _spot(spot: Spot, right: int) -> Iterator[Markup]:
    node, mark = spot.node, spot.node["mark"]
    style = f"node {mark}{' aside' if node.get('ephemeral') else ''}"
    if node.get("before"):
        yield label(right, spot.y - ROW + 4, f"\u2026 {node['before']} more", "soft")
    if mark in ("extra", "moved", "seen"):
        yield element("rect", x=spot.x - 6, y=spot.y - 6, width=12, height=12, class_=style)
    else:
        yield element("circle", cx=spot.x, cy=spot.y, r=6, class_=style)
    word = WORDS.get(mark, "")
    room = int((WIDTH - right) / CHARACTER)
    name = fitting(node["name"], 9)
    said = fitting(node["says"], max(4, room - len(name) - 1 - (len(word) + 1 if word else 0)))
    soft = " soft" if mark == "off" else ""
    yield element(
        "text",
        element("tspan", Markup.escape(name), class_=f"strong{soft}"),
        Markup(" "),
        element("tspan", Markup.escape(said), class_="soft"),
        Markup(" "),
        element("tspan", Markup.escape(word), class_="wrong" if mark != "seen" else "told"),
        x=right,
        y=spot.y + 4,
    )
