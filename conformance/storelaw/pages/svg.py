"""SVG as text: elements whose attributes and words are escaped."""

from collections.abc import Iterable

from markupsafe import Markup, escape

from .legible import legible


def element(name: str, *children: Markup, **attributes: object) -> Markup:
    """An element; ``class_`` stands for ``class``, and ``_`` within a name for ``-``."""
    given = Markup(" ").join(
        Markup('{}="{}"').format(key.rstrip("_").replace("_", "-"), legible(str(value)))
        for key, value in attributes.items()
    )
    inner = Markup("").join(children)
    return Markup("<{0}{1}{2}>{3}</{0}>").format(
        Markup(name), Markup(" " if given else ""), given, inner
    )


def words(text: str) -> Markup:
    """Words, as they may stand in an element."""
    return escape(legible(text))


def fitting(text: str, most: int) -> str:
    """A text of at most so many characters, cut at its end."""
    shown = legible(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}\u2026"


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def label(x: float, y: float, text: str, style: str = "", anchor: str = "start") -> Markup:
    """A line of text that begins, or ends, or is centred at a point."""
    return element("text", words(text), x=x, y=y, class_=style, text_anchor=anchor)


def picture(width: float, height: float, title: str, marks: Iterable[Markup]) -> Markup:
    """A drawing of so many units, which says what it is to those who don't see it."""
    return element(
        "svg",
        element("title", words(title)),
        *marks,
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
        class_="drawing",
        xmlns="http://www.w3.org/2000/svg",
    )
