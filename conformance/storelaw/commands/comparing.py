"""``storelaw diff``: what is otherwise in a newer report."""

from pathlib import Path

import click

from storelaw.verdict import BREAKS, CONFORMS


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Print the changes as JSON.")
def diff(old: str, new: str, as_json: bool) -> int:
    """Tell what got better and what got worse from OLD to NEW.

    Both are what `storelaw check` wrote by --json or --events. Ends with 1 when
    something got worse: a law that broke or is no longer evaluated, a waiver that is gone
    from a broken law, a grade or a medium that is lost.
    """
    from storelaw import comparison, report, saved

    found = comparison.compared(saved.read(Path(old)), saved.read(Path(new)))
    lines = [report.ascii_json(found.data())] if as_json else comparison.told(found)
    click.echo("\n".join(lines))
    return BREAKS if found.worse else CONFORMS
