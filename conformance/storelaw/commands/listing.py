"""``storelaw laws`` and ``storelaw explain``: what the laws are."""

import json

import click

from storelaw import catalogue, explanation, terminal
from storelaw.verdict import CONFORMS


@click.command("laws")
@click.option("--family", help="Only this family.")
@click.option("--profile", help="Only the laws of this profile.")
@click.option("--json", "as_json", is_flag=True, help="The clauses as JSON.")
def listed(family: str | None, profile: str | None, as_json: bool) -> int:
    """List the laws, family by family."""
    found = catalogue.chosen(catalogue.family_of(family), profile)
    if as_json:
        click.echo(json.dumps([explanation.clause(each) for each in found], indent=1))
        return CONFORMS
    for each in dict.fromkeys(law.family for law in found):
        click.echo(terminal.painted(each, "cyan"))
        for law in found:
            if law.family == each:
                click.echo(f"    {law.requirement:<6}  {law.name}")
    return CONFORMS


@click.command()
@click.argument("law")
def explain(law: str) -> int:
    """Tell what LAW claims, why, where it comes from, and what it needs."""
    from storelaw.selftest import all_liars

    found = catalogue.law_of(law)
    click.echo("\n".join(explanation.explained(found, all_liars())))
    return CONFORMS
