"""Links of the built site: each leads to a file that is there, and to an anchor in it.

Sphinx checks what it resolves itself; this looks at what a browser will get. Links to other
hosts are another matter, since looking at them takes a network.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

#: The attributes that hold an address.
ADDRESSES: Final = frozenset(["href", "src"])


@dataclass(slots=True)
class _Page(HTMLParser):
    """The anchors and the addresses of one page."""

    anchors: set[str] = field(default_factory=set[str])
    addresses: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element is called and where it leads."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ADDRESSES and value:
                self.addresses.append(value)


def _read(file: Path) -> _Page:
    page = _Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def dead(folder: Path) -> Iterator[str]:
    """What is wrong with the links of the pages below a folder, one line for each."""
    pages = {each.resolve(): _read(each) for each in sorted(folder.rglob("*.html"))}
    for file, page in pages.items():
        for address in dict.fromkeys(page.addresses):
            if fault := _fault(file, address, pages):
                yield f"{file.relative_to(folder.resolve())}: {address} {fault}"


def _fault(file: Path, address: str, pages: Mapping[Path, _Page]) -> str:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not target.is_file():
        return "leads to no file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "leads to no such anchor"
    return ""


def main() -> int:
    """Check the folder that the command line names: 1 if a link is dead, else 0."""
    folder = Path(sys.argv[1])
    found = list(dead(folder))
    count = sum(1 for _ in folder.rglob("*.html"))
    print(*found, f"{count} pages, {len(found)} dead links", sep="\n")
    return 1 if found or not count else 0
