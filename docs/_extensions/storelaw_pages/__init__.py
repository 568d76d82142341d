"""Pages that are made when the documentation is built, out of what the kit itself knows.

A page is an ordinary Markdown file with an introduction written by hand. Where a line
``<!-- storelaw: NAME ARGUMENT -->`` stands, Sphinx reads what the generator of that name
makes of the argument. So a page can't fall behind the catalogue, and no generated text lies
in the repository.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from pygments.lexers.data import JsonLexer

from storelaw_pages import laws, liars, schemas

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

MARK: Final = re.compile(r"^<!-- storelaw: (\w+)(?: (\S+))? -->$", re.MULTILINE)

#: What makes the text for a mark's name, from its argument.
GENERATORS: Final[Mapping[str, Callable[[str], str]]] = {
    "families": laws.table,
    "laws": laws.written,
    "liars": liars.written,
    "schemas": schemas.written,
}


def filled(text: str) -> str:
    """A page with the generated text in place of its marks; ``LookupError`` for an unknown one."""
    return MARK.sub(lambda found: GENERATORS[found[1]](found[2] or ""), text)


def _fill(_app: "Sphinx", _name: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Have each page filled as it is read."""
    app.add_lexer("jsonl", JsonLexer)
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
