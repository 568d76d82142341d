"""``storelaw selftest``: hold the kit against itself."""

import os

import click

from storelaw import catalogue, terminal
from storelaw.verdict import BREAKS, CONFORMS


@click.command()
@click.option("--family", help="Only the liars and laws of this family.")
@click.option("-n", "workers", type=click.IntRange(1), help="Processes (one for each core).")
def selftest(family: str | None, workers: int | None) -> int:
    """Hold every liar and every honest stranger against the laws."""
    from storelaw.selftest import conducted
    from storelaw.strangers import strangers

    laws = catalogue.chosen(catalogue.family_of(family))
    line = terminal.Line()
    result = conducted(laws, strangers(), line.shown, workers or os.cpu_count() or 1)
    line.cleared()
    terminal.show(result.rows)
    for each in result.problems:
        click.echo(terminal.painted(each, "red"))
    click.echo(result.ending())
    return BREAKS if result.problems else CONFORMS
