"""Drawings become part of their page, so that they follow its theme, light or dark."""

import re
from pathlib import Path
from typing import Final

IMAGE: Final = re.compile(r"^!\[[^\]]*\]\(([^)\s]+\.svg)\)$", re.MULTILINE)
STYLE: Final = re.compile(r"\s*<style>.*?</style>", re.DOTALL)


def drawn(text: str, folder: Path) -> str:
    """A page of this folder with the text of its SVG files in place of links to them.

    What the file says of itself for the case that it is shown alone stays out.
    """
    return IMAGE.sub(lambda found: _inline(folder / found[1]), text)


def _inline(file: Path) -> str:
    markup = STYLE.sub("", file.read_text(encoding="utf-8"))
    return f'```{{raw}} html\n<figure class="drawing">\n{markup}</figure>\n```'
