"""What differs on a terminal: colours, the progress line, tables."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from storelaw.matrix import Row


def painted(words: str, colour: str) -> str:
    """Words in a colour where standard output is a terminal that wants it."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return click.style(words, fg=colour, bold=True) if wanted else words


class Line:
    """The progress line: on standard error, and only where that is a terminal."""

    def __init__(self, total: int | None = None) -> None:
        self._stream, self._total = sys.stderr, total
        self._done = self._broken = 0

    def told(self, law: dict[str, Any]) -> None:
        """One more law is judged."""
        self._done += 1
        self._broken += law["verdict"] == "broken"
        self.shown(f"{self._done} of {self._total} laws, {self._broken} broken: {law['name']}")

    def shown(self, words: str) -> None:
        """Show words in place of the last ones."""
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{words[:76]}")
            self._stream.flush()

    def cleared(self) -> None:
        """Leave an empty line."""
        self.shown("")


def show(rows: Sequence[Row]) -> None:
    """Show a kill matrix: as a table on a terminal, as plain columns elsewhere."""
    cells = [
        (
            each.liar.name,
            each.liar.breaks,
            "caught" if each.caught else "NOT CAUGHT",
            ", ".join(each.others) or "-",
        )
        for each in rows
    ]
    (_table if sys.stdout.isatty() else _columns)(cells)


def _columns(cells: list[tuple[str, str, str, str]]) -> None:
    for liar, breaks, caught, others in cells:
        click.echo(f"{liar:<32}  {caught:<10}  {breaks}; also: {others}")


def _table(cells: list[tuple[str, str, str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("liar", "breaks", "caught", "also breaks")
    for each in cells:
        table.add_row(*each)
    Console().print(table)
