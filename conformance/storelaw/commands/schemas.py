"""``storelaw schema``: print a schema, or check a file against one."""

import json
from pathlib import Path
from typing import Any

import click

from storelaw.errors import Misconfigured
from storelaw.verdict import BREAKS, CONFORMS


@click.command()
@click.argument("name", required=False)
@click.option("--list", "listing", is_flag=True, help="List the names of all schemas.")
@click.option("--check", "file", metavar="FILE", help="Check a document or a JSONL log.")
@click.option("--as", "kind", metavar="NAME", help="What FILE is meant to be.")
def schema(name: str | None, listing: bool, file: str | None, kind: str | None) -> int:
    """Print the schema called NAME, or check a file against one."""
    import storelaw_schemas

    if file:
        return _validated(Path(file), kind)
    if listing:
        click.echo("\n".join(storelaw_schemas.names()))
        return CONFORMS
    if not name:
        raise click.UsageError("give a NAME, --list or --check FILE")
    click.echo(json.dumps(_schema(name), indent=2))
    return CONFORMS


def _schema(name: str) -> dict[str, Any]:
    import storelaw_schemas

    try:
        return storelaw_schemas.schema(name)
    except storelaw_schemas.UnknownSchema as error:
        raise Misconfigured(f"configuration: {error}") from None


def _validated(file: Path, kind: str | None) -> int:
    from storelaw.documents import problems_of

    if kind is not None:
        _schema(kind)
    found = list(problems_of(file, kind))
    for each in found:
        click.echo(f"{file}: {each}")
    if not found:
        click.echo(f"{file}: valid")
    return BREAKS if found else CONFORMS
