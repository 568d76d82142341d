"""``storelaw init``: what a store's repository needs to be held to the laws."""

from pathlib import Path

import click

from storelaw.verdict import CONFORMS


@click.command("init")
@click.option("--profile", default="transcript", help="The contract of the store (transcript).")
@click.option("--package", metavar="NAME", help="The package of the store (the project's name).")
@click.option("--ci", type=click.Choice(["github"]), help="Write a workflow, too.")
def begin(profile: str, package: str | None, ci: str | None) -> int:
    """Write the skeleton of a medium, its test and its settings into this folder.

    What is there already stays as it is.
    """
    from storelaw import beginnings

    project = Path.cwd()
    plan = beginnings.planned(project, package, profile, ci)
    new, there = beginnings.begun(project, plan)
    for each in new:
        click.echo(f"wrote {each}")
    for each in there:
        click.echo(f"left {each} as it is")
    if plan.table:
        click.echo(f"\nput this table into pyproject.toml:\n\n{plan.table}")
    click.echo(f"next: fill in open() in {plan.medium}, then run: storelaw check")
    return CONFORMS
