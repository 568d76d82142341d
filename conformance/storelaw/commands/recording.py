"""``storelaw record``: keep what today's version of a store writes, for the versions to come."""

from pathlib import Path

import click

from storelaw import catalogue
from storelaw.verdict import CONFORMS


@click.command()
@click.argument("target")
@click.argument("folder", metavar="DIR")
def record(target: str, folder: str) -> int:
    """Let TARGET write a log into DIR, which later versions of it are held to.

    A later version is held to it by `storelaw check TARGET --fixtures DIR`.
    """
    from storelaw import taping

    catalogue.importable(Path.cwd())
    made, refused = taping.recorded(catalogue.medium_of(target), target, Path(folder))
    for each in refused:
        click.echo(each)
    count = sum(map(len, made.kept.sessions.values()))
    click.echo(f"recorded {len(made.kept.sessions)} sessions with {count} entries in {folder}")
    click.echo(f"a later version is held to them by: storelaw check {target} --fixtures {folder}")
    return CONFORMS
