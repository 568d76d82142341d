"""Where everything that has a name stands in the site, and links to it."""

from storelaw.specification import Clause
from storelaw_pages.markdown import anchored, code, link


def law_linked(name: str) -> str:
    """A link to a law by its name."""
    return link(code(name), anchored("law", name))


def liar_linked(name: str) -> str:
    """A link to a liar by the name of its class."""
    return link(code(name), anchored("liar", name))


def schema_linked(name: str) -> str:
    """A link to a schema by its name."""
    return link(code(name), anchored("schema", name))


def incident_linked(kind: str) -> str:
    """A link to a kind of incident by its id."""
    return link(kind, anchored("incident", kind))


def clause_linked(clause: Clause) -> str:
    """A link to a clause by its name."""
    return link(code(clause.name), clause_anchor(clause))


def clause_anchor(clause: Clause) -> str:
    """Where a clause stands."""
    return anchored("clause", clause.name)


def family_linked(family: str) -> str:
    """A link to the page of a family."""
    return f"[{code(family)}](/laws/{family}.md)"
