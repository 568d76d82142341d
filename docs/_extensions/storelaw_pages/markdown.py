"""Small pieces of MyST Markdown, and what text needs to stand in it."""

import json
import re
from collections.abc import Iterable, Iterator
from textwrap import indent

_CODE = re.compile(r"(`+[^`]+`+)")


def plain(text: str) -> str:
    """Text in which nothing but code between backticks means anything to Markdown."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(
        each if index % 2 else re.sub(r"([\\*<>\[\]{}|])", r"\\\1", each)
        for index, each in enumerate(parts)
    )


def code(text: str) -> str:
    """Text as code, whatever backticks are in it."""
    fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    gap = " " if "`" in text else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def listed(words: Iterable[str]) -> str:
    """Words with commas between them."""
    return ", ".join(words)


def labelled(label: str, words: Iterable[str]) -> Iterator[str]:
    """A label and the words after it; nothing for no words."""
    if found := listed(words):
        yield f"{label}: {found}"


def anchored(what: str, name: str) -> str:
    """The anchor of something by its kind and name: ``schema-log-entry``."""
    return f"{what}-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-').lower()}"


def link(text: str, anchor: str) -> str:
    """A link to an anchor of any page; `text` is Markdown already."""
    return f"[{text}](#{anchor})"


def heading(level: int, title: str, anchor: str) -> str:
    """A heading that can be linked to by an anchor."""
    return f"({anchor})=\n{'#' * level} {title}\n"


def bulleted(items: Iterable[str]) -> str:
    """A list; nothing for no items."""
    return "".join(f"* {each}\n" for each in items)


def described(terms: Iterable[tuple[str, Iterable[str]]]) -> str:
    """A definition list: each term with its blocks of text."""
    return "".join(_term(term, tuple(blocks)) for term, blocks in terms)


def _term(term: str, blocks: tuple[str, ...]) -> str:
    body = indent("\n\n".join(each.rstrip("\n") for each in blocks), "  ")
    return f"{term}\n: {body.lstrip()}\n\n"


def document(value: object) -> str:
    """A JSON value as a block of code."""
    return f"```json\n{json.dumps(value, indent=2)}\n```\n"


def folded(summary: str, text: str) -> str:
    """Text that is shown when its summary is opened."""
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n</details>\n"
