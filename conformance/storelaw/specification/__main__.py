"""Freeze a version: ``python -m storelaw.specification VERSION FOLDER``."""

import re
from pathlib import Path

import click

from storelaw.specification import freezing


def _version(_: click.Context, __: click.Parameter, value: str) -> str:
    if not re.fullmatch(r"\d+(\.\d+)*", value):
        raise click.BadParameter(f"{value!r} is no version; write one such as 0.2")
    return value


@click.command()
@click.argument("version", callback=_version)
@click.argument("folder", type=click.Path(file_okay=False, exists=True, path_type=Path))
def freeze(version: str, folder: Path) -> None:
    """Write the clauses, laws and grades that VERSION has now into a file in FOLDER."""
    click.echo(freezing.write(version, folder))


if __name__ == "__main__":
    freeze()
