"""What differs on a terminal: colours, the progress line, tables."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

from storelaw.matrix import Row

#: How much of a line the progress may fill.
WIDTH: Final = 76

#: How many seconds must have passed before they tell how many are left.
TELLING: Final = 3.0


def painted(words: str, colour: str) -> str:
    """Words in a colour where standard output is a terminal that wants it."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return click.style(words, fg=colour, bold=True) if wanted else words


class Line:
    """The progress line: on standard error, and only where that is a terminal."""

    def __init__(self) -> None:
        self._stream = sys.stderr

    def shown(self, words: str) -> None:
        """Show words in place of the last ones."""
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{words[:WIDTH]}")
            self._stream.flush()

    def cleared(self) -> None:
        """Leave an empty line."""
        self.shown("")


class Progress:
    """How far a check is, told from its events: the family, all laws, the time that is left."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._line, self._clock, self._began = Line(), clock, 0.0
        self._planned: Mapping[str, int] = {}
        self._done: Counter[str] = Counter()
        self._broken = 0

    def told(self, event: Mapping[str, Any]) -> None:
        """One more event."""
        if event["event"] == "begin":
            self._planned, self._began = event["planned"], self._clock()
        elif event["event"] == "law":
            law = event["law"]
            self._done[law["family"]] += 1
            self._broken += law["verdict"] == "broken"
            self._line.shown(self._words(law["family"]))

    def cleared(self) -> None:
        """Leave an empty line."""
        self._line.cleared()

    def _words(self, family: str) -> str:
        done, total = self._done.total(), sum(self._planned.values())
        words = f"{family} {self._done[family]}/{self._planned[family]}, all {done}/{total} laws"
        words += f", {self._broken} broken" if self._broken else ""
        return f"{words}, {self._times(done, total)}"

    def _times(self, done: int, total: int) -> str:
        """The time that passed and, once it means something, about how much is left."""
        passed = self._clock() - self._began
        if passed < TELLING:
            return _minutes(passed)
        return f"{_minutes(passed)}, about {_minutes(passed / done * (total - done))} left"


def _minutes(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


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
