"""Pages that are made when the documentation is built, out of what the kit itself knows.

A page is an ordinary Markdown file with an introduction written by hand. Where a line
``<!-- storelaw: NAME ARGUMENT -->`` stands, Sphinx reads what the generator of that name
makes of the argument. So a page can't fall behind the catalogue, and no generated text lies
in the repository.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from storelaw_pages import clauses, grades, incidents, laws, liars, profiles, schemas, scores
from storelaw_pages.drawings import drawn

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

MARK: Final = re.compile(r"^<!-- storelaw: (\w+)(?: (\S+))? -->$", re.MULTILINE)

#: What makes the text for a mark's name, from its argument.
GENERATORS: Final[Mapping[str, Callable[[str], str]]] = {
    "about": clauses.about,
    "chapters": clauses.table,
    "clauses": clauses.written,
    "doors": profiles.doors,
    "families": laws.table,
    "families_of_liars": liars.table,
    "grades": grades.written,
    "incidents": incidents.written,
    "index": clauses.index,
    "laws": laws.written,
    "liars": liars.written,
    "options": profiles.options,
    "schemas": schemas.written,
    "scores": scores.written,
    "shape": profiles.shape,
}


def filled(text: str) -> str:
    """A page with the generated text in place of its marks; ``LookupError`` for an unknown one."""
    return MARK.sub(lambda found: GENERATORS[found[1]](found[2] or ""), text)


def _fill(app: "Sphinx", name: str, source: list[str]) -> None:
    folder = Path(app.env.doc2path(name)).parent
    source[0] = drawn(filled(source[0]), folder)


def _reach(_app: "Sphinx", _name: str, _template: str, context: dict[str, Any], *_: object) -> None:
    """Let the keyboard reach a block of code, which may be wider than a phone."""
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Have each page filled as it is read."""
    app.add_lexer("jsonl", import_module("pygments.lexers").JsonLexer)
    app.connect("source-read", _fill)
    app.connect("html-page-context", _reach)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
