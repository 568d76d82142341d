"""``storelaw selftest``: hold the kit against itself."""

import os
from pathlib import Path

import click

from storelaw import catalogue, terminal
from storelaw.verdict import BREAKS, CONFORMS


@click.command()
@click.option("--family", help="Only the liars and laws of this family.")
@click.option("-n", "workers", type=click.IntRange(1), help="Processes (one for each core).")
@click.option("--report", metavar="FILE", help="Write the score as JSON.")
@click.option("--page", metavar="FILE", help="Write the score as a page of Markdown.")
@click.option("--at-least", "least", metavar="FILE", help="Fail below the score recorded here.")
def selftest(
    family: str | None,
    workers: int | None,
    report: str | None,
    page: str | None,
    least: str | None,
) -> int:
    """Hold every liar and every honest stranger against the laws.

    For a report or a page generated programs are tried without the batteries, too.
    """
    from storelaw import score
    from storelaw.selftest import conducted
    from storelaw.strangers import strangers

    laws = catalogue.chosen(catalogue.family_of(family))
    papers = score.Papers.at(report, page)
    bar = score.recorded(Path(least), family) if least else None
    line, processes = terminal.Line(), workers or os.cpu_count() or 1
    odd = strangers()
    result = conducted(laws, odd, line.shown, processes)
    liars = [each.liar for each in result.rows if papers.wanted]
    found = score.searches(liars, processes, line.shown)
    names, kits = [each.__name__ for each in odd], bar["kits"] if bar else ()
    counted = score.document(result, laws, names, found, family, kits)
    papers.write(counted)
    line.cleared()
    result = result.failing(score.shortfalls(counted, bar) if bar else ())
    terminal.show(result.rows)
    for each in result.problems:
        click.echo(terminal.painted(each, "red"))
    click.echo(result.ending())
    return BREAKS if result.problems else CONFORMS
