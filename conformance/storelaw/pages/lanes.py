"""The lanes of several writers: what each did, from when to when, and the contradiction."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from .figure import Figure, Panel
from .svg import element, fitting, label, line, picture

WIDTH: Final = 340
HEAD: Final = 34
BEAT: Final = 34
LEFT: Final = 4

#: How wide a character of the labels is, in units.
CHARACTER: Final = 7.3


def lanes_figure(drawing: Mapping[str, Any]) -> Figure:
    """The figure of ``lanes``: time goes down, each writer has a column."""
    lanes = drawing["lanes"]
    moments = _moments(lanes)
    width = max(WIDTH, 150 * len(lanes))
    each_wide = (width - LEFT) / len(lanes)
    height = HEAD + len(moments) * BEAT + 20
    marks: list[Markup] = []
    for number, lane in enumerate(lanes):
        marks += _lane(lane, LEFT + number * each_wide, each_wide, moments, height)
    marks.append(label(LEFT, height + 8, f"\u2717 {drawing['mark']}", "wrong"))
    told = tuple(_told(lanes, drawing["mark"]))
    panel = Panel("", picture(width, height + 14, " ".join(told), marks))
    return Figure("The writers and what contradicts what", (panel,), told)


def _moments(lanes: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """The place of each ticket on the page: equal distances, in order."""
    acts = [act for lane in lanes for act in lane["acts"]]
    tickets = {each["began"] for each in acts} | {e["ended"] for e in acts if "ended" in e}
    return {ticket: place for place, ticket in enumerate(sorted(tickets))}


def _y(moments: Mapping[int, int], ticket: int) -> float:
    return HEAD + 8 + moments[ticket] * BEAT


def _told(lanes: Sequence[Mapping[str, Any]], mark: str) -> Iterator[str]:
    for lane in lanes:
        for act in lane["acts"]:
            until = f" to {act['ended']}" if "ended" in act else ", with no end seen"
            yield (
                f"{lane['worker']} on handle {lane['handle']}, from moment {act['began']}{until}: "
                f"{act['says']}, {act['came']}."
            )
    yield f"The contradiction: {mark}."


def _lane(
    lane: Mapping[str, Any], x: float, width: float, moments: Mapping[int, int], height: float
) -> Iterator[Markup]:
    letters = int((width - 24) / CHARACTER)
    yield label(x, 12, fitting(lane["worker"], letters), "strong")
    yield label(x, 26, f"handle {lane['handle']}", "soft")
    yield line(x + 6, HEAD, x + 6, height - 4, "lane")
    for act in lane["acts"]:
        yield from _act(act, x, width, moments, height, letters)


def _end(act: Mapping[str, Any], moments: Mapping[int, int], height: float) -> float:
    return _y(moments, act["ended"]) if "ended" in act else height - 24


def _act(
    act: Mapping[str, Any],
    x: float,
    width: float,
    moments: Mapping[int, int],
    height: float,
    letters: int,
) -> Iterator[Markup]:
    begin = _y(moments, act["began"])
    end = _end(act, moments, height)
    style = "act accused" if act["accused"] else "act"
    open_ended = "" if "ended" in act else " open"
    yield element(
        "rect",
        x=x + 1,
        y=begin - 6,
        width=10,
        height=end - begin + 12,
        rx=5,
        class_=style + open_ended,
    )
    yield label(x + 18, begin + 4, fitting(act["says"], letters), "strong")
    wrong = "wrong" if act["accused"] else "soft"
    sign = "\u2717 " if act["accused"] else ""
    yield label(x + 18, end + 4, fitting(f"{sign}{act['came']}", letters), wrong)
