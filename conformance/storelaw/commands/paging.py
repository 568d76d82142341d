"""``storelaw html``: the page of a saved report."""

from pathlib import Path

import click

from storelaw.verdict import CONFORMS


@click.command("html")
@click.argument("report")
@click.argument("file")
def html(report: str, file: str) -> int:
    """Write REPORT as one self-contained HTML page to FILE.

    REPORT is what `storelaw check` wrote by --json or --events.
    """
    from storelaw import pages, saved

    pages.written(saved.read(Path(report)), Path(file))
    return CONFORMS
