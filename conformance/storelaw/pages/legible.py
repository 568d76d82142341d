"""Text that a page may show: what can't be seen or written is spelled out."""

from typing import Final

from markupsafe import Markup

#: What is not printable and yet keeps its meaning on a page.
KEPT: Final = "\n\t"


def legible(text: str) -> str:
    """A text with its controls, format characters and lone surrogates as Python writes them.

    Nothing of it can then reverse a line, join two words unseen, or fail to be encoded.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in KEPT else ascii(each)[1:-1] for each in text
    )


def finalized(value: object) -> object:
    """A value of a template, before it is escaped."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return legible(value)
    return value
