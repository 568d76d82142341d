"""What a page consists of, as a parser sees it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

#: Elements that have no end.
VOID = ("meta", "link", "br", "wbr", "img", "input", "hr")

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

#: Attributes by which a browser fetches something, unless it is a link that a reader follows.
FETCHING = ("src", "srcset", "data", "poster", "background", "action", "formaction")


@dataclass
class Outline(HTMLParser):
    """The elements of a page with their attributes, its ids, headings and words."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if "id" in given:
            self.ids.append(given["id"])
        if tag in HEADINGS:
            self.headings.append((int(tag[1]), ""))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Note an end that fits no begin."""
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        """Note words, and those of a heading with it."""
        self.words.append(data)
        if self.headings and self._open and self._open[-1] in HEADINGS:
            level, text = self.headings[-1]
            self.headings[-1] = level, text + data

    @property
    def targets(self) -> set[str]:
        """The places on the page to which its links lead."""
        return {
            given["href"][1:] for _, given in self.elements if given.get("href", "").startswith("#")
        }

    @property
    def fetched(self) -> list[str]:
        """The addresses that a browser would fetch by itself."""
        found = [given[each] for _, given in self.elements for each in FETCHING if each in given]
        links = [given["href"] for tag, given in self.elements if tag == "link"]
        return found + [each for each in links if not each.startswith("data:")]

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all elements of a kind."""
        return [given for name, given in self.elements if name == tag]


def outlined(page: str) -> Outline:
    """The outline of a page, read to its end."""
    made = Outline()
    made.feed(page)
    made.close()
    return made
