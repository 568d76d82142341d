"""The page of a report: its template, filled in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from storelaw import extensions, summary
from storelaw.errors import Misconfigured
from storelaw.sections import Section, listed

from .legible import finalized, legible
from .sheets import sheets

#: The kinds of programs, in words.
KINDS: Final = {"battery": "fixed", "generated": "generated", "vectors": "saved"}


@cache
def environment() -> Environment:
    """The templates of this package: everything is escaped, and nothing may be undefined."""
    return Environment(
        loader=PackageLoader("storelaw.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def reference(report: str) -> Markup:
    """A public report (``owner/name#7``) as a link to it."""
    repository, _, number = report.partition("#")
    address = f"https://github.com/{repository}/issues/{number}"
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(address, report)


def parted(name: str) -> Markup:
    """The name of a law, which a line may end behind each of its words."""
    return Markup("_<wbr>").join(legible(name).split("_"))


def linked(address: str) -> Markup:
    """An address as a link where a browser may follow it, else as it is."""
    shown = escape(legible(address))
    if not address.startswith(("http://", "https://")):
        return shown
    return Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(shown)


def rendered(report: Mapping[str, Any]) -> str:
    """The page of a report that keeps to its schema (``harness/report``)."""
    template = environment().get_template("report.html")
    return template.render(
        report=report,
        sheets=sheets(report),
        further=_further(report),
        kinds=KINDS,
        link=linked,
        parted=parted,
        reference=reference,
    )


def _further(report: Mapping[str, Any]) -> list[Section]:
    """What extensions have to say of a report."""
    own = list(summary.own(report))
    answers = extensions.called("storelaw_report_section", report=report)
    return [each for each in listed(answers) if each not in own]


def written(report: Mapping[str, Any], file: Path) -> None:
    """Write the page of a report, with its parents made.

    Raises :class:`~storelaw.errors.Misconfigured` where the file can't be written.
    """
    page = rendered(report)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Misconfigured(f"configuration: can't write {file}: {error}") from error
