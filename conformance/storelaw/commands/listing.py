"""``storelaw laws``, ``storelaw clauses`` and ``storelaw explain``: what is asked of a store."""

import json

import click

from storelaw import catalogue, explanation, specification, terminal
from storelaw.verdict import CONFORMS


@click.command("laws")
@click.option("--family", help="Only this family.")
@click.option("--profile", help="Only the laws of this profile.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with their clauses and evidence.")
def listed(family: str | None, profile: str | None, as_json: bool) -> int:
    """List the laws, family by family."""
    found = catalogue.chosen(catalogue.family_of(family), profile)
    if as_json:
        click.echo(json.dumps([explanation.law_data(each) for each in found], indent=1))
        return CONFORMS
    for each in dict.fromkeys(law.family for law in found):
        click.echo(terminal.painted(each, "cyan"))
        for law in found:
            if law.family == each:
                click.echo(f"    {law.requirement:<6}  {law.name}")
    return CONFORMS


@click.command("clauses")
@click.option("--profile", help="Only the clauses of this profile; kit for those of every store.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with their laws and evidence.")
def specified(profile: str | None, as_json: bool) -> int:
    """List the clauses of the specification, section by section."""
    found = specification.clauses(profile)
    if as_json:
        click.echo(json.dumps([explanation.clause_data(each) for each in found], indent=1))
        return CONFORMS
    section = ""
    for each in found:
        if (title := f"{each.profile}: {each.section}") != section:
            click.echo(terminal.painted(section := title, "cyan"))
        click.echo(f"    {each.requirement:<6}  {each.rule:<18}  {each.name}")
    return CONFORMS


@click.command()
@click.argument("name")
def explain(name: str) -> int:
    """Tell what NAME asks for, why, and what proves it: a law, or a clause by name or id."""
    from storelaw.selftest import all_liars

    found = specification.named(name)
    if isinstance(found, specification.Clause):
        click.echo("\n".join(explanation.specified(found)))
    else:
        click.echo("\n".join(explanation.explained(found, all_liars())))
    return CONFORMS
