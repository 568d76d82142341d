"""``storelaw waive``: write a waiver, or the stub of one."""

from datetime import date
from pathlib import Path

import click

from storelaw import config
from storelaw.verdict import CONFORMS


@click.command()
@click.argument("law")
@click.option("--reason", default="", help="Why the law may be broken.")
@click.option("--link", default="", help="Where the repair is followed.")
@click.option("--until", "end", metavar="DATE", help="The last day of the waiver (in 30 days).")
@click.option("--flaky", is_flag=True, help="The law fails in some replays only.")
@click.option("--file", metavar="FILE", help="The TOML file of waivers (waivers.toml).")
def waive(law: str, reason: str, link: str, end: str | None, flaky: bool, file: str | None) -> int:
    """Add a waiver of LAW to the file of waivers.

    Without a reason and a link it is a stub, which a check refuses until they are filled in.
    """
    from storelaw import stubs

    named = config.found(Path.cwd()).waivers
    target = Path(file or named or "waivers.toml")
    made = stubs.waiver(law, reason, link, stubs.until(end, date.today()), flaky=flaky)
    stubs.add(made, target)
    click.echo(f"{target} waives {made.law} until {made.until}")
    empty = [key for key in ("reason", "link") if not getattr(made, key).strip()]
    if empty:
        click.echo(f"fill in its {' and '.join(empty)}; a check refuses the file until then")
    if named is None:
        click.echo(f'a check reads it by --waivers {target}, or by waivers = "{target}"')
        click.echo("in the table [tool.storelaw] of pyproject.toml")
    return CONFORMS
