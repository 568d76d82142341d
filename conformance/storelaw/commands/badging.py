"""``storelaw badge``: a badge from a saved report."""

from pathlib import Path

import click


@click.command()
@click.argument("report")
@click.argument("file")
@click.option("--medium", metavar="NAME", help="Of this medium, where the report has several.")
def badge(report: str, file: str, medium: str | None) -> int:
    """Write a badge to FILE (.json for shields.io, or .svg) from REPORT.

    REPORT is what `storelaw check` wrote by --json or --events.
    """
    from storelaw import badge as badges
    from storelaw import saved

    badges.write(saved.read(Path(report)), file, medium)
    click.echo(f"wrote {file}")
    return 0
