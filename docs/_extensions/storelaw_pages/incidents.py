"""The incidents: the kinds of fault that public reports tell of, and who would have seen them."""

from collections.abc import Iterator

from storelaw import catalogue
from storelaw.selftest import all_liars
from storelaw.specification import Incident, incidents
from storelaw_pages.markdown import anchored, bulleted, heading, labelled, plain
from storelaw_pages.names import law_linked, liar_linked


def written(_: str) -> str:
    """All kinds."""
    return "\n".join(map(_section, incidents().values()))


def _section(each: Incident) -> str:
    title = f"{each.kind}: {plain(each.title)}"
    return "\n".join(
        [
            heading(2, title, anchored("incident", each.kind)),
            f"{plain(each.text)}\n",
            bulleted(_facts(each)),
        ]
    )


def _facts(each: Incident) -> Iterator[str]:
    laws = [one.name for one in catalogue.all_laws() if each.kind in one.incidents]
    liars = [one.name for one in all_liars() if each.kind in one.kinds]
    yield from labelled("reports", map(_report, each.reports))
    yield from labelled("laws", map(law_linked, laws))
    yield from labelled("liars", map(liar_linked, liars))
    if each.reason:
        yield f"not seen by the laws: {plain(each.reason)}"


def _report(name: str) -> str:
    repository, _, number = name.partition("#")
    return f"[{plain(name)}](https://github.com/{repository}/issues/{number})"
